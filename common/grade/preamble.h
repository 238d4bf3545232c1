/*
 * preamble.h - stands in front of every submission: the headers it may use, and the words it may not.
 *
 * Assembler and uninstrumented code would escape the stand-in's checks and counts, memcpy in a kernel is not seen by
 * it, and a submission that knows which back end compiles it could be two programs.
 */
#include "chapter.h"
#if __has_include("search.h") // chapter 07
#include "search.h"
#endif
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <type_traits>
#pragma GCC poison asm __asm __asm__ constructor __constructor__ destructor __destructor__ alias ifunc section
#pragma GCC poison no_sanitize __no_sanitize__ no_sanitize_thread no_instrument_function
#pragma GCC poison disable_sanitizer_instrumentation mempcpy __builtin_mempcpy __builtin___memcpy_chk
#pragma GCC poison __builtin___memmove_chk __builtin___mempcpy_chk __builtin_strncpy __builtin_stpncpy
#pragma GCC poison optimize __optimize__ memcpy memmove __builtin_memcpy __builtin_memmove __builtin_bcopy bcopy
#undef __SIMT__
#pragma GCC poison __SIMT__ __CUDACC__ __NVCC__ __CUDA_ARCH__
