/* clusters.cu - thread block clusters: shared memory of other blocks, the cluster's barrier, launches with clusters.
 * Argument: 1 no barrier before the reads, 2 a block that ends too early, 3 memory of a block that has not begun,
 * 4 a grid that is no multiple of the cluster, 5 too many blocks, 6 no barrier after the reads. */
#include <cooperative_groups.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
namespace cg = cooperative_groups;

/* Each block reads what the next block of its cluster has written. */
__global__ void __cluster_dims__(4, 1, 1) ring(int *out, int wrong)
{
    __shared__ int mine[64];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    if (wrong == 3 && cluster.block_rank() == 0) *cluster.map_shared_rank(&mine[0], 1) = 1;
    mine[threadIdx.x] = (int)(blockIdx.x * 1000 + threadIdx.x);
    if (wrong != 1) cluster.sync();
    const int *theirs = cluster.map_shared_rank(mine, next);
    out[blockIdx.x * blockDim.x + threadIdx.x] = theirs[(threadIdx.x + 1) % blockDim.x];
    if (wrong == 6) mine[threadIdx.x] = 0;
    if (wrong != 2) cluster.sync();
}

/* A histogram in the shared memory of a cluster: 2-D blocks, dynamic shared memory, arrive and wait. */
__global__ void histogram(int *bins, const int *in, int n, int bins_per_block)
{
    extern __shared__ int counts[];
    auto cluster = cg::this_cluster();
    const unsigned threads = gridDim.x * gridDim.y * blockDim.x;
    const unsigned first = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    for (int i = (int)threadIdx.x; i < bins_per_block; i += (int)blockDim.x) counts[i] = 0;
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    for (int i = (int)first; i < n; i += (int)threads) {
        const int bin = in[i] % (bins_per_block * (int)cluster.num_blocks());
        atomicAdd(cluster.map_shared_rank(counts, bin / bins_per_block) + bin % bins_per_block, 1);
    }
    cluster.sync();
    for (int i = (int)threadIdx.x; i < bins_per_block; i += (int)blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * bins_per_block + i], counts[i]);
}

/* Gathers by PTX: rank 0 gets a number from each block; only the cluster's barrier orders the accesses. */
template <class T> __global__ void __cluster_dims__(2) gather(T *out)
{
    __shared__ T got[2];
    uint32_t rank, size, at = (uint32_t)__cvta_generic_to_shared(&got[0]), there;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(0));
    if (threadIdx.x == 0)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * rank), "r"(10 * blockIdx.x + size));
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (rank == 0 && threadIdx.x < 2) out[blockIdx.x + threadIdx.x] = got[threadIdx.x];
}

/* Without clusters each block is a cluster of one. */
__global__ void alone(int *out)
{
    auto cluster = cg::this_cluster();
    cluster.sync();
    *out = (int)(cluster.num_blocks() * 10 + cluster.block_rank());
}

int main(int argc, char **argv)
{
    const int wrong = argc > 1 ? atoi(argv[1]) : 0;
    int *d, h[512], bad = 0;
    cudaMalloc(&d, sizeof h);
    ring<<<wrong == 4 ? 6 : 8, 64>>>(d, wrong);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; ++i)
        bad += h[i] != (i / 64 / 4 * 4 + (i / 64 + 1) % 4) * 1000 + (i % 64 + 1) % 64;
    printf("ring %d\n", bad);

    int in[1000], *d_in;
    for (int i = 0; i < 1000; ++i) in[i] = i * 7;
    cudaMalloc(&d_in, sizeof in);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d, 0, sizeof h);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4, 4);
    config.blockDim = 32;
    config.dynamicSmemBytes = 10 * sizeof(int);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = wrong == 5 ? 4 : 2;
    attribute.val.clusterDim.y = wrong == 5 ? 4 : 2;
    attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int most = 0;
    cudaOccupancyMaxActiveClusters(&most, histogram, &config);
    const cudaError_t launched = cudaLaunchKernelEx(&config, histogram, d, d_in, 1000, 10);
    cudaMemcpy(h, d, 40 * sizeof(int), cudaMemcpyDeviceToHost);
    bad = most < 1;
    for (int i = 0; i < 40; ++i) bad += h[i] != 25;
    printf("histogram %d %d\n", bad, (int)launched);

    unsigned *u = (unsigned *)d;
    gather<unsigned><<<4, 32>>>(u);
    cudaMemcpy(h, u, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("gather %d %d %d %d\n", h[0], h[1], h[2], h[3]);
    alone<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost);
    printf("alone %d %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
}
