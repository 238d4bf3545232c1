/*
 * cuda.h - the driver interface: errors, devices, contexts, memory, arrays, streams, events, modules.
 * Most calls are those of the runtime's.  Modules are what simtcc -ptx, -cubin and -fatbin make (api_modules.cpp).
 */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H
#define __cuda_cuda_h__

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION
#define CUDAAPI
#define CU_STREAM_DEFAULT 0
#define CU_STREAM_NON_BLOCKING 1
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_MEMHOSTALLOC_PORTABLE 1
#define CU_MEMHOSTALLOC_DEVICEMAP 2
#define CU_MEMHOSTALLOC_WRITECOMBINED 4
#define CU_MEMHOSTREGISTER_PORTABLE 1
#define CU_MEMHOSTREGISTER_DEVICEMAP 2
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)
#define CU_TRSA_OVERRIDE_FORMAT 1
#define CU_TRSF_READ_AS_INTEGER 1
#define CU_TRSF_NORMALIZED_COORDINATES 2
#define CU_TRSF_SRGB 16
#define CU_PARAM_TR_DEFAULT (-1)
#define CUDA_ARRAY3D_LAYERED 1
#define CUDA_ARRAY3D_2DARRAY 1
#define CUDA_ARRAY3D_SURFACE_LDST 2
#define CUDA_ARRAY3D_CUBEMAP 4

typedef int CUdevice;
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUdeviceptr_v2;
typedef struct simt_context *CUcontext;
typedef cudaGraph_t CUgraph;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaGraphNode_t CUgraphNode;
typedef cudaMemPool_t CUmemoryPool;
typedef cudaHostFn_t CUhostFn;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaArray_t CUarray;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
typedef struct simt_module *CUmodule;
typedef struct simt_function *CUfunction;
typedef struct simt_link *CUlinkState;
typedef struct CUctxCreateParams_st { void *execAffinityParams; int numExecAffinityParams; void *cigParams; }
CUctxCreateParams;

typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0, CU_CTX_SCHED_SPIN = 1, CU_CTX_SCHED_YIELD = 2, CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_BLOCKING_SYNC = 4, CU_CTX_SCHED_MASK = 7, CU_CTX_MAP_HOST = 8, CU_CTX_LMEM_RESIZE_TO_MAX = 16
} CUctx_flags;
typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2, CU_EVENT_INTERPROCESS = 4
} CUevent_flags;
typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0, CU_COMPUTEMODE_PROHIBITED = 2, CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;
typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2, CU_MEMORYTYPE_ARRAY = 3, CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;
typedef enum CUarray_format_enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 1, CU_AD_FORMAT_UNSIGNED_INT16 = 2, CU_AD_FORMAT_UNSIGNED_INT32 = 3,
    CU_AD_FORMAT_SIGNED_INT8 = 8, CU_AD_FORMAT_SIGNED_INT16 = 9, CU_AD_FORMAT_SIGNED_INT32 = 10,
    CU_AD_FORMAT_HALF = 16, CU_AD_FORMAT_FLOAT = 32
} CUarray_format;
typedef enum CUaddress_mode_enum {
    CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_BORDER
} CUaddress_mode;
typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR } CUfilter_mode;
typedef enum CUresourcetype_enum {
    CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CU_RESOURCE_TYPE_LINEAR, CU_RESOURCE_TYPE_PITCH2D
} CUresourcetype;
typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE, CU_FUNC_CACHE_PREFER_SHARED, CU_FUNC_CACHE_PREFER_L1, CU_FUNC_CACHE_PREFER_EQUAL
} CUfunc_cache;
typedef enum CUlimit_enum {
    CU_LIMIT_STACK_SIZE = 0, CU_LIMIT_PRINTF_FIFO_SIZE = 1, CU_LIMIT_MALLOC_HEAP_SIZE = 2,
    CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4,
    CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5, CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6, CU_LIMIT_SHMEM_SIZE = 7,
    CU_LIMIT_CIG_ENABLED = 8, CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 9
} CUlimit;
typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3, CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5, CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
    CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15
} CUfunction_attribute;
/* Options for a GPU's compiler: accepted and ignored. */
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS, CU_JIT_THREADS_PER_BLOCK, CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_TARGET_FROM_CUCONTEXT, CU_JIT_TARGET, CU_JIT_FALLBACK_STRATEGY,
    CU_JIT_GENERATE_DEBUG_INFO, CU_JIT_LOG_VERBOSE, CU_JIT_GENERATE_LINE_INFO, CU_JIT_CACHE_MODE
} CUjit_option;
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN, CU_JIT_INPUT_PTX, CU_JIT_INPUT_FATBINARY, CU_JIT_INPUT_OBJECT, CU_JIT_INPUT_LIBRARY
} CUjitInputType;

