/* cli.c - see cli.h */
#include "cli.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "err.h"
#include "plain.h"

enum { REPS_MAX = 100000, THREADS_MAX = 1024, EXPERIMENT_MAX = 1000, SEED_DEFAULT = 42 };

/* ---- the values ------------------------------------------------------------------------------ */

/* Parses decimal digits at *s, at least one, and moves *s past them.  -1 if there are none or too many. */
static int take_digits(const char **s, uint64_t *value)
{
    const char *p = *s;
    *value = 0;
    for (; *p >= '0' && *p <= '9'; ++p) {
        unsigned digit = (unsigned)(*p - '0');
        if (*value > (UINT64_MAX - digit) / 10) return -1;
        *value = *value * 10 + digit;
    }
    if (p == *s) return -1;
    *s = p;
    return 0;
}

/* Returns the bits to shift for a suffix, -1 if it is not a suffix. */
static int suffix_shift(char c)
{
    switch (c) {
    case 'k': case 'K': return 10;
    case 'm': case 'M': return 20;
    case 'g': case 'G': return 30;
    default: return -1;
    }
}

int cli_parse_size(const char *text, size_t *count, err_t *err)
{
    const char *p = text;
    uint64_t value, power;
    int shift = 0;

    if (take_digits(&p, &value))
        return err_set(err, "\"%s\" is not a size: a count such as 1000, 64M or 2^26, below 2^64", text);
    if (value == 2 && *p == '^') {
        ++p;
        if (take_digits(&p, &power) || *p) return err_set(err, "\"%s\" is not a power of two such as 2^26", text);
        if (power > 63) return err_set(err, "\"%s\" is too large: 2^63 is the last power", text);
        value = 1;
        shift = (int)power;
    } else if (*p) {
        shift = suffix_shift(*p);
        if (shift < 0 || p[1])
            return err_set(err, "\"%s\" is not a size: K, M and G (1024, 1024^2, 1024^3) or 2^k are understood", text);
    }
    if (value > (uint64_t)SIZE_MAX >> shift) return err_set(err, "\"%s\" is too large", text);
    *count = (size_t)(value << shift);
    return 0;
}

/* Parses a whole number in low..high; else argp reports an error. */
static uint64_t number(struct argp_state *state, const char *option, const char *text, uint64_t low, uint64_t high)
{
    const char *p = text;
    uint64_t value = 0;
    if (take_digits(&p, &value) || *p || value < low || value > high)
        argp_error(state, "--%s: \"%s\" is not a whole number from %llu to %llu", option, text,
                   (unsigned long long)low, (unsigned long long)high);
    return value;
}

static size_t size(struct argp_state *state, const char *text)
{
    err_t err;
    size_t count = 0;
    if (cli_parse_size(text, &count, &err)) argp_error(state, "--size: %s", err.text);
    else if (count == 0) argp_error(state, "--size: 0 is not a size; leave it out for the chapter's own");
    return count;
}

static dtype_t dtype(struct argp_state *state, const char *text)
{
    err_t err;
    dtype_t t = DTYPE_F32;
    if (dtype_parse(text, &t, &err)) argp_error(state, "--dtype: %s", err.text);
    return t;
}

/* Returns the index of `text` in names (ends with NULL); if it is not there argp reports an error. */
static int one_of(struct argp_state *state, const char *option, const char *text, const char *const *names)
{
    for (int i = 0; names[i]; ++i)
        if (strcmp(text, names[i]) == 0) return i;
    char known[128] = "";
    for (int i = 0; names[i]; ++i) snprintf(known + strlen(known), sizeof known - strlen(known), " %s", names[i]);
    argp_error(state, "--%s: \"%s\" is not one of:%s", option, text, known);
    return 0;
}

static const char *non_empty(struct argp_state *state, const char *option, const char *text)
{
    if (!*text) argp_error(state, "--%s needs a value", option);
    return text;
}

/* Checks the value of --only: names separated by commas, none empty. */
static const char *step_list(struct argp_state *state, const char *text)
{
    for (const char *p = text;; ++p) {
        const size_t length = strcspn(p, ",");
        if (length == 0) argp_error(state, "--only: a step name is missing in \"%s\"", text);
        if (length >= STEP_NAME) argp_error(state, "--only: \"%s\" is longer than the name of any step", text);
        p += length;
        if (!*p) return text;
    }
}

/* ---- the options ----------------------------------------------------------------------------- */

