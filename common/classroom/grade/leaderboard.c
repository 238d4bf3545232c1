/*
 * leaderboard.c - grades every .cu file of a folder and its subfolders; make leaderboard calls it.
 *
 *   leaderboard N E FOLDER JOBS [OPTIONS OF grade]
 *
 * It writes a table, a CSV, a plot and HTML pages, best submission first, to build/leaderboard/.  A result is stored
 * under the hash of the file and of everything that affects its marks, so a second run continues where the first one
 * ended.  File names are never passed to a shell, because they could be commands.  Exit status: 0 every file has a
 * line, whatever its points; 1 some files could not be graded; 2 a folder cannot be read; 3 no file can be graded here;
 * 64 bad option; 74 output not written; 128 + n stopped by signal n.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <openssl/evp.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "leaderboard.h"

#define GRADE "build/simt/bin/grade"

enum { MOST_SOURCE = 1 << 20 }; /* the bytes of a file that are read; grade's limit is lower */

/* ---- files and their keys ------------------------------------------------------------------------------- */

static int by_path(const void *a, const void *b)
{
    return strcmp(((const submission_t *)a)->path, ((const submission_t *)b)->path);
}

/* Every .cu file, in the order of their paths.  Exits if there is none. */
static void find_files(board_t *b)
{
    int links = 0;
    FTS *tree = fts_open((char *const[]){b->folder, NULL}, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    for (FTSENT *at; tree && (at = fts_read(tree));) {
        const size_t length = strlen(at->fts_name);
        if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR || at->fts_info == FTS_NS) {
            complain(at->fts_path, ": %s", strerror(at->fts_errno));
            ++b->not_read;
        }
        if (at->fts_level == 0 || length < 3 || strcmp(at->fts_name + length - 3, ".cu")) continue;
        if (at->fts_info == FTS_SL || at->fts_info == FTS_SLNONE) ++links;
        if (at->fts_info != FTS_F) continue;
        if (b->files == b->room) {
            b->room = 2 * b->room + 64;
            b->file = realloc(b->file, b->room * sizeof *b->file);
            if (!b->file) complain(NULL, "out of memory"), exit(EXIT_NOTHING_MARKED);
        }
        b->file[b->files++] = (submission_t){.path = format("%s", at->fts_path)};
    }
    if (!tree || errno) complain(b->folder, ": %s", strerror(errno)), ++b->not_read;
    if (tree) fts_close(tree);
    if (links) complain(NULL, "%d .cu files are links and are left out", links);
    if (!b->files) {
        complain(b->folder, " has no .cu file");
        exit(b->not_read ? EXIT_NO_INPUT : EX_USAGE);
    }
    qsort(b->file, b->files, sizeof *b->file, by_path);
    for (submission_t *s = b->file; s < b->file + b->files; ++s)
        s->name = s->path + strlen(b->folder) + strspn(s->path + strlen(b->folder), "/");
}

/* Adds at most MOST_SOURCE bytes of a regular file, and its size, to a hash.  -1 and errno. */
static int hash_file(EVP_MD_CTX *hash, const char *path)
{
    static char bytes[MOST_SOURCE];
    struct stat status = {0};
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return -1;
    int failed = fstat(fd, &status) || (!S_ISREG(status.st_mode) && (errno = EISDIR));
    ssize_t n = failed ? -1 : 1;
    for (size_t have = 0; n > 0 && have < sizeof bytes; have += (size_t)n) {
        n = read(fd, bytes, sizeof bytes - have);
        if (n > 0) EVP_DigestUpdate(hash, bytes, (size_t)n);
    }
    EVP_DigestUpdate(hash, &status.st_size, sizeof status.st_size);
    failed = n < 0 ? errno : 0;
    close(fd);
    errno = failed;
    return failed ? -1 : 0;
}

static EVP_MD_CTX *hash_begin(void)
{
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    if (!hash || !EVP_DigestInit_ex(hash, EVP_sha256(), NULL)) complain(NULL, "no SHA-256"), exit(EXIT_NOTHING_MARKED);
    return hash;
}