/* ---- arrays, textures, copies of boxes ---- */

typedef struct CUDA_ARRAY_DESCRIPTOR_st {
    size_t Width, Height;
    CUarray_format Format;
    unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
    size_t Width, Height, Depth;
    CUarray_format Format;
    unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch, dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch, WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef struct CUDA_RESOURCE_DESC_st {
    CUresourcetype resType;
    union {
        struct { CUarray hArray; } array;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct { int reserved[32]; } reserved;
    } res;
    unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct CUDA_TEXTURE_DESC_st {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned int flags, maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct CUDA_RESOURCE_VIEW_DESC_st { int format; size_t width, height, depth; } CUDA_RESOURCE_VIEW_DESC;

/* ---- memory that is reserved, created and mapped in separate calls ---- */

typedef enum CUmemLocationType_enum {
    CU_MEM_LOCATION_TYPE_INVALID, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST
} CUmemLocationType;
typedef enum CUmemAllocationType_enum {
    CU_MEM_ALLOCATION_TYPE_INVALID, CU_MEM_ALLOCATION_TYPE_PINNED
} CUmemAllocationType;
typedef enum CUmemAllocationHandleType_enum {
    CU_MEM_HANDLE_TYPE_NONE = 0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1
} CUmemAllocationHandleType;
typedef enum CUmemAccess_flags_enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0, CU_MEM_ACCESS_FLAGS_PROT_READ = 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
} CUmemAllocationGranularity_flags;
typedef enum CUmemAllocationCompType_enum {
    CU_MEM_ALLOCATION_COMP_NONE, CU_MEM_ALLOCATION_COMP_GENERIC
} CUmemAllocationCompType;
typedef struct CUmemLocation_st { CUmemLocationType type; int id; } CUmemLocation;
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct { unsigned char compressionType, gpuDirectRDMACapable; unsigned short usage; } allocFlags;
} CUmemAllocationProp;
typedef struct CUmemAccessDesc_st { CUmemLocation location; CUmemAccess_flags flags; } CUmemAccessDesc;

/* The numbers are those of the runtime. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4, CUDA_ERROR_PROFILER_DISABLED = 5, CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,
    CUDA_ERROR_PROFILER_ALREADY_STARTED = 7, CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8, CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36, CUDA_ERROR_DEVICE_UNAVAILABLE = 46, CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101, CUDA_ERROR_DEVICE_NOT_LICENSED = 102, CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201, CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202, CUDA_ERROR_MAP_FAILED = 205,
    CUDA_ERROR_UNMAP_FAILED = 206, CUDA_ERROR_ARRAY_IS_MAPPED = 207, CUDA_ERROR_ALREADY_MAPPED = 208,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209, CUDA_ERROR_ALREADY_ACQUIRED = 210, CUDA_ERROR_NOT_MAPPED = 211,
    CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212, CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213, CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_UNSUPPORTED_LIMIT = 215, CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217, CUDA_ERROR_INVALID_PTX = 218, CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219,
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220, CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222, CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,
    CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224, CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225, CUDA_ERROR_CONTAINED = 226,
    CUDA_ERROR_INVALID_SOURCE = 300, CUDA_ERROR_FILE_NOT_FOUND = 301, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
    CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303, CUDA_ERROR_OPERATING_SYSTEM = 304, CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_ILLEGAL_STATE = 401, CUDA_ERROR_LOSSY_QUERY = 402, CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600, CUDA_ERROR_ILLEGAL_ADDRESS = 700, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702, CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
    CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708, CUDA_ERROR_CONTEXT_IS_DESTROYED = 709, CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_TOO_MANY_PEERS = 711, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713, CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715, CUDA_ERROR_MISALIGNED_ADDRESS = 716, CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718, CUDA_ERROR_LAUNCH_FAILED = 719, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CUDA_ERROR_TENSOR_MEMORY_LEAK = 721, CUDA_ERROR_NOT_PERMITTED = 800, CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_SYSTEM_NOT_READY = 802, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804, CUDA_ERROR_MPS_CONNECTION_FAILED = 805,
    CUDA_ERROR_MPS_RPC_FAILURE = 806, CUDA_ERROR_MPS_SERVER_NOT_READY = 807, CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808,
    CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809, CUDA_ERROR_MPS_CLIENT_TERMINATED = 810,
    CUDA_ERROR_CDP_NOT_SUPPORTED = 811, CUDA_ERROR_CDP_VERSION_MISMATCH = 812,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_MERGE = 902, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904, CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906, CUDA_ERROR_CAPTURED_EVENT = 907,
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908, CUDA_ERROR_TIMEOUT = 909, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
    CUDA_ERROR_EXTERNAL_DEVICE = 911, CUDA_ERROR_INVALID_CLUSTER_SIZE = 912, CUDA_ERROR_FUNCTION_NOT_LOADED = 913,
    CUDA_ERROR_INVALID_RESOURCE_TYPE = 914, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915,
    CUDA_ERROR_KEY_ROTATION = 916, CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef enum CUdevice_attribute_enum {
#define SIMT_ATTRIBUTE(name, driver_name, value, field) CU_DEVICE_ATTRIBUTE_##driver_name = value,
#include "simt_attributes.def"
    /* those of the driver alone, and names of before */
    CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8, CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29, CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 = 92, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1 = 93,
    CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1 = 94,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105,
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS = 122, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR = 123,
    CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 124, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED = 127,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED = 128, CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS = 129,
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132, CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK = 136,
    CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH = 137,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 141,
    CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 145,
    CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED = 146
} CUdevice_attribute;

