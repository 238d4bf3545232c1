/*
 * editor.h - for editors: what clang, reading a kernel as CUDA without a toolkit, needs to know of the stand-in.
 *
 * compile_commands.json (make compile-commands) has it included before each .cu file.  The build never sees it: there
 * launch.sed turns launches and shared memory into C++, here clang's own CUDA mode reads them as they stand.  Whatever
 * the stand-in declares may be called from a kernel, and clang's own __syncthreads is out of its way.
 */
#define __syncthreads simt_syncthreads_
#pragma clang force_cuda_host_device begin
#include "cooperative_groups.h"
#include "cooperative_groups/reduce.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device end
#undef __global__
#undef __device__
#undef __host__
#undef __constant__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))
/* What a launch calls: the first one for toolkits up to 9.1, which is what clang takes a missing one for. */
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr);
