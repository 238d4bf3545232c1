/*
 * matgen_impl.h - shared by the files that implement matgen.h: recipes (matgen.c) and like: matrices (matgen_like.c)
 * use the functions of matgen_rows.c.
 */
#ifndef COURSE_MATGEN_IMPL_H
#define COURSE_MATGEN_IMPL_H

#include "csr.h"
#include "matgen.h"
#include "rng.h"

/* The purposes of streams of random numbers. */
enum { FOR_LENGTHS = 1, FOR_GROUP_LENGTHS, FOR_ROUNDING, FOR_HEAVY_ROWS, FOR_COLUMNS, FOR_VALUES, FOR_VECTOR };

/* A run of len columns from `first` on. */
typedef struct run {
    int32_t first, len;
} run_t;

/* Allocates a zeroed matrix of that shape.  NULL and *err if the machine has too little memory or malloc fails. */
csr_t *matgen_alloc(size_t rows, size_t cols, size_t nnz, err_t *err);

/* Allocates count + 1 zeroed elements of `size` bytes.  NULL and *err in the same cases. */
void *matgen_array(size_t count, size_t size, err_t *err);

/* The same, with room for lengths[r] nonzeros in row r. */
csr_t *matgen_alloc_rows(size_t rows, size_t cols, const int32_t *lengths, err_t *err);

/* Changes lengths until their sum is nnz: first by `unit` for whole groups of `group`
 * rows, in a pseudo-random order, then by 1 for single rows.  Rows of length 0 stay
 * empty while any other row has room.  Every length stays within 0..cols.  Returns 0,
 * or -1 if nnz > rows * cols. */
int matgen_fit_lengths(int32_t *lengths, size_t rows, size_t cols, size_t nnz, size_t group, int32_t unit,
                       uint64_t seed);

/* Writes count distinct columns of first .. first + width - 1, ascending, all choices equally likely. */
void matgen_sample(int32_t *columns, size_t count, int32_t first, size_t width, rng_t *rng);

/* Puts the numbers in a random order. */
void matgen_shuffle(int32_t *numbers, size_t count, rng_t *rng);

/* Writes the columns of the runs, ascending and distinct; the lengths of the runs add up to at most cols.
 * A run that would overlap its left neighbour moves right to the first free column. */
void matgen_place_runs(int32_t *columns, run_t *runs, size_t count, int32_t cols);

/* Fills every value of A from its row's stream. */
void matgen_random_values(csr_t *A, uint64_t seed);

/* Recipes of matgen_family.c; n holds the numbers after the colon.  NULL and *err as matgen. */
csr_t *matgen_scattered(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_program(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_elements(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_diagonals(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_blocks(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_hypercube(const uint64_t *n, uint64_t seed, err_t *err);
/* Recipes of matgen_fields.c, with the same arguments. */
csr_t *matgen_triangle(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_elasticity(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_convolution(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_tomography(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_small_world(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_hypergraph(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_dense_rows(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_arrow(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_kkt(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_staircase(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_de_bruijn(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_words(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_power_flow(const uint64_t *n, uint64_t seed, err_t *err);
csr_t *matgen_contact(const uint64_t *n, uint64_t seed, err_t *err);
/* Each takes ownership of A, which may be NULL, and returns another matrix. */
csr_t *matgen_transposed(csr_t *A, err_t *err);
csr_t *matgen_scrambled(csr_t *A, uint64_t seed, err_t *err);
csr_t *matgen_symmetric(csr_t *A, uint64_t seed);

/* Makes the matrix like:NAME.  If the name is unknown: NULL, and *err lists the known names. */
csr_t *matgen_like(const char *name, uint64_t seed, err_t *err);

#endif
