/* data.c - see data.h */
#include "data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csr.h"
#include "device.h"
#include "matgen.h"

enum { BLOCK = 256 };

/* Copies host[count] to the GPU, `beside` elements after an aligned address. */
static void *upload(data_t *d, const void *host, size_t count, size_t size, size_t beside, const char *name, err_t *err)
{
    char *gpu = device_alloc((count + beside) * size + (count + beside == 0), name, err);
    if (!gpu) return NULL;
    d->buffer[d->buffers++] = gpu;
    gpu += beside * size;
    if (count > 0 && host && device_ok(cudaMemcpy(gpu, host, count * size, cudaMemcpyHostToDevice), name, err))
        return NULL;
    return gpu;
}

/* Makes `count` small integers as floats, on the host (the caller frees them) and on the GPU. */
static float *numbers(data_t *d, size_t count, size_t beside, uint64_t seed, const char *name, const float **gpu,
                      err_t *err)
{
    double *exact = malloc((count + 1) * sizeof *exact);
    float *host = malloc((count + 1) * sizeof *host);
    *gpu = NULL;
    if (exact && host) {
        matgen_vector(exact, count, seed, 1);
        for (size_t i = 0; i < count; ++i) host[i] = (float)exact[i];
        *gpu = upload(d, host, count, sizeof *host, beside, name, err);
    } else err_set(err, "out of memory for %zu numbers", count);
    free(exact);
    if (*gpu) return host;
    free(host);
    return NULL;
}

static int make_output(data_t *d, size_t count, size_t beside, err_t *err)
{
    d->out_count = count;
    d->on_gpu.out = d->on_gpu.y = upload(d, NULL, count, sizeof(float), beside, d->answer, err);
    d->expected = calloc(count + 1, sizeof *d->expected);
    return d->on_gpu.out && d->expected ? 0 : -1;
}

static int open_vector(data_t *d, const char *family, const char *size, uint64_t seed, err_t *err)
{
    char *end;
    const size_t n = strtoul(size, &end, 10), beside = *end == '+' ? strtoul(end + 1, NULL, 10) : 0;
    float *in = numbers(d, n, beside, seed, "in", &d->on_gpu.in, err);
    if (!in) return -1;
    const bool one = !strcmp(family, "sum"), blocks = !strcmp(family, "block_sums");
    int failed = make_output(d, one ? 1 : blocks ? (n + BLOCK - 1) / BLOCK : n, beside, err);
    for (size_t i = 0; i < n && !failed; ++i) d->expected[one ? 0 : blocks ? i / BLOCK : i] += in[i];
    free(in);
    d->on_gpu.n = n;
    d->input_bytes = sizeof *in * (double)n;
    if (!strcmp(family, "free")) {
        free(d->expected);
        d->expected = NULL;
        d->input_bytes = 0;
    }
    return failed;
}

static int open_dense(data_t *d, const char *family, const char *size, uint64_t seed, err_t *err)
{
    char *end;
    const size_t rows = strtoul(size, &end, 10), cols = *end == ',' ? strtoul(end + 1, NULL, 10) : 1;
    const bool by_columns = !strcmp(family, "col"), transpose = !strcmp(family, "transpose");
    float *A = numbers(d, rows * cols, 0, seed, "A", &d->on_gpu.A, err);
    float *x = numbers(d, cols, 0, seed + 1, "x", &d->on_gpu.x, err);
    int failed = A && x ? make_output(d, transpose ? rows * cols : rows, 0, err) : -1;
    for (size_t r = 0; r < rows && !failed; ++r)
        for (size_t c = 0; c < cols; ++c) {
            const float a = A[by_columns ? c * rows + r : r * cols + c];
            if (transpose) d->expected[c * rows + r] = a;
            else d->expected[r] += a * x[c];
        }
    free(A);
    free(x);
    d->on_gpu.n = rows * cols;
    d->on_gpu.rows = (uint32_t)rows;
    d->on_gpu.cols = (uint32_t)cols;
    d->input_bytes = sizeof *A * (double)(rows * cols);
    return failed;
}

