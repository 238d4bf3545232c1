/*
 * cpu_kernels_type.h - the kernels for one value type: VALUE in memory, WIDEN(value) and sums in SUM, slices of
 * LANES rows.  No include guard: cpu_kernels.h includes it once a type.
 */
typedef SUM NAME(vector) __attribute__((vector_size(LANES * sizeof(SUM)), aligned(sizeof(SUM)), may_alias));

/* y[row] gets alpha * sum + beta * y[row]; beta 0 does not read y. */
#define STORE(row, sum)                                                                     \
    do {                                                                                    \
        const SUM product = alpha * (sum);                                                  \
        y[row] = beta == 0 ? product : product + beta * y[row];                             \
    } while (0)

#define COLUMN(k) (wide ? (uint32_t)columns32[k] : columns16[k])

/* LANES values, and the elements of x for LANES columns.  BY_INSTRUCTION loads elements with the gather instruction if
 * the processor has one. */
INLINE NAME(vector) NAME(widen)(const VALUE *values)
{
#ifdef WIDEN_VECTOR
    return (NAME(vector))WIDEN_VECTOR(values);
#else
    NAME(vector) v;
#pragma GCC unroll 16
    for (int i = 0; i < LANES; ++i) v[i] = WIDEN(values[i]);
    return v;
#endif
}

#define X(i) x[COLUMN(i)]
INLINE NAME(vector) NAME(fetch)(const uint16_t *columns16, const int32_t *columns32, const SUM *x, const bool wide,
                                const bool by_instruction)
{
#ifdef GATHER_FLOATS
    if (by_instruction) {
        if (sizeof(SUM) == 8)
            return (NAME(vector))GATHER_DOUBLES((const void *)x,
                                              wide ? FOR_DOUBLES(columns32) : FOR_DOUBLES_NARROW(columns16));
        return (NAME(vector))GATHER_FLOATS((const void *)x,
                                              wide ? FOR_FLOATS(columns32) : FOR_FLOATS_NARROW(columns16));
    }
#else
    (void)by_instruction;
#endif
#if LANES == 16
    return (NAME(vector)){X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7),
                          X(8), X(9), X(10), X(11), X(12), X(13), X(14), X(15)};
#elif LANES == 8
    return (NAME(vector)){X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7)};
#elif LANES == 4
    return (NAME(vector)){X(0), X(1), X(2), X(3)};
#else
    return (NAME(vector)){X(0), X(1)};
#endif
}
#undef X

/* Multiplies entries 0 .. n - 1 of a row.  A vector of elements that are loaded one by one takes fewer instructions
 * than as many sums.  There are two vectors, so that an addition need not wait for the one before. */
#define ROW_LANES (sizeof(SUM) == 8 && LANES < 4 ? 2 : 4)
typedef SUM NAME(few) __attribute__((vector_size(ROW_LANES * sizeof(SUM))));
#if LANES == 2
#define FEW(f, k) (NAME(few)){f(k), f((k) + 1)}
#else
#define FEW(f, k) (NAME(few)){f(k), f((k) + 1), f((k) + 2), f((k) + 3)}
#endif
/* Returns the sum of a vector.  Adds its parts first, because extracting sixteen lanes one by one costs as much as many
 * products. */
INLINE SUM NAME(total)(NAME(vector) v)
{
    NAME(few) parts[LANES / ROW_LANES];
    memcpy(parts, &v, sizeof v);
#pragma GCC unroll 4
    for (int i = 1; i < (int)(LANES / ROW_LANES); ++i) parts[0] += parts[i];
    SUM sum = 0;
#pragma GCC unroll 4
    for (int i = 0; i < (int)ROW_LANES; ++i) sum += parts[0][i];
    return sum;
}

