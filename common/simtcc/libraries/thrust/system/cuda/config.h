/* thrust/system/cuda/config.h - Thrust's GPU back end on the simulator, without CUB. */
#pragma once

#include <thrust/detail/config.h>
#include <cuda/functional>        /* programs for CUDA 13 rely on Thrust to include it */
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda_runtime.h>

#define THRUST_FUNCTION inline
#define THRUST_HOST_FUNCTION inline
#define THRUST_DEVICE_FUNCTION inline
#define THRUST_RUNTIME_FUNCTION inline
#define __THRUST_HAS_CUDART__ 1
