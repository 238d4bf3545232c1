/*
 * gpu_many_rows.cu - several right-hand sides: lanes on each row, a warp on a long one and on each piece of a row that
 * is cut.
 *
 * Lanes that share a nonzero read its column and value at the same address, and a row of X side by side, four elements
 * each if they are aligned.  A row has lanes for one nonzero, or for several at once if rows are longer; their sums are
 * added at the end, always in the same order.  If a plan has no list of long rows, a block multiplies a long row in
 * equal pieces: one huge row is then the work of one block.
 *
 * A row-major Y is stored directly.  For a column-major Y the block first writes its rows to shared memory, so that
 * lanes store neighbours of a column.
 */
#include "gpu_many.cuh"

namespace {

// AT_ONCE nonzeros of a lane; column -1 means no nonzero.
template <unsigned AT_ONCE, typename S> struct batch {
    int32_t col[AT_ONCE];
    S value[AT_ONCE];
};

template <unsigned AT_ONCE, typename S, typename V, typename O>
__device__ __forceinline__ batch<AT_ONCE, S> load_batch(O first, O to, unsigned step,
                                                        const int32_t *__restrict__ col_indices,
                                                        const V *__restrict__ values)
{
    batch<AT_ONCE, S> b;
#pragma unroll
    for (unsigned i = 0; i < AT_ONCE; ++i) {
        const O nz = first + i * step;
        b.col[i] = nz < to ? __ldcs(&col_indices[nz]) : -1;
        b.value[i] = nz < to ? load_value(&values[nz]) : 0;
    }
    return b;
}

// Adds up the nonzeros from, from + step, ... for these lanes' columns, from `at` on.  A lane loads AT_ONCE nonzeros at
// once; measured: more need so many registers that fewer warps fit on the SM.  In fp32 the registers also hold the
// columns and values of the next ones.
template <int E, typename V, typename O, typename S>
__device__ SHARED_CODE lane_elements<E, S> sum_nonzeros(O from, O to, unsigned step, int at,
                                                  const int32_t *__restrict__ col_indices,
                                                  const V *__restrict__ values, const columns<S> &m)
{
    constexpr unsigned AT_ONCE = 2;
    constexpr bool AHEAD = sizeof(S) == 4;
    lane_elements<E, S> sum = {};
    if (at >= m.k) return sum;
    const S *x = m.x + at * m.x_column;
    batch<AT_ONCE, S> b = load_batch<AT_ONCE, S>(from, to, step, col_indices, values), next = {};
    for (; from < to; from += AT_ONCE * step) {
        lane_elements<E, S> row[AT_ONCE];
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; ++i)
            if (b.col[i] >= 0) row[i] = load_x((const lane_elements<E, S> *)&x[(int64_t)b.col[i] * m.x_row]);
        if (AHEAD) next = load_batch<AT_ONCE, S>(from + AT_ONCE * step, to, step, col_indices, values);
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; ++i)
            if (b.col[i] >= 0)
#pragma unroll
                for (int e = 0; e < E; ++e) sum.v[e] += b.value[i] * row[i].v[e];
        b = AHEAD ? next : load_batch<AT_ONCE, S>(from + AT_ONCE * step, to, step, col_indices, values);
    }
    return sum;
}

// Adds up the sums of `lanes` lanes, of which `shared` have a nonzero together; the first of them get the result.
template <int E, typename S>
__device__ __forceinline__ lane_elements<E, S> add_lanes(lane_elements<E, S> sum, unsigned lanes, unsigned shared)
{
#pragma unroll 1
    for (unsigned s = lanes / 2; s >= shared; s /= 2) {
#pragma unroll
        for (int e = 0; e < E; ++e) sum.v[e] += __shfl_down_sync(ALL_LANES, sum.v[e], s);
    }
    return sum;
}

// The whole block multiplies a long row: an equal piece for each `SHARED` threads; the pieces are added in order.
template <int W, int E, typename V, typename O, typename S>
__device__ void whole_block(uint32_t row, O from, O to, const int32_t *__restrict__ col_indices,
                            const V *__restrict__ values, const columns<S> &m, S *shared)
{
    constexpr unsigned SHARED = W / E, GROUPS = BLOCK / SHARED;
    const unsigned group = threadIdx.x / SHARED;
    const int at = threadIdx.x % SHARED * E;
    lane_elements<E, S> sum = sum_nonzeros<E>(from + group, to, GROUPS, at, col_indices, values, m);
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

// The plan's lists; a row of up to `most` nonzeros is in no list.
template <typename S> struct lists {
    const many_piece_t *pieces;
    const uint32_t *long_rows;
    S *sums;
    uint32_t piece_count, long_count, most;
};

// A warp's work: a piece of a row, or a long row.
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
    const lane_elements<E, S> sum = add_lanes(
        sum_nonzeros<E>(begin + lane / SHARED, end, LANES / SHARED, at, col_indices, values, m), LANES, SHARED);
    if (lane >= SHARED) return;
    if (is_piece) *(lane_elements<E, S> *)&l.sums[(size_t)number * W + at] = sum;
    else store_row<E>(p.row, at, sum, m);
}

