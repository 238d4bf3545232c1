/* verify.c - see verify.h */
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* With an infinite tolerance (a sum of |a x| that overflowed) every result would pass, so
 * none does. */
// region: near_ok
bool near_ok(double ref, double out, double tol)
{
    return isfinite(out) && isfinite(tol) && fabs(out - ref) <= tol;
}
// end: near_ok

double verify_tolerance(size_t depth, dtype_t sum_type, double abs_sum)
{
    return 4 * ((double)depth + 1) * dtype_roundoff(sum_type) * abs_sum;
}

/* Returns |out - ref| / tol; equal values give 0 even with tolerance 0, and NaN gives infinity. */
static double err_over_tol(double ref, double out, double tol)
{
    double ratio = out == ref ? 0 : fabs(out - ref) / tol;
    return isnan(ratio) || !isfinite(out) || !isfinite(tol) ? INFINITY : ratio;
}

verify_result_t verify(const void *out, dtype_t t, size_t count, const double *ref, const double *tol)
{
    enum { CHUNK = 256 };
    double got[CHUNK];
    verify_result_t result = {.ok = true};
    for (size_t start = 0; start < count; start += CHUNK) {
        size_t n = count - start < CHUNK ? count - start : CHUNK;
        dtype_to_double(t, got, (const char *)out + start * dtype_size(t), n);
        for (size_t k = 0; k < n; ++k) {
            size_t i = start + k;
            double ratio = err_over_tol(ref[i], got[k], tol[i]);
            if (ratio > result.err_over_tol) result.err_over_tol = ratio;
            if (near_ok(ref[i], got[k], tol[i]) || !result.ok) continue;
            result.ok = false;
            result.first_wrong = i;
            result.got = got[k];
            result.expected = ref[i];
            result.tol = tol[i];
        }
    }
    return result;
}

/* Prints nine digits, or all digits of a double if the two numbers would otherwise look the same. */
static int digits_apart(double a, double b)
{
    char text_a[32], text_b[32];
    snprintf(text_a, sizeof text_a, "%.9g", a);
    snprintf(text_b, sizeof text_b, "%.9g", b);
    return strcmp(text_a, text_b) ? 9 : 17;
}

void verify_describe(const verify_result_t *r, const char *name, char *text, size_t text_size)
{
    if (r->ok)
        snprintf(text, text_size, "%s: ok, largest error %.3g of the tolerance", name, r->err_over_tol);
    else
        snprintf(text, text_size, "%s[%zu]: got %.*g, expected %.*g, tolerance %.9g", name, r->first_wrong,
                 digits_apart(r->got, r->expected), r->got, digits_apart(r->got, r->expected), r->expected, r->tol);
}

int verify_verdict(verify_result_t r, const char *name, double *share, err_t *err)
{
    char text[200];
    *share = r.err_over_tol;
    if (r.ok) return 0;
    verify_describe(&r, name, text, sizeof text);
    return err_set(err, "%s", text);
}

void verify_poison(void *p, size_t bytes)
{
    if (bytes) memset(p, 0xff, bytes);
}

bool verify_untouched(const void *p, size_t bytes)
{
    const unsigned char *byte = p;
    for (size_t i = 0; i < bytes; ++i)
        if (byte[i] != 0xff) return false;
    return true;
}

/* A sum and the accumulated rounding error. */
typedef struct compensated {
    double sum, lost;
} compensated_t;

/* Adds x by Neumaier's variant of Kahan's step: the smaller summand loses digits, so the code
 * tests which one is smaller.  The error of the whole sum is u |sum| + O(n u^2) sum|x|, below 2^-52
 * sum|x| for n = 2^28.  (A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur
 * Summation endlicher Summen, ZAMM 54, 1974; Higham, section 4.3.)  Needs a compiler
 * that keeps the order of additions: never fast-math. */
static inline compensated_t add(compensated_t c, double x)
{
    double sum = c.sum + x;
    c.lost += fabs(c.sum) >= fabs(x) ? (c.sum - sum) + x : (x - sum) + c.sum;
    c.sum = sum;
    return c;
}

double reference_sum(const double *x, size_t n, double *abs_sum)
{
    compensated_t signed_sum = {0, 0}, absolute = {0, 0};
    for (size_t i = 0; i < n; ++i) {
        signed_sum = add(signed_sum, x[i]);
        absolute = add(absolute, fabs(x[i]));
    }
    if (abs_sum) *abs_sum = absolute.sum + absolute.lost;
    return signed_sum.sum + signed_sum.lost;
}

void reference_spmv(const csr_t *A, const double *x, double *y, double *abs_sum)
{
    for (size_t r = 0; r < A->rows; ++r) {
        double sum = 0, absolute = 0;
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            double product = A->values[nz] * x[A->col_indices[nz]];
            sum += product;
            absolute += fabs(product);
        }
        y[r] = sum;
        abs_sum[r] = absolute;
    }
}