/* Copies the matrix in ELL format to the GPU. */
static int upload_ell(data_t *d, const csr_t *M, const float *values, err_t *err)
{
    practice_t *p = &d->on_gpu;
    p->width = (uint32_t)csr_stats(M).max_row;
    const size_t slots = (size_t)p->width * M->rows;
    int32_t *columns = malloc((slots + 1) * sizeof *columns);
    float *entries = calloc(slots + 1, sizeof *entries);
    if (columns && entries) {
        for (size_t i = 0; i < slots; ++i) columns[i] = -1;
        for (size_t r = 0; r < M->rows; ++r)
            for (int64_t k = M->row_offsets[r]; k < M->row_offsets[r + 1]; ++k) {
                const size_t slot = (size_t)(k - M->row_offsets[r]) * M->rows + r;
                columns[slot] = M->col_indices[k];
                entries[slot] = values[k];
            }
        p->ell_columns = upload(d, columns, slots, sizeof *columns, 0, "ell_columns", err);
        p->ell_values = upload(d, entries, slots, sizeof *entries, 0, "ell_values", err);
    }
    free(columns);
    free(entries);
    return p->ell_columns && p->ell_values ? 0 : -1;
}

static int upload_csr(data_t *d, const csr_t *M, bool which_row, uint64_t seed, err_t *err)
{
    practice_t *p = &d->on_gpu;
    float *values = numbers(d, M->nnz, 0, seed, "values", &p->values, err);
    float *x = numbers(d, M->cols, 0, seed + 1, "x", &p->x, err);
    uint32_t *offsets = malloc((M->rows + 1) * sizeof *offsets);
    int32_t *row_of = malloc((M->nnz + 1) * sizeof *row_of);
    int failed = values && x && offsets && row_of ? make_output(d, which_row ? M->nnz : M->rows, 0, err) : -1;
    for (size_t r = 0; r < M->rows && !failed; ++r)
        for (int64_t k = M->row_offsets[r]; k < M->row_offsets[r + 1]; ++k) {
            row_of[k] = (int32_t)r;
            if (which_row) d->expected[k] = (float)r;
            else d->expected[r] += values[k] * x[M->col_indices[k]];
        }
    if (!failed) {
        for (size_t r = 0; r <= M->rows; ++r) offsets[r] = (uint32_t)M->row_offsets[r];
        p->offsets = upload(d, offsets, M->rows + 1, sizeof *offsets, 0, "offsets", err);
        p->row_of = upload(d, row_of, M->nnz, sizeof *row_of, 0, "row_of", err);
        p->columns = upload(d, M->col_indices, M->nnz, sizeof *M->col_indices, 0, "columns", err);
        failed = p->offsets && p->row_of && p->columns ? upload_ell(d, M, values, err) : -1;
    }
    free(values);
    free(x);
    free(offsets);
    free(row_of);
    return failed;
}

static int open_sparse(data_t *d, const char *family, const char *recipe, uint64_t seed, err_t *err)
{
    const bool which_row = !strcmp(family, "rows");
    csr_t *M = matgen(recipe, seed, err);
    if (!M) return -1;
    d->on_gpu.rows = (uint32_t)M->rows;
    d->on_gpu.cols = (uint32_t)M->cols;
    d->on_gpu.nnz = (uint32_t)M->nnz;
    d->input_bytes = which_row ? 0 : sizeof(float) * (double)M->nnz;
    int failed = upload_csr(d, M, which_row, seed, err);
    csr_free(M);
    return failed;
}

