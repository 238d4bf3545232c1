/*
 * cuda_runtime_api.h - the part of the CUDA runtime API that the course, its exercises and what learners bring along
 * need, on the CPU.
 *
 * Usable from C and C++.  Names, types and values are CUDA's; what a call does here
 * differs only where a comment says so.  Every call is synchronous: a stream is only
 * a name, and work is done by the time the call returns.
 *
 * After a kernel fault (simt.h) every call that touches the device returns the fault's
 * error until simt_fault_clear(); cudaFree still frees, so cleaning up never leaks.
 */
#ifndef SIMT_CUDA_RUNTIME_API_H
#define SIMT_CUDA_RUNTIME_API_H

#include <stddef.h>
#include "device_types.h"
#include "driver_types.h"
#include "library_types.h"

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error the default stream is the legacy one here and no thread has its own: name cudaStreamPerThread
#endif
#define __SIMT__ 1              /* defined only by the simulator */
#define CUDART_VERSION 13000
#define CUDARTAPI
#define __CUDA_RUNTIME_API_H__

#ifdef __cplusplus
#define SIMT_ELSE(value) = value        /* default argument in C++ */
extern "C" {
#else
#define SIMT_ELSE(value)
#endif

/* Device.  There is one, called "simt", with an H200's figures; SIMT_DEVICES=2 in the environment makes it two, which
   share one memory.  What only a GPU or a driver has is accepted and does nothing. */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetValidDevices(int *devices, int n);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);              /* frees every allocation */
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int from, int to);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
/* Names that CUDA has removed. */
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);

/* Errors. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* Memory.  Allocations are 256-byte aligned, never initialised, with red zones around.  Pools share one memory; what is
   allocated or freed on a stream is so at once.  Managed memory counts as initialised. */
cudaError_t cudaMalloc(void **ptr, size_t bytes);
cudaError_t cudaFree(void *ptr);
cudaError_t cudaMallocHost(void **ptr, size_t bytes);
cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void *ptr);
cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *ptr);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream);
cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr);
cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice, int device);
cudaError_t cudaMemRangeGetAttribute(void *data, size_t bytes, enum cudaMemRangeAttribute attribute, const void *ptr,
                                     size_t count);
cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpyPeer(void *dst, int to, const void *src, int from, size_t bytes);
cudaError_t cudaMemset(void *ptr, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind);
/* Returns an error unless `bytes` from `offset` on lie in a symbol of that size. */
cudaError_t simt_symbol_end(size_t size, size_t offset, size_t bytes);
void simt_symbol_given(const void *symbol, size_t size);    /* returns its address; from now on it counts as written */

/* Pools. */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t n);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location);

/* Memory of another process: cudaErrorNotSupported. */
/* A pool for another process, by the descriptor of a file that is handed over, and buffers of it by data. */
cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool, enum cudaMemAllocationHandleType type,
                                               unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 enum cudaMemAllocationHandleType type, unsigned int flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *ptr);
cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t pool, struct cudaMemPoolPtrExportData *data);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr);
cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *ptr);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

/* Streams and events: they keep order and nothing else.  cudaEventElapsedTime sets 0 and
   returns cudaErrorNotSupported: there is no time here that could be mistaken for one; in a program of simtcc's it is
   the time of the CPU between the two records (simt_set_cpu_time). */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *v);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *v);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream SIMT_ELSE(0),
                                     unsigned int flags SIMT_ELSE(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop);

/* Graphs.  A captured stream's calls become nodes, one after the other, behind what the stream waits for. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t simt_capture_into(cudaStream_t stream, cudaGraph_t graph);
cudaError_t simt_capture_after(cudaStream_t stream, const cudaGraphNode_t *nodes, size_t n, int alone);
cudaError_t simt_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                              cudaGraph_t *graph, const cudaGraphNode_t **last, size_t *n);
/* api_graph_nodes.cpp */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                     struct cudaMemAllocNodeParams *params);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                    void *ptr);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int at_first SIMT_ELSE(0), unsigned int flags SIMT_ELSE(0));
cudaError_t simt_add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                          struct cudaGraphNodeParams *params);
void simt_set_conditional(cudaGraphConditionalHandle handle, unsigned int value);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph);
/* User objects, which graphs share: destroy(data) destroys one when no reference is left. */
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *data, cudaHostFn_t destroy, unsigned int references,
                                 unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count);
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                     void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaMemsetParams *params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                 const struct cudaHostNodeParams *params);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                       cudaGraph_t child);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     size_t n);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *before, size_t *n);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t bytes,
                                           enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int on);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *on);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags SIMT_ELSE(0));
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src,
                                               size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);

