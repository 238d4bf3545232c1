/*
 * test_corpus.c - every file of the corpus through the reader: read, or refused in one line that names file, line and
 * reason; without a crash, a hang or (under `make sanitize`) a leak.
 *
 * common/workshop/fuzz/corpus.sh writes the files and says in files.tsv what must come of each.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "battery.h"
#include "mtx.h"

enum { SECONDS_AT_MOST = 30, FIELDS = 4 }; /* of CPU time: a busy machine is no hang */

static char folder[] = "/tmp/test_corpus.XXXXXX";
static int files;

FIXTURE(make_corpus)
{
    char command[256];
    if (!mkdtemp(folder)) return -1;
    snprintf(command, sizeof command, "%s/workshop/fuzz/corpus.sh %s", COMMON_FOLDER, folder);
    return system(command);
}

FIXTURE(remove_corpus)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* The message is "PATH:LINE: reason" with these words.  line "0": the message has no line number; "-": it may. */
static void check_message(const char *text, const char *path, const char *line, const char *words)
{
    const size_t n = strlen(path);
    if (strncmp(text, path, n) || text[n] != ':') fail_msg("'%s' does not begin with %s", text, path);
    if (!strstr(text + n, words)) fail_msg("'%s' does not say '%s'", text, words);
    if (strchr(text, '\n')) fail_msg("'%s' is more than a line", text);
    char number[32];
    snprintf(number, sizeof number, ":%s: ", line);
    if (*line == '0' && text[n + 1] != ' ') fail_msg("'%s' names a line", text);
    if (*line >= '1' && *line <= '9' && strncmp(text + n, number, strlen(number)))
        fail_msg("'%s': not line %s", text, line);
}

/* The file at that path, of which the list says: name, status, line, words. */
static void check_file(const char *path, char *const field[FIELDS])
{
    err_t err = {""};
    const clock_t start = clock();
    csr_t *A = mtx_read(path, &err);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > SECONDS_AT_MOST) fail_msg("%s takes %.1f s", field[0], seconds);
    if (*field[1] == '0') {
        if (!A) fail_msg("%s", err.text);
        assert_int_equal(csr_check(A, &err), 0);
    } else {
        if (A) fail_msg("%s is read, but should not be: %s", field[0], field[3]);
        check_message(err.text, path, field[2], field[3]);
    }
    csr_free(A);
    ++files;
}

/* One line of files.tsv; the same must come of a text inside gzip. */
static void check_entry(char *entry)
{
    char path[1400], zipped[1500], command[3000], *field[FIELDS];
    struct stat status;
    for (int i = 0; i < FIELDS; ++i) {
        field[i] = entry;
        entry += strcspn(entry, "\t\n");
        *entry++ = 0;
    }
    snprintf(path, sizeof path, "%s/%s", folder, field[0]);
    check_file(path, field);
    if (strcmp(path + strlen(path) - 4, ".mtx") || stat(path, &status) || status.st_size == 0) return;
    snprintf(zipped, sizeof zipped, "%s.gz", path);
    snprintf(command, sizeof command, "gzip -c %s >%s", path, zipped);
    assert_int_equal(system(command), 0);
    check_file(zipped, field);
}

TEST(corpus)
{
    char path[256], line[1024];
    snprintf(path, sizeof path, "%s/files.tsv", folder);
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) check_entry(line);
    fclose(list);
    assert_true(files > 160);
}

/* After all files of the corpus, bombs of 100 MB among them, the test has used less memory than this limit. */
TEST(bombs_take_no_memory)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    assert_in_range(usage.ru_maxrss, 1, 400 << 10); /* KiB, the sanitizers' shadow with it */
}

int main(void) { return cmocka_run_group_tests(tests, make_corpus, remove_corpus); }
