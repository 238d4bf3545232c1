// Headers of a toolkit that declare parts of cuda_runtime.h.
#include <stdio.h>
#include <driver_functions.h>
#include <cublas_api.h>
#include <device_double_functions.h>
#include <cuda_stdint.h>
#include <device_atomic_functions.hpp>
#include <sm_20_atomic_functions.hpp>
#include <sm_20_intrinsics.hpp>
#include <sm_30_intrinsics.hpp>
#include <sm_32_atomic_functions.hpp>
#include <sm_32_intrinsics.hpp>
#include <sm_60_atomic_functions.hpp>
#include <sm_61_intrinsics.hpp>
__global__ void k(int *p) { *p = 1; }
int main() { return 0; }