static void hash_end(EVP_MD_CTX *hash, char *hex, int digits)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    EVP_DigestFinal_ex(hash, digest, NULL);
    EVP_MD_CTX_free(hash);
    for (int i = 0; i < digits / 2; ++i) sprintf(hex + (size_t)2 * i, "%02x", digest[i]);
}

/* The key includes the version and the options, so that results of others are not reused. */
static void hash_context(board_t *b)
{
    char *const steps = format("build/*/grade/steps_0%s_*", b->n);
    const char *const marked_by[] = {"common/classroom/grade/exercises.txt", "build/*/bin/grade", steps,
                                     "build/*/grade/kit/*", "build/*/grade/kit/include/*.h"};
    EVP_MD_CTX *hash = hash_begin();
    glob_t found = {0};
    for (size_t i = 0; i < sizeof marked_by / sizeof *marked_by; ++i)
        glob(marked_by[i], i ? GLOB_APPEND : 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; ++i) hash_file(hash, found.gl_pathv[i]); /* folders add nothing */
    globfree(&found);
    free(steps);
    for (char **word = (char *[]){b->n, b->e, NULL}; *word; ++word) EVP_DigestUpdate(hash, *word, strlen(*word) + 1);
    for (char **word = b->options; *word; ++word) EVP_DigestUpdate(hash, *word, strlen(*word) + 1);
    hash_end(hash, b->context, CONTEXT);
}

/* -1 and errno if the file cannot be read. */
static int hash_submission(const board_t *b, const submission_t *s, char *key)
{
    EVP_MD_CTX *hash = hash_begin();
    const int failed = hash_file(hash, s->path);
    sprintf(key, "%s-", b->context);
    hash_end(hash, key + CONTEXT + 1, HASH);
    return failed;
}

/* ---- grading -------------------------------------------------------------------------------------------- */

/* Sets a submission's line when grade gave none; takes ownership of `line`. */
static void take_line(submission_t *s, char *line, const char *verdict, const char *reason)
{
    s->line = line;
    s->verdict = verdict;
    s->reason = reason;
}

static char *path_in(const board_t *b, const submission_t *s, const char *ending)
{
    return format("%s/done/%s.%s", b->out, s->key, ending);
}

/* Reads grade's row: points, verdict, microseconds and a reason.  False if the row is incomplete. */
static bool read_row(submission_t *s, const char *path)
{
    FILE *f = fopen(path, "re");
    char *line = NULL, *end = NULL, *field[4] = {0};
    size_t room = 0;
    const ssize_t n = f ? getline(&line, &room, f) : -1;
    if (f) fclose(f);
    if (n > 0 && line[n - 1] == '\n') {
        line[n - 1] = '\0';
        char *rest = line;
        for (int i = 0; i < 4; ++i) field[i] = strsep(&rest, "\t");
    }
    if (!field[3] || (s->points = (int)strtol(field[0], &end, 10), *end)) {
        free(line);
        return false;
    }
    s->time = field[2];
    take_line(s, line, field[1], field[3]);
    return true;
}

/* Computes the keys and finds results of earlier runs.  Equal files are graded once. */
static int by_key(const void *a, const void *b)
{
    return strcmp(((const submission_t *)a)->key, ((const submission_t *)b)->key);
}

static void find_marked(board_t *b)
{
    void *tree = NULL;
    for (submission_t *s = b->file; s < b->file + b->files; ++s) {
        s->same = s;
        s->time = "-";
        if (hash_submission(b, s, s->key)) {
            *s->key = '\0';
            take_line(s, NULL, NOT_MARKED, strerror(errno));
            continue;
        }
        submission_t **first = tsearch(s, &tree, by_key);
        if (first && *first != s) {
            s->same = *first;
            continue;
        }
        char *row = path_in(b, s, "row");
        read_row(s, row);
        free(row);
    }
}

static size_t count_marked(const board_t *b)
{
    size_t marked = 0;
    for (const submission_t *s = b->file; s < b->file + b->files; ++s)
        marked += s->same->verdict && strcmp(s->same->verdict, NOT_MARKED);
    return marked;
}

