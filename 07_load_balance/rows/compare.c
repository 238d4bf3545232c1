/*
 * compare.c - libspmv's CPU back end against librsb and MKL, in one run: `make compare` here.
 *
 * --matrix FILE|RECIPE, or without it the whole suite and every matrix of $MATRIX_DIR.  compare.awk sums a record up.
 */
#include <stdio.h>
#include <sysexits.h>

#include "lib_rows.h"
#include "spmv_mkl.h"
#include "spmv_peers.h"
#include "spmv_session.h"

/* librsb, librsb_tuned, mkl, mkl_tuned, libspmv_cpu and what else there is of it. */
static const step_t *step(size_t i)
{
    enum { LIBRSB = 2, MKL = 4 };
    if (i < LIBRSB) return spmv_peer(i);
    if (i < MKL) return spmv_mkl(i - LIBRSB);
    return i == MKL ? lib_row(0) : lib_cpu_row(i - MKL - 1);
}

static const chapter_t COMPARE = {.name = "07_libspmv_cpu", .doc = "libspmv on the CPU against librsb and MKL.", .step = step};

static int cpu_rows(const spmv_session_t *s, const char *which) { return spmv_session_run(s, which, true, false); }

static int matrix(const spmv_session_t *s)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *A = spmv_matrix_asked(s->o, name, &err);
    return spmv_session_rows(s, A, name, 0, true, false, &err);
}

int main(int argc, char **argv)
{
    options_t o;
    cli_parse(&o, argc, argv, COMPARE.doc, NULL, NULL);
    if (o.size || o.sweep || o.experiment) {
        fprintf(stderr, "%s: --matrix takes a file or a recipe; there is no --size, --sweep or --experiment\n",
                COMPARE.name);
        return EX_USAGE;
    }
    const spmv_session_t s = {.h = harness_open(&COMPARE, &o), .o = &o};
    if (o.matrix ? matrix(&s) : spmv_session_suite(&s, 0, 0, cpu_rows)) return EXIT_BAD_INPUT;
    return harness_close(s.h);
}
