// grade 7 1 exactly 100: *
// 256 nonzeros per warp, which finds its first row with search.h and continues from there.
#include "search.h"
#include "chapter.h"
constexpr unsigned kWarps = 4, kBlock = 32 * kWarps, kSpan = 256;
template <typename T, typename O>
__global__ void spans(unsigned rows, O nnz, const O *offsets, const int32_t *columns, const T *values, const T *x, T *y)
{
    const O first = (O(blockIdx.x) * kWarps + threadIdx.x / 32) * kSpan;
    if (first >= nnz) return;
    const O last = min(first + O(kSpan), nnz);
    const unsigned lane = threadIdx.x % 32;
    unsigned row = first_row_from<O>(offsets, rows, first + 1) - 1;
    // Eight adjacent nonzeros per lane, which finds its own row from there.
    const O from = min(first + O(lane) * (kSpan / 32), last), to = min(from + O(kSpan / 32), last);
    if (from >= to) return;
    unsigned low = row, high = rows;
    while (high - low > 1) {
        const unsigned mid = low + (high - low) / 2;
        if (offsets[mid] <= from) low = mid;
        else high = mid;
    }
    row = low;
    T sum = 0;
    for (O nz = from; nz < to; ++nz) {
        for (; nz >= offsets[row + 1]; ++row) {
            if (nz > from) atomicAdd(&y[row], sum);
            sum = 0;
        }
        sum += values[nz] * x[columns[nz]];
    }
    atomicAdd(&y[row], sum);
}
template <typename T, typename O>
static cudaError_t load_balance_student_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    (void)plan;
    if (A->rows == 0) return cudaSuccess;
    if (cudaError_t e = cudaMemsetAsync(d_y, 0, sizeof(T) * A->rows, stream)) return e;
    const size_t blocks = (A->nnz + kSpan * kWarps - 1) / (kSpan * kWarps);
    if (blocks) spans<T, O><<<(unsigned)blocks, kBlock, 0, stream>>>((unsigned)A->rows, (O)A->nnz, (const O *)A->row_offsets, A->col_indices,
                                                                    (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}
LOAD_BALANCE_STEP(load_balance_student)
