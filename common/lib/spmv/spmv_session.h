/*
 * spmv_session.h - opens the matrices of the command line and runs steps on them, for chapters 04 to 07.
 */
#ifndef COURSE_SPMV_SESSION_H
#define COURSE_SPMV_SESSION_H

#include "harness.h"
#include "spmv_problem.h"
#include "spmv_verdict.h"

/* ---- matrices ----------------------------------------------------------------------------------- */

enum { SPMV_NAME = 160 }; /* room for a name */

/* Opens a file (.mtx, .mtx.gz) or makes a recipe's matrix; name[SPMV_NAME] gets its name for the table, as a plain line
 * (plain.h).  NULL and *err. */
csr_t *spmv_matrix_open(const char *what, uint64_t seed, char *name, err_t *err);

/* The same for `which` of the suite; NULL: for the argument of --matrix, read as --symmetric says. */
csr_t *spmv_matrix_asked(const options_t *o, const char *which, char *name, err_t *err);

/* Opens the real matrix if $MATRIX_DIR (default: build/matrices) has it, else generates a similar one, like:... */
csr_t *spmv_matrix_named(const char *which, uint64_t seed, char *name, err_t *err);

/* Takes every k-th group of 16 rows, so that about `nnz` nonzeros remain: the simulator counts every access, which
 * is slow.  Columns and adjacent rows are kept.  Takes ownership of A; returns A itself if it is small enough.  Adds
 * "(rows/k)" to name. */
csr_t *spmv_matrix_sample(csr_t *A, size_t nnz, char *name, err_t *err);

/* The suite of chapters 05 to 07: recipes, and names for spmv_matrix_named; NULL-terminated. */
extern const char *const SPMV_SUITE[];
/* Recipes of families of matrices that the suite lacks, NULL-terminated. */
extern const char *const SPMV_FAMILIES[];
csr_t *spmv_matrix_of_suite(const char *which, uint64_t seed, char *name, err_t *err);

/* ---- options ------------------------------------------------------------------------------------ */

/* Parses the value of --offsets: 32 or 64; argp reports other texts as errors. */
int spmv_offsets_option(struct argp_state *state, const char *text);

/* Parses the value of --lanes: a power of two from `least` to 32; argp reports other texts as errors. */
int spmv_lanes_option(struct argp_state *state, const char *text, int least);

/* Provides a results file for the summary: o->record, or one in $TMPDIR (/tmp) that is removed when the program ends.
 * If none can be created, it prints one line on stderr and o->record stays NULL. */
void spmv_keep_record(options_t *o);

/* Call it before harness_open if a verdict on --matrix is possible: it provides the results file for the verdict, and
 * hides the rows if only the verdict is to be printed. */
void spmv_verdict_begin(options_t *o);
/* Call it after harness_close: prints the verdict if it was requested.  -1 after one line on stderr. */
int spmv_verdict_end(const options_t *o, const verdict_matrix_t *looked);

/* ---- runs --------------------------------------------------------------------------------------- */

typedef struct spmv_session {
    harness_t *h;
    const options_t *o;
    const void *options;  /* the options of the chapter, for spmv_spec_t */
    int offset_bits;      /* --offsets; 0: 32 bits if nnz fits, else 64 */
    bool gpu;            /* true on a GPU, false on the simulator */
    bool every_type;      /* without --dtype: all value types, not just fp32 and fp64 */
    void (*describe)(const char *name, const csr_t *A); /* prints facts about A; may be NULL */
    const char *candidates; /* steps that may be best for a matrix: for the verdict on --matrix the simulator runs these
                               on the whole matrix, other steps on a sample */
    bool narrowed;            /* o->only is a list of the program, not of the user */
    verdict_matrix_t *looked; /* gets the features of --matrix */
} spmv_session_t;

/* Each returns 0, or -1 after an error message about the input on stderr. */

/* Runs describe() and all selected steps on `which` (spmv_matrix_asked), in the selected types. */
int spmv_session_run(const spmv_session_t *s, const char *which, bool cpu, bool gpu);
/* Runs the kernels on a GPU; on the simulator with a sample of rows that is small enough to count every access. */
int spmv_session_kernels(const spmv_session_t *s, const char *which);
/* The same for every name of a NULL-terminated list. */
int spmv_session_list(const spmv_session_t *s, const char *const *names);
/* The default run of chapters 05 to 07: a regular and a skewed matrix.  The simulator counts small ones
 * (`skewed` is a recipe), and the CPU rows are timed on a large one. */
int spmv_session_default(const spmv_session_t *s, const char *skewed);
/* Calls `rows` (spmv_session_kernels, or a function of the chapter) for every matrix of SPMV_SUITE, then for those of
 * $MATRIX_DIR that are not in it: every parts-th of them, beginning with number `part` (from 1; parts 0: all). */
int spmv_session_suite(const spmv_session_t *s, int part, int parts,
                       int (*rows)(const spmv_session_t *s, const char *which));
/* Runs the steps on the matrix of --matrix; the simulator counts a sample of it. */
int spmv_session_matrix(const spmv_session_t *s);

/* Runs the selected steps on A, and takes ownership of it.  A is NULL if the input failed; then *err says why.
 * mean_row is that of spmv_spec_t. */
int spmv_session_rows(const spmv_session_t *s, csr_t *A, const char *name, double mean_row, bool cpu, bool gpu,
                      const err_t *err);

#endif