/* ---- contexts (api_driver.cpp) ---- */

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuInit(unsigned int flags);
/* CUDA_ERROR_NOT_INITIALIZED before cuInit, unless a call of the runtime came first; reported once. */
CUresult simt_driver_ready(void);
/* The contexts of a thread form a stack: create and push add one, destroy removes one at any position. */
CUresult simt_create_context(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
/* The start and the size in bytes of the buffer that contains ptr; either pointer may be NULL. */
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr ptr);
CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr ptr, size_t bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties,
                     unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult cuMemMap(CUdeviceptr ptr, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr ptr, size_t bytes);
CUresult cuMemSetAccess(CUdeviceptr ptr, size_t bytes, const CUmemAccessDesc *access, size_t n);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle);

/* ---- modules (api_modules.cpp) ---- */

CUresult cuModuleLoad(CUmodule *module, const char *file);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, CUjit_option *options, void **values);
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuModuleGetGlobal(CUdeviceptr *variable, size_t *bytes, CUmodule module, const char *name);
const void *simt_kernel_of(CUfunction function);
/* The name of the object to which the module's pointer of that name points; NULL if it has none. */
const char *simt_named(CUmodule module, const char *pointer);
CUresult simt_launch_function(CUfunction function, dim3 grid, dim3 block, unsigned shared, CUstream stream,
                              void **arguments, void **extra, int cooperative);
/* The attributes include cooperative launches and the cluster size. */
CUresult simt_launch_with(CUfunction function, dim3 grid, dim3 block, unsigned shared, CUstream stream,
                          void **arguments, void **extra, cudaLaunchAttribute *attributes, unsigned n);
CUresult cuLinkCreate(unsigned int n, CUjit_option *options, void **values, CUlinkState *state);
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned int n, CUjit_option *options, void **values);
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned int n,
                       CUjit_option *options, void **values);
CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size);
CUresult cuLinkDestroy(CUlinkState state);
/* A module registers its variables when it is loaded. */
typedef struct simt_module_place { const char *variables[2], *managed[2], *constants[2]; } simt_module_place;
void simt_module_here(const simt_module_place *place);
#ifdef __cplusplus
}
#endif

