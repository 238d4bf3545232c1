// Two streams copy to one address.  Equal bytes give a warning (0); a different byte gives an error, in round one (1)
// or two (2).  The last copy is during a kernel that reads there.
#include <cstdio>
#include <cstdlib>
__global__ void sum(const int *x, int *s) { for (int i = 0; i < 1000; ++i) *s += x[i]; }
int main(int, char **argv)
{
    enum { N = 1000 };
    const int other = atoi(argv[1]);
    static int one[N], two[N];
    int *d, *d_two;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    for (int i = 0; i < N; ++i) one[i] = two[i] = i;
    two[N - 1] += other == 1;
    cudaMalloc(&d, sizeof one);
    cudaMalloc(&d_two, sizeof two);
    cudaMemcpy(d_two, two, sizeof two, cudaMemcpyHostToDevice);
    for (int round = 0; round < 2; ++round) {
        cudaMemcpyAsync(d, one, sizeof one, cudaMemcpyHostToDevice, a);
        cudaMemcpyAsync(d, two, sizeof two, cudaMemcpyHostToDevice, b);
        cudaDeviceSynchronize();
        two[0] += other == 2;
    }
    cudaMemcpyAsync(d, d_two, sizeof two, cudaMemcpyDeviceToDevice, a);
    cudaMemcpy2DAsync(d, 64, two, 64, 60, 50, cudaMemcpyHostToDevice, b);
    cudaDeviceSynchronize();
    cudaMemset(d_two, 0, sizeof *d_two);
    sum<<<1, 1, 0, a>>>(d, d_two);
    cudaMemcpyAsync(d, two, sizeof two, cudaMemcpyHostToDevice, b);
    cudaDeviceSynchronize();
    printf("copies: %s\n", cudaGetErrorString(cudaGetLastError()));
}