enum {
    OPT_LIST = 1000,
    OPT_ONLY,
    OPT_SIZE,
    OPT_SWEEP,
    OPT_DTYPE,
    OPT_MATRIX,
    OPT_SYMMETRIC,
    OPT_VERDICT,
    OPT_BESIDE,
    OPT_EXPERIMENT,
    OPT_EXACT,
    OPT_SEED,
    OPT_REPS,
    OPT_THREADS,
    OPT_FORMAT,
    OPT_WIDE,
    OPT_RECORD,
    OPT_COUNT,
    OPT_EXPLAIN,
    OPT_LINES,
    OPT_TRACE,
    OPT_FILM,
    OPT_SHUFFLE,
    OPT_ONCE,
    OPT_SMS,
    OPT_PREDICT,
    OPT_GPU,
    OPT_HANG
};

static const struct argp_option OPTIONS[] = {
    {0, 0, 0, 0, "What to run:", 1},
    {"list", OPT_LIST, 0, 0, "Print the steps of this chapter and stop", 0},
    {"only", OPT_ONLY, "STEPS", 0,
     "Run these steps only: v1,v7 or cub*; as in a shell * is any ending and v? are v1 to v9 (default: all)", 0},
    {"size", OPT_SIZE, "N", 0,
     "Problem size in elements: 1000, 64M (K M G are 1024, 1024^2, 1024^3) or 2^26 (default: the chapter's)", 0},
    {"sweep", OPT_SWEEP, 0, 0, "Run the chapter's list of sizes", 0},
    {"dtype", OPT_DTYPE, "TYPE", 0, "Value type: fp32, fp64, fp16, bf16 or int8 (default: the chapter's types)", 0},
    {"matrix", OPT_MATRIX, "FILE|RECIPE", 0,
     "A .mtx or .mtx.gz file, or the recipe of a generated matrix (default: the chapter's)", 0},
    {"symmetric", OPT_SYMMETRIC, "lower|as-listed", 0,
     "Which half of a symmetric matrix the file lists: the lower one (default), or as-listed: any or both, which must agree", 0},
    {"verdict", OPT_VERDICT, "FORM", 0,
     "Where to print the verdict on --matrix: below the table (default), alone, as json, or none at all; make advise "
     "compares all chapters", 0},
    {"beside", OPT_BESIDE, "FILES", OPTION_HIDDEN, 0, 0}, /* for make advise */
    {"experiment", OPT_EXPERIMENT, "K", 0, "Run the chapter's experiment K, counted from 1", 0},
    {"exact", OPT_EXACT, 0, 0, "Take small integers as input, and require equal results, not only close ones", 0},
    {"seed", OPT_SEED, "S", 0, "Seed of the input, 0 to 2^64-1 (default: 42)", 0},

    {0, 0, 0, 0, "How to measure:", 2},
    {"reps", OPT_REPS, "N", 0, "Take exactly N samples, 1 to 100000 (default: until the median is known to 0.3 %)", 0},
    {"threads", OPT_THREADS, "N", 0, "CPU threads, 1 to 1024 (default: all cores)", 0},
    {"once", OPT_ONCE, 0, 0, "Run each step once without measuring it, for tools such as ncu and compute-sanitizer", 0},

    {0, 0, 0, 0, "What to show:", 3},
    {"format", OPT_FORMAT, "FORMAT", 0, "table, tsv or json on standard output (default: table)", 0},
    {"wide", OPT_WIDE, 0, 0, "Print all columns, and what limits each predicted time (default: 100 characters per row)",
     0},
    {"record", OPT_RECORD, "FILE", 0, "Also write the rows to the results file FILE (TSV); its folder is created", 0},

    {0, 0, 0, 0, "Without a GPU (kernels on the CPU simulator):", 4},
    {"count", OPT_COUNT, "on|off", 0, "Count the memory traffic of kernels (default: on)", 0},
    {"explain", OPT_EXPLAIN, "STEP", 0, "Print the counts of STEP per source line", 0},
    {"lines", OPT_LINES, "FILE", 0, "Write the counts per source line, for the pages", 0},
    {"trace", OPT_TRACE, "FILE", 0, "Write which lane accessed which address, for the pictures", 0},
    {"film", OPT_FILM, "FILE", 0, "Write what every warp did, step by step, for the player (make play)", 0},
    {"shuffle", OPT_SHUFFLE, "SEED", 0,
     "Run blocks, warps and lanes in a random order with this SEED, 0 to 2^64-1 (default: 0, natural order)", 0},
    {"sms", OPT_SMS, "N", 0, "Multiprocessors of the simulated GPU, 1 to 1024 (default: 8; an H200 has 132)", 0},

    {"predict", OPT_PREDICT, "CARD", 0,
     "Predict times on that GPU: h200 (default), h100, a100, t4, rtx4090, or none", 0},
    {"card", OPT_GPU, "FILE", 0, "Predict times on the GPU that FILE describes", 0},

    {"HANG", OPT_HANG, "SECONDS", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, 0, 0}, /* argp's would sleep for an hour */

    {0, 0, 0, 0, "Help:", -1},
    {0},
};