#define VALUE_AT(k) WIDEN(values[k])
#ifdef VALUES_ARE_SUMS
typedef SUM NAME(few_values) __attribute__((vector_size(ROW_LANES * sizeof(SUM)), aligned(sizeof(SUM)), may_alias));
#define FEW_VALUES(k) *(const NAME(few_values) *)(values + (k)) /* otherwise the compiler uses single loads */
#else
#define FEW_VALUES(k) FEW(VALUE_AT, k)
#endif
#define X_AT(k) x[COLUMN(k)]
INLINE SUM NAME(row)(int64_t n, const VALUE *values, const uint16_t *columns16, const int32_t *columns32,
                     const SUM *x, const bool wide, const bool by_instruction)
{
    int64_t k = 0;
    if (by_instruction && n >= 2 * LANES) {
        NAME(vector) a = {0}, b = {0};
        SUM sum = 0;
        for (; k + 2 * LANES <= n; k += 2 * LANES) {
            a += NAME(widen)(values + k) *
                 NAME(fetch)(wide ? NULL : columns16 + k, wide ? columns32 + k : NULL, x, wide, true);
            b += NAME(widen)(values + k + LANES) *
                 NAME(fetch)(wide ? NULL : columns16 + k + LANES, wide ? columns32 + k + LANES : NULL, x, wide, true);
        }
        for (; k < n; ++k) sum += VALUE_AT(k) * X_AT(k);
        return sum + NAME(total)(a + b);
    }
    if (n < SHORT_ROW) { /* a short row is not worth adding up a vector */
        SUM p = 0, q = 0, r = 0, s = 0;
        for (; k + 4 <= n; k += 4) {
            p += VALUE_AT(k) * X_AT(k);
            q += VALUE_AT(k + 1) * X_AT(k + 1);
            r += VALUE_AT(k + 2) * X_AT(k + 2);
            s += VALUE_AT(k + 3) * X_AT(k + 3);
        }
        for (; k < n; ++k) p += VALUE_AT(k) * X_AT(k);
        return (p + q) + (r + s);
    }
    NAME(few) a = {0}, b = {0};
    SUM sum = 0;
    for (; k + 2 * (int)ROW_LANES <= n; k += 2 * (int)ROW_LANES) {
        a += FEW_VALUES(k) * FEW(X_AT, k);
        b += FEW_VALUES(k + ROW_LANES) * FEW(X_AT, k + ROW_LANES);
    }
    for (; k < n; ++k) sum += VALUE_AT(k) * X_AT(k);
    a += b;
#pragma GCC unroll 4
    for (int i = 0; i < (int)ROW_LANES; ++i) sum += a[i];
    return sum;
}
#undef FEW
#undef FEW_VALUES
#undef VALUE_AT
#undef X_AT

/* Rows `first` .. `last` - 1 of A.  columns16 starts with the block's nonzero `nz`. */
#define ROWS(OFFSET)                                                                        \
    do {                                                                                    \
        const OFFSET *offsets = A->row_offsets;                                             \
        for (int64_t row = first; row < last; ++row) {                                      \
            const int64_t start = offsets[row];                                             \
            const SUM sum = NAME(row)(offsets[row + 1] - start, values + start,             \
                                      wide ? NULL : columns16 + (start - nz),               \
                                      wide ? columns32 + start : NULL, x, wide, by_instruction); \
            STORE(row, sum);                                                                \
        }                                                                                   \
    } while (0)

INLINE void NAME(rows)(const spmv_csr_t *A, int64_t first, int64_t last, int64_t nz, const uint16_t *columns16,
                       SUM alpha, const SUM *x, SUM beta, SUM *y, const bool wide, const bool by_instruction)
{
    const VALUE *values = A->values;
    const int32_t *columns32 = A->col_indices;
    if (A->offset_bits == 64) ROWS(int64_t);
    else ROWS(int32_t);
}

