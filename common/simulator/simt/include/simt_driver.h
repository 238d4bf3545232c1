/*
 * simt_driver.h - the part of the driver interface that is the runtime's by other names: memory that streams allocate,
 * advice, pointers, boxes, graphs, capture, libraries of kernels, and names of before.  Included by cuda.h.
 */
#ifndef SIMT_DRIVER_H
#define SIMT_DRIVER_H

/* ---- names with the version behind them ---- */

#define cuDeviceTotalMem_v2 cuDeviceTotalMem
#define cuDeviceGetUuid_v2 cuDeviceGetUuid
#define cuCtxCreate_v2 simt_create_context
#define cuCtxDestroy_v2 cuCtxDestroy
#define cuCtxPushCurrent_v2 cuCtxPushCurrent
#define cuCtxPopCurrent_v2 cuCtxPopCurrent
#define cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRelease
#define cuModuleGetGlobal_v2 cuModuleGetGlobal
#define cuMemGetInfo_v2 cuMemGetInfo
#define cuMemAlloc_v2 cuMemAlloc
#define cuMemAllocPitch_v2 cuMemAllocPitch
#define cuMemFree_v2 cuMemFree
#define cuMemGetAddressRange_v2 cuMemGetAddressRange
#define cuMemAllocHost_v2 cuMemAllocHost
#define cuMemHostGetDevicePointer_v2 cuMemHostGetDevicePointer
#define cuMemHostRegister_v2 cuMemHostRegister
#define cuMemcpyHtoD_v2 cuMemcpyHtoD
#define cuMemcpyDtoH_v2 cuMemcpyDtoH
#define cuMemcpyDtoD_v2 cuMemcpyDtoD
#define cuMemcpyHtoDAsync_v2 cuMemcpyHtoDAsync
#define cuMemcpyDtoHAsync_v2 cuMemcpyDtoHAsync
#define cuMemcpyDtoDAsync_v2 cuMemcpyDtoDAsync
#define cuMemcpy2D_v2 cuMemcpy2D
#define cuMemcpy2DUnaligned_v2 cuMemcpy2DUnaligned
#define cuMemcpy2DAsync_v2 cuMemcpy2DAsync
#define cuMemsetD8_v2 cuMemsetD8
#define cuMemsetD16_v2 cuMemsetD16
#define cuMemsetD32_v2 cuMemsetD32
#define cuArrayCreate_v2 cuArrayCreate
#define cuArray3DCreate_v2 cuArray3DCreate
#define cuStreamDestroy_v2 cuStreamDestroy
#define cuEventDestroy_v2 cuEventDestroy
#define cuEventElapsedTime_v2 cuEventElapsedTime
#define cuLinkCreate_v2 cuLinkCreate
#define cuLinkAddData_v2 cuLinkAddData
#define cuLinkAddFile_v2 cuLinkAddFile

/* ---- devices and contexts ---- */

typedef enum CUsharedconfig_enum {
    CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE,
    CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
} CUsharedconfig;
typedef enum CUdevice_P2PAttribute_enum {
    CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 2,
    CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3, CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED = 4
} CUdevice_P2PAttribute;
/* Of CUDA 1. */
typedef struct CUdevprop_st {
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], sharedMemPerBlock, totalConstantMemory, SIMDWidth;
    int memPitch, regsPerBlock, clockRate, textureAlign;
} CUdevprop;