typedef struct parse_input {
    options_t *o;
    bool has_extra;
    void *extra_input;
} parse_input_t;

/* Parses the options that select what runs. */
static error_t parse_what(int key, char *arg, struct argp_state *state, options_t *o)
{
    static const char *const SYMMETRIC[] = {"lower", "as-listed", NULL};
    static const char *const VERDICT[] = {[VERDICT_UNDER] = "under", [VERDICT_ALONE] = "alone", [VERDICT_JSON] = "json",
                                          [VERDICT_NONE] = "none", NULL};

    switch (key) {
    case OPT_LIST: o->list = true; return 0;
    case OPT_ONLY: o->only = step_list(state, arg); return 0;
    case OPT_SIZE: o->size = size(state, arg); return 0;
    case OPT_SWEEP: o->sweep = true; return 0;
    case OPT_DTYPE:
        o->dtype = dtype(state, arg);
        o->dtype_set = true;
        return 0;
    case OPT_MATRIX: o->matrix = non_empty(state, "matrix", arg); return 0;
    case OPT_SYMMETRIC: o->as_listed = one_of(state, "symmetric", arg, SYMMETRIC); return 0;
    case ARGP_KEY_END:
        if (o->as_listed && !o->matrix)
            argp_error(state, "--symmetric says how to read a file: add --matrix FILE");
        if (o->verdict != VERDICT_UNDER && !o->matrix)
            argp_error(state, "--verdict needs a matrix: add --matrix FILE");
        return 0;
    case OPT_VERDICT: o->verdict = (verdict_form_t)one_of(state, "verdict", arg, VERDICT); return 0;
    case OPT_BESIDE: o->beside = non_empty(state, "beside", arg); return 0;
    case OPT_EXPERIMENT: o->experiment = (int)number(state, "experiment", arg, 1, EXPERIMENT_MAX); return 0;
    case OPT_EXACT: o->exact = true; return 0;
    case OPT_SEED: o->seed = number(state, "seed", arg, 0, UINT64_MAX); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Parses the options for how it is measured and shown. */
static error_t parse_how(int key, char *arg, struct argp_state *state, options_t *o)
{
    static const char *const FORMATS[] = {[REPORT_TABLE] = "table", [REPORT_TSV] = "tsv", [REPORT_JSON] = "json", NULL};
    static const char *const SWITCH[] = {"off", "on", NULL};

    switch (key) {
    case OPT_REPS: o->reps = (size_t)number(state, "reps", arg, 1, REPS_MAX); return 0;
    case OPT_THREADS: o->threads = (int)number(state, "threads", arg, 1, THREADS_MAX); return 0;
    case OPT_FORMAT: o->format = (report_format_t)one_of(state, "format", arg, FORMATS); return 0;
    case OPT_WIDE: o->wide = true; return 0;
    case OPT_RECORD: o->record = non_empty(state, "record", arg); return 0;
    case OPT_COUNT: o->count = one_of(state, "count", arg, SWITCH); return 0;
    case OPT_EXPLAIN: o->explain = non_empty(state, "explain", arg); return 0;
    case OPT_LINES: o->lines = non_empty(state, "lines", arg); return 0;
    case OPT_TRACE: o->trace = non_empty(state, "trace", arg); return 0;
    case OPT_FILM: o->film = non_empty(state, "film", arg); return 0;
    case OPT_SHUFFLE: o->shuffle = number(state, "shuffle", arg, 0, UINT64_MAX); return 0;
    case OPT_ONCE: o->once = true; return 0;
    case OPT_SMS: o->sms = (int)number(state, "sms", arg, 1, 1024); return 0;
    case OPT_PREDICT: o->predict = non_empty(state, "predict", arg); return 0;
    case OPT_GPU: o->predict = non_empty(state, "card", arg); return 0;
    case OPT_HANG: argp_error(state, "--HANG is not an option here"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    parse_input_t *in = state->input;
    if (key == ARGP_KEY_INIT) {
        if (in->has_extra) state->child_inputs[0] = in->extra_input;
        return 0;
    }
    error_t rc = parse_what(key, arg, state, in->o);
    return rc == ARGP_ERR_UNKNOWN ? parse_how(key, arg, state, in->o) : rc;
}

/* At the end of a program: checks that all its output was written, including that of --help and --list. */
static void check_output_at_exit(void)
{
    const bool before = ferror(stdout); /* this error may have been reported already, with its reason */
    errno = 0;
    if (fclose(stdout) == 0 && !before) return;
    if (errno == EBADF) return; /* standard output was closed from the start */
    fprintf(stderr, "standard output is incomplete%s%s\n", before ? "" : ": ", before ? "" : strerror(errno));
    _exit(EX_IOERR);
}

void cli_check_output(void)
{
    static bool once;
    if (!once) atexit(check_output_at_exit);
    once = true;
}

error_t cli_argp(const struct argp *argp, int argc, char **argv, void *input)
{
    FILE *const terminal = stderr, *made_plain = plain_stream(stderr);
    if (made_plain) stderr = made_plain;
    argp_err_exit_status = EX_USAGE;
    const error_t rc = argp_parse(argp, argc, argv, 0, NULL, input); /* if it exits, the stream is closed, too */
    stderr = terminal;
    if (made_plain) fclose(made_plain);
    return rc;
}

void cli_parse(options_t *o, int argc, char **argv, const char *doc, const struct argp *extra, void *extra_input)
{
    static const char AFTER[] =
        "\vExit status: 0 all rows ok, 1 a row failed, 2 bad or too large input, 64 bad option, "
        "74 output not written.";
    const struct argp_child children[] = {{extra, 0, "Of this chapter:", 0}, {0}};
    parse_input_t in = {o, extra != NULL, extra_input};

    cli_check_output();
    *o = (options_t){.dtype = DTYPE_F32, .seed = SEED_DEFAULT, .format = REPORT_TABLE, .count = true,
                     .argc = argc, .argv = argv};
    char *text = NULL;
    if (!doc) doc = "";
    if (asprintf(&text, "%s%s", doc, strchr(doc, '\v') ? "" : AFTER) < 0) text = NULL;

    const struct argp argp = {.options = OPTIONS, .parser = parse_option, .doc = text ? text : doc,
                              .children = extra ? children : NULL};
    const error_t rc = cli_argp(&argp, argc, argv, &in);
    free(text);
    if (rc) {
        fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "?", strerror(rc));
        exit(EX_USAGE);
    }
}

void cli_refuse_unused(const options_t *o, const char *program, unsigned used, int experiments)
{
    const bool floats = o->dtype == DTYPE_F32 || o->dtype == DTYPE_F64;
    const char *unused = o->size && !(used & CLI_SIZE)                        ? "size"
                         : o->sweep && !(used & CLI_SWEEP)                    ? "sweep"
                         : o->matrix && !(used & CLI_MATRIX)                  ? "matrix"
                         : o->dtype_set && !(used & (CLI_DTYPE | CLI_FLOATS)) ? "dtype"
                         : o->experiment && experiments == 0                  ? "experiment"
                                                                              : NULL;
    if (unused && strcmp(unused, "size") == 0 && used & CLI_MATRIX)
        fprintf(stderr, "%s: --size does not apply: choose the input by --matrix FILE or RECIPE\n", program);
    else if (unused)
        fprintf(stderr, "%s: this program has no option --%s\n", program, unused);
    else if (o->dtype_set && !(used & CLI_DTYPE) && !floats)
        fprintf(stderr, "%s: --dtype is fp32 or fp64 here\n", program);
    else if (o->experiment > experiments)
        fprintf(stderr, "%s: --experiment %d does not exist: choose 1 to %d\n", program, o->experiment,
                experiments);
    else
        return;
    exit(EX_USAGE);
}

bool cli_selects(const options_t *o, const char *id)
{
    if (!o->only) return true;
    for (const char *p = o->only; *p;) {
        char name[STEP_NAME] = "";
        const size_t length = strcspn(p, ",");
        if (length < sizeof name && !fnmatch(memcpy(name, p, length), id, 0)) return true;
        p += length;
        if (*p == ',') ++p;
    }
    return false;
}
