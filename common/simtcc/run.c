/* run.c - the command simt: `simt run [OPTION]...  PROGRAM [ARGUMENT]...`.  It sets the variables that program.c
 * reads, and then executes the program. */
#include <argp.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEED = 1, SMS, WORKERS, STEPS, SAMPLE, STRICT, LEAKS, MEMORY, TRACE, PREDICT, COUNTS, LAUNCHES, EVERY };

static const struct argp_option OPTIONS[] = {
    {"count", 'c', 0, 0, "print requests, sectors, wavefronts and active lanes of each kernel and launch shape", 1},
    {"explain", 'e', 0, 0, "print the same for each source line, the most expensive first", 1},
    {"predict", PREDICT, "CARD", OPTION_ARG_OPTIONAL,
     "predict the time of each kernel on a GPU: h200 (default), h100, a100, t4, rtx4090, or a file that describes one", 1},
    {"trace", TRACE, "FILE", 0, "write which addresses the lanes of warp 0 in block 0 access in its first requests", 1},
    {"counts", COUNTS, "FILE", 0, "write a row of counts for each launch to FILE", 1},
    {"launches", LAUNCHES, "N", 0, "end the program after N launches", 1},
    {"sample", SAMPLE, "K", 0, "count only every K-th block, and multiply the counts by K", 1},
    {"strict", STRICT, 0, 0, "stop a kernel at its first error or warning, instead of continuing", 2},
    {"leaks", LEAKS, 0, 0, "list buffers, streams and events that were not freed, and the lines that created them", 2},
    {"every-launch", EVERY, 0, 0, "also run launches that would only repeat an earlier launch", 2},
    {"seed", SEED, "N", 0, "run blocks, warps and lanes in the order of this seed", 3},
    {"sms", SMS, "N", 0, "multiprocessors of the simulated GPU (default: 8)", 3},
    {"workers", WORKERS, "N", 0, "processors that run blocks (default: all)", 3},
    {"steps", STEPS, "N", 0, "steps of a thread after which its loop is reported as endless (default: 200000000)", 3},
    {"memory", MEMORY, "MB", 0, "memory of the simulated GPU", 3},
    {0, 0, 0, 0, 0, 0},
};

/* The folder lib/simt next to the bin/ that contains this command; "" if it is unknown. */
static const char *home(void)
{
    static char path[PATH_MAX], folder[PATH_MAX + 16];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0) return "";
    path[n] = 0;
    snprintf(folder, sizeof folder, "%s/lib/simt", dirname(dirname(path)));
    return folder;
}

static void set(struct argp_state *state, const char *name, const char *value)
{
    if (setenv(name, value, 1)) argp_failure(state, 71, errno, "%s", name);
}

/* Whether the name is that of an installed GPU description; stores its path. */
static bool came_along(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/cards/%s.card", home(), name);
    return !strchr(name, '/') && access(path, R_OK) == 0;
}

/* Whether `next`, the argument after a --predict without =CARD, names a GPU and not the program. */
static bool is_gpu(const char *next)
{
    char path[PATH_MAX + 64];
    const size_t length = next ? strlen(next) : 0;
    return length && (came_along(next, path, sizeof path) || (length > 5 && strcmp(next + length - 5, ".card") == 0));
}

static void set_gpu(struct argp_state *state, const char *name)
{
    char path[PATH_MAX + 64];
    if (!name && state->next < state->argc && is_gpu(state->argv[state->next])) name = state->argv[state->next++];
    if (!name) name = "h200";
    set(state, "SIMT_PREDICT", came_along(name, path, sizeof path) ? path : name);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    static const struct { int key; const char *name; } VALUES[] = {
        {SEED, "SIMT_SEED"}, {SMS, "SIMT_SMS"}, {WORKERS, "SIMT_WORKERS"}, {STEPS, "SIMT_STEPS"},
        {SAMPLE, "SIMT_SAMPLE"}, {MEMORY, "SIMT_MEMORY_MB"}, {TRACE, "SIMT_TRACE"},
        {COUNTS, "SIMT_COUNTS"}, {LAUNCHES, "SIMT_LAUNCHES"},
    }, SWITCHES[] = {
        {'c', "SIMT_COUNT"}, {'e', "SIMT_EXPLAIN"}, {STRICT, "SIMT_STRICT"},
        {LEAKS, "SIMT_LEAKS"}, {EVERY, "SIMT_EVERY_LAUNCH"},
    };
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; ++i)
        if (VALUES[i].key == key) return set(state, VALUES[i].name, value), 0;
    for (size_t i = 0; i < sizeof SWITCHES / sizeof *SWITCHES; ++i)
        if (SWITCHES[i].key == key) return set(state, SWITCHES[i].name, "1"), 0;
    if (key == PREDICT) return set_gpu(state, value), 0;
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    --state->next; /* the following arguments belong to the program */
    *(int *)state->input = state->next;
    state->next = state->argc;
    return 0;
}

int main(int argc, char **argv)
{
    static const struct argp ARGP = {
        OPTIONS, parse, "PROGRAM [ARGUMENT]...",
        "Runs a program that simtcc built, and prints what its kernels did when it ends.\v"
        "A fault of a kernel is reported at once, with its source line.  The exit status is then 86 if the program's own "
        "is 0.  The variables SIMT_COUNT=1, SIMT_EXPLAIN=1, SIMT_PREDICT=h200, ... do the same without this command.",
        0, 0, 0};
    static const char USAGE[] = "Usage: simt run [OPTION]... PROGRAM [ARGUMENT]...\n"
                                "Try `simt run --help', or the pages simt(1) and simtcc(1).\n";
    if (argc < 2 || strcmp(argv[1], "run") != 0) {
        const bool help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
        fputs(USAGE, help ? stdout : stderr);
        return help ? 0 : 64;
    }
    static char name[] = "simt run";
    argv[1] = name;
    int program = 0;
    argp_err_exit_status = 64;
    argp_parse(&ARGP, argc - 1, argv + 1, ARGP_IN_ORDER, NULL, &program);
    if (!program) {
        fputs(USAGE, stderr);
        return 64;
    }
    setenv("SIMT_HOME", home(), 1);
    char **words = argv + 1 + program;
    execvp(*words, words);
    fprintf(stderr, "simt run: %s: %s\n", *words, strerror(errno));
    return errno == ENOENT ? 127 : 126;
}