SIMT_CU cuDeviceGetProperties(CUdevprop *to, CUdevice device)
{
    struct cudaDeviceProp p;
    const cudaError_t e = cudaGetDeviceProperties(&p, device);
    if (e != cudaSuccess)
        return (CUresult)e;
    to->maxThreadsPerBlock = p.maxThreadsPerBlock;
    memcpy(to->maxThreadsDim, p.maxThreadsDim, sizeof to->maxThreadsDim);
    memcpy(to->maxGridSize, p.maxGridSize, sizeof to->maxGridSize);
    to->sharedMemPerBlock = (int)p.sharedMemPerBlock;
    to->totalConstantMemory = (int)p.totalConstMem;
    to->SIMDWidth = p.warpSize;
    to->memPitch = (int)p.memPitch;
    to->regsPerBlock = p.regsPerBlock;
    cudaDeviceGetAttribute(&to->clockRate, cudaDevAttrClockRate, device);
    to->textureAlign = (int)p.textureAlignment;
    return CUDA_SUCCESS;
}
SIMT_CU cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{ return (CUresult)cudaDeviceGetByPCIBusId(device, id); }
SIMT_CU cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to)
{ return (CUresult)cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attribute, from, to); }
SIMT_CU cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{ return (void)device, (void)flags, CUDA_SUCCESS; }
SIMT_CU cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{ return (void)device, *flags = 0, *active = 1, CUDA_SUCCESS; }
SIMT_CU cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{ return (void)context, *version = 3020, CUDA_SUCCESS; }
SIMT_CU cuCtxGetFlags(unsigned int *flags) { return *flags = 0, CUDA_SUCCESS; }
SIMT_CU cuCtxSetFlags(unsigned int flags) { return (void)flags, CUDA_SUCCESS; }
SIMT_CU cuCtxGetCacheConfig(CUfunc_cache *config) { return *config = CU_FUNC_CACHE_PREFER_NONE, CUDA_SUCCESS; }
SIMT_CU cuCtxSetSharedMemConfig(CUsharedconfig config) { return (void)config, CUDA_SUCCESS; }
SIMT_CU cuCtxGetSharedMemConfig(CUsharedconfig *config)
{ return *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE, CUDA_SUCCESS; }
SIMT_CU cuCtxResetPersistingL2Cache(void) { return CUDA_SUCCESS; }
SIMT_CU cuProfilerStart(void) { return CUDA_SUCCESS; }
SIMT_CU cuProfilerStop(void) { return CUDA_SUCCESS; }

/* ---- memory ---- */

typedef enum CUmem_advise_enum {
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1, CU_MEM_ADVISE_UNSET_READ_MOSTLY, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, CU_MEM_ADVISE_SET_ACCESSED_BY, CU_MEM_ADVISE_UNSET_ACCESSED_BY
} CUmem_advise;
typedef enum CUmemAttach_flags_enum {
    CU_MEM_ATTACH_GLOBAL = 1, CU_MEM_ATTACH_HOST = 2, CU_MEM_ATTACH_SINGLE = 4
} CUmemAttach_flags;
typedef enum CUpointer_attribute_enum {
    CU_POINTER_ATTRIBUTE_CONTEXT = 1, CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2, CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
    CU_POINTER_ATTRIBUTE_HOST_POINTER = 4, CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
    CU_POINTER_ATTRIBUTE_BUFFER_ID = 7, CU_POINTER_ATTRIBUTE_IS_MANAGED = 8, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
    CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
    CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12, CU_POINTER_ATTRIBUTE_MAPPED = 13
} CUpointer_attribute;

