/*
 * gpu_table.cu - see gpu_table.h
 *
 *   collect   stores the bits of each different value once, in a slot of a hash table
 *   (host)    sorts the slots in use by their bits: this is the table
 *   place     looks up the slot of each value, which holds the place
 */
#include "gpu_table.h"

#include <algorithm>

#include "gpu_build.cuh"

size_t gpu_table_least = (size_t)4 << 20;

namespace {

enum { SLOTS = 1024 };
enum { ASK_AGAIN = 4 }; // a thread that meets so many slots in use checks again whether the table is full
constexpr unsigned MOST_BLOCKS = 1056;
// The bits of an empty slot.  They are those of an fp64 NaN; if it is among the values, there is no table.
constexpr unsigned long long EMPTY = ~0ull;

struct slots_t {
    unsigned long long bits[SLOTS];
    unsigned taken, refused; // refused: a value had no slot
    uint8_t places[SLOTS];
};

__device__ __forceinline__ uint32_t first_slot(unsigned long long bits)
{
    return (uint32_t)(bits * 0x9e3779b97f4a7c15ull >> 54); // 10 bits
}
static_assert(SLOTS == 1 << 10, "as first_slot says");

// Returns the slot of these bits, or SLOTS if no slot is left.
__device__ __forceinline__ uint32_t take_slot(slots_t *s, unsigned long long bits)
{
    uint32_t slot = first_slot(bits);
#pragma unroll 1
    for (uint32_t tries = 0; tries < SLOTS; ++tries, slot = (slot + 1) % SLOTS) {
        const unsigned long long there = *(volatile unsigned long long *)&s->bits[slot];
        if (there == bits) return slot;
        const bool is_taken = there != EMPTY;
        if (is_taken && tries % ASK_AGAIN) continue;
        if (*(volatile unsigned *)&s->taken > TABLE_MOST) return SLOTS;
        if (is_taken) continue;
        const unsigned long long before = atomicCAS(&s->bits[slot], EMPTY, bits);
        if (before == EMPTY) atomicAdd(&s->taken, 1u);
        if (before == EMPTY || before == bits) return slot;
    }
    return SLOTS;
}

template <typename B> __global__ void __launch_bounds__(BLOCK) collect_kernel(const B *values, uint64_t n, slots_t *s)
{
    B last = 0;
    bool has_last = false;
#pragma unroll 1
    for (uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (uint64_t)gridDim.x * BLOCK) {
        const B bits = __ldcs(&values[i]);
        if (has_last && bits == last) continue;
        has_last = true;
        last = bits;
        if (*(volatile unsigned *)&s->refused) return;
        if (bits == EMPTY || take_slot(s, bits) == SLOTS) {
            *(volatile unsigned *)&s->refused = 1;
            return;
        }
    }
}

template <typename B>
__global__ void __launch_bounds__(BLOCK)
    place_kernel(const B *__restrict__ values, uint64_t n, const slots_t *__restrict__ s, uint8_t *__restrict__ places)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    const B bits = __ldcs(&values[i]);
    uint32_t slot = first_slot(bits);
#pragma unroll 1
    while (s->bits[slot] != bits) slot = (slot + 1) % SLOTS;
    places[i] = s->places[slot];
}

template <typename B>
__global__ void __launch_bounds__(BLOCK) values_kernel(const uint8_t *__restrict__ places, const B *__restrict__ table,
                                                       uint64_t n, B *__restrict__ values)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) values[i] = table[places[i]];
}

// Makes the table of the collected bits; its entries ascend, so that they do not depend on which thread was first.
template <typename B> uint32_t make_table(slots_t *s, B table[TABLE_MOST])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < SLOTS; ++i)
        if (s->bits[i] != EMPTY) table[count++] = (B)s->bits[i];
    std::sort(table, table + count);
    for (uint32_t i = 0; i < SLOTS; ++i)
        if (s->bits[i] != EMPTY)
            s->places[i] = (uint8_t)(std::lower_bound(table, table + count, (B)s->bits[i]) - table);
    return count;
}

// Collects the values in *s, on the host.
template <typename B>
cudaError_t collect(slots_t *s, const B *d_values, uint64_t n, slots_t *d_slots, cudaStream_t stream)
{
    TRY(cudaMemsetAsync(d_slots, 0xff, sizeof d_slots->bits, stream));
    TRY(cudaMemsetAsync(&d_slots->taken, 0, 2 * sizeof(unsigned), stream));
    collect_kernel<B><<<min(blocks_for(n, BLOCK), MOST_BLOCKS), BLOCK, 0, stream>>>(d_values, n, d_slots);
    TRY(cudaPeekAtLastError());
    return to_host(s, d_slots, sizeof *s, stream);
}

// On an error the caller still frees d_places and d_table, if they were allocated.
template <typename B>
cudaError_t make(void **d_places, void **d_table, uint32_t *table_count, const void *values, uint64_t n,
                 slots_t *d_slots, cudaStream_t stream)
{
    slots_t s;
    B table[TABLE_MOST];
    const B *d_values = (const B *)values;
    TRY(collect(&s, d_values, n, d_slots, stream));
    if (s.refused || s.taken > TABLE_MOST) return cudaSuccess;
    *table_count = make_table(&s, table);
    TRY(gpu_take(d_table, TABLE_MOST * sizeof *table, stream));
    TRY(gpu_take(d_places, n, stream));
    TRY(cudaMemcpyAsync(*d_table, table, *table_count * sizeof *table, cudaMemcpyHostToDevice, stream));
    TRY(cudaMemcpyAsync(d_slots->places, s.places, sizeof s.places, cudaMemcpyHostToDevice, stream));
    place_kernel<B><<<blocks_for(n, BLOCK), BLOCK, 0, stream>>>(d_values, n, d_slots, (uint8_t *)*d_places);
    TRY(cudaPeekAtLastError());
    return cudaStreamSynchronize(stream);
}

} // namespace

cudaError_t gpu_table_make(void **d_places, void **d_table, uint32_t *table_count, const void *d_values, uint64_t count,
                           spmv_type_t type, cudaStream_t stream)
{
    slots_t *d_slots = NULL;
    *d_places = *d_table = NULL;
    TRY(gpu_take((void **)&d_slots, sizeof *d_slots, stream));
    const auto make_it = type == SPMV_F64 ? make<unsigned long long> : make<uint32_t>;
    const cudaError_t status = make_it(d_places, d_table, table_count, d_values, count, d_slots, stream);
    gpu_free(d_slots);
    if (status == cudaSuccess) return status;
    gpu_free(*d_places);
    gpu_free(*d_table);
    *d_places = *d_table = NULL;
    return status;
}

cudaError_t gpu_table_values(void **d_values, const void *d_places, const void *d_table, uint64_t count,
                             spmv_type_t type, cudaStream_t stream)
{
    const unsigned blocks = blocks_for(count, BLOCK);
    TRY(gpu_take(d_values, count * value_size(type), stream));
    if (type == SPMV_F64)
        values_kernel<<<blocks, BLOCK, 0, stream>>>((const uint8_t *)d_places, (const unsigned long long *)d_table,
                                                    count, (unsigned long long *)*d_values);
    else
        values_kernel<<<blocks, BLOCK, 0, stream>>>((const uint8_t *)d_places, (const uint32_t *)d_table, count,
                                                    (uint32_t *)*d_values);
    const cudaError_t status = cudaPeekAtLastError();
    if (status != cudaSuccess) gpu_free(*d_values);
    return status;
}
