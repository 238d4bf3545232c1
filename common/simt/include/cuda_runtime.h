/* cuda_runtime.h - the API for everybody, and for C++ what stands inside a kernel. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus
#include "simt_device.h"
#include "simt_launch.h"
#endif

#endif
