/*
 * gpu_rows.cu - CSR as it is: a vector of lanes on each row, which loads the whole row at once.
 *
 * A block needs so few registers that an SM is full of warps, and a vector loads a whole row of an even matrix at once,
 * so it waits only once.  A vector takes a few such batches of its row; its block then takes the rest of long rows
 * (gpu_rows.cuh).  One huge row is then the work of one block, so this is for matrices that are small or known to be
 * even.
 */
#include "gpu_rows.cuh"

namespace {

template <int WIDTH, int IN_FLIGHT, int MIN_BLOCKS, typename V, typename O, typename S>
__global__ void __launch_bounds__(CSR_THREADS, BLOCKS_OF_256(MIN_BLOCKS))
    rows_kernel(uint32_t rows, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                const V *__restrict__ values, vectors<S> v, uint32_t cols, O nnz, ahead_t early)
{
    run_rows<WIDTH, IN_FLIGHT>(find_own<WIDTH>(blockIdx.x, rows, row_offsets, v.alpha), rows, row_offsets, col_indices,
                               values, v, cols, nnz, early);
}

template <int WIDTH, int IN_FLIGHT, typename V, typename O, typename S>
cudaError_t launch(const gpu_csr_t *A, const gpu_call_t *c)
{
    constexpr int MIN_BLOCKS = sizeof(S) == 4  ? 8
                               : IN_FLIGHT > 6 ? 5
                                               : 6; // all of an SM's warps, or what fp64 has room for
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned per_block = CSR_THREADS / WIDTH, blocks = ((unsigned)A->rows + per_block - 1) / per_block;
    if (blocks == 0) return cudaSuccess;
    const ahead_t early =
        ahead((uint64_t)A->cols * sizeof(S), (uint64_t)A->nnz * sizeof(int32_t), (uint64_t)A->nnz * sizeof(V), blocks);
    rows_kernel<WIDTH, IN_FLIGHT, MIN_BLOCKS, V, O, S><<<blocks, CSR_THREADS, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, (const O *)A->row_offsets, A->col_indices,
        (const V *)A->values, v, (uint32_t)A->cols, (O)A->nnz, early);
    return cudaPeekAtLastError();
}

template <typename V, typename O, typename S>
cudaError_t launch_shape(unsigned reach, const gpu_csr_t *A, const gpu_call_t *c)
{
    if (reach <= 6) return launch<1, 6, V, O, S>(A, c);
    if (reach <= 12) return launch<2, 6, V, O, S>(A, c);
    if (reach <= 24) return launch<4, 6, V, O, S>(A, c);
    if (reach <= 32) return launch<4, 8, V, O, S>(A, c);
    if (reach <= 48) return launch<8, 6, V, O, S>(A, c);
    if (reach <= 64) return launch<8, 8, V, O, S>(A, c);
    if (reach <= 96) return launch<16, 6, V, O, S>(A, c);
    return launch<32, 6, V, O, S>(A, c);
}

} // namespace

cudaError_t rows_run(unsigned reach, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_TYPE_AND_OFFSETS(A, launch_shape, reach, A, c);
}