/* Starts grade for one file, or for none (NULL), with its output to the descriptor.  grade ends when this program ends,
 * for any reason. */
static pid_t start_grade(const board_t *b, const submission_t *s, int words)
{
    char **argv = calloc((size_t)b->option_count + 9, sizeof *argv);
    int argc = 0;
    if (!argv) return -1;
    argv[argc++] = GRADE;
    for (char **o = b->options; *o; ++o) argv[argc++] = *o;
    if (s) {
        argv[argc++] = format("--name=%s", s->name);
        argv[argc++] = format("--record=%s/done/%s.json", b->out, s->key);
        argv[argc++] = format("--row=%s/done/%s.new", b->out, s->key);
    }
    argv[argc++] = "--";
    argv[argc++] = b->n;
    argv[argc++] = b->e;
    argv[argc++] = s ? s->path : "/dev/null/no file";
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* on SIGTERM grade removes its files */
        if (getppid() != parent) _exit(EXIT_NOTHING_MARKED);
        sigprocmask(SIG_SETMASK, &none, NULL);
        dup2(words, STDOUT_FILENO);
        dup2(words, STDERR_FILENO);
        execv(GRADE, argv);
        dprintf(STDERR_FILENO, "%s: %s", GRADE, strerror(errno));
        _exit(127);
    }
    for (int i = b->option_count + 1; s && i < b->option_count + 4; ++i) free(argv[i]);
    free(argv);
    return child;
}

static void read_words(int fd, char *words, size_t size)
{
    const ssize_t n = pread(fd, words, size - 1, 0);
    words[n > 0 ? n : 0] = '\0';
}

/* Runs grade without a file to report problems that concern all files: no sandbox, no such exercise, a wrong option.
 * grade's exit status 2 means only that the file is missing. */
static void ask_grade(const board_t *b)
{
    char words[4096];
    int status = 0;
    const int fd = memfd_create("words", MFD_CLOEXEC);
    const pid_t grader = fd < 0 ? -1 : start_grade(b, NULL, fd);
    if (grader < 0 || waitpid(grader, &status, 0) < 0) {
        complain(GRADE, ": %s", strerror(errno));
        exit(EXIT_NOTHING_MARKED);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
        close(fd);
        return;
    }
    read_words(fd, words, sizeof words);
    fputs(words, stderr);
    exit(WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_NOTHING_MARKED);
}

/* False on failure, such as a full disk; the reason is then in the submission's line. */
static bool start(board_t *b, submission_t *s)
{
    char *path = path_in(b, s, "txt");
    const int words = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    s->grader = words < 0 ? -1 : start_grade(b, s, words);
    if (s->grader < 0) {
        take_line(s, NULL, NOT_MARKED, strerror(errno));
        ++b->unmarked;
    }
    free(path);
    if (words >= 0) close(words);
    return s->grader > 0;
}

/* Gives the file a line; only grade's own lines are stored. */
static void finish(board_t *b, submission_t *s, int status)
{
    char *row = path_in(b, s, "row"), *new = path_in(b, s, "new"), *said = path_in(b, s, "txt"), key[sizeof s->key];
    char words[200] = "";
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1, fd = open(said, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) read_words(fd, words, sizeof words), close(fd);
    s->grader = 0;
    const bool changed = hash_submission(b, s, key) || strcmp(key, s->key);
    if (changed) {
        take_line(s, NULL, NOT_MARKED, "the file was changed while it was graded");
    } else if ((code != 0 && code != 1) || !read_row(s, new) || rename(new, row)) {
        free(s->line);
        s->points = 0, s->time = "-";
        char *line = code < 0 ? format("ended by signal %d: %s", WTERMSIG(status), words)
                              : format("exit code %d: %s", code, words);
        take_line(s, line, NOT_MARKED, line);
    }
    if (changed || (code != 0 && code != 1 && code != 2)) ++b->unmarked;
    unlink(new);
    free(row);
    free(new);
    free(said);
}

