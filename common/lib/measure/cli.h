/*
 * cli.h - the command line every chapter shares, by GNU argp.
 */
#ifndef COURSE_CLI_H
#define COURSE_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dtype.h"
#include "report.h"

/* How the verdict on --matrix is printed: under the rows, without the rows, as JSON, or not at all. */
typedef enum verdict_form { VERDICT_UNDER, VERDICT_ALONE, VERDICT_JSON, VERDICT_NONE } verdict_form_t;

typedef struct options {
    bool list;               /* --list          print the steps and stop */
    const char *only;        /* --only v1,v7    these steps, NULL = all; patterns as of fnmatch */
    size_t size;             /* --size N        problem size, 0 = the chapter's; suffixes K M G (1024), 2^k */
    bool sweep;              /* --sweep         the chapter's list of sizes */
    dtype_t dtype;           /* --dtype NAME    value type */
    bool dtype_set;          /*                 false = the chapter's default types */
    const char *matrix;      /* --matrix FILE|RECIPE   .mtx, .mtx.gz or a matgen recipe */
    bool as_listed;          /* --symmetric as-listed: read entries above the diagonal of a symmetric file */
    verdict_form_t verdict;  /* --verdict FORM  of --matrix: alone, json or none; default: under the rows */
    const char *beside;      /* --beside FILES  results files of other chapters on the matrix, for the verdict */
    int experiment;          /* --experiment K  0 = none */
    bool exact;              /* --exact         small-integer input, results compared with == */
    uint64_t seed;           /* --seed S        default 42 */
    size_t reps;             /* --reps N        exactly N samples, 0 = until the median is known */
    report_format_t format;  /* --format table|tsv|json */
    bool wide;               /* --wide          every column of the table, not those of 100 characters */
    const char *record;      /* --record FILE   write a results file (TSV) */
    bool count;              /* --count=on|off  simt: count memory traffic (default on) */
    const char *explain;     /* --explain STEP  simt: counts per source line of that step */
    const char *lines;       /* --lines FILE    simt: counts per source line of all steps, for the pages */
    const char *trace;       /* --trace FILE    simt: the address that each lane accessed, for the pictures */
    const char *film;        /* --film FILE     simt: every step of every warp, for the player */
    uint64_t shuffle;        /* --shuffle SEED  simt: order of blocks, warps, lanes; 0 = natural */
    const char *predict;     /* --predict CARD  simt: the GPU for which times are predicted, "none" for none */
    bool once;               /* --once          run each step once, without measuring: for a profiler */
    int sms;                 /* --sms N         simt: multiprocessors of the simulated GPU, 0 = the default */
    int threads;             /* --threads N     CPU threads; 0 = all cores */
    int argc;                /* the command as given, for the results file */
    char **argv;
} options_t;

/* The exit status besides 0, 1 (a row failed) and those of sysexits.h: an input that cannot be read, or a problem that
 * does not fit in memory. */
enum { EXIT_BAD_INPUT = 2, STEP_NAME = 64 /* more than the longest name of a step, and its end */ };

/* Fills *o from the command line.  `doc` is the chapter's sentence for --help; `extra`, which may be
 * NULL, adds the options of the chapter (its parser gets extra_input as state->input).
 * After an error argp prints a message and exits with 64 (EX_USAGE); --help exits with 0.  A program that called this
 * exits with 74 (EX_IOERR) and an error message if its standard output could not be written. */
void cli_parse(options_t *o, int argc, char **argv, const char *doc, const struct argp *extra, void *extra_input);

/* Calls argp_parse, with its messages made safe to print (plain.h), because they repeat words of the command line. */
error_t cli_argp(const struct argp *argp, int argc, char **argv, void *input);

/* Only the check of standard output, for a program that does not use cli_parse.  Call it once, before printing. */
void cli_check_output(void);

/* Shared options that not every program uses.  CLI_FLOATS: --dtype only with fp32 and fp64. */
enum { CLI_SIZE = 1, CLI_SWEEP = 2, CLI_MATRIX = 4, CLI_DTYPE = 8, CLI_FLOATS = 16 };

/* Exits with 64 (EX_USAGE) and an error message if one of these options was given and is not in `used`, or if
 * --experiment exceeds `experiments` (0: the chapter has none). */
void cli_refuse_unused(const options_t *o, const char *program, unsigned used, int experiments);

/* Returns whether the step `id` is to run: --only names it, or there is no --only. */
bool cli_selects(const options_t *o, const char *id);

/* Parses a size such as "64M", "2^26" or "1000"; -1 and *err if it is another text, negative or too large. */
int cli_parse_size(const char *text, size_t *count, err_t *err);

#endif