SIMT_CU cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    struct cudaPointerAttributes a;
    const cudaError_t e = cudaPointerGetAttributes(&a, (const void *)(uintptr_t)ptr);
    if (e != cudaSuccess || a.type == cudaMemoryTypeUnregistered)
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return cuDevicePrimaryCtxRetain((CUcontext *)value, a.device);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned int *)value = a.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)value = (CUdeviceptr)(uintptr_t)a.devicePointer; break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)value = a.hostPointer;
        return a.hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned int *)value = a.type == cudaMemoryTypeManaged; break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned int *)value = 1; break;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(unsigned int *)value = 0; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = a.device; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return cuMemGetAddressRange((CUdeviceptr *)value, NULL, ptr);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return cuMemGetAddressRange(NULL, (size_t *)value, ptr);
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}
SIMT_CU cuPointerGetAttributes(unsigned int n, CUpointer_attribute *attributes, void **values, CUdeviceptr ptr)
{
    for (unsigned int i = 0; i < n; ++i)
        cuPointerGetAttribute(values[i], attributes[i], ptr); /* values that do not apply stay unchanged */
    return CUDA_SUCCESS;
}
SIMT_CU cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr)
{ return (void)value, (void)attribute, (void)ptr, CUDA_SUCCESS; }
SIMT_CU cuMemAllocAsync(CUdeviceptr *ptr, size_t bytes, CUstream stream)
SIMT_ADDRESS(cudaMallocAsync(&p, bytes, stream))
SIMT_CU cuMemAllocFromPoolAsync(CUdeviceptr *ptr, size_t bytes, CUmemoryPool pool, CUstream stream)
SIMT_ADDRESS(cudaMallocFromPoolAsync(&p, bytes, pool, stream))
SIMT_CU cuMemFreeAsync(CUdeviceptr ptr, CUstream stream)
{ return (CUresult)cudaFreeAsync((void *)(uintptr_t)ptr, stream); }
SIMT_CU cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{ return (CUresult)cudaDeviceGetDefaultMemPool(pool, device); }
SIMT_CU cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{ return (CUresult)cudaDeviceGetMemPool(pool, device); }
SIMT_CU cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) { return (CUresult)cudaDeviceSetMemPool(device, pool); }
SIMT_CU cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) { return (CUresult)cudaMemPoolTrimTo(pool, bytes); }
SIMT_CU cuMemPoolDestroy(CUmemoryPool pool) { return (CUresult)cudaMemPoolDestroy(pool); }
SIMT_CU cuMemHostGetFlags(unsigned int *flags, void *host) { return (CUresult)cudaHostGetFlags(flags, host); }
SIMT_CU cuMemcpyPeer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes)
{ return (void)to, (void)from, cuMemcpy(dst, src, bytes); }
SIMT_CU cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes,
                          CUstream stream)
{ return (void)to, (void)from, cuMemcpyAsync(dst, src, bytes, stream); }
SIMT_CU cuMemsetD16Async(CUdeviceptr ptr, unsigned short value, size_t n, CUstream stream)
{ return (void)stream, simt_fill(ptr, &value, 2, n); }
SIMT_CU simt_fill_rows(CUdeviceptr ptr, size_t pitch, const void *value, size_t size, size_t width, size_t height)
{
    CUresult e = CUDA_SUCCESS;
    for (size_t row = 0; row < height && e == CUDA_SUCCESS; ++row)
        e = simt_fill(ptr + row * pitch, value, size, width);
    return e;
}
SIMT_CU cuMemsetD2D8(CUdeviceptr ptr, size_t pitch, unsigned char value, size_t width, size_t height)
{ return (CUresult)cudaMemset2D((void *)(uintptr_t)ptr, pitch, value, width, height); }
SIMT_CU cuMemsetD2D16(CUdeviceptr ptr, size_t pitch, unsigned short value, size_t width, size_t height)
{ return simt_fill_rows(ptr, pitch, &value, 2, width, height); }
SIMT_CU cuMemsetD2D32(CUdeviceptr ptr, size_t pitch, unsigned int value, size_t width, size_t height)
{ return simt_fill_rows(ptr, pitch, &value, 4, width, height); }
#ifdef __cplusplus
/* A location, as since CUDA 13, or a device, as before. */
SIMT_CU cuMemAdvise(CUdeviceptr ptr, size_t bytes, CUmem_advise advice, CUdevice device)
{ return (CUresult)cudaMemAdvise((const void *)(uintptr_t)ptr, bytes, (enum cudaMemoryAdvise)advice, device); }
SIMT_CU cuMemAdvise(CUdeviceptr ptr, size_t bytes, CUmem_advise advice, CUmemLocation where)
{ return cuMemAdvise(ptr, bytes, advice, where.type == CU_MEM_LOCATION_TYPE_HOST ? cudaCpuDeviceId : where.id); }
SIMT_CU cuMemPrefetchAsync(CUdeviceptr ptr, size_t bytes, CUdevice device, CUstream stream)
{ return (CUresult)cudaMemPrefetchAsync((const void *)(uintptr_t)ptr, bytes, device, stream); }
SIMT_CU cuMemPrefetchAsync(CUdeviceptr ptr, size_t bytes, CUmemLocation where, unsigned int flags, CUstream stream)
{
    const int device = where.type == CU_MEM_LOCATION_TYPE_HOST ? cudaCpuDeviceId : where.id;
    return (void)flags, cuMemPrefetchAsync(ptr, bytes, device, stream);
}
#endif

