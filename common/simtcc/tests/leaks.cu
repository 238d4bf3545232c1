// Frees nothing; with an argument it frees everything.
#include <cstdio>
int main(int argc, char **)
{
    float *d_left, *pinned, *managed, *d_fine;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaMalloc((void **)&d_left, 40);
    cudaMalloc(&d_fine, 4);
    cudaHostAlloc(&pinned, 80, cudaHostAllocDefault);
    cudaMallocManaged(&managed, 120);
    cudaStreamCreate(&stream);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaFree(d_fine);
    if (argc > 1) {
        cudaFree(d_left);
        cudaFreeHost(pinned);
        cudaFree(managed);
        cudaStreamDestroy(stream);
        cudaEventDestroy(event);
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
