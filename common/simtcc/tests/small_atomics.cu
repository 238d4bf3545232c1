// cuda::atomic of one and two bytes, and cuda::std::atomic_flag.  With an argument: a plain write among the atomics.
#include <cstdio>
#include <cuda/std/atomic>

struct node {
    cuda::std::atomic<short> count{0};
    cuda::std::atomic<bool> seen{false};
    unsigned char last;     /* plain; one thread accesses it */
};
__device__ cuda::std::atomic_flag lock;
__device__ int first;

__global__ void count(node *n, cuda::std::atomic<signed char> *least, cuda::std::atomic<unsigned char> *most,
                      int shared)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    n->count.fetch_add(i % 2 ? -3 : 1);
    if (!n->seen.exchange(true)) n->last = 7;
    least->fetch_min((signed char)(i - 100));
    most->fetch_max((unsigned char)i);
    if (!lock.test_and_set()) first += 1;
    if (shared) *reinterpret_cast<unsigned char *>(most) = i;
}

int main(int argc, char **)
{
    node *n;
    cuda::std::atomic<signed char> *least;
    cuda::std::atomic<unsigned char> *most;
    int one = 0;
    cudaMallocManaged(&n, sizeof(node));
    cudaMallocManaged(&least, 1);
    cudaMallocManaged(&most, 1);
    new (n) node;
    new (least) cuda::std::atomic<signed char>(3);
    new (most) cuda::std::atomic<unsigned char>(0);
    count<<<2, 64>>>(n, least, most, argc > 1);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&one, first, sizeof one);
    n->count += 2;
    printf("small %d %d %d %d %d %d: %s\n", n->count.load(), (int)n->seen, n->last, least->load(), most->load(), one,
           cudaGetErrorString(cudaGetLastError()));
    return 0;
}
