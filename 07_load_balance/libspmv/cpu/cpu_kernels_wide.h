/*
 * cpu_kernels_wide.h - treats a row of X as vectors of WIDE columns, and loads up to four of them at once.
 * No include guard: cpu_kernels_many.h includes it once a width.
 *
 * If the number of columns is no multiple of WIDE, the last vector repeats some columns of the one before and computes
 * the same sums.  So nothing behind a row of X is read, and no loop for the remaining columns is needed.
 */
#define WIDE_NAME__(function, wide) NAME(function##_##wide)
#define WIDE_NAME_(function, wide) WIDE_NAME__(function, wide)
#define WIDE_NAME(function) WIDE_NAME_(function, WIDE)

typedef SUM WIDE_NAME(vector) __attribute__((vector_size(WIDE * sizeof(SUM)), aligned(sizeof(SUM)), may_alias));
#define AT(p) (*(WIDE_NAME(vector) *)(p))
#define CONST_AT(p) (*(const WIDE_NAME(vector) *)(p))

/* Multiplies `count` (1, 2 or 4) vectors, beginning at column `first`. */
INLINE void WIDE_NAME(vectors)(const int count, int first, int64_t n, const VALUE *values, const int32_t *columns,
                               const cpu_many_t *m, SUM *sums)
{
    const SUM *x = m->x;
    const int64_t ld = m->ldx;
    const int last = m->width - WIDE, at_a = first < last ? first : last,
              at_b = at_a + WIDE < last ? at_a + WIDE : last,
              at_c = at_b + WIDE < last ? at_b + WIDE : last, at_d = at_c + WIDE < last ? at_c + WIDE : last;
    WIDE_NAME(vector) a = {0}, b = {0}, c = {0}, d = {0};
    for (int64_t k = 0; k < n; ++k) {
        const SUM value = WIDEN(values[k]), *row = x + columns[k] * ld;
        a += value * CONST_AT(row + at_a);
        if (count > 1) b += value * CONST_AT(row + at_b);
        if (count > 2) c += value * CONST_AT(row + at_c);
        if (count > 2) d += value * CONST_AT(row + at_d);
    }
    AT(sums + at_a) = a;
    if (count > 1) AT(sums + at_b) = b;
    if (count > 2) AT(sums + at_c) = c;
    if (count > 2) AT(sums + at_d) = d;
}

INLINE void WIDE_NAME(sums)(int64_t n, const VALUE *values, const int32_t *columns, const cpu_many_t *m, SUM *sums)
{
    for (int first = 0; first < m->width; first += 4 * WIDE) {
        const int left = m->width - first;
        if (left <= WIDE) WIDE_NAME(vectors)(1, first, n, values, columns, m, sums);
        else if (left <= 2 * WIDE || 2 * WIDE == CPU_MANY) WIDE_NAME(vectors)(2, first, n, values, columns, m, sums);
        else WIDE_NAME(vectors)(4, first, n, values, columns, m, sums);
    }
}

INLINE void WIDE_NAME(store)(int64_t row, const cpu_many_t *m, const SUM *sums)
{
    SUM result[CPU_MANY], *y = (SUM *)m->y + row * m->ldy;
    const SUM alpha = (SUM)m->alpha, beta = (SUM)m->beta;
    for (int first = 0; first < m->width; first += WIDE) {
        const int at = first + WIDE < m->width ? first : m->width - WIDE;
        WIDE_NAME(vector) product = alpha * CONST_AT(sums + at);
        if (beta != 0) product += beta * CONST_AT(y + at);
        AT(result + at) = product;
    }
    memcpy(y, result, (size_t)m->width * sizeof *y);
}

static void WIDE_NAME(by)(const spmv_csr_t *A, const cpu_range_t *range, const cpu_many_t *m)
{
    NAME(range)(A, range, m, WIDE_NAME(sums), WIDE_NAME(store));
}

#undef AT
#undef CONST_AT
#undef WIDE_NAME
#undef WIDE_NAME_
#undef WIDE_NAME__
#undef WIDE
