/*
 * editor.h - for editors: defines CUDA's keywords for clang's CUDA mode, so that it parses kernels without a toolkit.
 *
 * compile_commands.json (make compile-commands) includes it before each .cu file.  The build does not use it: there
 * translate/ turns CUDA's syntax into C++, while in an editor clang parses CUDA's syntax itself.  Kernels may call all
 * functions that the simulator declares; clang's built-in __syncthreads does not conflict with the simulator's.
 */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __grid_constant__
#define __syncthreads simt_syncthreads_
#pragma clang force_cuda_host_device begin
#include "vector_types.h"
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
constexpr int warpSize = 32;

#include "cooperative_groups.h"
#include "cooperative_groups/reduce.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device end
#define __noinline__ __attribute__((noinline)) /* not before the includes: g++'s headers use this word */
/* The functions that clang calls for a launch: the first one for toolkits up to 9.1, which it assumes without a
   toolkit. */
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
