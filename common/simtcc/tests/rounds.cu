// A loop of four rounds without barriers, which is unrolled: each line is reported once, and as an error if it is wrong
// in any round.  Loops without a condition stay loops.
#include <cstdio>
__global__ void without_barriers(float *to)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = t;
    float sum = 0;
    for (int i = 0; i < 4; ++i) {
        sum += s[(t + 64 * i + 64) % 256];
        s[t] = sum;
    }
    to[t] = sum;
}
__global__ void without_condition(int *free_place)
{
    int place = threadIdx.x;
    for (;;) {
        if (atomicCAS(&free_place[place % 64], 0, 1) == 0) break;
        place = place + 1;
    }
    for (int tries = 0;; ++tries)
        if (tries == 3) {
            atomicAdd(&free_place[64], tries);
            return;
        }
}
int main()
{
    int *places, sum;
    cudaMalloc(&places, 65 * sizeof *places);
    cudaMemset(places, 0, 65 * sizeof *places);
    without_condition<<<1, 64>>>(places);
    cudaMemcpy(&sum, places + 64, sizeof sum, cudaMemcpyDeviceToHost);
    printf("places %d\n", sum);
    cudaFree(places);
    float *to;
    cudaMalloc(&to, 256 * sizeof *to);
    without_barriers<<<1, 256>>>(to);
    printf("rounds: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(to);
}
