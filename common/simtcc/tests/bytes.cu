// Streams and the host access bytes of one word.  Cases from 1 on touch a copied byte, those from 21 on the next byte.
#include <cstdio>
#include <cstdlib>
__global__ void put(char *to) { to[threadIdx.x] = 1; }

int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20, half = 33 + (atoi(argv[1]) > 20);
    char *d_a, *pinned, from[64] = {1};
    cudaStream_t one, two;
    cudaMalloc(&d_a, 64);
    cudaMallocHost(&pinned, 64);
    cudaStreamCreate(&one);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaMemset(d_a, 0, 64);
    for (int i = 0; i < 64; ++i) pinned[i] = (char)(from[i] + i);
    cudaDeviceSynchronize();
    switch (number) {
    case 1: // two copies
        cudaMemcpyAsync(d_a, pinned, 34, cudaMemcpyHostToDevice, one);
        cudaMemcpyAsync(d_a + half, pinned, 20, cudaMemcpyHostToDevice, two);
        break;
    case 2: // a kernel and a copy
        put<<<1, 34, 0, one>>>(d_a);
        cudaMemcpyAsync(d_a + half, pinned, 20, cudaMemcpyHostToDevice, two);
        break;
    case 3: // a copy of five rows, two of which share a word, and a copy to the first of them, or behind the last
        cudaMemcpy2DAsync(d_a + 1, 5, pinned, 5, 5, 5, cudaMemcpyHostToDevice, one);
        cudaMemcpyAsync(d_a + (half == 33 ? 4 : 26), pinned + 40, 2, cudaMemcpyHostToDevice, two);
        break;
    case 4: // the host, and a copy from the GPU
        cudaMemcpyAsync(pinned, d_a, 34, cudaMemcpyDeviceToHost, one);
        printf("%d\n", pinned[half]);
        break;
    }
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
