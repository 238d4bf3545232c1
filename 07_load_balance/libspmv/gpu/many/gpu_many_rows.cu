/*
 * gpu_many_rows.cu - several right-hand sides: lanes on each row, a warp on a long one and on each piece of a row that
 * is cut.
 *
 * Lanes that share a nonzero read its column and value at the same address and a row of X side by side, 16 bytes each
 * where they may.  A row has lanes for one nonzero, or for several at once where rows are longer; their sums are added
 * at the end, always in the same order.  A plan that has no list of long rows leaves them to the block, which cuts the
 * row into equal pieces: one huge row is then one block's work.
 *
 * Y row after row is stored as it comes.  Column after column, a block's rows are put down in shared memory first, so
 * that lanes store neighbours of a column.
 */
#include "gpu_many.cuh"

namespace {

// The nonzeros from, from + step, ... of these lanes' columns: from `at` on.  AT_ONCE of a lane are on the way
// together; measured: more of them cost registers, and so lanes that others could wait beside.
template <int W, int E, typename V, typename O, typename S>
__device__ __forceinline__ several<E, S> sum_nonzeros(O from, O to, unsigned step, int at,
                                                      const int32_t *__restrict__ col_indices,
                                                      const V *__restrict__ values, const columns<S> &m)
{
    constexpr unsigned AT_ONCE = W * sizeof(S) > 128 ? 2 : 4;
    several<E, S> sum = {};
    if (at >= m.k) return sum;
    const S *x = m.x + at * m.x_column;
    for (O first = from; first < to; first += AT_ONCE * step) {
        int32_t col[AT_ONCE];
        S value[AT_ONCE];
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; ++i) {
            const O nz = first + i * step;
            col[i] = nz < to ? __ldcs(&col_indices[nz]) : -1;
            value[i] = nz < to ? load_value(&values[nz]) : 0;
        }
        several<E, S> row[AT_ONCE];
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; ++i)
            if (col[i] >= 0) row[i] = load_x((const several<E, S> *)&x[(int64_t)col[i] * m.x_row]);
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; ++i)
            if (col[i] >= 0)
#pragma unroll
                for (int e = 0; e < E; ++e) sum.v[e] += value[i] * row[i].v[e];
    }
    return sum;
}

// Of `lanes` lanes, `shared` of which have a nonzero together: in the first of these.
template <int E, typename S>
__device__ __forceinline__ several<E, S> add_lanes(several<E, S> sum, unsigned lanes, unsigned shared)
{
#pragma unroll 1
    for (unsigned s = lanes / 2; s >= shared; s /= 2) {
#pragma unroll
        for (int e = 0; e < E; ++e) sum.v[e] += __shfl_down_sync(ALL_LANES, sum.v[e], s);
    }
    return sum;
}

// A row that is long, by all of the block: equal pieces for each `SHARED` threads, added in order.
template <int W, int E, typename V, typename O, typename S>
__device__ void whole_block(uint32_t row, O from, O to, const int32_t *__restrict__ col_indices,
                            const V *__restrict__ values, const columns<S> &m, S *shared)
{
    constexpr unsigned SHARED = W / E, GROUPS = BLOCK / SHARED;
    const unsigned group = threadIdx.x / SHARED;
    const int at = threadIdx.x % SHARED * E;
    several<E, S> sum = sum_nonzeros<W, E>(from + group, to, GROUPS, at, col_indices, values, m);
#pragma unroll
    for (int e = 0; e < E; ++e) shared[group * W + at + e] = sum.v[e];
    __syncthreads();
    if (group == 0) {
        sum = {};
        for (unsigned g = 0; g < GROUPS; ++g)
#pragma unroll
            for (int e = 0; e < E; ++e) sum.v[e] += shared[g * W + at + e];
        store_row<E>(row, at, sum, m);
    }
    __syncthreads();
}

// What the plan has listed; `most`: nonzeros of a row that is not.
template <typename S> struct lists {
    const many_piece_t *pieces;
    const uint32_t *long_rows;
    S *sums;
    uint32_t piece_count, long_count, most;
};

