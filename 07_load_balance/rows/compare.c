/*
 * compare.c - libspmv's CPU back end against librsb, in one run: `make compare` here.
 *
 * --matrix FILE|RECIPE, or without it the whole suite and every matrix of $MATRIX_DIR.  compare.awk sums a record up.
 */
#include <stdio.h>
#include <sysexits.h>

#include "lib_rows.h"
#include "spmv_peers.h"
#include "spmv_session.h"

/* librsb, librsb_tuned, libspmv_cpu. */
static const step_t *step(size_t i)
{
    enum { LIBRSB = 2 };
    return i < LIBRSB ? spmv_peer(i) : i == LIBRSB ? lib_row(0) : NULL;
}

static const chapter_t COMPARE = {.name = "07_libspmv_cpu", .doc = "libspmv on the CPU against librsb.", .step = step};

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
