/*
 * grade.c - the program that grades a submission; make grade calls it.
 *
 * exercises  cases, counts and points, from exercises.txt          marks    runs the cases, gives points
 * battery    inputs with random numbers, and the right answers     result   the table, the results file, the row
 * judge      builds the submission in a sandbox (build.sh), runs a case there, compares the answers
 * sandbox    bubblewrap, enter and limits around a process          job      the input and output of that process
 * runner     is that process: it holds the submission, and call_NN calls it
 */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "plain.h"
#include "result.h"

enum { MOST_SOURCE = 1 << 18, EXIT_PASSED = 0, EXIT_NOT_ALL = 1, EXIT_NO_FILE = 2, EXIT_NOT_GRADED = 3 };

typedef struct grade_options {
    int chapter, exercise;
    const char *file, *name, *exercises, *build, *gpu, *record, *row, *predict;
    uint64_t seed;
    unsigned seconds, compile_seconds;
    bool seed_set, unsandboxed, no_rules, list;
} grade_options_t;

enum {
    OPTION_UNSANDBOXED = 256, OPTION_NO_RULES, OPTION_NAME, OPTION_ROW, OPTION_SECONDS, OPTION_EXERCISES,
    OPTION_PREDICT, OPTION_COMPILE
};

static const struct argp_option OPTIONS[] = {
    {"build", 'b', "FOLDER", 0, "folder of the course built for the simulator (default: build/simt)", 0},
    {"card", 'c', "FOLDER", 0, "folder of the course built for a GPU: also measure times", 0},
    {"compile", OPTION_COMPILE, "N", 0,
     "processor seconds that the compiler may take (default: six times as many as a case)", 0},
    {"exercises", OPTION_EXERCISES, "FILE", 0, "exercises (default: common/classroom/grade/exercises.txt)", 0},
    {"list", 'l', NULL, 0, "print the exercises and their points", 0},
    {"name", OPTION_NAME, "NAME", 0, "name of the file in messages and in the results file", 0},
    {"no-rules", OPTION_NO_RULES, NULL, 0,
     "do not check the headers, words and functions of the file; for tests of the sandbox and the judge", 0},
    {"predict", OPTION_PREDICT, "CARD", 0,
     "give points for the time predicted for this GPU, a name or a file that describes it (default: predict for h200, "
     "without points)", 0},
    {"record", 'r', "FILE", 0, "write the results to FILE, as JSON if it ends in .json", 0},
    {"row", OPTION_ROW, "FILE", 0, "write one line for a leaderboard to FILE", 0},
    {"seconds", OPTION_SECONDS, "N", 0, "processor seconds that a case may take (default: 10)", 0},
    {"seed", 's', "N", 0, "repeat the hidden cases of this seed (default: new ones each time)", 0},
    {"unsandboxed", OPTION_UNSANDBOXED, NULL, 0,
     "run without the sandbox: the file can then do whatever you can, so use it only for files that you trust", 0},
    {0},
};

static unsigned long number(const char *text, unsigned long most, struct argp_state *state)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value > most)
        argp_error(state, "%s must be a whole number from 0 to %lu", text, most);
    return value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    grade_options_t *o = state->input;
    switch (key) {
    case 'b': o->build = text; break;
    case 'c': o->gpu = text; break;
    case 'l': o->list = true; break;
    case 'r': o->record = text; break;
    case 's': o->seed = number(text, ULONG_MAX, state), o->seed_set = true; break;
    case OPTION_COMPILE: o->compile_seconds = (unsigned)number(text, 3600, state); break;
    case OPTION_EXERCISES: o->exercises = text; break;
    case OPTION_NAME: o->name = text; break;
    case OPTION_NO_RULES: o->no_rules = true; break;
    case OPTION_PREDICT: o->predict = text; break;
    case OPTION_ROW: o->row = text; break;
    case OPTION_SECONDS: o->seconds = (unsigned)number(text, 3600, state); break;
    case OPTION_UNSANDBOXED: o->unsandboxed = true; break;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0) o->chapter = (int)number(text, 99, state);
        else if (state->arg_num == 1) o->exercise = (int)number(text, 99, state);
        else if (state->arg_num == 2) o->file = text;
        else return ARGP_ERR_UNKNOWN;
        break;
    case ARGP_KEY_END:
        if (!o->list && state->arg_num < 3)
            argp_error(state, "name the chapter, the exercise and the file: grade 1 1 work/my.cu");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp ARGP = {.options = OPTIONS,
                                 .parser = parse,
                                 .args_doc = "CHAPTER EXERCISE FILE",
                                 .doc = "Grades a submission: builds it, runs it in a sandbox on cases with new "
                                        "numbers, and compares its counts with those of steps of the course."
                                        "\vExit status: 0 all points, 1 not all, 2 the file cannot be read, 3 it "
                                        "could not be graded, 64 an option is wrong, 74 the output or a file could "
                                        "not be written."};

static int list_exercises(const exercises_t *t)
{
    for (const exercise_t *e = t->list; e < t->list + t->count; ++e) {
        const grade_chapter_t *c = e->chapter;
        char what[160], number[12] = "";
        if (e->number > 1) snprintf(number, sizeof number, "%d", e->number);
        printf("N=%d E=%d  %s/exercise%s.cu  %s\n", c->number, e->number, c->folder, number, e->title);
        for (int i = 0; i < GROUPS; ++i)
            printf("  %3d  %s: %s\n", GRADE_GROUP_POINTS[i], GRADE_GROUP_NAMES[i], c->groups[i].what);
        for (const grade_goal_t *goal = e->goals; goal < e->goals + e->goal_count; ++goal) {
            marks_describe_goal(goal, what, sizeof what);
            printf("  %3d  %s, on %s\n", goal->points, what, goal->input.recipe);
        }
    }
    return 0;
}

