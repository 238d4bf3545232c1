// Legal code that is rarely intended gives hints: cases from 1 on; those from 21 on give none.
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void half(int *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) x[i] = 1;
}
__global__ void numbers(int *x, bool frees)
{
    int *own = new int[4];
    own[0] = threadIdx.x;
    x[threadIdx.x] = own[0];
    if (frees) delete[] own;
}
__global__ void add(int *x) { x[threadIdx.x] += 1; }
int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20, right = atoi(argv[1]) > 20, n = 64;
    int *d_x, h_x[64];
    char *bytes;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&bytes, n);
    switch (number) {
    case 1: if (right) cudaMemset(d_x, 0, n * sizeof(int)); else cudaMemset(d_x, 1, n * sizeof(int)); break;
    case 2: cudaMemset(bytes, right ? 255 : 1000, n); break;
    case 4: // a non-blocking stream does not wait for the last part of the copy
        cudaStream_t apart;
        cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
        memset(h_x, 0, sizeof h_x);
        cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
        if (right) cudaDeviceSynchronize();
        add<<<1, n, 0, apart>>>(d_x);
        break;
    case 3:
        half<<<1, n>>>(d_x, right ? 2 * n : n);
        cudaMemcpy(h_x, d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
        break;
    case 5: numbers<<<1, n>>>(d_x, right); break;
    case 6: {
        cudaResourceDesc r = {};
        cudaTextureDesc how = {};
        cudaTextureObject_t t;
        r.resType = cudaResourceTypeLinear;
        r.res.linear = {d_x, cudaCreateChannelDesc<int>(), (right ? 1 : 4) * n * sizeof(int)};
        cudaCreateTextureObject(&t, &r, &how, nullptr);
        break;
    }
    case 7: { // that it is CPU time is always reported
        cudaEvent_t start, stop;
        float ms;
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
        cudaEventRecord(start);
        numbers<<<1, n>>>(d_x, true);
        cudaEventRecord(stop);
        if (right) cudaStreamSynchronize(0);
        cudaEventElapsedTime(&ms, start, stop);
        break;
    }
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