/* Shows the last result: in the progress bar on a terminal, otherwise on a line of its own. */
static void put_last(text_t *t, const submission_t *s)
{
    t->length = 0;
    put_plain(t, s->name, 60);
    text_put(t, " %d ", s->points);
    put_plain(t, s->verdict, 20);
}

/* Grades all files without a line, `jobs` at a time.  Returns the signal that stopped it, or 0. */
static int mark_all(board_t *b)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    for (int i = 0; i < 3; ++i) { /* signals ignored by nohup or & stay ignored */
        const int number = (const int[]){SIGINT, SIGTERM, SIGHUP}[i];
        struct sigaction now;
        if (!sigaction(number, NULL, &now) && now.sa_handler != SIG_IGN) sigaddset(&awaited, number);
    }
    sigaddset(&awaited, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &awaited, NULL);

    report_t *bar = report_open(REPORT_SILENT, NULL, NULL);
    text_t last = {0};
    submission_t *next = b->file, *end = b->file + b->files;
    int running = 0, stopped = 0;
    for (;;) {
        for (; next < end && running < b->jobs && !stopped; ++next)
            if (next->same == next && !next->verdict) running += start(b, next);
        if (running == 0) break;
        report_progress(bar, count_marked(b), b->files, "%s", last.length ? last.data : "");
        const int number = sigtimedwait(&awaited, NULL, &(const struct timespec){1, 0});
        if (number > 0 && number != SIGCHLD) {
            stopped = number;
            for (submission_t *s = b->file; s < next; ++s)
                if (s->grader > 0) kill(s->grader, SIGTERM);
        }
        int status;
        for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0; --running) {
            submission_t *s = b->file;
            while (s < end && s->grader != child) ++s;
            if (s < end) finish(b, s, status);
            if (s < end && stopped && !strcmp(s->verdict, NOT_MARKED)) s->verdict = NULL;
            if (s == end || !s->verdict) continue;
            put_last(&last, s);
            if (!isatty(STDERR_FILENO)) fprintf(stderr, "%zu/%zu %s\n", count_marked(b), b->files, last.data);
        }
    }
    report_close(bar);
    text_free(&last);
    return stopped;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static void cannot_write(const char *path)
{
    complain(NULL, "cannot write %s: %s", path, strerror(errno));
    exit(EX_IOERR);
}

/* Whether OUT belongs to the folder, by OUT/folder, which the first run writes: 0 to this folder, 1 to another one, -1
 * to none yet. */
