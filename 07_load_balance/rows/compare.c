/*
 * compare.c - compares libspmv's CPU back end with librsb and MKL in one run: `make compare` here.
 *
 * --matrix FILE|RECIPE, --experiment 1 for small families, 2 for all but large matrices; otherwise the whole suite and
 * every matrix of $MATRIX_DIR.  compare.awk sums up a results file.
 */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "lib_rows.h"
#include "spmv_mkl.h"
#include "spmv_peers.h"
#include "spmv_session.h"

/* The rows librsb, librsb_tuned, mkl, mkl_tuned, libspmv_cpu and its variants. */
static const step_t *step(size_t i)
{
    enum { LIBRSB = 2, MKL = 4 };
    if (i < LIBRSB) return spmv_peer(i);
    if (i < MKL) return spmv_mkl(i - LIBRSB);
    return i == MKL ? lib_row(0) : lib_cpu_row(i - MKL - 1);
}

static const chapter_t COMPARE = {
    .name = "07_libspmv_cpu", .doc = "libspmv on the CPU against librsb and MKL.", .step = step};

/* --experiment 1: kinds of which the suite has few, small enough for one core: grids with short lines, linear programs,
 * bands, finite elements; some fit a core's caches, others do not. */
static const char *const SMALL[] = {
    "poisson3d:20,20,20", "poisson3d:20,100,100", "poisson2d:12,400", "stencil27:15,15,15", "program:1000,2000,300",
    "program:3000,3000,500", "program:10000,20000,1000", "band:20000,10", "scattered:3000,2001,20",
    "elements:2000,3,4", "even:20000,20000,7", "powerlaw:5000,5000,60000", "rmat:13,8", "one_dense_row:20000",
};

static int small(const spmv_session_t *s)
{
    int status = 0;
    for (size_t i = 0; i < sizeof SMALL / sizeof *SMALL && status == 0; ++i) {
        err_t err;
        char name[SPMV_NAME];
        csr_t *A = spmv_matrix_open(SMALL[i], s->o->seed, name, &err);
        status = spmv_session_rows(s, A, name, 0, true, false, &err);
    }
    return status;
}

/* --experiment 2: whether a matrix is not large. */
static int but_large(const spmv_session_t *s, const char *which)
{
    return lib_is_large(which) ? 0 : spmv_session_run(s, which, true, false);
}

static int cpu_rows(const spmv_session_t *s, const char *which) { return spmv_session_run(s, which, true, false); }

static int status(const spmv_session_t *s)
{
    if (s->o->matrix) return cpu_rows(s, NULL);
    if (s->o->experiment == 1) return small(s);
    return spmv_session_suite(s, 0, 0, s->o->experiment == 2 ? but_large : cpu_rows);
}

int main(int argc, char **argv)
{
    options_t o;
    cli_parse(&o, argc, argv, COMPARE.doc, NULL, NULL);
    if (o.size || o.sweep || o.experiment > 2 || (o.experiment && o.matrix)) {
        fprintf(stderr, "%s: choose the input by --matrix or by --experiment 1 or 2; "
                "--size and --sweep do not apply\n",
                COMPARE.name);
        return EX_USAGE;
    }
    const spmv_session_t s = {.h = harness_open(&COMPARE, &o), .o = &o};
    if (status(&s))
        return EXIT_BAD_INPUT;
    return harness_close(s.h);
}