// A warp's work: a piece, or a long row.
template <int W, int E, typename V, typename O, typename S>
__device__ __forceinline__ void whole_warp(uint32_t number, const O *__restrict__ row_offsets,
                                           const int32_t *__restrict__ col_indices, const V *__restrict__ values,
                                           const columns<S> &m, const lists<S> &l)
{
    constexpr unsigned SHARED = W / E;
    const unsigned lane = threadIdx.x % LANES;
    const int at = lane % SHARED * E;
    const bool is_piece = number < l.piece_count;
    const many_piece_t p = is_piece ? l.pieces[number] : many_piece_t{l.long_rows[number - l.piece_count], 0};
    const O begin = row_offsets[p.row] + (O)p.number * MANY_PIECE,
            end = min(begin + MANY_PIECE, row_offsets[p.row + 1]);
    const several<E, S> sum = add_lanes(
        sum_nonzeros<W, E>(begin + lane / SHARED, end, LANES / SHARED, at, col_indices, values, m), LANES, SHARED);
    if (lane >= SHARED) return;
    if (is_piece) *(several<E, S> *)&l.sums[(size_t)number * W + at] = sum;
    else store_row<E>(p.row, at, sum, m);
}

template <int W, int E, typename V, typename O, typename S>
__global__ void __launch_bounds__(BLOCK)
    many_rows_kernel(uint32_t rows, unsigned lanes, const O *__restrict__ row_offsets,
                     const int32_t *__restrict__ col_indices, const V *__restrict__ values, columns<S> m, lists<S> l)
{
    constexpr unsigned SHARED = W / E, WARPS = BLOCK / LANES;
    __shared__ S shared[BLOCK * E + BLOCK * E / W];
    __shared__ bool is_there[BLOCK];

    const uint32_t listed = l.piece_count + l.long_count, listed_blocks = (listed + WARPS - 1) / WARPS;
    if (blockIdx.x < listed_blocks) {
        const uint32_t number = blockIdx.x * WARPS + threadIdx.x / LANES;
        if (number < listed) whole_warp<W, E>(number, row_offsets, col_indices, values, m, l);
        return;
    }

    const unsigned block_rows = BLOCK / lanes, mine = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const uint32_t first = (blockIdx.x - listed_blocks) * block_rows, row = first + mine;
    const int at = lane % SHARED * E;
    O from = 0, to = 0;
    if (row < rows && m.alpha != 0) {
        from = row_offsets[row];
        to = row_offsets[row + 1];
    }
    const bool is_long = to - from > l.most;
    const several<E, S> sum = add_lanes(
        sum_nonzeros<W, E>(from + lane / SHARED, is_long ? from : to, lanes / SHARED, at, col_indices, values, m),
        lanes, SHARED);

    if (m.y_column == 1) {
        if (lane < SHARED && row < rows && !is_long) store_row<E>(row, at, sum, m);
    } else {
        if (lane < SHARED)
#pragma unroll
            for (int e = 0; e < E; ++e) shared[mine * (W + 1) + at + e] = sum.v[e];
        if (lane == 0) is_there[mine] = row < rows && !is_long;
        __syncthreads();
        for (unsigned i = threadIdx.x; i < block_rows * (unsigned)m.k; i += BLOCK) {
            const unsigned r = i % block_rows, j = i / block_rows;
            if (is_there[r]) finish(&m.y[first + r + j * m.y_column], shared[r * (W + 1) + j], m.alpha, m.beta);
        }
    }
    if (listed > 0 || !__syncthreads_or(is_long)) return;

    for (uint32_t r = first; r < first + block_rows && r < rows; ++r) {
        from = row_offsets[r];
        to = row_offsets[r + 1];
        if (to - from > l.most) whole_block<W, E>(r, from, to, col_indices, values, m, shared);
    }
}

// Lanes for each row: those of a nonzero, and more of them where rows are longer.  Measured with 2, 8 and 32 columns:
// the more lanes share a nonzero, the longer rows must be for another one at a time.
unsigned lanes_for(const gpu_csr_t *A, unsigned shared)
{
    unsigned lanes = shared, worth = 4;
    for (unsigned s = shared; s > 1; s /= 2) worth += 4;
    while (lanes < LANES && (uint64_t)A->nnz / (uint64_t)A->rows >= worth * lanes / shared) lanes *= 2;
    return lanes;
}

