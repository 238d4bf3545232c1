// A loop of four rounds without its barriers, which is unrolled: each place is said once, not for each round, and one
// that harms in any of them is not said to harm nobody in another.
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
int main()
{
    float *to;
    cudaMalloc(&to, 256 * sizeof *to);
    without_barriers<<<1, 256>>>(to);
    printf("rounds: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(to);
}
