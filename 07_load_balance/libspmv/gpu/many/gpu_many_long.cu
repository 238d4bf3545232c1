/*
 * gpu_many_long.cu - long rows: found when the plan is made; each product adds the pieces of those that are cut.
 *
 * The place of a row in its list depends on which thread comes first.  The bits of Y do not depend on it, because the
 * pieces of a row stand side by side in the order of the row and are added in that order.
 */
#include "gpu_many.cuh"

namespace {

struct found_t { unsigned longs, cut, pieces; };

// Counts the long rows; with lists, also writes them there.
template <typename O>
__global__ void __launch_bounds__(BLOCK)
    many_find_kernel(uint32_t rows, uint32_t most, const O *__restrict__ row_offsets, found_t *found,
                     uint32_t *long_rows, many_row_t *cut_rows, many_piece_t *pieces)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    const O length = row_offsets[row + 1] - row_offsets[row];
    if (length <= most) return;
    if (length <= MANY_PIECE) {
        const unsigned at = atomicAdd(&found->longs, 1u);
        if (long_rows) long_rows[at] = row;
        return;
    }
    const uint32_t count = (uint32_t)((length - 1) / MANY_PIECE + 1);
    const unsigned at = atomicAdd(&found->cut, 1u), first = atomicAdd(&found->pieces, count);
    if (!pieces) return;
    cut_rows[at] = many_row_t{row, first, count};
    for (uint32_t i = 0; i < count; ++i) pieces[first + i] = many_piece_t{row, i};
}

template <typename O>
cudaError_t find(const many_t *m, const gpu_csr_t *A, found_t *d_found, found_t *found, cudaStream_t stream)
{
    TRY(cudaMemsetAsync(d_found, 0, sizeof *d_found, stream));
    many_find_kernel<<<blocks_for((size_t)A->rows, BLOCK), BLOCK, 0, stream>>>(
        (uint32_t)A->rows, m->most, (const O *)A->row_offsets, d_found, m->long_rows, m->cut_rows, m->pieces);
    TRY(cudaPeekAtLastError());
    return to_host(found, d_found, sizeof *found, stream);
}

// The lanes of a row of four times the mean work four times as long as others, and their neighbours in the warp wait.
uint32_t most_for(const gpu_csr_t *A)
{
    uint32_t most = LANES;
    while (most < MANY_PIECE && most < 4 * (uint64_t)A->nnz / (uint64_t)A->rows) most *= 2;
    return most;
}

// Finds and lists the long rows, and allocates the sums of their pieces.
cudaError_t list(many_t *m, const gpu_csr_t *A, scratch_t *scratch, cudaStream_t stream)
{
    found_t *d_found, found;
    TRY(take((void **)&d_found, sizeof *d_found, scratch));
    TRY(BY_OFFSETS(A, find, m, A, d_found, &found, stream));
    if (found.longs > 0) TRY(keep((void **)&m->long_rows, found.longs * sizeof *m->long_rows, m, stream));
    if (found.cut > 0) {
        const size_t sums = (size_t)found.pieces * (size_t)m->width;
        TRY(keep((void **)&m->cut_rows, found.cut * sizeof *m->cut_rows, m, stream));
        TRY(keep((void **)&m->pieces, found.pieces * sizeof *m->pieces, m, stream));
        TRY(keep(&m->sums, sums * vector_size(A->value_type), m, stream));
    }
    if (found.longs + found.cut > 0) TRY(BY_OFFSETS(A, find, m, A, d_found, &found, stream));
    m->long_count = found.longs, m->cut_count = found.cut, m->piece_count = found.pieces;
    return cudaSuccess;
}

// Adds all pieces of a row, by the block, in fixed order.
template <int W, typename S>
__global__ void __launch_bounds__(BLOCK)
    many_pieces_kernel(const many_row_t *__restrict__ cut_rows, const S *__restrict__ piece_sums, columns<S> m)
{
    constexpr unsigned GROUPS = BLOCK / W;
    __shared__ S shared[BLOCK];
    const many_row_t cut = cut_rows[blockIdx.x];
    const unsigned group = threadIdx.x / W, column = threadIdx.x % W;
    S sum = 0;
#pragma unroll 8
    for (uint32_t i = group; i < cut.pieces; i += GROUPS) sum += piece_sums[(size_t)(cut.first + i) * W + column];
    shared[threadIdx.x] = sum;
    __syncthreads();
    if (group != 0) return;
    sum = 0;
    for (unsigned g = 0; g < GROUPS; ++g) sum += shared[g * W + column];
    store_row<1>(cut.row, (int)column, lane_elements<1, S>{{sum}}, m);
}

template <typename S> cudaError_t add_pieces(const many_t *m, const gpu_many_t *c)
{
    columns<S> all = {(S)c->alpha, (S)c->beta, NULL, (S *)c->y, 0, 0, c->ldy, 1, c->k, false};
    if (c->by_columns) all.y_row = 1, all.y_column = c->ldy;
    const S *sums = (const S *)m->sums;
    const cudaStream_t stream = (cudaStream_t)c->stream;
    switch (many_width(c->k)) {
    case 2: many_pieces_kernel<2><<<m->cut_count, BLOCK, 0, stream>>>(m->cut_rows, sums, all); break;
    case 4: many_pieces_kernel<4><<<m->cut_count, BLOCK, 0, stream>>>(m->cut_rows, sums, all); break;
    case 8: many_pieces_kernel<8><<<m->cut_count, BLOCK, 0, stream>>>(m->cut_rows, sums, all); break;
    case 16: many_pieces_kernel<16><<<m->cut_count, BLOCK, 0, stream>>>(m->cut_rows, sums, all); break;
    default: many_pieces_kernel<32><<<m->cut_count, BLOCK, 0, stream>>>(m->cut_rows, sums, all);
    }
    return cudaPeekAtLastError();
}

} // namespace

cudaError_t many_prepare(many_t *m, const gpu_csr_t *A, int columns, bool turns, cudaStream_t stream)
{
    m->width = many_width(columns < MANY_MOST ? columns : MANY_MOST);
    m->most = most_for(A);
    scratch_t scratch = {stream, {NULL}, 0};
    cudaError_t status = list(m, A, &scratch, stream);
    end_scratch(&scratch, status);
    // If most columns have no nonzero, transposing X costs more than gathering it.  The memory is not necessary.
    if (status != cudaSuccess || !turns || A->nnz == 0 || A->nnz < A->cols) return status;
    status = keep(&m->turned, (size_t)A->cols * (size_t)m->width * vector_size(A->value_type), m, stream);
    if (status != cudaErrorMemoryAllocation) return status;
    cudaGetLastError();
    return cudaSuccess;
}

void many_free(many_t *m)
{
    gpu_free(m->long_rows);
    gpu_free(m->cut_rows);
    gpu_free(m->pieces);
    gpu_free(m->sums);
    gpu_free(m->turned);
    *m = many_t{};
}

cudaError_t many_pieces_add(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    return vector_size(A->value_type) == sizeof(double) ? add_pieces<double>(m, c) : add_pieces<float>(m, c);
}
