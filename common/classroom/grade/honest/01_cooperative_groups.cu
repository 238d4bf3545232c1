// grade 1 1 exactly 100: *
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "chapter.h"
namespace cg = cooperative_groups;

template <typename T> __global__ void cg_sum(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    __shared__ T parts[8];
    T sum = 0;
    const size_t first = size_t(block.group_index().x) * 2048 + block.thread_rank();
    for (size_t i = first; i < n && i < first + 2048; i += 256) sum += in[i];
    sum = cg::reduce(tile, sum, cg::plus<T>());
    if (tile.thread_rank() == 0) parts[tile.meta_group_rank()] = sum;
    block.sync();
    if (tile.meta_group_rank() == 0) {
        sum = tile.thread_rank() < tile.meta_group_size() ? parts[tile.thread_rank()] : T(0);
        sum = cg::reduce(tile, sum, cg::plus<T>());
        if (tile.thread_rank() == 0) sums[block.group_index().x] = sum;
    }
}

#define KERNEL cg_sum
//! with tiles