/* ---- arrays and boxes ---- */

typedef struct CUDA_MEMCPY3D_st {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void *reserved0;
    size_t srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void *reserved1;
    size_t dstPitch, dstHeight, WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

/* The size in bytes of an element of the array. */
static inline __attribute__((unused)) size_t simt_element(CUarray array)
{
    struct cudaChannelFormatDesc d;
    memset(&d, 0, sizeof d);
    cudaGetChannelDesc(&d, array);
    return (size_t)(d.x + d.y + d.z + d.w) / 8;
}
/* One side of such a copy; in an array, positions count elements. */
static inline __attribute__((unused)) struct cudaPos simt_box_side(CUmemorytype type, CUarray array, size_t x, size_t y,
                                                                   size_t z)
{
    const struct cudaPos place = {type == CU_MEMORYTYPE_ARRAY ? x / simt_element(array) : x, y, z};
    return place;
}
SIMT_CU simt_copy_box(const CUDA_MEMCPY3D *c, CUstream stream, int async)
{
    struct cudaMemcpy3DParms p;
    const int from_array = c->srcMemoryType == CU_MEMORYTYPE_ARRAY, to_array = c->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    const size_t from_pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes;
    const size_t to_pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes;
    memset(&p, 0, sizeof p);
    p.srcPos = simt_box_side(c->srcMemoryType, c->srcArray, c->srcXInBytes, c->srcY, c->srcZ);
    p.dstPos = simt_box_side(c->dstMemoryType, c->dstArray, c->dstXInBytes, c->dstY, c->dstZ);
    if (from_array) {
        p.srcArray = c->srcArray;
    } else {
        p.srcPtr.ptr = c->srcMemoryType == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)c->srcHost
                                                              : (void *)(uintptr_t)c->srcDevice;
        p.srcPtr.pitch = p.srcPtr.xsize = from_pitch;
        p.srcPtr.ysize = c->srcHeight ? c->srcHeight : c->Height;
    }
    if (to_array) {
        p.dstArray = c->dstArray;
    } else {
        p.dstPtr.ptr = c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : (void *)(uintptr_t)c->dstDevice;
        p.dstPtr.pitch = p.dstPtr.xsize = to_pitch;
        p.dstPtr.ysize = c->dstHeight ? c->dstHeight : c->Height;
    }
    p.extent.width = from_array   ? c->WidthInBytes / simt_element(c->srcArray)
                     : to_array ? c->WidthInBytes / simt_element(c->dstArray)
                                : c->WidthInBytes;
    p.extent.height = c->Height;
    p.extent.depth = c->Depth;
    p.kind = cudaMemcpyDefault;
    return (CUresult)(async ? cudaMemcpy3DAsync(&p, stream) : cudaMemcpy3D(&p));
}
SIMT_CU cuMemcpy3D(const CUDA_MEMCPY3D *copy) { return simt_copy_box(copy, NULL, 0); }
SIMT_CU cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) { return simt_copy_box(copy, stream, 1); }
#define cuMemcpy3D_v2 cuMemcpy3D
#define cuMemcpy3DAsync_v2 cuMemcpy3DAsync

