/*
 * editor.h - for editors: CUDA's words as clang's own CUDA mode has them, for a kernel that is read without a toolkit.
 *
 * compile_commands.json (make compile-commands) has it included before each .cu file.  The build never sees it: there
 * translate/ turns CUDA's syntax into C++, here clang reads it as it stands.  Whatever the simulator declares may be
 * called from a kernel, and clang's own __syncthreads is out of its way.
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
#define __noinline__ __attribute__((noinline)) /* not before: g++'s headers use the word */
/* What a launch calls: the first one for toolkits up to 9.1, which is what clang takes a missing one for. */
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
