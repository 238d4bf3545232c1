/*
 * compare.c - libspmv's CPU back end against librsb, in one run: `make compare` here.
 *
 * --matrix FILE|RECIPE, or without it the whole suite and every matrix of $MATRIX_DIR.  compare.awk sums a record up.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static const char *skip(const step_t *s, const problem_t *p)
{
    return lib_is_row(s) ? lib_row_skip(s, p) : spmv_peer_skip(s, p);
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    return lib_is_row(s) ? lib_row_setup(s, p, state, err) : spmv_peer_setup(s, p, state, err);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    return lib_is_row(s) ? lib_row_run(s, p, state, out, err) : spmv_peer_run(s, p, state, out, err);
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    if (lib_is_row(s)) lib_row_teardown(s, p, state);
    else spmv_peer_teardown(s, p, state);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    return spmv_judge(p, out, lib_is_row(s) ? lib_row_depth : spmv_peer_depth, NULL, err_over_tol, err);
}

static const chapter_t COMPARE = {.name = "07_libspmv_cpu", .doc = "libspmv on the CPU against librsb.", .step = step,
                                  .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check};

/* Matrices at hand that the suite does not name; what cannot be read says so and is left out. */
static void folder(const spmv_session_t *s)
{
    const char *path = getenv("MATRIX_DIR");
    struct dirent **entries;
    const int n = path ? scandir(path, &entries, NULL, alphasort) : 0;
    for (int i = 0; i < n; ++i) {
        char name[SPMV_NAME], *end;
        snprintf(name, sizeof name, "%.100s", entries[i]->d_name);
        free(entries[i]);
        if (!(end = strstr(name, ".mtx"))) continue;
        *end = 0;
        bool named = false;
        for (size_t k = 0; SPMV_SUITE[k]; ++k) named = named || strcmp(SPMV_SUITE[k], name) == 0;
        if (!named) spmv_session_run(s, name, true, false);
    }
    if (n > 0) free(entries);
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
    if (o.matrix) {
        err_t err;
        char name[SPMV_NAME];
        csr_t *A = spmv_matrix_open(o.matrix, o.seed, name, &err);
        if (spmv_session_rows(&s, A, name, 0, true, false, &err)) return 2;
    } else {
        for (size_t i = 0; SPMV_SUITE[i]; ++i) spmv_session_run(&s, SPMV_SUITE[i], true, false);
        folder(&s);
    }
    return harness_close(s.h);
}
