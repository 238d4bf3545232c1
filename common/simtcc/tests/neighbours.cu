// Lanes in the mask of a vote read the lane before them.  The first lane reads a lane that takes no part, and ignores
// the value.  neighbours 1: that lane is in the mask and has returned, and its value is used; 2: half of the lanes vote
// with another mask.
#include <cstdio>
#include <cstdlib>
__global__ void sums(const int *in, int *out, int n, bool gone)
{
    const int lane = threadIdx.x;
    const bool part = lane < n;
    const unsigned mask = __ballot_sync(0xffffffff, part);
    if (gone && lane == n - 1) return;
    if (part) {
        const int before = __shfl_sync(mask, in[lane], gone ? n - 1 : lane - 1);
        out[lane] = in[lane] + (lane == 0 && !gone ? 0 : before);
    }
}

__global__ void halves(int *out, unsigned low)
{
    out[threadIdx.x] = __popc(__ballot_sync(threadIdx.x < 16 ? low : 0xffff0000u, threadIdx.x & 1));
}

int main(int argc, char **argv)
{
    const bool gone = argc > 1 && atoi(argv[1]) == 1;
    int *in, *out, h[32] = {}, sum = 0;
    for (int i = 0; i < 32; ++i) h[i] = i + 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof h);
    halves<<<1, 32>>>(out, argc > 1 && atoi(argv[1]) == 2 ? 0xffffffffu : 0xffffu);
    sums<<<1, 32>>>(in, out, 9, gone);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 9; ++i) sum += h[i];
    printf("neighbours %d %s\n", sum, cudaGetErrorString(cudaGetLastError()));
}
