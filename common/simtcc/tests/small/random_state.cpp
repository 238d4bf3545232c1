// The size of a cuRAND state in a C++ file.
#include <cuda_runtime.h>
#include <curand_kernel.h>
size_t here() { return sizeof(curandState); }
