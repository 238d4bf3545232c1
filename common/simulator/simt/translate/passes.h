/* passes.h - joins two passes of the preprocessor over one file, without and with __CUDA_ARCH__, to one text.  nvcc
 * compiles a file twice, and code under #ifdef __CUDA_ARCH__ is for the GPU only.  Here both are one program: a
 * kernel or __device__ function gets the body of the GPU's pass, a host function that of the host's pass, and a
 * function for both tests where it runs if the two bodies differ. */
#ifndef SIMT_PASSES_H
#define SIMT_PASSES_H

#include "tokens.h"

/* Replaces tokens of the host's pass by those of the GPU's pass. */
void passes_join(tokens_t *host, const tokens_t *gpu);

/* Finds the next function of the GPU from token *i on: returns its braces, and moves *i past it.  false: there is
 * none. */
bool passes_function_of_gpu(const tokens_t *t, size_t *i, size_t *open, size_t *close);

/* Makes an array whose size is known only at run time an error in functions of the GPU; g++ accepts it, nvcc does
 * not. */
void passes_refuse_vla(tokens_t *t);

#endif
