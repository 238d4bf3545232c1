// A kernel argument that is a reference needs managed memory; a program may have a reduce() of its own.
#include <cooperative_groups.h>
#include <cstdio>
#include <new>
using namespace cooperative_groups;

struct element {
    int value;
    float *more;
    __host__ __device__ element() : value(5), more(nullptr) {}
    __host__ __device__ element(const element &e) : value(e.value), more(e.more) {}
    ~element() {}
};
__global__ void counts(element &e) { e.value += 1; }
__global__ void copies(const element &e, int *out) { *out = e.value; }
__device__ int reduce(thread_group g, int *room, int value)
{
    const int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        room[lane] = value;
        g.sync();
        if (lane < i) value += room[lane + i];
        g.sync();
    }
    return value;
}
__global__ void sums(int *out)
{
    __shared__ int room[64];
    const auto tile = tiled_partition(this_thread_block(), 16);
    const int sum = reduce(tile, room + threadIdx.x / 16 * 16, (int)threadIdx.x);
    if (threadIdx.x == 48) *out = sum;
}

int main(int argc, char **)
{
    element *e, here;
    int *out;
    cudaMallocManaged(&e, sizeof *e);
    cudaMallocManaged(&out, sizeof *out);
    new (e) element;
    counts<<<1, 1>>>(argc > 1 ? here : *e);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaDeviceSynchronize();
    counts<<<1, 1, 0, stream>>>(*e);
    cudaDeviceSynchronize();
    copies<<<1, 1>>>(*e, out);
    cudaDeviceSynchronize();
    const int copied = *out;
    *out = 0;
    sums<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("references %d %d %d %s\n", e->value, copied, *out, cudaGetErrorString(cudaGetLastError()));
}