int data_open(data_t *d, const char *family, const char *size, uint64_t seed, err_t *err)
{
    static const struct {
        const char *name;
        int (*open)(data_t *, const char *, const char *, uint64_t, err_t *);
    } FAMILIES[] = {{"free", open_vector},       {"copy", open_vector}, {"sum", open_vector},
                    {"block_sums", open_vector}, {"row", open_dense},   {"col", open_dense},
                    {"transpose", open_dense},   {"spmv", open_sparse}, {"rows", open_sparse}};
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; ++i)
        if (!strcmp(FAMILIES[i].name, family)) {
            d->answer = strcmp(family, "row") && strcmp(family, "col") && strcmp(family, "spmv") ? "out" : "y";
            d->on_gpu.counter = upload(d, NULL, 4, sizeof(uint32_t), 0, "counter", err);
            return d->on_gpu.counter ? FAMILIES[i].open(d, family, size, seed, err) : -1;
        }
    return err_set(err, "%s is not a kind of data: use free, copy, sum, block_sums, row, col, transpose, spmv or rows",
                   family);
}

int data_prepare(const data_t *d, err_t *err)
{
    if (device_ok(cudaMemset(d->on_gpu.counter, 0, 4 * sizeof(uint32_t)), "counter", err)) return -1;
    if (d->out_count == 0) return 0;
    return device_ok(cudaMemset(d->on_gpu.out, 0xff, d->out_count * sizeof(float)), d->answer, err);
}

void data_words(const char *family, const char *size, char *text, size_t room)
{
    char *end;
    const unsigned long n = strtoul(size, &end, 10), m = *end ? strtoul(end + 1, NULL, 10) : 0;
    if (strchr(size, ':'))
        snprintf(text, room, "the %smatrix %s", strcmp(family, "rows") ? "sparse " : "rows of the sparse ", size);
    else if (*end == ',') snprintf(text, room, "a matrix of %lu rows and %lu columns", n, m);
    else
        snprintf(text, room, m ? "%lu number%s, in and out %lu number%s past an aligned address" : "%lu number%s", n,
                 n == 1 ? "" : "s", m, m == 1 ? "" : "s");
}

static bool is_right(float got, float expected) { return isfinite(got) && got == expected; }

/* Appends a line: the label, then the numbers; "-" means never written. */
static void put_numbers(char *text, size_t room, const char *label, const float *value, size_t count)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, room - used, "\n  %-9s", label);
    for (size_t i = 0; i < count && used < room; ++i)
        used += (size_t)(isnan(value[i]) ? snprintf(text + used, room - used, " %6s", "-")
                                         : snprintf(text + used, room - used, " %6.6g", (double)value[i]));
}

int data_check(const data_t *d, err_t *err)
{
    enum { SHORT = 8 }; /* numbers per line */
    float *out = malloc((d->out_count + 1) * sizeof *out);
    if (!out) return err_set(err, "out of memory for %zu results", d->out_count);
    int failed = d->out_count == 0
                     ? 0
                     : device_ok(cudaMemcpy(out, d->on_gpu.out, d->out_count * sizeof *out, cudaMemcpyDeviceToHost),
                                 d->answer, err);
    for (size_t i = 0; i < d->out_count && d->expected && !failed; ++i) {
        if (is_right(out[i], d->expected[i])) continue;
        /* Uses nine digits, which distinguish all floats, if six digits would be equal. */
        const int digits = fabsf(out[i] - d->expected[i]) < 1e-5f * fabsf(d->expected[i]) ? 9 : 6;
        failed = isnan(out[i]) ? err_set(err, "%s[%zu] was never written; expected %g", d->answer, i,
                                         (double)d->expected[i])
                               : err_set(err, "%s[%zu] is %.*g; expected %.*g", d->answer, i, digits, (double)out[i],
                                         digits, (double)d->expected[i]);
        if (d->out_count > SHORT || d->out_count == 1) continue;
        put_numbers(err->text, sizeof err->text, "yours", out, d->out_count);
        put_numbers(err->text, sizeof err->text, "expected", d->expected, d->out_count);
    }
    free(out);
    return failed;
}

void data_close(data_t *d)
{
    for (int i = 0; i < d->buffers; ++i) device_free(d->buffer[i]);
    free(d->expected);
    memset(d, 0, sizeof *d);
}
