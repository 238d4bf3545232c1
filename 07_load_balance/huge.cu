/*
 * huge.cu - more than 2^31 nonzeros: runs every step on a matrix that is generated on the GPU by a formula.
 *
 * 64-bit offsets.  1000 empty rows at both ends, rows of 0 to 400 between them, one of up to ten million in the middle.
 * All numbers are small integers, and no sum of absolute values reaches 2^24, so fp32 adds them exactly in any order
 * and results are compared with ==.  The correct y is computed by the same formulas in 64-bit integers, without the CSR
 * arrays.
 */
#include "load_balance.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 256, EMPTY_ENDS = 1000, PERIOD = 8, PER_PERIOD = 1600, LONGEST = 10000000 };

// Rows and nonzeros by formula.
typedef struct huge {
    uint64_t periods, long_length; // periods of 8 rows, before and after the long row together
} huge_t;

static __host__ __device__ uint64_t middle_rows(huge_t h) { return h.periods * PERIOD + 1; }
static __host__ __device__ uint64_t all_rows(huge_t h) { return middle_rows(h) + 2 * EMPTY_ENDS; }
static __device__ uint64_t long_row(huge_t h) { return EMPTY_ENDS + h.periods / 2 * PERIOD; }
static __host__ __device__ uint64_t all_nonzeros(huge_t h) { return h.periods * PER_PERIOD + h.long_length; }

// The start of the i-th row of the periods; the lengths of a period's rows are 0, 100, 200, 300, 400, 200, 150, 250.
static __device__ uint64_t period_offset(uint64_t i)
{
    const unsigned before[PERIOD] = {0, 0, 100, 300, 600, 1000, 1200, 1350};
    return i / PERIOD * PER_PERIOD + before[i % PERIOD];
}

static __device__ uint64_t row_offset(huge_t h, uint64_t row)
{
    if (row <= EMPTY_ENDS) return 0;
    if (row >= EMPTY_ENDS + middle_rows(h)) return all_nonzeros(h);
    return row <= long_row(h) ? period_offset(row - EMPTY_ENDS) : period_offset(row - EMPTY_ENDS - 1) + h.long_length;
}

static __device__ int hash(uint64_t v, int below)
{
    v = (v + 1) * 0x9e3779b97f4a7c15u;
    return (int)((v >> 40) % (uint64_t)below);
}

// Columns run along the diagonal; those of the long row are spread over the whole width.
static __device__ uint64_t column(huge_t h, uint64_t row, uint64_t length, uint64_t k)
{
    const uint64_t cols = all_rows(h);
    if (row == long_row(h)) return k * (cols / length);
    const uint64_t start = row < length / 2 ? 0 : row - length / 2;
    return min(start, cols - length) + k;
}
static __device__ int value(huge_t h, uint64_t row, uint64_t k)
{
    return row == long_row(h) ? hash(k, 3) - 1 : hash(row * 512 + k, 9) - 4;
}
static __device__ int x_at(uint64_t col) { return hash(col, 3) - 1; }

// One warp per row writes the offsets, columns and values, and computes the correct y.
static __global__ void make_kernel(huge_t h, uint64_t *row_offsets, int32_t *col_indices, float *values,
                                   long long *right)
{
    const uint64_t row = ((uint64_t)blockIdx.x * BLOCK + threadIdx.x) / 32;
    const unsigned lane = threadIdx.x % 32;
    if (row >= all_rows(h)) return; // a whole warp
    const uint64_t start = row_offset(h, row), length = row_offset(h, row + 1) - start;
    long long sum = 0;
#pragma unroll 1
    for (uint64_t k = lane; k < length; k += 32) {
        const uint64_t col = column(h, row, length, k);
        col_indices[start + k] = (int32_t)col;
        values[start + k] = (float)value(h, row, k);
        sum += value(h, row, k) * x_at(col);
    }
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (lane == 0) {
        row_offsets[row] = start;
        right[row] = sum;
        if (row == all_rows(h) - 1) row_offsets[row + 1] = start + length;
    }
}

static __global__ void make_x_kernel(uint64_t cols, float *x)
{
    const uint64_t col = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (col < cols) x[col] = (float)x_at(col);
}

// wrong[0] counts the rows that are not equal, wrong[1] gets the first of them.
static __global__ void compare_kernel(uint64_t rows, const float *y, const long long *right, unsigned *wrong)
{
    const uint64_t row = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows || y[row] == (float)right[row]) return; // NaN is not equal
    atomicAdd(&wrong[0], 1u);
    atomicMin(&wrong[1], (unsigned)row);
}

static unsigned blocks_of(uint64_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }

// One step, twice: 0, or -1 and what was wrong.
static int check_step(const csr_arrays_t *A, load_balance_fn run, void *plan, const float *d_x, float *d_y,
                      const long long *d_right, unsigned *d_wrong, err_t *err)
{
    const unsigned none[2] = {0, 0xffffffffu};
    unsigned wrong[2];
    for (int again = 0; again < 2; ++again) {
        if (device_ok(cudaMemset(d_y, 0xFF, A->rows * sizeof *d_y), "y", err) ||
            device_ok(cudaMemcpy(d_wrong, none, sizeof none, cudaMemcpyHostToDevice), "wrong", err) ||
            device_ok(run(A, plan, d_x, d_y, 0), "run", err) || device_sync(err))
            return -1;
        compare_kernel<<<blocks_of(A->rows), BLOCK>>>(A->rows, d_y, d_right, d_wrong);
        if (device_sync(err) ||
            device_ok(cudaMemcpy(wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost), "wrong", err))
            return -1;
        if (wrong[0]) return err_set(err, "%u rows are wrong, the first is row %u", wrong[0], wrong[1]);
    }
    return 0;
}

