// A file of the host in a project of find_package(CUDA).
#include <cuda_runtime.h>
int again(int n)
{
    int cards = 0;
    return cudaGetDeviceCount(&cards) == cudaSuccess ? n : 0;
}