/* Loads LANES values in their stored form (cpu_values.h), beginning at index `at`. */
#ifdef NARROW
INLINE NAME(vector) NAME(stored)(const void *values, size_t at, const void *table_, const cpu_stored_t stored)
{
    const VALUE *table = table_;
    if (stored == STORED_AS_IT_IS) return NAME(widen)((const VALUE *)values + at);
    NAME(vector) v;
#pragma GCC unroll 16
    for (int i = 0; i < LANES; ++i)
        v[i] = stored == STORED_8 || stored == STORED_FEW ? table[((const uint8_t *)values)[at + (size_t)i]]
               : stored == STORED_16 ? table[((const uint16_t *)values)[at + (size_t)i]]
                                     : WIDEN_NARROW(((const NARROW *)values)[at + (size_t)i]);
#ifdef FROM_FEW
    if (stored == STORED_FEW) return (NAME(vector))FROM_FEW(table, (const uint8_t *)values + at);
#endif
#ifdef WIDEN_NARROW_VECTOR
    if (stored == STORED_NARROW) return (NAME(vector))WIDEN_NARROW_VECTOR((const NARROW *)values + at);
#endif
    return v;
}
#else
INLINE NAME(vector) NAME(stored)(const void *values, size_t at, const void *table, const cpu_stored_t stored)
{
    (void)table, (void)stored;
    return NAME(widen)((const VALUE *)values + at);
}
#endif

/* Returns whether a lane is a NaN. */
INLINE bool NAME(any_nan)(NAME(vector) v)
{
#ifdef NAN_FLOATS
    if (sizeof(SUM) == 8) return NAN_DOUBLES(v) != 0;
    return NAN_FLOATS(v) != 0;
#else
    bool any = false;
#pragma GCC unroll 16
    for (int i = 0; i < LANES; ++i) any |= v[i] != v[i];
    return any;
#endif
}

/* A padding zero times Inf or NaN in x gives a NaN that does not belong to the row.  Computes such rows again, from A.
 * */
static __attribute__((noinline)) NAME(vector) NAME(mend)(const spmv_csr_t *A, const cpu_block_t *block,
                                                         const uint16_t *order, NAME(vector) sum, const SUM *x)
{
    for (int i = 0; i < LANES; ++i) {
        if (sum[i] == sum[i] || order[i] == UINT16_MAX) continue;
        const int64_t row = block->row + order[i], start = csr_offset(A, row);
        sum[i] = NAME(row)(csr_offset(A, row + 1) - start, (const VALUE *)A->values + start, NULL,
                           A->col_indices + start, x, true, false);
    }
    return sum;
}

/* Stores y of rows that are not neighbours.  Sixteen sums go through memory, because to extract them from registers
 * takes longer. */
INLINE void NAME(scatter)(NAME(vector) products, const uint16_t *order, SUM beta, SUM *y)
{
    SUM product[LANES];
    memcpy(product, &products, sizeof product);
    if (LANES == 16) __asm__ volatile("" : : "r"(product) : "memory"); /* otherwise the compiler uses registers */
    if (order[LANES - 1] == UINT16_MAX) {
        for (int i = 0; i < LANES && order[i] != UINT16_MAX; ++i)
            y[order[i]] = beta == 0 ? product[i] : product[i] + beta * y[order[i]];
    } else if (beta == 0) {
#pragma GCC unroll 16
        for (int i = 0; i < LANES; ++i) y[order[i]] = product[i];
    } else {
#pragma GCC unroll 16
        for (int i = 0; i < LANES; ++i) y[order[i]] = product[i] + beta * y[order[i]];
    }
}

/* Stores the sums of a slice's rows order[0], order[1], ... in y; if they are neighbours, from y[order[0]] on. */
INLINE void NAME(finish)(const spmv_csr_t *A, const cpu_block_t *block, const uint32_t flags, const uint16_t *order,
                         NAME(vector) sum, SUM alpha, const SUM *x, SUM beta, SUM *y, SUM *neighbours)
{
    if (flags & SLICE_PADDED && NAME(any_nan)(sum)) sum = NAME(mend)(A, block, order, sum, x);
    if (flags & SLICE_NEIGHBOURS) {
        NAME(vector) *out = (NAME(vector) *)neighbours;
        *out = beta == 0 ? alpha * sum : alpha * sum + beta * *out;
    } else {
        NAME(scatter)(alpha * sum, order, beta, y);
    }
}

