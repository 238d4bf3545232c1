/*
 * entrance.h - stands behind preamble.h in front of a submission: the headers of its chapter, and the words by which it
 * could tell which compiler reads it.  A submission that knows which back end is at work could be two programs.
 *
 * What else may not be said is the business of directives.awk and inspect_words.c.
 */
#pragma GCC system_header // no warnings of ours
#include "chapter.h"
#if __has_include("search.h") // chapter 07
#include "search.h"
#endif
#undef __SIMT__
#undef SIMT_SUBMISSION
#undef SIMT_PLAIN_ARGUMENTS
#pragma GCC poison __SIMT__ __CUDACC__ __NVCC__ __CUDA_ARCH__
