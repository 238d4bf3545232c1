// Typical graph algorithms with typical mistakes: cases 1, 2, ... are wrong, their twins 21, 22, ... are right.
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <cuda_runtime.h>

enum { NODES = 300, DEGREE = 6, EDGES = NODES * DEGREE, BLOCK = 64, BLOCKS = (NODES + BLOCK - 1) / BLOCK };

struct graph {
    int *first, *to, nodes;
};

// Each node updates its neighbours.  PLAIN: no atomic, so updates are lost.  ALL: no guard against v >= nodes.
template <bool PLAIN, bool ALL> __global__ void push(graph g, int *value, const int *mine)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (!ALL && v >= g.nodes) return;
    for (int e = g.first[v]; e < g.first[v + 1]; ++e) {
        int *target = &value[g.to[e]];
        if (PLAIN) *target = min(*target, mine[v]);
        else atomicMin(target, mine[v]);
    }
}

// Each node reads its neighbours and writes only its own value; LONG: reads one neighbour too many.
template <bool LONG> __global__ void pull(graph g, int *value, const int *mine)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.nodes) return;
    int sum = 0;
    for (int e = g.first[v]; e < g.first[v + 1] + LONG; ++e) sum += mine[g.to[e]];
    value[v] = sum;
}

// The maximum, by one atomic per block.  NO_BARRIER: the tree begins before all threads have written.
// GUARD: a plain read decides whether the atomic is needed.
template <bool NO_BARRIER, bool GUARD> __global__ void greatest(graph g, int *all, const int *mine)
{
    __shared__ int best[BLOCK];
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    int own = 0;
    if (v < g.nodes)
        for (int e = g.first[v]; e < g.first[v + 1]; ++e) own = max(own, mine[g.to[e]]);
    best[threadIdx.x] = own;
    if (!NO_BARRIER) __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half) best[threadIdx.x] = max(best[threadIdx.x], best[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0 && (!GUARD || *all < best[0])) atomicMax(all, best[0]);
}

// Compacts a list.  PLAIN: two nodes may get one index.  last_block: the last block has all sums only if FENCED.
template <bool PLAIN> __global__ void collect(graph g, int *list, int *size)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.nodes || g.to[g.first[v]] < v) return;
    const int place = PLAIN ? (*size)++ : atomicAdd(size, 1);
    list[place] = v;
}

template <bool FENCED> __global__ void last_block(graph g, int *sums, int *done, int *total)
{
    __shared__ bool last;
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < g.nodes) atomicAdd(&sums[v % BLOCKS], g.to[g.first[v]]);
    if (threadIdx.x == 0) sums[BLOCKS + blockIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        if (FENCED) __threadfence();
        last = atomicAdd(done, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (int i = 0; i < BLOCKS; ++i) *total += sums[BLOCKS + i];
}

// All threads shorten chains of pointers, with atomics or, if PLAIN, without.
template <bool PLAIN> __global__ void compress(int *parent, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int at = v, up;
    while ((up = PLAIN ? parent[at] : atomicAdd(&parent[at], 0)) < at) at = up;
    if (PLAIN) parent[v] = at;
    else atomicExch(&parent[v], at);
}

// One warp per node.  PLAIN: all warps add to one number.  APART: shuffles read lanes that have returned.
template <bool PLAIN, bool APART> __global__ void by_warps(graph g, int *all, int *value, const int *mine)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= g.nodes) return;
    const int e = g.first[v] + lane;
    if (APART && e >= g.first[v + 1]) return;
    int sum = e < g.first[v + 1] ? mine[g.to[e]] : 0;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane != 0) return;
    value[v] = sum;
    if (PLAIN) *all += sum;
    else atomicAdd(all, sum);
}

// A label is an atomic object, as is a thread's own copy.  STORED: the first access is a store.
typedef cuda::atomic<int> label;
template <bool STORED> __global__ void labels(label *l, int n)
{
    const label own = threadIdx.x;
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    if (STORED) l[v].store(own);
    if (l[v].load() > 0) l[v].fetch_min(own);
}

static int *on_gpu(const int *from, int n)
{
    int *p = nullptr;
    cudaMalloc(&p, n * sizeof *p);
    cudaMemcpy(p, from, n * sizeof *p, cudaMemcpyHostToDevice);
    return p;
}

int main(int argc, char **argv)
{
    static int first[NODES + 1], to[EDGES], zero[EDGES], parent[NODES];
    for (int v = 0; v < NODES; ++v) {
        first[v + 1] = first[v] + DEGREE;
        parent[v] = v / 2;
        for (int k = 0; k < DEGREE; ++k) to[v * DEGREE + k] = (v * 7 + k * k * 31 + 1) % NODES;
    }
    const graph g = {on_gpu(first, NODES + 1), on_gpu(to, EDGES), NODES};
    int *value = on_gpu(zero, EDGES), *mine = on_gpu(to, NODES), *one = on_gpu(zero, 1);
    int *parents = on_gpu(parent, NODES);
    switch (argc > 1 ? atoi(argv[1]) : 21) {
    case 1: push<true, false><<<BLOCKS, BLOCK>>>(g, value, mine); break;
    case 21: push<false, false><<<BLOCKS, BLOCK>>>(g, value, mine); break;
    case 2: push<false, true><<<BLOCKS, BLOCK>>>(g, value, mine); break;
    case 22: push<false, true><<<NODES / 60, 60>>>(g, value, mine); break;
    case 3: pull<true><<<BLOCKS, BLOCK>>>(g, value, mine); break;
    case 23: pull<false><<<BLOCKS, BLOCK>>>(g, value, mine); break;
    case 4: greatest<true, false><<<BLOCKS, BLOCK>>>(g, one, mine); break;
    case 24: greatest<false, false><<<BLOCKS, BLOCK>>>(g, one, mine); break;
    case 5: greatest<false, true><<<BLOCKS, BLOCK>>>(g, one, mine); break;
    case 25: greatest<false, false><<<BLOCKS, BLOCK>>>(g, one, mine); break;
    case 6: collect<true><<<BLOCKS, BLOCK>>>(g, value, one); break;
    case 26: collect<false><<<BLOCKS, BLOCK>>>(g, value, one); break;
    case 7: last_block<false><<<BLOCKS, BLOCK>>>(g, value, one, value + NODES); break;
    case 27: last_block<true><<<BLOCKS, BLOCK>>>(g, value, one, value + NODES); break;
    case 8: compress<true><<<BLOCKS, BLOCK>>>(parents, NODES); break;
    case 28: compress<false><<<BLOCKS, BLOCK>>>(parents, NODES); break;
    case 9: by_warps<true, false><<<NODES / 2, BLOCK>>>(g, one, value, mine); break;
    case 29: by_warps<false, false><<<NODES / 2, BLOCK>>>(g, one, value, mine); break;
    case 10: by_warps<false, true><<<NODES / 2, BLOCK>>>(g, one, value, mine); break;
    case 30: by_warps<false, false><<<NODES / 2, BLOCK>>>(g, one, value, mine); break;
    case 11: cudaMalloc(&mine, NODES * sizeof(label)); labels<false><<<BLOCKS, BLOCK>>>((label *)mine, NODES); break;
    case 31: cudaMalloc(&mine, NODES * sizeof(label)); labels<true><<<BLOCKS, BLOCK>>>((label *)mine, NODES); break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
