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

#define __SIMT__ 1              /* set on this back end only */
#ifdef SIMT_PROGRAM             /* simtcc stands for CUDA 13 */
#define CUDART_VERSION 13000
#else
#define CUDART_VERSION 12000
#endif
#define CUDARTAPI
#define __CUDA_RUNTIME_API_H__

#ifdef __cplusplus
extern "C" {
#endif

/* Device.  There is one, called "simt", with an H200's figures; SIMT_DEVICES=2 in the environment makes it two, which
   share one memory.  What only a card or a driver has is accepted and does nothing. */
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
/* Names that CUDA has given up. */
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);

/* Errors. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* Memory.  Allocations are 256-byte aligned, never initialised, with red zones around. */
cudaError_t cudaMalloc(void **ptr, size_t bytes);
cudaError_t cudaFree(void *ptr);
cudaError_t cudaMallocHost(void **ptr, size_t bytes);
cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void *ptr);
cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void *ptr, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream);

/* Streams and events: they keep order and nothing else.  cudaEventElapsedTime sets 0 and
   returns cudaErrorNotSupported: there is no time here that could be mistaken for one; in a program of simtcc's it is
   the time of the CPU between the two records (simt_set_program). */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop);

/* Kernels. */
cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int block_size, size_t dynamic_bytes);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind);

#ifdef __cplusplus
}

/* The typed forms that CUDA offers to C++. */
template <class T> inline cudaError_t cudaMalloc(T **ptr, size_t bytes)
{ return cudaMalloc((void **)ptr, bytes); }
template <class T> inline cudaError_t cudaMallocHost(T **ptr, size_t bytes)
{ return cudaMallocHost((void **)ptr, bytes); }
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
{ return cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind); }
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{ return cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind); }
inline cudaError_t cudaEventRecord(cudaEvent_t event) { return cudaEventRecord(event, nullptr); }
inline cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{ return cudaMemcpyAsync(dst, src, bytes, kind, nullptr); }
inline cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes)
{ return cudaMemsetAsync(ptr, value, bytes, nullptr); }
#endif

#endif
