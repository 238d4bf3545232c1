/*
 * cuda.h - the part of the driver interface that programs use beside the runtime's: errors, devices, contexts, memory.
 * Each call is one of the runtime's.  Modules are not there: there is no code for a card that could be loaded.
 */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H
#define __cuda_cuda_h__

#include <stdint.h>
#include <string.h>
#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION
#define CUDAAPI
#define CU_STREAM_DEFAULT 0
#define CU_CTX_SCHED_AUTO 0
#define CU_CTX_MAP_HOST 8

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct simt_context *CUcontext;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaArray_t CUarray;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
typedef struct simt_module *CUmodule;
typedef struct simt_function *CUfunction;

/* Numbers are the runtime's. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4, CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200, CUDA_ERROR_INVALID_CONTEXT = 201, CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_INVALID_HANDLE = 400, CUDA_ERROR_NOT_FOUND = 500, CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701, CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_LAUNCH_FAILED = 719, CUDA_ERROR_NOT_SUPPORTED = 801, CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9, CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17, CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
    CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
} CUdevice_attribute;

#define SIMT_CU static inline __attribute__((unused)) CUresult
SIMT_CU cuInit(unsigned int flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
SIMT_CU cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
SIMT_CU cuGetErrorName(CUresult error, const char **text)
{ return *text = cudaGetErrorName((cudaError_t)error), CUDA_SUCCESS; }
SIMT_CU cuGetErrorString(CUresult error, const char **text)
{ return *text = cudaGetErrorString((cudaError_t)error), CUDA_SUCCESS; }
SIMT_CU cuDeviceGetCount(int *count) { return (CUresult)cudaGetDeviceCount(count); }
SIMT_CU cuDeviceGet(CUdevice *device, int number)
{
    int count;
    cudaGetDeviceCount(&count);
    *device = number;
    return number >= 0 && number < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
SIMT_CU cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{ return (CUresult)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device); }
SIMT_CU cuDeviceGetName(char *name, int length, CUdevice device)
{
    struct cudaDeviceProp p;
    const cudaError_t e = cudaGetDeviceProperties(&p, device);
    if (e == cudaSuccess && length > 0) {
        strncpy(name, p.name, (size_t)length - 1);
        name[length - 1] = 0;
    }
    return (CUresult)e;
}
SIMT_CU cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp p;
    const cudaError_t e = cudaGetDeviceProperties(&p, device);
    if (e == cudaSuccess)
        *bytes = p.totalGlobalMem;
    return (CUresult)e;
}
SIMT_CU cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

/* A context is its device: the one that the runtime uses. */
SIMT_CU cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    (void)flags;
    *context = (CUcontext)(uintptr_t)(device + 1);
    return (CUresult)cudaSetDevice(device);
}
SIMT_CU cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) { return cuCtxCreate(context, 0, device); }
SIMT_CU cuDevicePrimaryCtxRelease(CUdevice device) { return (void)device, CUDA_SUCCESS; }
SIMT_CU cuCtxSetCurrent(CUcontext context) { return (CUresult)cudaSetDevice((int)(uintptr_t)context - 1); }
SIMT_CU cuCtxGetCurrent(CUcontext *context)
{
    int device;
    cudaGetDevice(&device);
    *context = (CUcontext)(uintptr_t)(device + 1);
    return CUDA_SUCCESS;
}
SIMT_CU cuCtxPushCurrent(CUcontext context) { return cuCtxSetCurrent(context); }
SIMT_CU cuCtxPopCurrent(CUcontext *context) { return context ? cuCtxGetCurrent(context) : CUDA_SUCCESS; }
SIMT_CU cuCtxGetDevice(CUdevice *device) { return (CUresult)cudaGetDevice(device); }
SIMT_CU cuCtxDestroy(CUcontext context) { return (void)context, CUDA_SUCCESS; }
SIMT_CU cuCtxDetach(CUcontext context) { return (void)context, CUDA_SUCCESS; }
SIMT_CU cuCtxSynchronize(void) { return (CUresult)cudaDeviceSynchronize(); }

SIMT_CU cuMemAlloc(CUdeviceptr *ptr, size_t bytes)
{
    void *p = NULL;
    const cudaError_t e = bytes ? cudaMalloc(&p, bytes) : cudaErrorInvalidValue;
    *ptr = (CUdeviceptr)(uintptr_t)p;
    return (CUresult)e;
}
SIMT_CU cuMemFree(CUdeviceptr ptr) { return (CUresult)cudaFree((void *)(uintptr_t)ptr); }
SIMT_CU cuMemAllocHost(void **ptr, size_t bytes) { return (CUresult)cudaMallocHost(ptr, bytes); }
SIMT_CU cuMemFreeHost(void *ptr) { return (CUresult)cudaFreeHost(ptr); }
SIMT_CU cuMemGetInfo(size_t *free_bytes, size_t *total) { return (CUresult)cudaMemGetInfo(free_bytes, total); }
SIMT_CU cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes)
{ return (CUresult)cudaMemcpy((void *)(uintptr_t)dst, src, bytes, cudaMemcpyHostToDevice); }
SIMT_CU cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes)
{ return (CUresult)cudaMemcpy(dst, (const void *)(uintptr_t)src, bytes, cudaMemcpyDeviceToHost); }
SIMT_CU cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{ return (CUresult)cudaMemcpy((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes, cudaMemcpyDeviceToDevice); }
SIMT_CU cuMemsetD8(CUdeviceptr ptr, unsigned char value, size_t n)
{ return (CUresult)cudaMemset((void *)(uintptr_t)ptr, value, n); }

SIMT_CU cuStreamCreate(CUstream *stream, unsigned int flags)
{ return (CUresult)cudaStreamCreateWithFlags(stream, flags); }
SIMT_CU cuStreamSynchronize(CUstream stream) { return (CUresult)cudaStreamSynchronize(stream); }
SIMT_CU cuStreamDestroy(CUstream stream) { return (CUresult)cudaStreamDestroy(stream); }

#endif