SIMT_CU cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *what, CUarray array)
{
    struct cudaChannelFormatDesc d;
    struct cudaExtent extent;
    const cudaError_t e = cudaArrayGetInfo(&d, &extent, &what->Flags, array);
    if (e != cudaSuccess)
        return (CUresult)e;
    what->Width = extent.width;
    what->Height = extent.height;
    what->Depth = extent.depth;
    what->NumChannels = (unsigned)((d.x > 0) + (d.y > 0) + (d.z > 0) + (d.w > 0));
    const int size = d.x == 8 ? 0 : d.x == 16 ? 1 : 2;
    what->Format = d.f == cudaChannelFormatKindFloat ? (d.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT)
                   : d.f == cudaChannelFormatKindSigned ? (CUarray_format)(CU_AD_FORMAT_SIGNED_INT8 + size)
                                                        : (CUarray_format)(CU_AD_FORMAT_UNSIGNED_INT8 + size);
    return CUDA_SUCCESS;
}
SIMT_CU cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *what, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR all;
    const CUresult e = cuArray3DGetDescriptor(&all, array);
    if (e != CUDA_SUCCESS)
        return e;
    what->Width = all.Width;
    what->Height = all.Height;
    what->Format = all.Format;
    what->NumChannels = all.NumChannels;
    return CUDA_SUCCESS;
}
#define cuArrayGetDescriptor_v2 cuArrayGetDescriptor
#define cuArray3DGetDescriptor_v2 cuArray3DGetDescriptor

/* ---- functions, libraries of them, launches ---- */

typedef cudaLaunchAttributeID CUlaunchAttributeID;
typedef cudaLaunchAttributeValue CUlaunchAttributeValue;
typedef cudaLaunchAttribute CUlaunchAttribute;
#define CU_LAUNCH_ATTRIBUTE_IGNORE cudaLaunchAttributeIgnore
#define CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW cudaLaunchAttributeAccessPolicyWindow
#define CU_LAUNCH_ATTRIBUTE_COOPERATIVE cudaLaunchAttributeCooperative
#define CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION cudaLaunchAttributeClusterDimension
#define CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION cudaLaunchAttributeProgrammaticStreamSerialization
#define CU_LAUNCH_ATTRIBUTE_PRIORITY cudaLaunchAttributePriority
typedef struct CUlaunchConfig_st {
    unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned int numAttrs;
} CUlaunchConfig;
SIMT_CU cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **arguments, void **extra)
{
    const dim3 grid = {c->gridDimX, c->gridDimY, c->gridDimZ}, block = {c->blockDimX, c->blockDimY, c->blockDimZ};
    return simt_launch_with(function, grid, block, c->sharedMemBytes, c->hStream, arguments, extra, c->attrs,
                            c->numAttrs);
}
SIMT_CU cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{ return (void)function, (void)config, CUDA_SUCCESS; }
SIMT_CU cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int block_size,
                                                             size_t dynamic, unsigned int flags)
{ return (void)flags, cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, dynamic); }
SIMT_CU cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int block_size)
{ return (CUresult)cudaOccupancyAvailableDynamicSMemPerBlock(bytes, simt_kernel_of(function), blocks, block_size); }
#ifdef __cplusplus
SIMT_CU cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block, CUfunction function,
                                                  CUoccupancyB2DSize bytes_of, size_t dynamic, int limit,
                                                  unsigned int flags)
{ return (void)flags, cuOccupancyMaxPotentialBlockSize(min_grid, block, function, bytes_of, dynamic, limit); }
#endif