/* Reads the submission.  If it is too large, returns its beginning and sets *err; NULL and *err on other errors. */
static char *read_source(const char *path, size_t *bytes, err_t *err)
{
    struct stat status;
    size_t size = 0;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char *source = NULL;
    if (fd < 0 || fstat(fd, &status)) err_set(err, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(status.st_mode)) err_set(err, "%s is not a file", path);
    else {
        size = (size_t)status.st_size < MOST_SOURCE ? (size_t)status.st_size : MOST_SOURCE;
        source = malloc(size + 1);
        if (!source) err_set(err, "out of memory for %s", path);
        else if (status.st_size > MOST_SOURCE)
            err_set(err, "the file has %lld bytes; a submission may have at most %d", (long long)status.st_size,
                    MOST_SOURCE);
    }
    const long have = source ? job_read_all(fd, source, size) : 0;
    if (have < 0) {
        err_set(err, "%s: %s", path, strerror(errno));
        free(source);
        source = NULL;
    }
    *bytes = (size_t)have;
    if (fd >= 0) close(fd);
    return source;
}

/* A name without special characters, for messages, scripts and results files. */
static char *plain_name(const char *name)
{
    char *plain = strdup(name);
    for (char *c = plain; c && *c; ++c)
        if (!isalnum((unsigned char)*c) && !strchr("._/+-", *c)) *c = '_';
    return plain;
}

/* Ctrl-C and kill: stops the running program and removes the scratch folder. */
static void interrupt(int number)
{
    (void)number;
    sandbox_interrupted = 1;
}

/* Grades the submission and writes the results.  Returns the exit status; *err explains one that is neither of the
 * first two. */
static int grade(marks_t *m, const grade_options_t *o, const char *source, size_t bytes, err_t *err)
{
    const bool too_large = *err->text;
    if (!(m->report = report_open(REPORT_SILENT, o->record, err))) return EX_IOERR;
    if (too_large) marks_refuse(m, err->text);
    const int failed = too_large ? 0 : marks_take(m, source, bytes, o->build, o->gpu, err);
    int lost = 0;
    result_clean(m);
    if (!failed && o->record) lost = result_record(m, m->report, err);
    if (!failed && !lost && o->row) lost = result_row(m, o->row, err);
    report_progress(m->report, (size_t)m->total, (size_t)m->total, "%s", m->judge.name);
    m->report = report_close(m->report); /* erases the progress line */
    if (failed) return EXIT_NOT_GRADED;
    result_print(m);
    return lost ? EX_IOERR : strcmp(m->verdict, "passed") ? EXIT_NOT_ALL : EXIT_PASSED;
}

int main(int argc, char **argv)
{
    grade_options_t o = {.build = "build/simt", .exercises = "common/classroom/grade/exercises.txt", .seconds = 10};
    err_t err = {{0}};
    static exercises_t table;
    static marks_t m;
    size_t bytes = 0;
    for (int fd = 0; fd >= 0 && fd <= STDERR_FILENO;) /* otherwise another file gets their numbers */
        fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    cli_check_output();
    cli_argp(&ARGP, argc, argv, &o);
    if (exercises_read(&table, o.exercises, &err)) {
        fprintf(stderr, "grade: %s\n", plain_line(err.text));
        return EXIT_NOT_GRADED;
    }
    if (o.list) return list_exercises(&table);
    m.exercise = exercises_find(&table, o.chapter, o.exercise);
    if (!m.exercise) {
        fprintf(stderr, "grade: chapter %d has no exercise %d; --list prints the exercises\n", o.chapter, o.exercise);
        return EX_USAGE;
    }
    if (!o.unsandboxed && sandbox_available(&err)) {
        fprintf(stderr,
                "grade: %s.\ngrade: only for files that you trust, --unsandboxed (make grade UNSANDBOXED=yes) grades without "
                "a sandbox\n",
                err.text);
        return EXIT_NOT_GRADED;
    }
    char *source = read_source(o.file, &bytes, &err), *name = plain_name(o.name ? o.name : o.file);
    if (!source || !name) {
        fprintf(stderr, "grade: %s\n", *err.text ? plain_line(err.text) : "out of memory");
        return EXIT_NO_FILE;
    }
    if (!o.seed_set && getrandom(&o.seed, sizeof o.seed, 0) != (ssize_t)sizeof o.seed) o.seed = (uint64_t)time(NULL);
    const struct sigaction action = {.sa_handler = interrupt};
    for (int i = 0; i < 3; ++i) sigaction((const int[]){SIGINT, SIGTERM, SIGHUP}[i], &action, NULL);
    m.seed = o.seed;
    gpu_t gpu;
    if (gpu_read(&gpu, o.predict ? o.predict : "h200", &err)) {
        fprintf(stderr, "grade: %s\n", plain_line(err.text));
        return EX_USAGE;
    }
    m.predict = &gpu;
    m.predict_counts = o.predict != NULL;
    m.judge = (judge_t){.name = name, .rules = !o.no_rules, .unsandboxed = o.unsandboxed, .seconds = o.seconds,
                        .compile_seconds = o.compile_seconds};
    const int code = grade(&m, &o, source, bytes, &err);
    if (code != EXIT_PASSED && code != EXIT_NOT_ALL) fprintf(stderr, "grade: %s\n", plain_line(err.text));
    free(source);
    free(name);
    return code;
}
