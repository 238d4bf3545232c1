// cudaMallocAsync: the memory exists for work that waits for that stream.  Cases from 1 on are wrong, from 21 on right.
#include <cstdio>
#include <cstdlib>
__global__ void put(int *to, int value) { to[threadIdx.x] = value; }
__global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }

int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20;
    const bool right = atoi(argv[1]) > 20;
    const size_t bytes = 64 * sizeof(int);
    int *a, *b;
    cudaStream_t one, two;
    cudaEvent_t event;
    cudaMalloc(&b, bytes);
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&event);
    cudaMallocAsync(&a, bytes, one);
    if (right && number < 3) cudaEventRecord(event, one), cudaStreamWaitEvent(two, event, 0);
    switch (number) {
    case 1: put<<<1, 64, 0, two>>>(a, 1); break;
    case 2: cudaMemsetAsync(a, 0, bytes, two); break;
    case 3: // it exists, but was never written
        if (right) put<<<1, 64, 0, one>>>(a, 1);
        copy<<<1, 64, 0, one>>>(b, a);
        break;
    case 4: // freed while another stream uses it
        if (right) cudaStreamSynchronize(one);
        put<<<1, 64, 0, right ? two : one>>>(a, 1);
        cudaFreeAsync(a, two);
        break;
    }
    cudaDeviceSynchronize();
    puts(cudaGetErrorString(cudaGetLastError()));
}
