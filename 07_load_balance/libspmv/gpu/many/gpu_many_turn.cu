/* gpu_many_turn.cu - transposes a column-major X, so that the row of X for a nonzero is contiguous.  A block has ROWS
 * rows: lanes read neighbours of a column, and store neighbours of a row.  Columns past k are 0. */
#include "gpu_many.cuh"

namespace {

enum { ROWS = 64 };

template <int W, typename S>
__global__ void __launch_bounds__(BLOCK)
    many_turn_kernel(int64_t cols, unsigned k, const S *__restrict__ x, int64_t ldx, S *__restrict__ turned)
{
    __shared__ S tile[W][ROWS + 1];
    const int64_t first = (int64_t)blockIdx.x * ROWS;
    const unsigned here = (unsigned)min((int64_t)ROWS, cols - first);
#pragma unroll
    for (unsigned i = threadIdx.x; i < ROWS * W; i += BLOCK) {
        const unsigned r = i % ROWS, j = i / ROWS;
        tile[j][r] = r < here && j < k ? __ldcs(&x[first + r + j * ldx]) : 0;
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = threadIdx.x; i < ROWS * W; i += BLOCK)
        if (i < here * W) turned[first * W + i] = tile[i % W][i / W];
}

template <int W, typename S> cudaError_t launch(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    const unsigned blocks = (unsigned)((A->cols + ROWS - 1) / ROWS);
    many_turn_kernel<W><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(A->cols, (unsigned)c->k, (const S *)c->x, c->ldx,
                                                                       (S *)m->turned);
    return cudaPeekAtLastError();
}

template <typename S> cudaError_t launch_width(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    switch (many_width(c->k)) {
    case 2: return launch<2, S>(m, A, c);
    case 4: return launch<4, S>(m, A, c);
    case 8: return launch<8, S>(m, A, c);
    case 16: return launch<16, S>(m, A, c);
    default: return launch<32, S>(m, A, c);
    }
}

} // namespace

cudaError_t many_turn(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    return vector_size(A->value_type) == sizeof(double) ? launch_width<double>(m, A, c) : launch_width<float>(m, A, c);
}
