/* cuda_runtime.h - the runtime API, and in C++ also the names for kernels. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#define __CUDA_RUNTIME_H__

#ifdef SIMT_UNCHECKED           /* tells the simulator that this object has no hooks */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, used)) char simt_unchecked_code;
#ifdef __cplusplus
}
#endif
#endif

#ifdef SIMT_PROGRAM             /* headers that nvcc includes before every file */
#ifdef __cplusplus              /* symbol that another linker reports as missing; its name tells the cure */
extern "C" const char simt_links_with_simtcc__CMake_needs_its_toolchain_file;
__attribute__((used)) static const char *const simt_linked = &simt_links_with_simtcc__CMake_needs_its_toolchain_file;
#endif
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#ifdef __CUDACC_EXTENDED_LAMBDA__
#include <functional>
#endif
#endif
#endif

/* No kernels, as in CUDA, in a host file that g++ compiles by itself; before C++17 <cmath> has all functions only on
   demand. */
#if defined __cplusplus && __cplusplus < 201703L && !defined __STDCPP_WANT_MATH_SPEC_FUNCS__
#include "simt_textures.h"
#elif defined __cplusplus
#include "simt_device.h"
#include "simt_math.h"
#include "simt_simd.h"
#include "simt_launch.h"
#include "simt_textures.h"
#include "simt_ptx.h"
#include "simt_mbarrier.h"
#include "simt_ptx_mma.h"
#include "simt_ptx_more.h"
#ifdef SIMT_PROGRAM
#include "simt_clusters.h"
#include "simt_heap.h"
#include "simt_nv_atomics.h"
#endif
#endif

#endif