// Plans that need the whole matrix on the host do not support 2^31 nonzeros.
static bool is_made_on_host(const char *id)
{
    static const char *const MADE[] = {"v18", "v19", "v20", "v21", "v22", "v25", "v28", "v29", "v40"};
    for (const char *made : MADE)
        if (strcmp(id, made) == 0) return true;
    return false;
}

// Runs every step of the chapter and prints one line for each; returns the number of wrong steps.
static int check_steps(const csr_arrays_t *A, const float *d_x, float *d_y, const long long *d_right, unsigned *d_wrong)
{
    const load_balance_plan_ops_t *ops;
    load_balance_fn run;
    const char *id;
    int failures = 0;
    for (size_t i = 0; load_balance_step(i, &id, &run, &ops); ++i) {
        if (A->nnz > 100000000 && is_made_on_host(id)) {
            printf("%-8s skipped: its plan is built on the host\n", id);
            continue;
        }
        err_t err = {{0}};
        void *plan = NULL;
        const int failed = (ops && device_ok(ops->create(A, &plan, 0), "plan", &err)) ||
                           check_step(A, run, plan, d_x, d_y, d_right, d_wrong, &err);
        if (failed) printf("%-8s FAIL: %s\n", id, err.text);
        else if (plan) printf("%-8s ok, a plan of %.3f GB\n", id, (double)ops->bytes(plan) / 1e9);
        else printf("%-8s ok\n", id);
        fflush(stdout);
        if (plan) ops->destroy(plan);
        failures += failed;
    }
    return failures;
}

extern "C" int load_balance_huge(size_t nnz)
{
    huge_t h;
    h.long_length = nnz / 200 < LONGEST ? nnz / 200 : (uint64_t)LONGEST;
    h.periods = (nnz - h.long_length + PER_PERIOD - 1) / PER_PERIOD;
    while (all_rows(h) < h.long_length) ++h.periods; // the long row's columns are distinct
    const uint64_t rows = all_rows(h), count = all_nonzeros(h);
    err_t err = {{0}};
    device_facts_t facts;
    size_t available = 0, total = 0;
    const size_t needed = count * 8 + (rows + 1) * 8 + rows * (4 + 4 + 8) + 64;
    if (device_open(&facts, &err) || device_ok(cudaMemGetInfo(&available, &total), "cudaMemGetInfo", &err)) {
        fprintf(stderr, "07_load_balance: --huge: %s\n", err.text);
        return 1;
    }
    if (needed + needed / 20 > available) {
        fprintf(stderr, "07_load_balance: --huge: the matrix and its vectors need %.1f GB, the GPU has %.1f GB free: "
                        "choose fewer nonzeros\n",
                (double)needed / 1e9, (double)available / 1e9);
        return 1;
    }

    csr_arrays_t A = {rows, rows, count, DTYPE_F32, 64, NULL, NULL, NULL};
    float *d_x = NULL, *d_y = NULL;
    long long *d_right = NULL;
    unsigned *d_wrong = NULL;
    int status = 1;
    A.row_offsets = device_alloc((rows + 1) * 8, "row_offsets", &err);
    if (A.row_offsets) A.col_indices = (int32_t *)device_alloc(count * 4, "col_indices", &err);
    if (A.col_indices) A.values = device_alloc(count * 4, "values", &err);
    if (A.values) d_x = (float *)device_alloc(rows * 4, "x", &err);
    if (d_x) d_y = (float *)device_alloc(rows * 4, "y", &err);
    if (d_y) d_right = (long long *)device_alloc(rows * 8, "right", &err);
    if (d_right) d_wrong = (unsigned *)device_alloc(2 * sizeof *d_wrong, "wrong", &err);
    if (d_wrong) {
        printf("huge: %zu rows, %zu nonzeros%s, one row of %zu, fp32, 64-bit offsets, %.1f GB\n", A.rows, A.nnz,
               A.nnz > (size_t)1 << 31 ? " (more than 2^31)" : "", (size_t)h.long_length, (double)needed / 1e9);
        make_kernel<<<blocks_of(rows * 32), BLOCK>>>(h, (uint64_t *)A.row_offsets, A.col_indices, (float *)A.values,
                                                     d_right);
        make_x_kernel<<<blocks_of(rows), BLOCK>>>(rows, d_x);
        if (!device_sync(&err)) status = check_steps(&A, d_x, d_y, d_right, d_wrong) != 0;
    }
    if (err.text[0]) fprintf(stderr, "07_load_balance: --huge: %s\n", err.text);
    device_free(A.row_offsets);
    device_free(A.col_indices);
    device_free(A.values);
    device_free(d_x);
    device_free(d_y);
    device_free(d_right);
    device_free(d_wrong);
    return status;
}
