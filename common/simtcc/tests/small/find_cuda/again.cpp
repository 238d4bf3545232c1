// A host file in a project of find_package(CUDA).
#include <cuda_runtime.h>
int again(int n)
{
    int gpus = 0;
    return cudaGetDeviceCount(&gpus) == cudaSuccess ? n : 0;
}