/* Multiplies one slice. */
INLINE void NAME(slice)(const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block,
                        const cpu_slice_t *slice, const uint16_t *order, SUM alpha, const SUM *x, SUM beta, SUM *y,
                        const bool wide, const bool by_instruction, const cpu_stored_t stored)
{
    size_t at = block->value + slice->value;
    NAME(vector) sum = {0};
    if (slice->flags & SLICE_DIAGONAL) {
        const int32_t *columns = part->columns32 + block->diagonal + slice->column;
        NAME(vector) other = {0}; /* two sums, so that an addition need not wait for the one before */
        uint32_t k = 0;
        for (; k + 2 <= slice->width; k += 2, at += 2 * LANES) {
            sum += NAME(stored)(part->values, at, part->table, stored) * *(const NAME(vector) *)(x + columns[k]);
            other += NAME(stored)(part->values, at + LANES, part->table, stored) *
                     *(const NAME(vector) *)(x + columns[k + 1]);
        }
        if (k < slice->width)
            sum += NAME(stored)(part->values, at, part->table, stored) * *(const NAME(vector) *)(x + columns[k]);
        sum += other;
    } else {
        const uint16_t *columns16 = wide ? NULL : part->columns16 + block->column + slice->column;
        const int32_t *columns32 = wide ? part->columns32 + block->column + slice->column : NULL;
        const SUM *from = wide ? x : x + block->base;
        for (uint32_t k = 0; k < slice->width; ++k, at += LANES) {
            sum += NAME(stored)(part->values, at, part->table, stored) *
                   NAME(fetch)(columns16, columns32, from, wide, by_instruction);
            if (wide) columns32 += LANES;
            else columns16 += LANES;
        }
    }
    NAME(finish)(A, block, slice->flags, order, sum, alpha, x, beta, y, y + order[0]);
}

/* Multiplies slices c .. c + TOGETHER - 1 of a stretch, each with a sum of its own. */
INLINE void NAME(together)(const bool diagonal, uint32_t c, const spmv_csr_t *A, const cpu_part_t *part,
                           const cpu_block_t *block, const cpu_slice_t *stretch, const uint16_t *order, SUM alpha,
                           const SUM *x, SUM beta, SUM *y, const bool wide, const bool by_instruction,
                           const cpu_stored_t stored)
{
    const size_t done = (size_t)c * stretch->width * LANES, places = (size_t)TOGETHER * stretch->width * LANES;
    const size_t value = block->value + stretch->value + done, column = block->column + stretch->column + done;
    const int32_t *diagonals = part->columns32 + block->diagonal + stretch->column;
    const SUM *from = diagonal ? x + (size_t)c * LANES : wide ? x : x + block->base, *in = NULL;
    NAME(vector) sums[TOGETHER] = {{0}};
    for (size_t k = 0; k < places; k += (size_t)TOGETHER * LANES) {
        if (diagonal) in = from + *diagonals++;
#pragma GCC unroll 4
        for (size_t t = 0; t < TOGETHER * LANES; t += LANES)
            sums[t / LANES] += NAME(stored)(part->values, value + k + t, part->table, stored) *
                               (diagonal ? *(const NAME(vector) *)(in + t)
                                         : NAME(fetch)(wide ? NULL : part->columns16 + column + k + t,
                                                       wide ? part->columns32 + column + k + t : NULL, from, wide,
                                                       by_instruction));
    }
    order += (size_t)c * LANES;
#pragma GCC unroll 4
    for (size_t t = 0; t < TOGETHER * LANES; t += LANES)
        NAME(finish)(A, block, stretch->flags, order + t, sums[t / LANES], alpha, x, beta, y, y + order[0] + t);
}

