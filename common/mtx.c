/* mtx.c - see mtx.h; the lines themselves are mtx_text.c's business */
#include "mtx.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mtx_text.h"

/* ---- from CHOLMOD to CSR ------------------------------------------------- */

/* Both halves of a symmetric or skew-symmetric matrix as triplets. */
static csr_t *expand_halves(const mtx_text_t *s, const int32_t *rows, const int32_t *cols, const double *values,
                            size_t count, err_t *err)
{
    double sign = s->symmetry == SKEW ? -1 : 1;
    int32_t *both_rows = malloc((2 * count + 1) * sizeof *both_rows);
    int32_t *both_cols = malloc((2 * count + 1) * sizeof *both_cols);
    double *both_values = malloc((2 * count + 1) * sizeof *both_values);
    csr_t *A = NULL;
    if (both_rows && both_cols && both_values) {
        size_t n = 0;
        for (size_t k = 0; k < count; k++) {
            both_rows[n] = rows[k];
            both_cols[n] = cols[k];
            both_values[n++] = values[k];
            if (rows[k] == cols[k]) continue;
            both_rows[n] = cols[k];
            both_cols[n] = rows[k];
            both_values[n++] = sign * values[k];
        }
        A = csr_from_triplets(s->rows, s->cols, n, both_rows, both_cols, both_values, err);
    } else {
        err_set(err, "out of memory for the other half");
    }
    free(both_rows);
    free(both_cols);
    free(both_values);
    return A;
}

static csr_t *csr_from_cholmod(const mtx_text_t *s, const cholmod_triplet *T, err_t *err)
{
    double *values = T->x;
    if (s->field == FIELD_PATTERN)
        for (size_t k = 0; k < T->nnz; k++) values[k] = 1;
    if (s->symmetry != GENERAL) return expand_halves(s, T->i, T->j, values, T->nnz, err);
    return csr_from_triplets(s->rows, s->cols, T->nnz, T->i, T->j, values, err);
}

/* The nonzeros of a column-major array. */
static csr_t *csr_from_array(const cholmod_dense *X, err_t *err)
{
    const double *x = X->x;
    size_t nnz = 0, to = 0;
    for (size_t i = 0; i < X->nrow * X->ncol; i++) nnz += x[i] != 0;
    csr_t *A = csr_alloc(X->nrow, X->ncol, nnz);
    if (!A) {
        err_set(err, "out of memory for %zu nonzeros", nnz);
        return NULL;
    }
    for (size_t r = 0; r < A->rows; r++) {
        for (size_t c = 0; c < A->cols; c++) {
            double value = x[c * X->d + r];
            if (value == 0) continue;
            A->col_indices[to] = (int32_t)c;
            A->values[to++] = value;
        }
        A->row_offsets[r + 1] = (int64_t)to;
    }
    return A;
}

/* What csr_check asks, and no sum of duplicates that a file could not hold: CHOLMOD reads 1e308 and up as infinite. */
static int check_values(const csr_t *A, err_t *err)
{
    for (size_t nz = 0; nz < A->nnz; nz++)
        if (isfinite(A->values[nz]) && fabs(A->values[nz]) >= 1e308)
            return err_set(err, "duplicates add up to %g, beyond 1e308", A->values[nz]);
    return csr_check(A, err);
}

/* Nothing to parse (CHOLMOD returns garbage for an array without values), but the text
 * must end here. */
static csr_t *parse_nothing(mtx_text_t *s)
{
    if (mtx_text_next(s) || s->failed) return NULL;
    csr_t *A = csr_alloc(s->rows, s->cols, 0);
    if (!A) mtx_text_fail(s, "out of memory");
    return A;
}

