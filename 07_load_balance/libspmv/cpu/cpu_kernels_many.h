/*
 * cpu_kernels_many.h - Y = alpha A X + beta Y for one value type, X and Y row after row: a nonzero is read once for all
 * columns.  (In column-major order the kernels for one vector are used, see cpu_engine.c.)
 *
 * No include guard: cpu_kernels_type.h includes it once a type, with its macros.
 */

/* sums_fn computes the sums of nonzeros 0 .. n - 1 of a row, one for each column of X; store_fn stores them in Y. */
typedef void (*NAME(sums_fn))(int64_t n, const VALUE *values, const int32_t *columns, const cpu_many_t *m, SUM *sums);
typedef void (*NAME(store_fn))(int64_t row, const cpu_many_t *m, const SUM *sums);

/* Multiplies a range.  Sums of whole rows go to Y, sums of pieces to partials, in the order of cpu_engine.c's
 * numbers. */
INLINE void NAME(range)(const spmv_csr_t *A, const cpu_range_t *range, const cpu_many_t *m, NAME(sums_fn) add_up,
                        NAME(store_fn) store)
{
    const VALUE *values = A->values;
    const int32_t *columns = A->col_indices;
    const cpu_cut_t from = range->from, to = range->to;
    double *partials = m->partials + (size_t)range->partial * (size_t)m->width;
    SUM sums[CPU_MANY];
    int64_t row = from.row, start = from.inside ? from.nz : csr_offset(A, row);
    if (from.inside) { /* the end or the middle of a row that begins in an earlier range */
        const bool middle = to.inside && to.row == from.row;
        const int64_t end = middle ? to.nz : csr_offset(A, row + 1);
        add_up(end - start, values + start, columns + start, m, sums);
        for (int j = 0; j < m->width; ++j) *partials++ = sums[j];
        if (middle) return;
        ++row, start = end;
    }
    for (; row < to.row; ++row) {
        const int64_t end = csr_offset(A, row + 1);
        add_up(end - start, values + start, columns + start, m, sums);
        store(row, m, sums);
        start = end;
    }
    if (to.inside) {
        add_up(to.nz - start, values + start, columns + start, m, sums);
        for (int j = 0; j < m->width; ++j) *partials++ = sums[j];
    }
}

/* Multiplies as many columns at once as a register holds, or as X has. */
#define WIDE 1
#include "cpu_kernels_wide.h"
#define WIDE 2
#include "cpu_kernels_wide.h"
#if LANES >= 4
#define WIDE 4
#include "cpu_kernels_wide.h"
#endif
#if LANES >= 8
#define WIDE 8
#include "cpu_kernels_wide.h"
#endif
#if LANES >= 16
#define WIDE 16
#include "cpu_kernels_wide.h"
#endif

static void NAME(many)(const spmv_csr_t *A, const cpu_range_t *range, const cpu_many_t *m)
{
#if LANES >= 16
    if (m->width >= 16) NAME(by_16)(A, range, m);
    else
#endif
#if LANES >= 8
    if (m->width >= 8) NAME(by_8)(A, range, m);
    else
#endif
#if LANES >= 4
    if (m->width >= 4) NAME(by_4)(A, range, m);
    else
#endif
    if (m->width >= 2) NAME(by_2)(A, range, m);
    else NAME(by_1)(A, range, m);
}