/* Multiplies a stretch of several slices.  This is a function of its own because the loop over single slices needs the
 * registers. */
#define STRETCH(name, diagonal, wide, by_instruction, stored)                               \
    static __attribute__((noinline)) void NAME(name##_##stored)(                            \
        const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block, const cpu_slice_t *stretch, \
        const uint16_t *order, SUM alpha, const SUM *x, SUM beta, SUM *y)                   \
    {                                                                                       \
        for (uint32_t c = 0; c < stretch->count; c += TOGETHER)                             \
            NAME(together)(diagonal, c, A, part, block, stretch, order, alpha, x, beta, y, wide, by_instruction, \
                           stored);                                                         \
    }
typedef void NAME(stretch_fn)(const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block,
                              const cpu_slice_t *stretch, const uint16_t *order, SUM alpha, const SUM *x, SUM beta,
                              SUM *y);

INLINE void NAME(slices)(const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block, SUM alpha,
                         const SUM *x, SUM beta, SUM *y, const bool wide, const bool by_instruction,
                         const cpu_stored_t stored, NAME(stretch_fn) diagonals, NAME(stretch_fn) others)
{
    const uint16_t *order = part->order + block->order;
    y += block->row;
    for (size_t s = 0; s < block->stretches; ++s) {
        const cpu_slice_t *slice = &part->slices[block->slice + s];
        if (slice->count == 1)
            NAME(slice)(A, part, block, slice, order, alpha, x, beta, y, wide, by_instruction, stored);
        else
            (slice->flags & SLICE_DIAGONAL ? diagonals : others)(A, part, block, slice, order, alpha, x, beta, y);
        order += (size_t)slice->count * LANES;
    }
}