/* Arrays: rows of texels, for textures and surfaces; a copy sees them as plain memory. */
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height
                            SIMT_ELSE(0), unsigned int flags SIMT_ELSE(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                              unsigned int flags SIMT_ELSE(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int levels, unsigned int flags SIMT_ELSE(0));
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *one, cudaMipmappedArray_const_t array, unsigned int level);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream SIMT_ELSE(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream SIMT_ELSE(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src, size_t src_x,
                                     size_t src_y, size_t width, size_t height, enum cudaMemcpyKind kind
                                     SIMT_ELSE(cudaMemcpyDeviceToDevice));

/* Textures and surfaces. */
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);

/* Kernels.  One is launched by its address if that was taken as (void *)kernel, or by a typed call. */
cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *func);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int block_size, size_t dynamic_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func, int block_size,
                                                                   size_t dynamic_bytes, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int blocks, int block_size);
cudaError_t simt_best_block(int *min_grid, int *block, size_t (*bytes_of)(const void *data, int size), const void *data,
                            int limit);
cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared SIMT_ELSE(0),
                             cudaStream_t stream SIMT_ELSE(0));
cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args,
                                        size_t shared SIMT_ELSE(0), cudaStream_t stream SIMT_ELSE(0));
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *func, const cudaLaunchConfig_t *config);

/* Calls with default arguments in C++. */
#define SIMT_STREAM cudaStream_t stream SIMT_ELSE(0)
cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags SIMT_ELSE(cudaMemAttachGlobal));
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags SIMT_ELSE(0));
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device, SIMT_STREAM);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t bytes SIMT_ELSE(0),
                                     unsigned int flags SIMT_ELSE(cudaMemAttachSingle));
cudaError_t cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t bytes, SIMT_STREAM);
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, SIMT_STREAM);
cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height, SIMT_STREAM);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent, SIMT_STREAM);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, SIMT_STREAM);
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags SIMT_ELSE(0));

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{ struct cudaExtent e = {width, height, depth}; return e; }
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) { struct cudaPos p = {x, y, z}; return p; }
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t width, size_t height)
{ struct cudaPitchedPtr p = {ptr, pitch, width, height}; return p; }

#ifdef __cplusplus
}

/* Default arguments in C++. */
extern "C" {
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count = 1);
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count = 1);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count = 1,
                                      unsigned int flags = 0);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count = 1);
}

/* The typed forms that CUDA offers to C++. */
template <class T> inline cudaError_t cudaMalloc(T **ptr, size_t bytes)
{ return cudaMalloc((void **)ptr, bytes); }
template <class T> inline cudaError_t cudaMallocHost(T **ptr, size_t bytes, unsigned int flags = cudaHostAllocDefault)
{ return cudaHostAlloc((void **)ptr, bytes, flags); }
template <class T> inline cudaError_t cudaMallocAsync(T **ptr, size_t bytes, cudaStream_t stream)
{ return cudaMallocAsync((void **)ptr, bytes, stream); }
template <class... A>
inline cudaError_t cudaFuncSetAttribute(void (*func)(A...), enum cudaFuncAttribute attr, int value)
{ return cudaFuncSetAttribute((const void *)func, attr, value); }
template <class... A>
inline cudaError_t cudaFuncSetCacheConfig(void (*func)(A...), enum cudaFuncCache config)
{ return cudaFuncSetCacheConfig((const void *)func, config); }
template <class... A>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*func)(A...),
                                                                 int block_size, size_t dynamic_bytes)
{ return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, block_size, dynamic_bytes); }
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    const cudaError_t e = simt_symbol_end(sizeof symbol, offset, bytes);
    return e ? e : cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    const cudaError_t e = simt_symbol_end(sizeof symbol, offset, bytes);
    return e ? e : cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = nullptr)
{ return cudaMemcpyToSymbol(symbol, src, bytes, offset, kind); }
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t = nullptr)
{ return cudaMemcpyFromSymbol(dst, symbol, bytes, offset, kind); }
template <class T> inline cudaError_t cudaGetSymbolAddress(void **ptr, const T &symbol)
{ return simt_symbol_given(&symbol, sizeof symbol), *ptr = (void *)&symbol, cudaSuccess; }
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{ return *size = sizeof symbol, cudaSuccess; }
template <class T>
inline cudaError_t cudaMallocManaged(T **ptr, size_t bytes, unsigned int flags = cudaMemAttachGlobal)
{ return cudaMallocManaged((void **)ptr, bytes, flags); }
template <class T> inline cudaError_t cudaHostAlloc(T **ptr, size_t bytes, unsigned int flags)
{ return cudaHostAlloc((void **)ptr, bytes, flags); }
template <class T> inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{ return cudaHostGetDevicePointer((void **)device, host, flags); }
template <class T> inline cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height)
{ return cudaMallocPitch((void **)ptr, pitch, width, height); }
template <class T> inline cudaError_t cudaMallocAsync(T **ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{ return cudaMallocFromPoolAsync((void **)ptr, bytes, pool, stream); }
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{ return cudaMallocFromPoolAsync((void **)ptr, bytes, pool, stream); }
inline cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, struct cudaMemLocation where, unsigned int,
                                        cudaStream_t stream = nullptr)
{
    const int device = where.type == cudaMemLocationTypeDevice ? where.id : cudaCpuDeviceId;
    return cudaMemPrefetchAsync(ptr, bytes, device, stream);
}
inline cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation where)
{ return cudaMemAdvise(ptr, bytes, advice, where.id); }
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *ptr, size_t bytes = 0,
                                            unsigned int flags = cudaMemAttachSingle)
{ return cudaStreamAttachMemAsync(stream, (void *)ptr, bytes, flags); }
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{ return cudaEventCreateWithFlags(event, flags); }
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *, char *, size_t)
{ return cudaGraphInstantiate(exec, graph, 0); }
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
                                       enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t e = cudaGraphExecUpdate(exec, graph, &info);
    if (node) *node = info.errorNode;
    if (result) *result = info.result;
    return e;
}
inline cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams &params)
{ return cudaGraphKernelNodeGetParams(node, &params); }
template <class T> inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *func)
{ return cudaFuncGetAttributes(attributes, (const void *)func); }
template <class... A>
inline cudaError_t cudaFuncSetSharedMemConfig(void (*func)(A...), enum cudaSharedMemConfig config)
{ return cudaFuncSetSharedMemConfig((const void *)func, config); }
template <class... A>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void (*func)(A...),
                                                                          int block_size, size_t dynamic_bytes,
                                                                          unsigned int flags)
{ return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)func, block_size, dynamic_bytes,
                                                                flags); }
