/*
 * entrance.h - stands behind preamble.h in front of a submission: the headers of its chapter, and the words that it may
 * not say.  By some it could tell which compiler reads it, and be two programs; others are assembler, or attributes
 * with texts that go into the assembler's file as they are.  The kit adds all names of the simulator's, those of the
 * sanitizers that it stands in for, macros of the system's with assembler in them, and macros that its flags define.
 * The compiler refuses such a word wherever it comes from, also if a macro puts it together.
 *
 * What an access or a call does is seen in the object, whatever words have led to it (inspect_code.c).
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
