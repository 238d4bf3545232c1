/* test_compare.c - tests common/workshop/tools/compare.sh: ratios, noise, rows in only one results file, and files that
 * are no results files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/unit.h"


#define HEADER "chapter\tstep\tkind\tcase\tdtype\tcold_us\tspread_pct\tstatus\tld_sectors\n"

static char folder[] = "/tmp/test_compare.XXXXXX", text[16384];

FIXTURE(setup)
{
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(teardown)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void write_file(const char *name, const char *content)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(content, f);
    fclose(f);
}

/* Compares two files of the folder; returns the exit status. */
static int compare(const char *a, const char *b)
{
    char command[512];
    snprintf(command, sizeof command, "common/workshop/tools/compare.sh %s/%s %s/%s 2>&1", folder, a, folder, b);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    const int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void says(const char *what)
{
    if (!strstr(text, what)) fail_msg("no \"%s\" in\n%s", what, text);
}

/* The line of the step has this ratio and ends with this word. */
static void verdict(const char *step, const char *ratio, const char *word)
{
    char line[256];
    const char *at = strstr(text, step);
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    if (!strstr(line, ratio) || strcmp(line + strlen(line) - strlen(word), word))
        fail_msg("expected %s, %s: %s", ratio, word, line);
}

TEST(test_noise_is_told_from_change)
{
    write_file("a.tsv", "# gpu: X\n# seed: 42\n" HEADER "c\tslower\tgpu\tn=1\tfp32\t100\t1\tok\t-\n"
                        "c\tfaster\tgpu\tn=1\tfp32\t100\t1\tok\t-\n"
                        "c\twithin\tgpu\tn=1\tfp32\t100\t2\tok\t-\n"
                        "c\tbeside\tgpu\tn=1\tfp32\t100\t2\tok\t-\n");
    write_file("b.tsv", "# gpu: Y\n# seed: 42\n" HEADER "c\tslower\tgpu\tn=1\tfp32\t103\t1\tok\t-\n"
                        "c\tfaster\tgpu\tn=1\tfp32\t50\t1\tok\t-\n"
                        "c\twithin\tgpu\tn=1\tfp32\t103\t2\tok\t-\n"
                        "c\tbeside\tgpu\tn=1\tfp32\t105\t2\tok\t-\n");
    assert_int_equal(compare("a.tsv", "b.tsv"), 0);
    verdict("slower  ", "1.030", "slower"); /* difference 3, noise 1 + 1.03 */
    verdict("faster  ", "0.500", "faster");
    verdict("within  ", "1.030", "noise"); /* difference 3, noise 2 + 2.06 */
    verdict("beside  ", "1.050", "slower"); /* difference 5, noise 2 + 2.1 */
    says("differs: gpu (X | Y)");
    assert_null(strstr(text, "differs: seed"));
    says("2 slower, 1 faster, 1 within noise");
}

TEST(test_counts_have_no_noise)
{
    write_file("a.tsv", HEADER "c\tsame\tgpu\tn=1\tfp32\t-\t-\tok\t1000\nc\tmore\tgpu\tn=1\tfp32\t-\t-\tok\t1000\n");
    write_file("b.tsv", HEADER "c\tsame\tgpu\tn=1\tfp32\t-\t-\tok\t1000\nc\tmore\tgpu\tn=1\tfp32\t-\t-\tok\t1001\n");
    assert_int_equal(compare("a.tsv", "b.tsv"), 0);
    verdict("same  ", "1.000", "same");
    verdict("more  ", "1.001", "more");
    says("sectors loaded: 2 rows, 1 differ");
}

TEST(test_rows_of_one_record_are_named)
{
    write_file("a.tsv", HEADER "c\tgone\tgpu\tn=1\tfp32\t1\t1\tok\t-\nc\tbroke\tgpu\tn=1\tfp32\t1\t1\tok\t-\n");
    write_file("b.tsv", HEADER "c\tcame\tgpu\tn=1\tfp32\t1\t1\tok\t-\nc\tbroke\tgpu\tn=1\tfp32\t-\t-\tFAIL: y[0]\t-\n");
    assert_int_equal(compare("a.tsv", "b.tsv"), 0);
    says("only in A (1):\n  gone");
    says("only in B (1):\n  came");
    says("status changed:\n  broke");
    says("A: ok   B: FAIL: y[0]");
}

TEST(test_files_that_are_no_records)
{
    write_file("a.tsv", HEADER);
    write_file("text", "hello\n");
    write_file("empty", "");
    write_file("short.tsv", HEADER "c\tv1\tgpu\n");
    assert_int_equal(compare("a.tsv", "nowhere"), 2);
    says("does not exist");
    assert_int_equal(compare("text", "a.tsv"), 2);
    says("is not a results file");
    assert_int_equal(compare("empty", "a.tsv"), 2);
    assert_int_equal(compare(".", "a.tsv"), 2);
    assert_int_equal(compare("a.tsv", "short.tsv"), 0);
    says("line 2 has 3 columns of 9 and is left out");
    assert_int_equal(compare("a.tsv", "a.tsv"), 0);
    says("no row has a time or counts in both");
}

int main(void) { return cmocka_run_group_tests(tests, setup, teardown); }
