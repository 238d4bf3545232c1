/* block.h - several right-hand sides: X and Y of one call, on the host, and the expected Y. */
#ifndef SPMV_BLOCK_H
#define SPMV_BLOCK_H

#include "library.h"

/* Everything between the elements of X and of Y is NaN. */
typedef struct block {
    const example_t *e;
    int k;
    bool by_columns;
    double alpha, beta;
    int64_t ldx, ldy;
    size_t x_count, y_count; /* numbers of elements in x and y */
    char *x, *y;             /* elements of the vector type */
    double *right;           /* the expected value of each element of Y */
} block_t;

static inline size_t block_place(const block_t *b, int64_t ld, size_t i, int j)
{
    return b->by_columns ? i + (size_t)j * (size_t)ld : i * (size_t)ld + (size_t)j;
}

/* Sets element (i, j) of X or Y. */
static inline void block_set(const block_t *b, char *array, int64_t ld, size_t i, int j, double value)
{
    dtype_from_double(b->e->vector, array + block_place(b, ld, i, j) * b->e->vector_bytes, &value, 1);
}

/* Sets X(i, j); after the last call block_answer() computes the expected Y. */
static inline void block_put(block_t *b, size_t i, int j, double value) { block_set(b, b->x, b->ldx, i, j, value); }

static inline double block_get(const block_t *b, const char *array, size_t at)
{
    double value;
    dtype_to_double(b->e->vector, &value, array + at * b->e->vector_bytes, 1);
    return value;
}

/* Sets Y to its values before the call, and `right` to alpha A X + beta Y. */
static inline void block_answer(block_t *b)
{
    const csr_t *A = b->e->A;
    double *x = malloc((A->cols + 1) * sizeof *x), *product = malloc((A->rows + 1) * sizeof *product),
           *abs_sum = malloc((A->rows + 1) * sizeof *abs_sum);
    memset(b->y, 0xff, b->y_count * b->e->vector_bytes);
    for (int j = 0; j < b->k; ++j) {
        for (size_t i = 0; i < A->cols; ++i) x[i] = block_get(b, b->x, block_place(b, b->ldx, i, j));
        reference_spmv(A, x, product, abs_sum);
        for (size_t i = 0; i < A->rows; ++i) {
            const size_t at = block_place(b, b->ldy, i, j);
            const double before = (double)((i + 3 * (size_t)j) % 7) - 3;
            b->right[at] = (b->alpha != 0 ? b->alpha * product[i] : 0) + (b->beta != 0 ? b->beta * before : 0);
            if (b->beta != 0) block_set(b, b->y, b->ldy, i, j, before);
        }
    }
    free(x), free(product), free(abs_sum);
}

/* Columns of small integers.  X has `padding` elements between its lines and none behind the last; Y has five times as
 * many behind each line. */
static inline block_t block_of(const example_t *e, int k, bool by_columns, int padding, double alpha, double beta)
{
    const csr_t *A = e->A;
    double *x = malloc((A->cols + 1) * sizeof *x);
    block_t b = {.e = e, .k = k, .by_columns = by_columns, .alpha = alpha, .beta = beta,
                 .ldx = (by_columns ? (int64_t)A->cols : k) + padding,
                 .ldy = (by_columns ? (int64_t)A->rows : k) + 5 * padding};
    const size_t x_lines = by_columns ? (size_t)k : A->cols;
    b.x_count = x_lines ? x_lines * (size_t)b.ldx - (size_t)padding : 0;
    b.y_count = (by_columns ? (size_t)k : A->rows) * (size_t)b.ldy;
    b.x = malloc((b.x_count + 1) * e->vector_bytes);
    b.y = malloc((b.y_count + 1) * e->vector_bytes);
    b.right = malloc((b.y_count + 1) * sizeof *b.right);
    memset(b.x, 0xff, b.x_count * e->vector_bytes);
    for (int j = 0; j < k; ++j) {
        matgen_vector(x, A->cols, 5 + (uint64_t)j, 1);
        for (size_t i = 0; i < A->cols; ++i) block_put(&b, i, j, x[i]);
    }
    free(x);
    block_answer(&b);
    return b;
}

static inline void block_free(block_t *b) { free(b->x), free(b->y), free(b->right); }

/* Returns the first element of Y that is wrong, or that was written between the lines; y_count if there is none.
 * Nothing is rounded; where NaN is expected, any NaN is right. */
static inline size_t block_wrong(const block_t *b)
{
    const size_t line = b->by_columns ? b->e->A->rows : (size_t)b->k;
    for (size_t at = 0; at < b->y_count; ++at) {
        const double got = block_get(b, b->y, at), right = b->right[at];
        if (at % (size_t)b->ldy >= line ? !verify_untouched(b->y + at * b->e->vector_bytes, b->e->vector_bytes)
            : isnan(right)              ? !isnan(got)
                                        : got != right)
            return at;
    }
    return b->y_count;
}

static inline void block_run(const spmv_plan_t *plan, block_t *b)
{
    const size_t x_bytes = b->x_count * b->e->vector_bytes, y_bytes = b->y_count * b->e->vector_bytes;
    void *x = go_to(plan, b->x, x_bytes), *y = go_to(plan, b->y, y_bytes);
    ok(spmv_execute_many(plan, b->k, b->by_columns ? SPMV_COL_MAJOR : SPMV_ROW_MAJOR, b->alpha,
                         b->alpha != 0 ? x : NULL, b->ldx, b->beta, y, b->ldy, NULL));
    come_back(plan, b->y, y, y_bytes);
    come_back(plan, NULL, x, 0);
}

/* Multiplies, checks Y and frees the block. */
static inline void block_check(const spmv_plan_t *plan, block_t b)
{
    block_run(plan, &b);
    const size_t at = block_wrong(&b);
    if (at < b.y_count)
        fail_msg("%s, %s, k %d, by %s, alpha %g, beta %g: element %zu of line %zu of Y is %g, not %g", b.e->name,
                 spmv_backend_of(plan) == SPMV_BACKEND_CPU ? "CPU" : "GPU", b.k, b.by_columns ? "columns" : "rows",
                 b.alpha, b.beta, at % (size_t)b.ldy, at / (size_t)b.ldy, block_get(&b, b.y, at), b.right[at]);
    block_free(&b);
}

#endif
