/* thrust/system/cuda/config.h - Thrust's back end for a GPU, as far as the simulator has one: without CUB. */
#pragma once

#include <thrust/detail/config.h>
#include <cuda/functional>        /* as Thrust of CUDA 13 does, whose programs name cuda::std without more */
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda_runtime.h>

#define THRUST_FUNCTION inline
#define THRUST_HOST_FUNCTION inline
#define THRUST_DEVICE_FUNCTION inline
#define THRUST_RUNTIME_FUNCTION inline
#define __THRUST_HAS_CUDART__ 1