static int belongs_to_another(int out, const char *whole)
{
    char owner[PATH_MAX] = "";
    const int fd = openat(out, "folder", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    read_words(fd, owner, sizeof owner);
    close(fd);
    return strcmp(owner, whole) != 0;
}

/* Makes OUT and OUT/done; returns OUT's descriptor. */
static int make_out(const board_t *b)
{
    char *done = format("%s/done", b->out);
    for (char *slash = done; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        if (mkdir(done, 0777) && errno != EEXIST) cannot_write(done);
    }
    if (mkdir(done, 0777) && errno != EEXIST) cannot_write(done);
    free(done);
    const int folder = open(b->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) cannot_write(b->out);
    return folder;
}

/* Opens build/leaderboard/NAME-N-E and locks it; NAME-N-E-2 if another folder of the same name has it.  Returns its
 * descriptor. */
static int open_out(board_t *b)
{
    char *whole = realpath(b->folder, NULL), name[100];
    if (!whole) complain(b->folder, ": %s", strerror(errno)), exit(EXIT_NO_INPUT);
    snprintf(name, sizeof name, "%s", strrchr(whole, '/') + 1);
    for (char *c = name; *c; ++c)
        if (!isalnum((unsigned char)*c) && !strchr("_.-", *c)) *c = '_';
    for (int number = 1;; ++number) {
        int n = snprintf(b->out, sizeof b->out, "build/leaderboard/%s-%s-%s", name, b->n, b->e);
        if (number > 1) snprintf(b->out + n, sizeof b->out - (size_t)n, "-%d", number);
        const int folder = make_out(b);
        int is_others = belongs_to_another(folder, whole);
        if (is_others <= 0 && flock(folder, LOCK_EX | LOCK_NB)) {
            complain(NULL, "another leaderboard is writing %s: wait until it ends, or end it", b->out);
            exit(EXIT_NOTHING_MARKED);
        }
        /* another process may have written it before this one got the lock */
        if (is_others < 0) is_others = belongs_to_another(folder, whole);
        if (is_others < 0 && write_whole(folder, "folder", &(const text_t){.data = whole, .length = strlen(whole)}))
            cannot_write(b->out);
        if (is_others <= 0) return free(whole), folder;
        close(folder);
    }
}

/* All files have one seed, so that they are graded on the same cases.  The first run chooses it; later runs reuse
 * it. */
static void choose_seed(board_t *b, int folder)
{
    for (char **o = b->options; *o; ++o)
        if (!strncmp(*o, "--seed", 6)) return;
    char text[32] = "";
    uint64_t seed = 0;
    const int fd = openat(folder, "seed", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) read_words(fd, text, sizeof text), close(fd);
    text[strspn(text, "0123456789")] = '\0';
    if (!*text) {
        if (getrandom(&seed, 7, 0) != 7) seed = (uint64_t)time(NULL);
        snprintf(text, sizeof text, "%" PRIu64, seed);
        if (write_whole(folder, "seed.new", &(const text_t){.data = text, .length = strlen(text)}) ||
            renameat(folder, "seed.new", folder, "seed")) {
            unlinkat(folder, "seed.new", 0);
            cannot_write("the seed");
        }
    }
    b->options[b->option_count++] = format("--seed=%s", text);
}

static bool is_number(const char *s)
{
    return *s && strlen(s) < 6 && !s[strspn(s, "0123456789")] && atoi(s) > 0;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* ends when make is killed */
    struct stat status;
    board_t b = {0};
    for (int fd = 0; fd >= 0 && fd <= STDERR_FILENO;) /* otherwise another file gets their numbers */
        fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (argc < 5 || !is_number(argv[1]) || !is_number(argv[2])) {
        complain(NULL, "usage: make leaderboard N=CHAPTER E=EXERCISE SUBMISSIONS=FOLDER");
        return EX_USAGE;
    }
    b.n = format("%d", atoi(argv[1])), b.e = format("%d", atoi(argv[2])), b.folder = argv[3];
    if (stat(b.folder, &status) || (!S_ISDIR(status.st_mode) && (errno = ENOTDIR))) {
        complain(*b.folder ? b.folder : "SUBMISSIONS", ": %s; make leaderboard N=%s E=%s SUBMISSIONS=FOLDER",
                 strerror(errno), b.n, b.e);
        return EX_USAGE;
    }
    if (!is_number(argv[4])) {
        complain(argv[4], ": JOBS must be the number of submissions to grade at a time, 1 or more");
        return EX_USAGE;
    }
    b.jobs = atoi(argv[4]);
    b.option_count = argc - 5;
    b.options = calloc((size_t)b.option_count + 2, sizeof *b.options); /* room for the seed and NULL */
    if (!b.options) return complain(NULL, "out of memory"), EXIT_NOTHING_MARKED;
    memcpy(b.options, argv + 5, (size_t)b.option_count * sizeof *b.options);

    ask_grade(&b);
    find_files(&b);
    const int folder = open_out(&b);
    choose_seed(&b, folder);
    hash_context(&b);
    find_marked(&b);
    const int stopped = mark_all(&b);
    if (stopped) {
        complain(NULL, "interrupted: %zu of %zu are graded; the same command continues there", count_marked(&b),
                 b.files);
        return 128 + stopped;
    }

    const int failed = pages(&b, folder);
    if (b.unmarked)
        complain(NULL, "%d of %zu could not be graded; the same command tries them again", b.unmarked, b.files);
    return failed ? failed : b.not_read ? EXIT_NO_INPUT : b.unmarked ? EXIT_SOME_UNMARKED : 0;
}
