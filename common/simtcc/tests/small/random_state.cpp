// How large a state of cuRAND's is in a C++ file.
#include <cuda_runtime.h>
#include <curand_kernel.h>
size_t here() { return sizeof(curandState); }