template <class... A>
inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, void (*func)(A...), const cudaLaunchConfig_t *config)
{ return cudaOccupancyMaxActiveClusters(clusters, (const void *)func, config); }
template <class... A>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, void (*func)(A...),
                                                        const cudaLaunchConfig_t *config)
{ return cudaOccupancyMaxPotentialClusterSize(blocks, (const void *)func, config); }
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block, T, size_t dynamic_bytes = 0,
                                                      int limit = 0)
{
    return simt_best_block(min_grid, block, [](const void *bytes, int) { return *(const size_t *)bytes; },
                           &dynamic_bytes, limit);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block, T func,
                                                               size_t dynamic_bytes = 0, int limit = 0,
                                                               unsigned int = 0)
{ return cudaOccupancyMaxPotentialBlockSize(min_grid, block, func, dynamic_bytes, limit); }
template <class U, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block, T, U bytes_of,
                                                                  int limit = 0)
{
    return simt_best_block(min_grid, block, [](const void *f, int size) { return (size_t)(*(U *)f)(size); }, &bytes_of,
                           limit);
}
template <class U, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid, int *block, T func,
                                                                           U bytes_of, int limit = 0,
                                                                           unsigned int = 0)
{ return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block, func, bytes_of, limit); }
/* With the data of edges, as since CUDA 13, and without, as before. */
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *,
                                     size_t *n)
{ return cudaGraphGetEdges(graph, from, to, n); }
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *before, cudaGraphEdgeData *,
                                                size_t *n)
{ return cudaGraphNodeGetDependencies(node, before, n); }
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *, size_t n)
{ return cudaGraphAddDependencies(graph, from, to, n); }
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                    const cudaGraphEdgeData *, size_t n, struct cudaGraphNodeParams *params)
{ return simt_add_node(node, graph, after, n, params); }
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                    struct cudaGraphNodeParams *params)
{ return simt_add_node(node, graph, after, n, params); }
inline cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *,
                                                 const cudaGraphEdgeData *, size_t, enum cudaStreamCaptureMode)
{ return simt_capture_into(stream, graph); }
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **last,
                                            const cudaGraphEdgeData **edges, size_t *n)
{
    if (edges) *edges = nullptr;
    return simt_capture_info(stream, status, id, graph, last, n);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                            unsigned long long *id = nullptr, cudaGraph_t *graph = nullptr,
                                            const cudaGraphNode_t **last = nullptr, size_t *n = nullptr)
{ return simt_capture_info(stream, status, id, graph, last, n); }
#define cudaStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo
#define cudaMemAdvise_v2 cudaMemAdvise  /* the forms of CUDA 12, with a location as the last argument */
#define cudaMemPrefetchAsync_v2 cudaMemPrefetchAsync
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                       const cudaGraphEdgeData *, size_t n, unsigned int alone = 0)
{ return simt_capture_after(stream, nodes, n, alone == 1); }
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes, size_t n,
                                                       unsigned int alone = 0)
{ return simt_capture_after(stream, nodes, n, alone == 1); }
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value)
{ simt_set_conditional(handle, value); }
inline cudaError_t cudaEventRecord(cudaEvent_t event) { return cudaEventRecord(event, nullptr); }
inline cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{ return cudaMemcpyAsync(dst, src, bytes, kind, nullptr); }
inline cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes)
{ return cudaMemsetAsync(ptr, value, bytes, nullptr); }
#endif

#endif
