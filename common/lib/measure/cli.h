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

/* The verdict on --matrix: under the rows, alone, as JSON, or none. */
typedef enum verdict_form { VERDICT_UNDER, VERDICT_ALONE, VERDICT_JSON, VERDICT_NONE } verdict_form_t;

typedef struct options {
    bool list;               /* --list          print the steps and stop */
    const char *only;        /* --only v1,v7    these steps, NULL = all; patterns as of fnmatch */
    size_t size;             /* --size N        problem size, 0 = the chapter's; suffixes K M G (1024), 2^k */
    bool sweep;              /* --sweep         the chapter's list of sizes */
    dtype_t dtype;           /* --dtype NAME    value type */
    bool dtype_set;          /*                 false = the chapter's default types */
    const char *matrix;      /* --matrix FILE|RECIPE   .mtx, .mtx.gz or a matgen recipe */
    bool as_listed;          /* --symmetric as-listed: entries above the diagonal of a symmetric file are read */
    verdict_form_t verdict;  /* --verdict FORM  of --matrix: alone, json or none; without: under the rows */
    const char *beside;      /* --beside FILES  records of other chapters on that matrix, for the verdict; NULL: none */
    int experiment;          /* --experiment K  0 = none */
    bool exact;              /* --exact         small-integer input, results compared with == */
    uint64_t seed;           /* --seed S        default 42 */
    size_t reps;             /* --reps N        exactly N samples, 0 = until the median is known */
    report_format_t format;  /* --format table|tsv|json */
    bool wide;               /* --wide          every column of the table, not those of 100 characters */
    const char *record;      /* --record FILE   keep a TSV record */
    bool count;              /* --count=on|off  simt: count memory traffic (default on) */
    const char *explain;     /* --explain STEP  simt: counts per source line of that step */
    const char *lines;       /* --lines FILE    simt: counts per source line of all steps, for the pages */
    const char *trace;       /* --trace FILE    simt: which lane touched what, for the pictures */
    const char *film;        /* --film FILE     simt: every step of every warp, for the player */
    uint64_t shuffle;        /* --shuffle SEED  simt: order of blocks, warps, lanes; 0 = natural */
    const char *predict;     /* --predict CARD  simt: the GPU that times are predicted for, "none" for none */
    bool once;               /* --once          each step runs once, unmeasured: for a profiler */
    int sms;                 /* --sms N         simt: multiprocessors of the pretended GPU, 0 = its own default */
    int threads;             /* --threads N     CPU threads; 0 = all cores */
    int argc;                /* the command as given, for the record */
    char **argv;
} options_t;

/* How a program of the course ends beside 0, 1 (a row failed) and those of sysexits.h: an input that cannot be read, or
 * a problem that does not fit in memory. */
enum { EXIT_BAD_INPUT = 2 };

/* Fills *o from the command line.  `doc` is the chapter's sentence for --help; `extra`, which may be
 * NULL, adds the chapter's own options (its parser gets extra_input as state->input).
 * Errors print argp's message and exit with 64 (EX_USAGE), as --help exits with 0.  A program that called this ends
 * with 74 (EX_IOERR) and a sentence if its standard output could not be written. */
void cli_parse(options_t *o, int argc, char **argv, const char *doc, const struct argp *extra, void *extra_input);

/* argp_parse; what it says is made plain (plain.h): it repeats words of the command line. */
error_t cli_argp(const struct argp *argp, int argc, char **argv, void *input);

/* That last sentence alone, for a program with a parser of its own: called once, before anything is printed. */
void cli_check_output(void);

/* Shared options that not every program uses.  CLI_FLOATS: --dtype fp32 and fp64 only. */
enum { CLI_SIZE = 1, CLI_SWEEP = 2, CLI_MATRIX = 4, CLI_DTYPE = 8, CLI_FLOATS = 16 };

/* Ends the program with 64 (EX_USAGE) and a sentence if one of these was given and is not in `used`, or an experiment
 * behind the last of `experiments` (0: there is none). */
void cli_refuse_unused(const options_t *o, const char *program, unsigned used, int experiments);

/* True if --only (or its absence) selects the step `id`. */
bool cli_selects(const options_t *o, const char *id);

/* "64M", "2^26", "1000" -> count; -1 and *err on anything else, on overflow and on negatives. */
int cli_parse_size(const char *text, size_t *count, err_t *err);

#endif