template <int W, int E, typename V, typename O, typename S>
__global__ void __launch_bounds__(BLOCK, BLOCKS_OF_256(sizeof(S) == 4 ? 6 : 4))
    many_rows_kernel(uint32_t rows, unsigned lanes, const O *__restrict__ row_offsets,
                     const int32_t *__restrict__ col_indices, const V *__restrict__ values, columns<S> m, lists<S> l)
{
    constexpr unsigned SHARED = W / E;
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
    const lane_elements<E, S> sum = add_lanes(
        sum_nonzeros<E>(from + lane / SHARED, is_long ? from : to, lanes / SHARED, at, col_indices, values, m),
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

// Returns the lanes of a row: those that share a nonzero, and several times as many if rows are longer.  Measured with
// 2, 8 and 32 columns: the more lanes share a nonzero, the longer rows must be before loading a second nonzero at a
// time pays.
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
    const unsigned lanes = lanes_for(A, W / E);
    const uint32_t most = m->most ? m->most : (uint32_t)MANY_PIECE;
    lists<S> l = {m->pieces, m->long_rows, (S *)m->sums, m->piece_count, m->long_count, most};
    if (c->alpha == 0) l.piece_count = l.long_count = 0; // rows are treated as empty
    const uint64_t listed = (uint64_t)l.piece_count + l.long_count,
                   blocks = ((uint64_t)A->rows * lanes + BLOCK - 1) / BLOCK + (listed + WARPS - 1) / WARPS;
    many_rows_kernel<W, E, V, O, S><<<(unsigned)blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, lanes, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, all, l);
    return cudaPeekAtLastError();
}

template <int W, typename V, typename O, typename S>
cudaError_t launch_row(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, const columns<S> &all, int elements)
{
    constexpr int TWO = 2, FOUR = W < 4 ? W : 4;
    switch (elements) {
    case 4: return launch<W, FOUR, V, O>(m, A, c, all);
    case 2: return launch<W, TWO, V, O>(m, A, c, all);
    default: return launch<W, 1, V, O>(m, A, c, all);
    }
}

// Returns whether `elements` of a row of the array can be loaded or stored at once, as 16 bytes or twice 16.
template <typename S> bool aligned(const void *array, int64_t ld, int elements)
{
    const size_t bytes = elements * sizeof(S) > 16 ? 16 : elements * sizeof(S);
    return (uintptr_t)array % bytes == 0 && (size_t)ld * sizeof(S) % bytes == 0;
}

template <typename V, typename O, typename S>
cudaError_t launch_width(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, bool is_turned)
{
    const int width = many_width(c->k);
    columns<S> all = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y, c->ldx, 1, c->ldy, 1, c->k, false};
    if (c->by_columns) all.x_row = all.y_row = 1, all.x_column = c->ldx, all.y_column = c->ldy;
    if (is_turned) all.x = (const S *)m->turned, all.x_row = width, all.x_column = 1;
    int elements = all.x_column == 1 ? (width < 4 ? width : 4) : 1;
    while (elements > 1 && ((!is_turned && c->k % elements != 0) || !aligned<S>(all.x, all.x_row, elements)))
        elements /= 2;
    all.y_whole = elements > 1 && !c->by_columns && aligned<S>(c->y, c->ldy, elements);
    switch (width) {
    case 2: return launch_row<2, V, O>(m, A, c, all, elements);
    case 4: return launch_row<4, V, O>(m, A, c, all, elements);
    case 8: return launch_row<8, V, O>(m, A, c, all, elements);
    case 16: return launch_row<16, V, O>(m, A, c, all, elements);
    default: return launch_row<32, V, O>(m, A, c, all, elements);
    }
}

} // namespace

cudaError_t many_rows_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, bool is_turned)
{
    return BY_TYPE_AND_OFFSETS(A, launch_width, m, A, c, is_turned);
}

cudaError_t many_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    const bool is_turned = c->by_columns && m->turned && c->alpha != 0;
    cudaError_t status = is_turned ? many_turn(m, A, c) : cudaSuccess;
    if (status == cudaSuccess) status = many_rows_run(m, A, c, is_turned);
    if (status == cudaSuccess && m->piece_count > 0 && c->alpha != 0) status = many_pieces_add(m, A, c);
    return status;
}