/* A library is a module, and its kernels are the module's functions. */
typedef CUmodule CUlibrary;
typedef CUfunction CUkernel;
typedef int CUlibraryOption;
SIMT_CU cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *jit, void **jit_values,
                          unsigned int n_jit, CUlibraryOption *options, void **values, unsigned int n)
{
    (void)jit, (void)jit_values, (void)n_jit, (void)options, (void)values, (void)n;
    return cuModuleLoadData(library, image);
}
SIMT_CU cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *jit, void **jit_values,
                              unsigned int n_jit, CUlibraryOption *options, void **values, unsigned int n)
{
    (void)jit, (void)jit_values, (void)n_jit, (void)options, (void)values, (void)n;
    return cuModuleLoad(library, file);
}
SIMT_CU cuLibraryUnload(CUlibrary library) { return cuModuleUnload(library); }
SIMT_CU cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{ return cuModuleGetFunction(kernel, library, name); }
SIMT_CU cuLibraryGetModule(CUmodule *module, CUlibrary library) { return *module = library, CUDA_SUCCESS; }
SIMT_CU cuLibraryGetGlobal(CUdeviceptr *variable, size_t *bytes, CUlibrary library, const char *name)
{ return cuModuleGetGlobal(variable, bytes, library, name); }
SIMT_CU cuKernelGetFunction(CUfunction *function, CUkernel kernel) { return *function = kernel, CUDA_SUCCESS; }

/* ---- streams, capture, graphs ---- */

typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef enum CUstreamCaptureMode_enum {
    CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED
} CUstreamCaptureMode;
typedef enum CUstreamCaptureStatus_enum {
    CU_STREAM_CAPTURE_STATUS_NONE, CU_STREAM_CAPTURE_STATUS_ACTIVE, CU_STREAM_CAPTURE_STATUS_INVALIDATED
} CUstreamCaptureStatus;
SIMT_CU cuStreamAddCallback(CUstream stream, CUstreamCallback call, void *data, unsigned int flags)
{ return (CUresult)cudaStreamAddCallback(stream, (cudaStreamCallback_t)call, data, flags); }
SIMT_CU cuStreamGetPriority(CUstream stream, int *priority)
{ return (CUresult)cudaStreamGetPriority(stream, priority); }
SIMT_CU cuStreamGetFlags(CUstream stream, unsigned int *flags) { return (CUresult)cudaStreamGetFlags(stream, flags); }
SIMT_CU cuStreamGetId(CUstream stream, unsigned long long *id) { return (CUresult)cudaStreamGetId(stream, id); }
SIMT_CU cuStreamGetCtx(CUstream stream, CUcontext *context) { return (void)stream, cuCtxGetCurrent(context); }
SIMT_CU cuStreamAttachMemAsync(CUstream stream, CUdeviceptr ptr, size_t bytes, unsigned int flags)
{ return (CUresult)cudaStreamAttachMemAsync(stream, (void *)(uintptr_t)ptr, bytes, flags); }
SIMT_CU cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{ return (CUresult)cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode); }
SIMT_CU cuStreamEndCapture(CUstream stream, CUgraph *graph) { return (CUresult)cudaStreamEndCapture(stream, graph); }
SIMT_CU cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    enum cudaStreamCaptureStatus s;
    const cudaError_t e = cudaStreamIsCapturing(stream, &s);
    return *status = (CUstreamCaptureStatus)s, (CUresult)e;
}
SIMT_CU cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{ return (void)flags, (CUresult)cudaEventRecord(event, stream); }
SIMT_CU cuGraphCreate(CUgraph *graph, unsigned int flags) { return (CUresult)cudaGraphCreate(graph, flags); }
SIMT_CU cuGraphDestroy(CUgraph graph) { return (CUresult)cudaGraphDestroy(graph); }
SIMT_CU cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{ return (CUresult)cudaGraphInstantiateWithFlags(exec, graph, flags); }
#define cuGraphInstantiateWithFlags cuGraphInstantiate
SIMT_CU cuGraphUpload(CUgraphExec exec, CUstream stream) { return (CUresult)cudaGraphUpload(exec, stream); }
SIMT_CU cuGraphLaunch(CUgraphExec exec, CUstream stream) { return (CUresult)cudaGraphLaunch(exec, stream); }
SIMT_CU cuGraphExecDestroy(CUgraphExec exec) { return (CUresult)cudaGraphExecDestroy(exec); }
SIMT_CU cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{ return (CUresult)cudaGraphGetNodes(graph, nodes, n); }

#endif
