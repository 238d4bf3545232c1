/*
 * preamble.h - stands in front of every submission: the headers it may use, and the words by which it could tell which
 * compiler reads it.  A submission that knows which back end is at work could be two programs.
 *
 * What else may not be said is inspect_words.c's business.
 */
#pragma GCC system_header // no warnings of ours
#include "chapter.h"
#if __has_include("search.h") // chapter 07
#include "search.h"
#endif
#include <algorithm>
#include <assert.h>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <float.h>
#include <limits.h>
#include <limits>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <type_traits>
#include <utility>
#undef __SIMT__
#pragma GCC poison __SIMT__ __CUDACC__ __NVCC__ __CUDA_ARCH__
