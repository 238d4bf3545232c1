/*
 * spmv_scalar c3 - NEON
 *
 * Was     c2 multiplies one number per instruction.
 * Idea    c2's four sums are the four lanes of a NEON vector (fp32), or of two (fp64).  NEON has no gather:
 *         the four entries of x are loaded one by one.
 * Moves   Same as c1.
 * Expect  Little faster than c2: four loads of x remain four loads; only the multiplications and additions are fewer.
 * Still   x is gathered by scalar loads.                                (-> c4)
 * Needs   AArch64; elsewhere SIMDe, which translates NEON to the processor's instructions, so that the same
 *         source runs and is checked on x86.  fp32 or fp64; 32- or 64-bit offsets.
 * Launch  One thread.
 * Source  Arm, Neon Intrinsics Reference.  Article S4 in docs/sources.md: equal to unrolling by four.
 */
#include "cpu_steps.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(HAVE_SIMDE)
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/arm/neon.h>
#endif

#if defined(__aarch64__) || defined(HAVE_SIMDE)
const bool spmv_scalar_neon_built = true;

/* Loads the four entries of x at these columns, and adds the next four products to the lanes of *sum. */
static inline void add4_float(float32x4_t *sum, const float *values, const int32_t *columns, const float *in)
{
    float32x4_t entries = vdupq_n_f32(in[columns[0]]);
    entries = vld1q_lane_f32(&in[columns[1]], entries, 1);
    entries = vld1q_lane_f32(&in[columns[2]], entries, 2);
    entries = vld1q_lane_f32(&in[columns[3]], entries, 3);
    *sum = vfmaq_f32(*sum, vld1q_f32(values), entries);
}

static inline void add2_double(float64x2_t *sum, const double *values, const int32_t *columns, const double *in)
{
    const float64x2_t entries = vld1q_lane_f64(&in[columns[1]], vdupq_n_f64(in[columns[0]]), 1);
    *sum = vfmaq_f64(*sum, vld1q_f64(values), entries);
}

#define DOT_float(nz)                                                                         \
    float32x4_t sums = vdupq_n_f32(0);                                                        \
    for (; end - nz >= 4; nz += 4) add4_float(&sums, &values[nz], &A->col_indices[nz], in);   \
    float sum = vaddvq_f32(sums)

#define DOT_double(nz)                                                                        \
    float64x2_t sums = vdupq_n_f64(0), more = sums;                                           \
    for (; end - nz >= 4; nz += 4) {                                                          \
        add2_double(&sums, &values[nz], &A->col_indices[nz], in);                             \
        add2_double(&more, &values[nz + 2], &A->col_indices[nz + 2], in);                     \
    }                                                                                         \
    double sum = vaddvq_f64(vaddq_f64(sums, more))

#define SPMV(OFFSET, T)                                                                       \
    do {                                                                                      \
        const OFFSET *row_offsets = A->row_offsets;                                           \
        const T *values = A->values, *in = x;                                                 \
        T *out = y;                                                                           \
        for (size_t row = 0; row < A->rows; ++row) {                                          \
            const OFFSET end = row_offsets[row + 1];                                          \
            OFFSET nz = row_offsets[row];                                                     \
            DOT_##T(nz);                                                                      \
            for (; nz < end; ++nz) sum += values[nz] * in[A->col_indices[nz]];                \
            out[row] = sum;                                                                   \
        }                                                                                     \
    } while (0)

void spmv_scalar_neon(SPMV_SCALAR_CPU_ARGS)
{
    (void)format;
    BY_TYPES(SPMV);
}
#else
const bool spmv_scalar_neon_built = false;
void spmv_scalar_neon(SPMV_SCALAR_CPU_ARGS) { (void)A, (void)x, (void)y, (void)format; }
#endif