template <int W, int E, typename V, typename O, typename S>
cudaError_t launch(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, const columns<S> &all)
{
    constexpr unsigned WARPS = BLOCK / LANES;
    const unsigned lanes = lanes_for(A, W / E);
    const uint32_t most = m->most ? m->most : (uint32_t)MANY_PIECE;
    lists<S> l = {m->pieces, m->long_rows, (S *)m->sums, m->piece_count, m->long_count, most};
    if (c->alpha == 0) l.piece_count = l.long_count = 0; // rows are empty then
    const uint64_t listed = (uint64_t)l.piece_count + l.long_count,
                   blocks = ((uint64_t)A->rows * lanes + BLOCK - 1) / BLOCK + (listed + WARPS - 1) / WARPS;
    many_rows_kernel<W, E, V, O, S><<<(unsigned)blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, lanes, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, all, l);
    return cudaPeekAtLastError();
}

bool aligned(const void *array, int64_t ld, size_t bytes, size_t size)
{
    return (uintptr_t)array % bytes == 0 && (size_t)ld * size % bytes == 0;
}

template <typename V, typename O, typename S>
cudaError_t launch_width(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, bool is_turned)
{
    constexpr int MOST = 16 / sizeof(S);
    const int width = many_width(c->k);
    columns<S> all = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y, c->ldx, 1, c->ldy, 1, c->k, false};
    if (c->by_columns) all.x_row = all.y_row = 1, all.x_column = c->ldx, all.y_column = c->ldy;
    if (is_turned) all.x = (const S *)m->turned, all.x_row = width, all.x_column = 1;
    const int most = width < MOST ? width : MOST;
    const bool whole = all.x_column == 1 && (is_turned || c->k % most == 0) &&
                       aligned(all.x, all.x_row, most * sizeof(S), sizeof(S));
    all.y_whole = whole && !c->by_columns && aligned(c->y, c->ldy, most * sizeof(S), sizeof(S));
    switch (width) {
    case 2: return whole ? launch<2, 2, V, O>(m, A, c, all) : launch<2, 1, V, O>(m, A, c, all);
    case 4: return whole ? launch<4, MOST, V, O>(m, A, c, all) : launch<4, 1, V, O>(m, A, c, all);
    case 8: return whole ? launch<8, MOST, V, O>(m, A, c, all) : launch<8, 1, V, O>(m, A, c, all);
    case 16: return whole ? launch<16, MOST, V, O>(m, A, c, all) : launch<16, 1, V, O>(m, A, c, all);
    default: return whole ? launch<32, MOST, V, O>(m, A, c, all) : launch<32, 1, V, O>(m, A, c, all);
    }
}

template <typename V, typename S>
cudaError_t launch_offsets(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, bool is_turned)
{
    return A->offset_bits == 64 ? launch_width<V, uint64_t, S>(m, A, c, is_turned)
                                : launch_width<V, uint32_t, S>(m, A, c, is_turned);
}

} // namespace

cudaError_t many_rows_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, bool is_turned)
{
    switch (A->value_type) {
    case SPMV_F32: return launch_offsets<float, float>(m, A, c, is_turned);
    case SPMV_F64: return launch_offsets<double, double>(m, A, c, is_turned);
    case SPMV_F16: return launch_offsets<fp16, float>(m, A, c, is_turned);
    case SPMV_BF16: return launch_offsets<bf16, float>(m, A, c, is_turned);
    case SPMV_F32_F64: return launch_offsets<float, double>(m, A, c, is_turned);
    }
    return cudaErrorInvalidValue;
}

cudaError_t many_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    const bool is_turned = c->by_columns && m->turned && c->alpha != 0;
    cudaError_t status = is_turned ? many_turn(m, A, c) : cudaSuccess;
    if (status == cudaSuccess) status = many_rows_run(m, A, c, is_turned);
    if (status == cudaSuccess && m->piece_count > 0 && c->alpha != 0) status = many_pieces_add(m, A, c);
    return status;
}