#define SIMT_CU static inline __attribute__((unused)) CUresult
SIMT_CU cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
SIMT_CU cuGetErrorName(CUresult error, const char **text)
{ return *text = cudaGetErrorName((cudaError_t)error), CUDA_SUCCESS; }
SIMT_CU cuGetErrorString(CUresult error, const char **text)
{ return *text = cudaGetErrorString((cudaError_t)error), CUDA_SUCCESS; }
SIMT_CU cuDeviceGetCount(int *count)
{
    const CUresult e = simt_driver_ready();
    return e ? e : (CUresult)cudaGetDeviceCount(count);
}
SIMT_CU cuDeviceGet(CUdevice *device, int number)
{
    int count;
    const CUresult e = simt_driver_ready();
    if (e) return e;
    cudaGetDeviceCount(&count);
    *device = number;
    return number >= 0 && number < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
SIMT_CU cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    *value = 1;
    if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
        attribute == CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED)
        return CUDA_SUCCESS;
    return (CUresult)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
}
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
#define SIMT_PROPERTY(what)                                             \
    {                                                                   \
        struct cudaDeviceProp p;                                        \
        const cudaError_t e = cudaGetDeviceProperties(&p, device);      \
        if (e == cudaSuccess)                                           \
            what;                                                       \
        return (CUresult)e;                                             \
    }
SIMT_CU cuDeviceTotalMem(size_t *bytes, CUdevice device) SIMT_PROPERTY(*bytes = p.totalGlobalMem)
SIMT_CU cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

/* Three arguments, as before CUDA 13, or four, as since then. */
SIMT_CU simt_create_context_4(CUcontext *context, CUctxCreateParams *how, unsigned int flags, CUdevice device)
{ return (void)how, simt_create_context(context, flags, device); }
#define SIMT_CREATE_CONTEXT(a, b, c, d, name, ...) name
#define cuCtxCreate(...) \
    SIMT_CREATE_CONTEXT(__VA_ARGS__, simt_create_context_4, simt_create_context, none)(__VA_ARGS__)
SIMT_CU cuDevicePrimaryCtxRelease(CUdevice device) { return (void)device, CUDA_SUCCESS; }
SIMT_CU cuDevicePrimaryCtxReset(CUdevice device) { return (void)device, (CUresult)cudaDeviceReset(); }
SIMT_CU cuDeviceGetUuid(CUuuid *uuid, CUdevice device) SIMT_PROPERTY(*uuid = p.uuid)
SIMT_CU cuDeviceGetPCIBusId(char *text, int size, CUdevice device)
{ return (CUresult)cudaDeviceGetPCIBusId(text, size, device); }
SIMT_CU cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{ return (CUresult)cudaDeviceCanAccessPeer(can, device, peer); }
SIMT_CU cuCtxGetDevice(CUdevice *device) { return (CUresult)cudaGetDevice(device); }
SIMT_CU cuCtxDetach(CUcontext context) { return cuCtxDestroy(context); }
SIMT_CU cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) { return (void)peer, (void)flags, CUDA_SUCCESS; }
SIMT_CU cuCtxDisablePeerAccess(CUcontext peer) { return (void)peer, CUDA_SUCCESS; }
SIMT_CU cuCtxSetCacheConfig(CUfunc_cache config) { return (void)config, CUDA_SUCCESS; }
SIMT_CU cuCtxSetLimit(CUlimit limit, size_t value)
{ return (CUresult)cudaDeviceSetLimit((enum cudaLimit)limit, value); }
SIMT_CU cuCtxGetLimit(size_t *value, CUlimit limit)
{ return (CUresult)cudaDeviceGetLimit(value, (enum cudaLimit)limit); }
SIMT_CU cuCtxGetStreamPriorityRange(int *least, int *greatest)
{ return (CUresult)cudaDeviceGetStreamPriorityRange(least, greatest); }
SIMT_CU cuCtxSynchronize(void) { return (CUresult)cudaDeviceSynchronize(); }

/* The body of a function that gives an address: of the call, which stores it in p. */
#define SIMT_ADDRESS(call)                                \
    {                                                     \
        void *p = NULL;                                   \
        const cudaError_t e = (call);                     \
        *ptr = (CUdeviceptr)(uintptr_t)p;                 \
        return (CUresult)e;                               \
    }
SIMT_CU cuMemAlloc(CUdeviceptr *ptr, size_t bytes)
SIMT_ADDRESS(bytes ? cudaMalloc(&p, bytes) : cudaErrorInvalidValue)
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

