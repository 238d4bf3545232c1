/*
 * gpu_slices_even.cu - y = alpha A x + beta y for a small matrix: all slices alike.
 *
 * Every lane has the same number of steps, so the place of a nonzero follows from the thread's number, and a thread
 * waits twice: for columns and values, and for x.  Empty places cost bytes, but a small matrix has few.  The code is
 * short, because after a cold start the instructions come from memory, too.
 *
 *   even   every row has the same number of lanes, so slices need no records
 *   flat   sorted rows: a record has the rows and the number of lanes; it is loaded beside the columns, not before them
 */
#include "gpu_slices.cuh"

namespace {

enum { BLOCK = 256 };

using ::load_now;
__device__ __forceinline__ fp16 load_now(const fp16 *p) { return fp16{load_now(&p->bits)}; }
__device__ __forceinline__ bf16 load_now(const bf16 *p) { return bf16{load_now(&p->bits)}; }

template <typename C, int STEPS, typename V, typename S>
__global__ void __launch_bounds__(BLOCK) even_kernel(uint32_t rows, unsigned width_log2, const C *__restrict__ columns,
                                                     const V *__restrict__ values, vectors<S> v, share_t early)
{
    constexpr C NONE = (C)NONE_32;
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t thread = blockIdx.x * BLOCK + threadIdx.x, row = thread >> width_log2;
    if ((thread - lane) >> width_log2 >= rows) return; // the whole warp; other lanes past the last row find NONE
    const bool owner = row < rows && (lane & ((1u << width_log2) - 1)) == 0;
    if (threadIdx.x == 0) ask_for_share(v.x, early);
    C col[STEPS];
    V value[STEPS];
    S sum = 0;
    columns += (thread - lane) * STEPS + lane;
    values += (thread - lane) * STEPS + lane;
#pragma unroll
    for (int k = 0; k < STEPS; ++k) col[k] = load_now(&columns[k * LANES]);
#pragma unroll
    for (int k = 0; k < STEPS; ++k) value[k] = load_now(&values[k * LANES]);
    if (v.alpha == 0) { // x may be NULL
        if (owner) finish(&v.y[row], (S)0, v.alpha, v.beta);
        return;
    }
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
        if (col[k] != NONE) sum += widen(value[k]) * __ldg(&v.x[col[k]]);
    sum = sum_lanes(sum, 1u << width_log2);
    if (owner) finish(&v.y[row], sum, v.alpha, v.beta);
}

template <typename C, int STEPS, typename V, typename S>
void start(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned per_block = BLOCK >> s->width_log2, blocks = ((unsigned)A->rows - 1) / per_block + 1;
    even_kernel<C, STEPS, V, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, s->width_log2, (const C *)s->columns, (const V *)s->values, v, x_share<S>(A, c, blocks));
}

struct flat_arrays {
    const uint4 *records;
    const uint32_t *order;
    const unsigned *empty;
    const uint4 *pieces;
    uint32_t slices, full, piece_slices; // full: number of slices with nonzeros, which come first
    share_t early;
};

template <int STEPS, typename V, typename S>
__global__ void __launch_bounds__(BLOCK) flat_kernel(uint32_t rows, flat_arrays a, const uint16_t *__restrict__ columns,
                                                     const V *__restrict__ values, vectors<S> v, S *left)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = (blockIdx.x * BLOCK + threadIdx.x) / LANES;
    if (slice >= a.slices) return;
    const bool any = v.alpha != 0; // otherwise x may be NULL
    if (threadIdx.x == 0) ask_for_share(v.x, a.early);
    uint16_t col[STEPS];
    V value[STEPS];
    S sum = 0;
    columns += slice * (STEPS * LANES) + lane;
    values += slice * (STEPS * LANES) + lane;
#pragma unroll
    for (int k = 0; k < STEPS; ++k) col[k] = load_now(&columns[k * LANES]);
    const uint4 r = a.records[slice];
#pragma unroll
    for (int k = 0; k < STEPS; ++k) value[k] = load_now(&values[k * LANES]);
    const slice_meta m = unpack_meta(r.w);
    if (slice >= a.full) return finish_empty(r.z, rows, a.empty, v);
    const uint32_t width = 1u << m.width_log2, i = lane >> m.width_log2;
    const bool owner = !m.piece && (lane & (width - 1)) == 0 && i < m.rows;
    const uint32_t row = owner ? a.order[r.z + i] : r.z;
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
        if (any && col[k] != NONE_16) sum += widen(value[k]) * __ldg(&v.x[col[k]]);
    sum = sum_lanes(sum, width);
    if (blockIdx.x * (BLOCK / LANES) < a.piece_slices) { // a block has either pieces only, or no pieces
        __shared__ S team_sums[TEAM];
        return finish_team(team_sums, sum, m.rows, row, slice, a.pieces, left, v);
    }
    if (owner) finish(&v.y[row], sum, v.alpha, v.beta);
}

template <int STEPS, typename V, typename S>
void start_flat(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned blocks = (s->count - 1) / (BLOCK / LANES) + 1;
    const flat_arrays a = {s->records,      s->order,
                           s->empty,        s->pieces,
                           s->count,        s->count - s->kinds[SLICE_EMPTY],
                           s->piece_slices, x_share<S>(A, c, blocks)};
    flat_kernel<STEPS, V, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, a, (const uint16_t *)s->columns, (const V *)s->values, v, (S *)s->left_sums);
}

template <typename C, typename V, typename S>
cudaError_t launch_steps(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (s->even_steps) {
    case 1: start<C, 1, V, S>(s, A, c); break;
    case 2: start<C, 2, V, S>(s, A, c); break;
    case 3: start<C, 3, V, S>(s, A, c); break;
    case 4: start<C, 4, V, S>(s, A, c); break;
    case 6: start<C, 6, V, S>(s, A, c); break;
    case 8: start<C, 8, V, S>(s, A, c); break;
    default: return cudaErrorInvalidValue;
    }
    return cudaPeekAtLastError();
}

template <typename V, typename S>
cudaError_t launch(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    if (s->sorted) {
        if (s->even_steps == 4) start_flat<4, V, S>(s, A, c);
        else if (s->even_steps == 8) start_flat<8, V, S>(s, A, c);
        else return cudaErrorInvalidValue;
        return cudaPeekAtLastError();
    }
    return s->one_kind == SLICE_16 ? launch_steps<uint16_t, V, S>(s, A, c) : launch_steps<uint32_t, V, S>(s, A, c);
}

} // namespace

cudaError_t slices_run_even(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_TYPE(A->value_type, launch, s, A, c);
}
