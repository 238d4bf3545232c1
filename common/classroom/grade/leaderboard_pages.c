/* leaderboard_pages.c - see leaderboard.h */
#include "leaderboard.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#define HTML "common/classroom/grade/leaderboard_html.py"

/* ---- words ----------------------------------------------------------------------------------------------- */

size_t put_plain(text_t *t, const char *s, size_t most)
{
    const size_t start = t->length, count = text_put_utf8(t, s, " ", most);
    for (unsigned char *c = t->data ? (unsigned char *)t->data + start : (unsigned char *)""; *c; ++c) {
        const bool general = c[0] == 0xE2 && c[1] == 0x80;
        const bool mark = general && (c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xA8 && c[2] <= 0xAE));
        const bool isolate = c[0] == 0xE2 && c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9;
        const bool no_character = c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE;
        if (mark || isolate || no_character) c[0] = 0xEF, c[1] = 0xBF, c[2] = 0xBD; /* U+FFFD */
        else if (c[0] == 0xD8 && c[1] == 0x9C) c[0] = c[1] = ' ';                  /* U+061C, a mark, too */
    }
    return count;
}

void complain(const char *about, const char *pattern, ...)
{
    text_t t = {0};
    va_list args;
    va_start(args, pattern);
    if (about) put_plain(&t, about, SIZE_MAX);
    text_vput(&t, pattern, args);
    va_end(args);
    fprintf(stderr, "leaderboard: %s\n", t.failed ? "out of memory" : t.data);
    text_free(&t);
}

char *format(const char *pattern, ...)
{
    char *text;
    va_list args;
    va_start(args, pattern);
    if (vasprintf(&text, pattern, args) < 0) {
        complain(NULL, "out of memory");
        exit(EXIT_NOTHING_MARKED);
    }
    va_end(args);
    return text;
}

/* ---- pages ----------------------------------------------------------------------------------------------- */