SIMT_CU cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{ return (CUresult)cudaMemcpyAsync((void *)(uintptr_t)dst, src, bytes, cudaMemcpyHostToDevice, stream); }
SIMT_CU cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{ return (CUresult)cudaMemcpyAsync(dst, (const void *)(uintptr_t)src, bytes, cudaMemcpyDeviceToHost, stream); }
SIMT_CU cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return (CUresult)cudaMemcpyAsync((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes,
                                     cudaMemcpyDeviceToDevice, stream);
}
SIMT_CU cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{ return (CUresult)cudaMemcpy((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes, cudaMemcpyDefault); }
SIMT_CU cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    return (CUresult)cudaMemcpyAsync((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes, cudaMemcpyDefault,
                                     stream);
}
SIMT_CU cuMemsetD8Async(CUdeviceptr ptr, unsigned char value, size_t n, CUstream stream)
{ return (CUresult)cudaMemsetAsync((void *)(uintptr_t)ptr, value, n, stream); }
/* n elements of 2 or 4 bytes. */
SIMT_CU simt_fill(CUdeviceptr ptr, const void *value, size_t size, size_t n)
{
    const char *byte = (const char *)value;
    size_t i;
    for (i = 1; i < size && byte[i] == byte[0]; ++i) {
    }
    if (i == size)
        return (CUresult)cudaMemset((void *)(uintptr_t)ptr, byte[0], n * size);
    char *all = (char *)malloc(n * size);
    if (!all)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (i = 0; i < n; ++i)
        memcpy(all + i * size, value, size);
    const CUresult e = (CUresult)cudaMemcpy((void *)(uintptr_t)ptr, all, n * size, cudaMemcpyHostToDevice);
    free(all);
    return e;
}
SIMT_CU cuMemsetD16(CUdeviceptr ptr, unsigned short value, size_t n) { return simt_fill(ptr, &value, 2, n); }
SIMT_CU cuMemsetD32(CUdeviceptr ptr, unsigned int value, size_t n) { return simt_fill(ptr, &value, 4, n); }
SIMT_CU cuMemsetD32Async(CUdeviceptr ptr, unsigned int value, size_t n, CUstream stream)
{ return (void)stream, simt_fill(ptr, &value, 4, n); }
SIMT_CU cuMemAllocManaged(CUdeviceptr *ptr, size_t bytes, unsigned int flags)
SIMT_ADDRESS(cudaMallocManaged(&p, bytes, flags))
SIMT_CU cuMemAllocPitch(CUdeviceptr *ptr, size_t *pitch, size_t width, size_t height, unsigned int element)
SIMT_ADDRESS(((void)element, cudaMallocPitch(&p, pitch, width, height)))
SIMT_CU cuMemHostAlloc(void **ptr, size_t bytes, unsigned int flags)
{ return (CUresult)cudaHostAlloc(ptr, bytes, flags); }
SIMT_CU cuMemHostGetDevicePointer(CUdeviceptr *ptr, void *host, unsigned int flags)
SIMT_ADDRESS(cudaHostGetDevicePointer(&p, host, flags))
SIMT_CU cuMemHostRegister(void *ptr, size_t bytes, unsigned int flags)
{ return (CUresult)cudaHostRegister(ptr, bytes, flags); }
SIMT_CU cuMemHostUnregister(void *ptr) { return (CUresult)cudaHostUnregister(ptr); }
/* The allocation granularity: pages of 2 MiB. */
SIMT_CU cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties,
                                      CUmemAllocationGranularity_flags which)
{ return (void)which, *bytes = 2 << 20, properties ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }

/* ---- arrays and textures ---- */