/* Lets CHOLMOD read `file`, then sees the rest of the text and makes the CSR matrix. */
static csr_t *parse(mtx_text_t *s, FILE *file)
{
    if (s->entries == 0) return parse_nothing(s);
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0; /* it complains to us, not to the terminal */
    cholmod_triplet *T = NULL;
    cholmod_dense *X = NULL;
    if (s->is_array) X = cholmod_read_dense(file, &common);
    else T = cholmod_read_triplet(file, &common);
    while (mtx_text_next(s)) continue; /* nothing may follow the last entry, and gzip's checksum must match */
    err_t reason = {"out of memory"};
    csr_t *A = NULL;
    if (!s->failed && (X || T) && s->seen == s->entries)
        A = X ? csr_from_array(X, &reason) : csr_from_cholmod(s, T, &reason);
    if (!A) {
        s->line = 0;
        mtx_text_fail(s, "%s", common.status == CHOLMOD_INVALID ? "CHOLMOD refuses it" : reason.text);
    }
    cholmod_free_triplet(&T, &common);
    cholmod_free_dense(&X, &common);
    cholmod_finish(&common);
    if (A && check_values(A, &reason)) {
        A = csr_free(A);
        s->line = 0;
        mtx_text_fail(s, "%s", reason.text);
    }
    return A;
}

/* parse() in the C locale: elsewhere scanf may want a comma in numbers. */
static csr_t *parse_in_c_locale(mtx_text_t *s, FILE *file)
{
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", NULL);
    locale_t old = c_locale ? uselocale(c_locale) : NULL;
    csr_t *A = parse(s, file);
    if (c_locale) {
        uselocale(old);
        freelocale(c_locale);
    }
    return A;
}

csr_t *mtx_read(const char *path, err_t *err)
{
    mtx_text_t text;
    csr_t *A = NULL;
    if (mtx_text_open(&text, path, err) == 0) {
        FILE *file = fopencookie(&text, "r", (cookie_io_functions_t){.read = mtx_text_read});
        if (file) {
            A = parse_in_c_locale(&text, file);
            fclose(file);
        } else {
            mtx_text_fail(&text, "%s", strerror(errno));
        }
    }
    mtx_text_close(&text);
    return A;
}

/* ---- writing ------------------------------------------------------------- */

static int write_text(gzFile gz, const csr_t *A)
{
    if (gzprintf(gz, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", A->rows, A->cols, A->nnz) <= 0)
        return -1;
    for (size_t r = 0; r < A->rows; r++)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; nz++)
            if (gzprintf(gz, "%zu %d %.17g\n", r + 1, A->col_indices[nz] + 1, A->values[nz]) <= 0) return -1;
    return 0;
}

/* Writes to fd, which stays open, and sees that it is on the disk.  -1 with errno. */
static int write_file(int fd, const csr_t *A, bool zip)
{
    int copy = dup(fd);
    gzFile gz = copy < 0 ? NULL : gzdopen(copy, zip ? "wb" : "wbT"); /* T: as it is */
    if (!gz) {
        if (copy >= 0) close(copy);
        return -1;
    }
    gzbuffer(gz, 1 << 18);
    errno = 0;
    int status = write_text(gz, A);
    if (gzclose(gz) != Z_OK) status = -1;
    if (status && !errno) errno = EIO;
    return status ? -1 : fsync(fd);
}

int mtx_write(const char *path, const csr_t *A, err_t *err)
{
    err_t reason;
    if (csr_check(A, &reason)) return err_set(err, "%.160s: not written: %.300s", path, reason.text);
    size_t size = strlen(path) + sizeof ".XXXXXX";
    char *temporary = malloc(size);
    if (!temporary) return err_set(err, "%.160s: out of memory", path);
    snprintf(temporary, size, "%s.XXXXXX", path);
    int fd = mkstemp(temporary), status = -1;
    if (fd >= 0) {
        mode_t mask = umask(0); /* mkstemp makes it private; a result file should not be */
        umask(mask);
        locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", NULL), old = c_locale ? uselocale(c_locale) : NULL;
        status = fchmod(fd, 0666 & ~mask) || write_file(fd, A, mtx_ends_in_gz(path)) || rename(temporary, path);
        if (c_locale) {
            uselocale(old);
            freelocale(c_locale);
        }
    }
    if (status) err_set(err, "%.160s: %s", path, strerror(errno));
    if (status && fd >= 0) unlink(temporary);
    if (fd >= 0) close(fd);
    free(temporary);
    return status ? -1 : 0;
}
