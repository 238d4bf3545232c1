// Cooperative groups: the grid, coalesced lanes, partitions, reductions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void rounds(int *a, int *b, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < 5; ++r) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[(i + 1) % n];
        grid.sync();
        for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] = b[i] + 1;
        grid.sync();
    }
}
__device__ int sum_of(const cg::thread_group &g, int *scratch, int v)
{
    for (unsigned i = g.size() / 2; i > 0; i /= 2) {
        scratch[g.thread_rank()] = v;
        g.sync();
        if (g.thread_rank() < i) v += scratch[g.thread_rank() + i];
        g.sync();
    }
    return v;
}
__global__ void lanes(int *wrong)
{
    __shared__ int scratch[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int n = 0;
    n += cg::reduce(tile, (int)tile.thread_rank(), cg::plus<int>()) != 120;
    n += cg::reduce(tile, (int)tile.thread_rank(), cg::greater<int>()) != 15;
    n += cg::inclusive_scan(tile, 1) != (int)tile.thread_rank() + 1;
    n += cg::exclusive_scan(tile, 2) != 2 * (int)tile.thread_rank();
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        n += g.shfl((int)threadIdx.x, 0) % 32 > 2 || g.size() > 11;
        n += cg::reduce(g, 1, cg::plus<int>()) != (int)g.size();
    }
    auto eight = cg::tiled_partition<4>(cg::tiled_partition<8>(cg::tiled_partition<32>(block))); // in a tile of eight
    n += eight.meta_group_size() != 2 || eight.meta_group_rank() != threadIdx.x / 4 % 2;
    auto in_block = cg::tiled_partition<8>(block);
    n += in_block.meta_group_size() != blockDim.x / 8 || in_block.meta_group_rank() != threadIdx.x / 8;
    auto half = cg::tiled_partition(block, 8);
    n += half.size() != 8 || half.thread_rank() != threadIdx.x % 8;
    auto odd = cg::binary_partition(tile, threadIdx.x % 2);
    n += odd.size() != 8;
    const uint4 v = tile.shfl(make_uint4(threadIdx.x, 2, 3, 4), 5); // as four words
    n += v.x != threadIdx.x / 16 * 16 + 5 || v.w != 4;
    const int sum = sum_of(block, scratch, 1);
    if (block.thread_rank() == 0) n += sum != 64;
    atomicAdd(wrong, n);
}
// Tiles of two warps: each has its own sums and votes, and sync() orders only its own threads.
__global__ void large(int *wrong, bool meets)
{
    __shared__ int scratch[192];
    __shared__ cg::block_tile_memory<192> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    int n = tile.size() != 64 || tile.meta_group_rank() != threadIdx.x / 64 || tile.meta_group_size() != 3;
    auto part = cg::tiled_partition<16>(tile);
    n += part.meta_group_size() != 4 || part.meta_group_rank() != threadIdx.x / 16 % 4;
    n += cg::reduce(tile, (int)threadIdx.x, cg::plus<int>()) != (int)(64 * (threadIdx.x / 64 * 64) + 2016);
    n += cg::reduce(tile, (int)tile.thread_rank(), cg::greater<int>()) != 63;
    n += tile.shfl((int)threadIdx.x, 40) != (int)(threadIdx.x / 64 * 64 + 40);
    n += !tile.any(threadIdx.x == 70) == (tile.meta_group_rank() == 1) || tile.all(tile.thread_rank() < 63);
    for (int round = 0; round < tile.meta_group_rank() + 2; ++round) { // a different number of rounds per tile
        scratch[threadIdx.x] = round + threadIdx.x;
        if (meets) tile.sync();
        n += scratch[threadIdx.x ^ 32] != round + (int)(threadIdx.x ^ 32);
        if (meets) tile.sync();
    }
    atomicAdd(wrong, n);
}
int main(int argc, char **)
{
    const int n = 1000;
    int *a, *b, h[n], size = n;
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    void *args[] = {&a, &b, &size};
    const cudaError_t e = cudaLaunchCooperativeKernel((void *)rounds, dim3(6), dim3(64), args, 0, 0);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += h[i] != (i + 5) % n + 5;
    printf("grid %d %s\n", wrong, cudaGetErrorString(e));
    cudaMemset(a, 0, 4);
    lanes<<<1, 64>>>(a);
    cudaMemcpy(h, a, 4, cudaMemcpyDeviceToHost);
    printf("lanes %d %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    cudaMemset(a, 0, 4);
    large<<<3, 192>>>(a, argc == 1);
    cudaMemcpy(h, a, 4, cudaMemcpyDeviceToHost);
    printf("large %d %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    return 0;
}
