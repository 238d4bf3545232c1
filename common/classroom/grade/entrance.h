/*
 * entrance.h - is compiled after preamble.h and before a submission: the headers of its chapter, and the words that it
 * may not use.  With some of them it could tell the compilers apart and be two programs; others are assembler, or
 * attributes whose text goes into the assembler's file unchanged.  The build adds all names of the simulator, those of
 * the sanitizers that the simulator implements, system macros that contain assembler, and the macros that its flags
 * define.  The compiler refuses such a word wherever it comes from, even if a macro composes it.
 *
 * Accesses and calls are checked in the object file, whatever words have produced them (inspect_code.c).
 */
#pragma GCC system_header // no warnings of ours
#include "chapter.h"
#if __has_include("search.h") // chapter 07
#include "search.h"
#endif
#pragma GCC poison __SIMT__ __CUDACC__ __NVCC__ __CUDA_ARCH__ __SANITIZE_THREAD__ __has_include __has_include_next
#pragma GCC poison __has_builtin __has_attribute __has_cpp_attribute
#pragma GCC poison asm __asm __asm__ simt section __section__ alias __alias__ weakref __weakref__ ifunc __ifunc__
#pragma GCC poison symver __symver__