SIMT_CU simt_channels(struct cudaChannelFormatDesc *desc, CUarray_format format, unsigned int n)
{
    const int bits = format == CU_AD_FORMAT_HALF ? 16 : 8 << ((format - 1) & 3);
    memset(desc, 0, sizeof *desc);
    desc->x = format == CU_AD_FORMAT_FLOAT ? 32 : bits;
    desc->y = n > 1 ? desc->x : 0;
    desc->z = desc->w = n > 2 ? desc->x : 0;
    desc->f = format >= CU_AD_FORMAT_HALF ? cudaChannelFormatKindFloat
              : format >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
    return n == 1 || n == 2 || n == 4 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
SIMT_CU cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *what)
{
    struct cudaChannelFormatDesc desc;
    const CUresult e = simt_channels(&desc, what->Format, what->NumChannels);
    return e ? e : (CUresult)cudaMallocArray(array, &desc, what->Width, what->Height, 0);
}
SIMT_CU cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *what)
{
    struct cudaChannelFormatDesc desc;
    const CUresult e = simt_channels(&desc, what->Format, what->NumChannels);
    const struct cudaExtent extent = {what->Width, what->Height, what->Depth};
    return e ? e : (CUresult)cudaMalloc3DArray(array, &desc, extent, what->Flags);
}
SIMT_CU cuArrayDestroy(CUarray array) { return (CUresult)cudaFreeArray(array); }
SIMT_CU cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
    const char *from = (c->srcMemoryType == CU_MEMORYTYPE_HOST ? (const char *)c->srcHost
                                                               : (const char *)(uintptr_t)c->srcDevice);
    char *to = c->dstMemoryType == CU_MEMORYTYPE_HOST ? (char *)c->dstHost : (char *)(uintptr_t)c->dstDevice;
    const size_t from_pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes;
    const size_t to_pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes;
    const int out_of_array = c->srcMemoryType == CU_MEMORYTYPE_ARRAY;
    const int into_array = c->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    if (!out_of_array) from += c->srcY * from_pitch + c->srcXInBytes;
    if (!into_array) to += c->dstY * to_pitch + c->dstXInBytes;
    if (out_of_array && into_array)
        return (CUresult)cudaMemcpy2DArrayToArray(c->dstArray, c->dstXInBytes, c->dstY, c->srcArray, c->srcXInBytes,
                                                  c->srcY, c->WidthInBytes, c->Height, cudaMemcpyDeviceToDevice);
    if (into_array)
        return (CUresult)cudaMemcpy2DToArray(c->dstArray, c->dstXInBytes, c->dstY, from, from_pitch, c->WidthInBytes,
                                             c->Height, cudaMemcpyDefault);
    if (out_of_array)
        return (CUresult)cudaMemcpy2DFromArray(to, to_pitch, c->srcArray, c->srcXInBytes, c->srcY, c->WidthInBytes,
                                               c->Height, cudaMemcpyDefault);
    return (CUresult)cudaMemcpy2D(to, to_pitch, from, from_pitch, c->WidthInBytes, c->Height, cudaMemcpyDefault);
}
SIMT_CU cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) { return cuMemcpy2D(copy); }
SIMT_CU cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) { return (void)stream, cuMemcpy2D(copy); }
SIMT_CU cuMemcpyHtoA(CUarray dst, size_t offset, const void *src, size_t bytes)
{ return (CUresult)cudaMemcpyToArray(dst, offset, 0, src, bytes, cudaMemcpyHostToDevice); }
SIMT_CU cuMemcpyAtoH(void *dst, CUarray src, size_t offset, size_t bytes)
{ return (CUresult)cudaMemcpyFromArray(dst, src, offset, 0, bytes, cudaMemcpyDeviceToHost); }

SIMT_CU simt_resource(struct cudaResourceDesc *to, const CUDA_RESOURCE_DESC *from)
{
    memset(to, 0, sizeof *to);
    to->resType = (enum cudaResourceType)from->resType;
    switch (from->resType) {
    case CU_RESOURCE_TYPE_ARRAY: to->res.array.array = from->res.array.hArray; return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
        to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        return simt_channels(&to->res.linear.desc, from->res.linear.format, from->res.linear.numChannels);
    case CU_RESOURCE_TYPE_PITCH2D:
        to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
        to->res.pitch2D.width = from->res.pitch2D.width;
        to->res.pitch2D.height = from->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        return simt_channels(&to->res.pitch2D.desc, from->res.pitch2D.format, from->res.pitch2D.numChannels);
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
}
SIMT_CU cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *what, const CUDA_TEXTURE_DESC *how,
                          const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    const CUresult e = view ? CUDA_ERROR_NOT_SUPPORTED : simt_resource(&resource, what);
    if (e) return e;
    memset(&texture, 0, sizeof texture);
    for (int i = 0; i < 3; ++i)
        texture.addressMode[i] = (enum cudaTextureAddressMode)how->addressMode[i];
    texture.filterMode = (enum cudaTextureFilterMode)how->filterMode;
    /* Integers are normalised to fractions unless a flag forbids it; floats stay unchanged. */
    texture.readMode = how->flags & CU_TRSF_READ_AS_INTEGER || what->resType == CU_RESOURCE_TYPE_ARRAY ?
        cudaReadModeElementType : cudaReadModeNormalizedFloat;
    if (what->resType == CU_RESOURCE_TYPE_ARRAY && !(how->flags & CU_TRSF_READ_AS_INTEGER)) {
        struct cudaChannelFormatDesc desc;
        cudaGetChannelDesc(&desc, what->res.array.hArray);
        if (desc.f != cudaChannelFormatKindFloat && desc.x < 32)
            texture.readMode = cudaReadModeNormalizedFloat;
    }
    texture.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    texture.sRGB = (how->flags & CU_TRSF_SRGB) != 0;
    memcpy(texture.borderColor, how->borderColor, sizeof texture.borderColor);
    return (CUresult)cudaCreateTextureObject(object, &resource, &texture, NULL);
}
SIMT_CU cuTexObjectDestroy(CUtexObject object) { return (CUresult)cudaDestroyTextureObject(object); }
SIMT_CU cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *what)
{
    struct cudaResourceDesc resource;
    const CUresult e = simt_resource(&resource, what);
    return e ? e : (CUresult)cudaCreateSurfaceObject(object, &resource);
}
SIMT_CU cuSurfObjectDestroy(CUsurfObject object) { return (CUresult)cudaDestroySurfaceObject(object); }

