/*
 * gpu_hot.cu - see gpu_hot.h
 *
 *   count      how many nonzeros of a sample each column has
 *   histogram  how many columns have each number; the host chooses the number from which on columns are hot
 *   name       numbers the hot columns
 */
#include "gpu_hot.h"

#include "gpu_slices_build.cuh"

namespace {

enum {
    BYTES = 64 << 10, // of hot entries of x (measured with 32 to 96 KB; an SM's L1 has 256)
    FEW = 1 << 16,    // nonzeros of the sample for the rule
    MANY = 1 << 21,   // nonzeros of the sample by which the columns are chosen
    COUNTS = 1024     // the last counter counts all larger numbers, too
};

// Counts runs of 32 nonzeros, spread evenly over the matrix.
__global__ void __launch_bounds__(BLOCK) count_kernel(uint64_t nnz, uint64_t samples,
                                                      const int32_t *__restrict__ col_indices, uint32_t *counts)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x, run = i / LANES, runs = samples / LANES;
    if (samples == nnz && i < nnz) atomicAdd(&counts[col_indices[i]], 1u);
    if (samples == nnz || run >= runs) return;
    atomicAdd(&counts[col_indices[(nnz - LANES) / runs * run + i % LANES]], 1u);
}

__global__ void __launch_bounds__(BLOCK)
    histogram_kernel(uint32_t cols, const uint32_t *__restrict__ counts, uint32_t *histogram)
{
    __shared__ uint32_t mine[COUNTS];
    for (uint32_t k = threadIdx.x; k < COUNTS; k += BLOCK) mine[k] = 0;
    __syncthreads();
#pragma unroll 1
    for (uint32_t c = blockIdx.x * BLOCK + threadIdx.x; c < cols; c += gridDim.x * BLOCK)
        if (counts[c]) atomicAdd(&mine[min(counts[c], (uint32_t)COUNTS - 1)], 1u);
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < COUNTS; k += BLOCK)
        if (mine[k]) atomicAdd(&histogram[k], mine[k]);
}

__global__ void __launch_bounds__(BLOCK)
    flag_kernel(uint32_t cols, uint32_t least, const uint32_t *__restrict__ counts, uint32_t *flags)
{
    const uint32_t c = blockIdx.x * BLOCK + threadIdx.x;
    if (c < cols) flags[c] = counts[c] >= least;
}

// codes: the scanned flags of hot columns.
__global__ void __launch_bounds__(BLOCK) name_kernel(uint32_t cols, uint32_t least, uint32_t hot,
                                                     const uint32_t *__restrict__ counts, uint32_t *codes,
                                                     uint32_t *columns)
{
    const uint32_t c = blockIdx.x * BLOCK + threadIdx.x;
    if (c >= cols) return;
    if (counts[c] >= least) columns[codes[c]] = c;
    else codes[c] = hot + c;
}

struct counted_t {
    uint32_t *counts;        // on the GPU
    uint32_t least, columns; // the least count of a hot column; the number of hot columns
    double share;
};

// Finds the least count of a hot column, so that as many columns are hot as there is room for.  A single nonzero in the
// sample does not make a column hot.
void pick(counted_t *c, const uint32_t histogram[COUNTS], uint32_t most, uint64_t samples)
{
    double nonzeros = 0;
    c->least = COUNTS;
    c->columns = 0;
    for (uint32_t k = COUNTS - 1; k >= 2 && c->columns + histogram[k] <= most; --k) {
        c->least = k;
        c->columns += histogram[k];
        nonzeros += (double)k * histogram[k];
    }
    c->share = nonzeros / (double)samples;
}

cudaError_t count(counted_t *c, const gpu_csr_t *A, uint64_t samples, scratch_t *scratch, cudaStream_t stream)
{
    const uint64_t nnz = (uint64_t)A->nnz;
    const uint32_t cols = (uint32_t)A->cols;
    uint32_t histogram[COUNTS], *d_histogram;
    if (samples > nnz) samples = nnz;
    TRY(take((void **)&c->counts, cols * sizeof *c->counts, scratch));
    TRY(take((void **)&d_histogram, sizeof histogram, scratch));
    TRY(cudaMemsetAsync(c->counts, 0, cols * sizeof *c->counts, stream));
    TRY(cudaMemsetAsync(d_histogram, 0, sizeof histogram, stream));
    count_kernel<<<blocks_for(samples, BLOCK), BLOCK, 0, stream>>>(nnz, samples, A->col_indices, c->counts);
    const unsigned blocks = blocks_for(cols, BLOCK);
    histogram_kernel<<<min(blocks, 1056u), BLOCK, 0, stream>>>(cols, c->counts, d_histogram);
    TRY(cudaPeekAtLastError());
    TRY(to_host(histogram, d_histogram, sizeof histogram, stream));
    pick(c, histogram, gpu_hot_most(A->value_type), samples);
    return cudaSuccess;
}

cudaError_t find(gpu_hot_t *hot, const gpu_csr_t *A, scratch_t *scratch, cudaStream_t stream)
{
    const uint32_t cols = (uint32_t)A->cols;
    const unsigned blocks = blocks_for(cols, BLOCK), tiles = blocks_for(cols, SCAN_TILE);
    counted_t c;
    uint32_t *sums;
    TRY(count(&c, A, MANY, scratch, stream));
    if (c.columns == 0) return cudaSuccess;
    TRY(take((void **)&sums, (tiles + 1) * sizeof *sums, scratch));
    TRY(gpu_take((void **)&hot->columns, c.columns * sizeof *hot->columns, stream));
    TRY(gpu_take((void **)&hot->codes, cols * sizeof *hot->codes, stream));
    flag_kernel<<<blocks, BLOCK, 0, stream>>>(cols, c.least, c.counts, hot->codes);
    TRY(slices_scan(hot->codes, cols, sums, stream));
    name_kernel<<<blocks, BLOCK, 0, stream>>>(cols, c.least, c.columns, c.counts, hot->codes, hot->columns);
    TRY(cudaPeekAtLastError());
    hot->count = c.columns;
    return cudaStreamSynchronize(stream);
}

} // namespace

uint32_t gpu_hot_most(spmv_type_t type) { return (uint32_t)(BYTES / vector_size(type)); }

cudaError_t gpu_hot_share(double *share, const gpu_csr_t *A, cudaStream_t stream)
{
    scratch_t scratch = {stream, {NULL}, 0};
    counted_t c = {NULL, 0, 0, 0};
    const cudaError_t status = count(&c, A, FEW, &scratch, stream);
    *share = c.share;
    end_scratch(&scratch, status);
    return status;
}

cudaError_t gpu_hot_find(gpu_hot_t *hot, const gpu_csr_t *A, cudaStream_t stream)
{
    scratch_t scratch = {stream, {NULL}, 0};
    *hot = gpu_hot_t{NULL, NULL, 0};
    const cudaError_t status = find(hot, A, &scratch, stream);
    end_scratch(&scratch, status);
    if (status == cudaSuccess) return status;
    gpu_free(hot->columns);
    gpu_free(hot->codes);
    *hot = gpu_hot_t{NULL, NULL, 0};
    return status;
}
