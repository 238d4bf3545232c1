/*
 * battery.h - matrices that break things, for every test of something sparse.
 *
 *     for (size_t i = 0; i < BATTERY_COUNT; ++i) {
 *         csr_t *A = battery_matrix(i);
 *         ...
 */
#ifndef COURSE_TESTS_BATTERY_H
#define COURSE_TESTS_BATTERY_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "matgen.h"

static const char *const BATTERY[] = {
    "empty:0,0",          "empty:0,7",           "empty:7,0",       "empty:17,19",       "dense:1,1",
    "dense:1,300",        "dense:300,1",         "dense:33,31",     "identity:33",       "diagonal:257",
    "band:100,3",         "one_dense_row:500",   "empty_rows:100,7", "random:150,130,900", "random:20,2000,5000",
    "random:2000,20,700", "powerlaw:300,300,4000", "rmat:7,8",      "poisson2d:9,11",    "poisson3d:4,5,6",
    "even:64,64,5",       "like:ash219",         "like:shyy41",     "random:70000,70000,3000",
};
enum { BATTERY_COUNT = sizeof BATTERY / sizeof *BATTERY };

/* A matrix by recipe; the test fails if there is none. */
static inline csr_t *make_matrix(const char *recipe)
{
    err_t err = {""};
    csr_t *A = matgen(recipe, 7, &err);
    if (!A) fail_msg("%s: %s", recipe, err.text);
    return A;
}

/* The i-th of the battery, every fifth value an explicit zero. */
static inline csr_t *battery_matrix(size_t i)
{
    csr_t *A = make_matrix(BATTERY[i]);
    for (size_t nz = 2; nz < A->nnz; nz += 5) A->values[nz] = 0;
    return A;
}

/* Same shape, same places, same values, bit by bit. */
static inline int same_matrix(const csr_t *A, const csr_t *B)
{
    return A->rows == B->rows && A->cols == B->cols && A->nnz == B->nnz &&
           !memcmp(A->row_offsets, B->row_offsets, (A->rows + 1) * sizeof *A->row_offsets) &&
           !memcmp(A->col_indices, B->col_indices, A->nnz * sizeof *A->col_indices) &&
           !memcmp(A->values, B->values, A->nnz * sizeof *A->values);
}

#endif
