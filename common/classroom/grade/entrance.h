/*
 * entrance.h - compiled after preamble.h and before a submission: includes the headers of its chapter and poisons
 * words.  With some of these words a submission could detect the compiler and behave differently; others are assembler,
 * or attributes whose text is copied to the assembler's input.  The build also poisons the simulator's names, those of
 * the sanitizers that it implements, system macros with assembler, and macros that its flags define.  The compiler
 * refuses such a word wherever it occurs, even if a macro composes it.
 *
 * inspect_code.c checks accesses and calls in the object file, whatever words have produced them.
 */
#pragma GCC system_header // suppresses warnings of ours
#include "chapter.h"
#if __has_include("search.h") // chapter 07
#include "search.h"
#endif
#pragma GCC poison __SIMT__ __CUDACC__ __NVCC__ __CUDA_ARCH__ __SANITIZE_THREAD__ __has_include __has_include_next
#pragma GCC poison __has_builtin __has_attribute __has_cpp_attribute
#pragma GCC poison asm __asm __asm__ simt section __section__ alias __alias__ weakref __weakref__ ifunc __ifunc__
#pragma GCC poison symver __symver__
