// Launches at the limits: all threads that a large GPU holds at once, a grid of 2^31-1 blocks, and bytes of one word.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void together(unsigned *sum, unsigned *wrong)
{
    atomicAdd(sum, 1u);
    cooperative_groups::this_grid().sync();
    if (*(volatile unsigned *)sum != gridDim.x * blockDim.x) atomicAdd(wrong, 1u);
}

// All its blocks would take minutes: it is stopped, because it only has to begin.
__global__ void many(unsigned *p)
{
    if (blockIdx.x == 0) *p = gridDim.x;
    if (blockIdx.x == 1000) p[1 << 20] = 0;
}

// Each thread has its own byte; reading a neighbour's byte needs a barrier.
__global__ void bytes(unsigned char *out, int barrier)
{
    __shared__ unsigned char part[64];
    part[threadIdx.x] = (unsigned char)threadIdx.x;
    __syncthreads();
    part[threadIdx.x] += 1;
    if (barrier) __syncthreads();
    out[threadIdx.x] = part[threadIdx.x ^ 33];
}

static unsigned cooperative(unsigned *d)
{
    int sms, blocks;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, together, 1024, 0);
    unsigned *wrong = d + 1, h[2];
    void *args[] = {&d, &wrong};
    cudaMemset(d, 0, 8);
    cudaLaunchCooperativeKernel((void *)together, sms * blocks, 1024, args, 0, nullptr);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    return h[1] ? 0 : h[0];
}

int main(int argc, char **argv)
{
    unsigned *d, first = 0;
    unsigned char *out, sum = 0, back[64];
    cudaMalloc(&d, 8);
    cudaMalloc(&out, 64);
    const int which = argc > 1 ? atoi(argv[1]) : 0;
    if (which == 0) printf("together %u\n", cooperative(d));
    if (which <= 1) {
        bytes<<<1, 64>>>(out, which == 0);
        cudaMemcpy(back, out, 64, cudaMemcpyDeviceToHost);
        for (unsigned char b : back) sum += b;
        printf("bytes %d\n", sum);
    }
    if (which == 2) {
        many<<<0x7fffffff, 1>>>(d);
        cudaDeviceSynchronize();
    }
    if (which == 3) {
        many<<<dim3(0x7fffffff, 2), 1>>>(d);
        first = cudaGetLastError() == cudaErrorInvalidConfiguration;
        printf("refused %u\n", first);
    }
    return 0;
}