/* ---- launches ---- */

SIMT_CU cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                       unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                       CUstream stream, void **arguments, void **extra)
{
    const dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
    return simt_launch_function(function, grid, block, shared, stream, arguments, extra, 0);
}
SIMT_CU cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                  unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                                  CUstream stream, void **arguments)
{
    const dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
    return simt_launch_function(function, grid, block, shared, stream, arguments, NULL, 1);
}
SIMT_CU cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    struct cudaFuncAttributes a;
    const cudaError_t e = cudaFuncGetAttributes(&a, simt_kernel_of(function));
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)a.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)a.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)a.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = a.maxDynamicSharedSizeBytes; break;
    default: *value = 0;
    }
    return (CUresult)e;
}
SIMT_CU cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{ return (CUresult)cudaFuncSetAttribute(simt_kernel_of(function), (enum cudaFuncAttribute)attribute, value); }
SIMT_CU cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{ return (void)function, (void)config, CUDA_SUCCESS; }
SIMT_CU cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size, size_t dynamic)
{
    const void *kernel = simt_kernel_of(function);
    return (CUresult)cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic);
}
#ifdef __cplusplus
typedef size_t (*CUoccupancyB2DSize)(int block_size);
SIMT_CU cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block, CUfunction function, CUoccupancyB2DSize bytes_of,
                                         size_t dynamic, int limit)
{
    if (bytes_of)
        return (CUresult)cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block, function, bytes_of, limit);
    return (CUresult)cudaOccupancyMaxPotentialBlockSize(min_grid, block, function, dynamic, limit);
}
#endif

/* ---- streams and events ---- */

SIMT_CU cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{ return (CUresult)cudaStreamCreateWithPriority(stream, flags, priority); }
SIMT_CU cuStreamQuery(CUstream stream) { return (CUresult)cudaStreamQuery(stream); }
SIMT_CU cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{ return (CUresult)cudaStreamWaitEvent(stream, event, flags); }
SIMT_CU cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{ return (CUresult)cudaLaunchHostFunc(stream, function, data); }
SIMT_CU cuEventCreate(CUevent *event, unsigned int flags) { return (CUresult)cudaEventCreateWithFlags(event, flags); }
SIMT_CU cuEventRecord(CUevent event, CUstream stream) { return (CUresult)cudaEventRecord(event, stream); }
SIMT_CU cuEventQuery(CUevent event) { return (CUresult)cudaEventQuery(event); }
SIMT_CU cuEventSynchronize(CUevent event) { return (CUresult)cudaEventSynchronize(event); }
SIMT_CU cuEventElapsedTime(float *ms, CUevent start, CUevent stop)
{ return (CUresult)cudaEventElapsedTime(ms, start, stop); }
SIMT_CU cuEventDestroy(CUevent event) { return (CUresult)cudaEventDestroy(event); }
SIMT_CU cuStreamCreate(CUstream *stream, unsigned int flags)
{ return (CUresult)cudaStreamCreateWithFlags(stream, flags); }
SIMT_CU cuStreamSynchronize(CUstream stream) { return (CUresult)cudaStreamSynchronize(stream); }
SIMT_CU cuStreamDestroy(CUstream stream) { return (CUresult)cudaStreamDestroy(stream); }

#include "simt_driver.h"

#endif