#define SLICES_BY(wide, by_instruction, stored, others)                                     \
    NAME(slices)(A, part, block, alpha, x, beta, y, wide, by_instruction, stored, NAME(diagonals_##stored), others)
#define SLICES(stored)                                                                      \
    STRETCH(diagonals, true, false, false, stored)                                          \
    STRETCH(gathered32, false, true, true, stored)                                          \
    STRETCH(gathered16, false, false, true, stored)                                         \
    STRETCH(loaded32, false, true, false, stored)                                           \
    STRETCH(loaded16, false, false, false, stored)                                          \
    static void NAME(slices_##stored)(const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block, \
                                      SUM alpha, const SUM *x, SUM beta, SUM *y)            \
    {                                                                                       \
        if (block->wide && block->scattered) SLICES_BY(true, true, stored, NAME(gathered32_##stored)); \
        else if (block->wide) SLICES_BY(true, false, stored, NAME(loaded32_##stored));      \
        else if (block->scattered) SLICES_BY(false, true, stored, NAME(gathered16_##stored)); \
        else SLICES_BY(false, false, stored, NAME(loaded16_##stored));                      \
    }
SLICES(STORED_AS_IT_IS)
#ifdef NARROW
SLICES(STORED_NARROW)
SLICES(STORED_FEW)
SLICES(STORED_8)
SLICES(STORED_16)
#endif
#undef SLICES
#undef SLICES_BY
#undef STRETCH

static void NAME(any_slices)(const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block, SUM alpha,
                             const SUM *x, SUM beta, SUM *y)
{
#ifdef NARROW
    switch (part->stored) {
    case STORED_NARROW: NAME(slices_STORED_NARROW)(A, part, block, alpha, x, beta, y); return;
    case STORED_FEW: NAME(slices_STORED_FEW)(A, part, block, alpha, x, beta, y); return;
    case STORED_8: NAME(slices_STORED_8)(A, part, block, alpha, x, beta, y); return;
    case STORED_16: NAME(slices_STORED_16)(A, part, block, alpha, x, beta, y); return;
    default: break;
    }
#endif
    NAME(slices_STORED_AS_IT_IS)(A, part, block, alpha, x, beta, y);
}

/* Multiplies runs of consecutive columns; x is read like the values. */
INLINE SUM NAME(runs)(size_t count, const cpu_run_t *runs, const VALUE *values, const SUM *x)
{
    NAME(vector) sums = {0};
    SUM sum = 0;
    for (size_t r = 0; r < count; ++r) {
        const SUM *in = x + runs[r].column;
        int32_t left = runs[r].length;
        for (; left >= LANES; left -= LANES, values += LANES, in += LANES)
            sums += NAME(widen)(values) * *(const NAME(vector) *)in;
        for (; left > 0; --left) sum += WIDEN(*values++) * *in++;
    }
    return sum + NAME(total)(sums);
}

/* Multiplies a block of form CPU_ROWS. */
INLINE void NAME(row_by_row)(const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block, SUM alpha,
                             const SUM *x, SUM beta, SUM *y, double *partials, const bool by_instruction)
{
    const VALUE *values = (const VALUE *)A->values + block->nz;
    const uint16_t *columns16 = part->columns16 + block->column;
    const int64_t n = block->nz_end - block->nz;
    const int32_t first = block->row, last = block->row + block->rows;
    if (block->partial >= 0 && block->wide)
        partials[block->partial] = NAME(row)(n, values, NULL, A->col_indices + block->nz, x, true, by_instruction);
    else if (block->partial >= 0)
        partials[block->partial] = NAME(row)(n, values, columns16, NULL, x + block->base, false, by_instruction);
    else if (block->wide)
        NAME(rows)(A, first, last, 0, NULL, alpha, x, beta, y, true, by_instruction);
    else
        NAME(rows)(A, first, last, block->nz, columns16, alpha, x + block->base, beta, y, false, by_instruction);
}

static void NAME(block)(const spmv_csr_t *A, const cpu_part_t *part, const cpu_block_t *block, double alpha_,
                        const void *x_, double beta_, void *y_, double *partials)
{
    const SUM alpha = (SUM)alpha_, *x = x_;
    SUM beta = (SUM)beta_, *y = y_;
    const VALUE *values = A->values;
    if (block->mostly_empty) {
        SUM *out = y + block->row;
        if (beta == 0) memset(out, 0, (size_t)block->rows * sizeof *out);
        else if (beta != 1)
            for (int32_t i = 0; i < block->rows; ++i) out[i] *= beta;
        beta = beta != 0;
    }
    switch (block->form) {
    case CPU_ROWS:
        if (block->gathers) NAME(row_by_row)(A, part, block, alpha, x, beta, y, partials, true);
        else NAME(row_by_row)(A, part, block, alpha, x, beta, y, partials, false);
        break;
    case CPU_RUNS: {
        const cpu_run_t *run = part->runs + block->run;
        const uint32_t *counts = part->run_counts + block->order;
        if (block->partial >= 0) {
            partials[block->partial] = NAME(runs)(counts[0], run, values + block->nz, x);
            break;
        }
        for (int32_t i = 0; i < block->rows; run += counts[i++])
            STORE(block->row + i, NAME(runs)(counts[i], run, values + csr_offset(A, block->row + i), x));
        break;
    }
    default:
        NAME(any_slices)(A, part, block, alpha, x, beta, y);
        for (size_t i = 0; i < block->long_rows; ++i) {
            const int32_t row = part->long_rows[block->long_row + i];
            if (block->gathers) NAME(rows)(A, row, row + 1, 0, NULL, alpha, x, beta, y, true, true);
            else NAME(rows)(A, row, row + 1, 0, NULL, alpha, x, beta, y, true, false);
        }
    }
}

#include "cpu_kernels_many.h"

#undef TYPE
#undef VALUE
#undef SUM
#undef LANES
#undef WIDEN
#undef VALUES_ARE_SUMS
#undef WIDEN_VECTOR
#undef NARROW
#undef FROM_FEW
#undef WIDEN_NARROW
#undef WIDEN_NARROW_VECTOR
#undef STORE
#undef COLUMN
#undef ROW_LANES
#undef ROWS