/* Sorts by points, best first; for equal points by time, those without a time last. */
static int by_points(const void *a, const void *b)
{
    const submission_t *x = *(submission_t *const *)a, *y = *(submission_t *const *)b;
    const double us = *x->time == '-' ? INFINITY : strtod(x->time, NULL);
    const double other = *y->time == '-' ? INFINITY : strtod(y->time, NULL);
    if (x->points != y->points) return x->points < y->points ? 1 : -1;
    if (us != other) return us > other ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void put_column(text_t *t, const char *s, int width)
{
    const size_t count = put_plain(t, s, (size_t)width);
    text_put(t, "%*s", width - (int)count, "");
}

/* Appends a CSV field.  Spreadsheets treat a field that begins with = + - @ as a formula, so it gets an apostrophe. */
static void put_csv(text_t *t, const char *s)
{
    text_t plain = {0};
    put_plain(&plain, s, SIZE_MAX);
    const char *at = plain.data ? plain.data : "";
    const char *digits = at + (*at == '-');
    const bool number = !digits[strspn(digits, "0123456789.")]; /* or just - */
    text_put(t, "\"%s", strchr("=+-@", *at) && *at && !number ? "'" : "");
    for (; *at; ++at) text_put(t, *at == '"' ? "\"\"" : "%c", *at);
    text_put(t, "\"");
    t->failed |= plain.failed;
    text_free(&plain);
}

/* Appends a field of a TSV file. */
static void put_field(text_t *t, const char *s, char after)
{
    put_plain(t, s, SIZE_MAX);
    text_put(t, "%c", after);
}

/* A field for leaderboard_html.py, unchanged, because that program handles any bytes. */
static void put_raw(text_t *t, const char *s)
{
    text_put(t, "%s%c", s, '\0');
}

typedef struct pages {
    text_t table, tsv, csv, plot; /* table: for the terminal; plot: the picture's data */
    text_t svg, list;             /* list: for leaderboard_html.py */
} pages_t;

/* The name of the equal file with which this one shares its marks, or "". */
static const char *equal_to(const submission_t *s)
{
    return s->same == s ? "" : s->same->name;
}

/* Points, verdict and name.  gnuplot ends a name at " and treats \ as an escape. */
static void put_for_plot(text_t *t, const submission_t *s)
{
    text_t name = {0};
    const size_t cut = put_plain(&name, s->name, 29);
    text_put(t, "%d\t", s->points);
    put_field(t, s->verdict, '\t');
    for (const char *c = name.data ? name.data : ""; *c; ++c)
        text_put(t, *c == '\\' ? "\\\\" : "%c", *c == '"' ? '\'' : *c);
    text_put(t, "%s\n", cut == 29 && strlen(s->name) > 30 ? "~" : "");
    text_free(&name);
}

static void write_pages(const board_t *b, pages_t *p)
{
    submission_t **order = calloc(b->files, sizeof(submission_t *));
    if (!order) complain(NULL, "out of memory"), exit(EXIT_NOTHING_MARKED);
    for (size_t i = 0; i < b->files; ++i) {
        submission_t *s = order[i] = &b->file[i];
        const submission_t *same = s->same;
        s->points = same->points, s->verdict = same->verdict, s->time = same->time, s->reason = same->reason;
    }
    qsort(order, b->files, sizeof(submission_t *), by_points);
    text_put(&p->table, "%4s  %-28s %6s  %-16s %10s  %s\n", "rank", "file", "points", "verdict", "us",
             "first thing to repair");
    text_put(&p->csv, "rank,file,points,verdict,time_us,reason,equal_to,record\n");
    for (size_t i = 0, rank = 1; i < b->files; ++i) {
        const submission_t *s = order[i];
        if (i && s->points != order[i - 1]->points) rank = i + 1;
        text_put(&p->table, "%4zu  ", rank);
        put_column(&p->table, s->name, 28);
        text_put(&p->table, " %6d  ", s->points);
        put_column(&p->table, s->verdict, 16);
        text_put(&p->table, " %10s  ", s->time);
        if (s->same != s) {
            text_put(&p->table, "equal to ");
            put_plain(&p->table, equal_to(s), 60);
            text_put(&p->table, "%s", strcmp(s->reason, "-") ? "; " : "");
        }
        if (s->same == s || strcmp(s->reason, "-")) put_plain(&p->table, s->reason, 100);
        text_put(&p->table, "\n");

        text_put(&p->csv, "%zu,", rank);
        put_csv(&p->csv, s->name);
        text_put(&p->csv, ",%d,", s->points);
        put_csv(&p->csv, s->verdict);
        text_put(&p->csv, ",");
        put_csv(&p->csv, s->time);
        text_put(&p->csv, ",");
        put_csv(&p->csv, s->reason);
        text_put(&p->csv, ",");
        put_csv(&p->csv, equal_to(s));
        text_put(&p->csv, ",\"%s%s%s\"\n", *s->key ? "done/" : "", s->key, *s->key ? ".json" : "");

        text_put(&p->tsv, "%d\t", s->points);
        put_field(&p->tsv, s->verdict, '\t');
        put_field(&p->tsv, s->time, '\t');
        put_field(&p->tsv, s->reason, '\t');
        put_field(&p->tsv, s->name, '\t');
        text_put(&p->tsv, "%s%s\t", *s->key ? s->key : "-", *s->key ? ".json" : "");
        put_field(&p->tsv, equal_to(s), '\n');

        text_put(&p->list, "%zu%c%d%c", rank, '\0', s->points, '\0');
        for (int field = 0; field < 7; ++field)
            put_raw(&p->list, (const char *[]){s->verdict, s->time, s->reason, s->key, s->name, s->path,
                                               equal_to(s)}[field]);

        put_for_plot(&p->plot, s);
    }
    free(order);
}

/* -1 and errno. */
static int write_all(int fd, const text_t *t)
{
    ssize_t n = 1;
    for (size_t done = 0; n > 0 && done < t->length; done += (size_t)n) n = write(fd, t->data + done, t->length - done);
    return n < 0 ? -1 : 0;
}

/* Runs a program from PATH with the text as its input; its output goes to `out`.  Returns its exit status; 127 if there
 * is no such program, -1 if it could not be started. */
static int feed(const text_t *t, int out, char *const argv[])
{
    const int in = memfd_create("input", MFD_CLOEXEC);
    int status = -1;
    const pid_t child = in < 0 || t->failed || write_all(in, t) || lseek(in, 0, SEEK_SET) ? -1 : fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    if (child > 0) waitpid(child, &status, 0);
    if (in >= 0) close(in);
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Draws the picture with gnuplot, which reads and writes memory only.  -1 if gnuplot is installed but draws nothing. */
static int draw(const board_t *b, pages_t *p)
{
    const int out = memfd_create("picture", MFD_CLOEXEC);
    char *heading = format("heading='chapter %s, exercise %s'; rows=%zu; table='/dev/stdin'", b->n, b->e, b->files);
    struct stat size = {0};
    const int status =
        out < 0 ? -1 : feed(&p->plot, out, (char *[]){"gnuplot", "-e", heading, "plots/leaderboard.gp", NULL});
    if (status == 127) complain(NULL, "gnuplot is not installed, so there is no plot");
    char *svg = status == 0 && !fstat(out, &size) ? calloc((size_t)size.st_size + 1, 1) : NULL;
    /* gnuplot does not report that its output was cut off. */
    if (svg && pread(out, svg, (size_t)size.st_size, 0) == size.st_size && strstr(svg, "</svg>"))
        p->svg = (text_t){.data = svg, .length = (size_t)size.st_size};
    free(heading);
    if (out >= 0) close(out);
    return status == 127 || p->svg.length ? 0 : -1;
}

/* Writes the HTML pages.  Returns 0 even if a program for them is not installed, after a message. */
static int write_html(const board_t *b, const pages_t *p)
{
    const int status =
        feed(&p->list, STDERR_FILENO, (char *[]){"python3", HTML, b->n, b->e, (char *)b->out, NULL});
    if (status == 127) complain(NULL, "python3 is not installed, so there are no pages");
    if (status == 0 || status == 127 || status == EX_UNAVAILABLE) return status;
    complain(NULL, "cannot write %s/html; the pages of the last run are unchanged", b->out);
    return EX_IOERR;
}

int write_whole(int folder, const char *name, const text_t *t)
{
    const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    int failed = write_all(fd, t) || fsync(fd) ? errno : 0;
    if (close(fd) && !failed) failed = errno;
    errno = failed;
    return failed ? -1 : 0;
}

static int not_saved(const board_t *b, const char *name, const char *why)
{
    complain(NULL, "cannot write %s/%s: %s; table, CSV and plot of the last run are unchanged", b->out, name,
             why);
    return EX_IOERR;
}

/* Writes all three files or none: they replace the old ones only when all are on the disk. */
static int save(const board_t *b, const pages_t *p, int folder)
{
    static const char *const NAME[] = {"leaderboard.tsv", "leaderboard.csv", "leaderboard.svg"};
    static const char *const NEW[] = {"leaderboard.tsv.new", "leaderboard.csv.new", "leaderboard.svg.new"};
    const text_t *const text[] = {&p->tsv, &p->csv, &p->svg};
    int failed = p->tsv.failed || p->csv.failed || p->table.failed ? ENOMEM : 0, at = 0;
    for (int i = 0; i < 3 && !failed; ++i)
        if (text[i]->length && write_whole(folder, NEW[i], text[i])) failed = errno, at = i;
    for (int i = 0; i < 3 && !failed; ++i) {
        if (!text[i]->length) unlinkat(folder, NAME[i], 0); /* removes an older table's picture */
        else if (renameat(folder, NEW[i], folder, NAME[i])) failed = errno, at = i;
    }
    if (!failed) return 0;
    for (int i = 0; i < 3; ++i) unlinkat(folder, NEW[i], 0);
    return not_saved(b, NAME[at], strerror(failed));
}

int pages(const board_t *b, int folder)
{
    pages_t p = {0};
    write_pages(b, &p);
    int failed = draw(b, &p) ? not_saved(b, "leaderboard.svg", "gnuplot did not finish it") : save(b, &p, folder);
    const int html = failed ? failed : write_html(b, &p);
    printf("%s\n", p.table.data ? p.table.data : "");
    if (!failed) printf("%s/leaderboard.csv   ", b->out);
    if (!failed && p.svg.length) printf("%s/leaderboard.svg   ", b->out);
    if (!html) printf("%s/html/index.html   ", b->out);
    printf("records: %s/done/*.json\n", b->out);
    if (html == EX_IOERR) failed = html;
    if (fflush(stdout) || ferror(stdout)) {
        complain("standard output", " is incomplete: %s", strerror(errno));
        return EX_IOERR;
    }
    return failed;
}
