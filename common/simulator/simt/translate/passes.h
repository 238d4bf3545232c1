/*
 * passes.h - two passes of the preprocessor over one file, without and with __CUDA_ARCH__, as one text.
 *
 * nvcc compiles a file twice, and what stands under #ifdef __CUDA_ARCH__ is for the GPU alone.  Here both are one
 * program: a kernel or __device__ function has the body of the GPU's pass, a host function that of the host's, and one
 * that is both asks where it runs, if the two differ.
 */
#ifndef SIMT_PASSES_H
#define SIMT_PASSES_H

#include "tokens.h"

/* Says for the tokens of the host's pass what of the GPU's stands instead. */
void passes_join(tokens_t *host, const tokens_t *card);

/* The next function that is the GPU's, from token *i on: its braces; *i is behind it then.  false: there is none. */
bool passes_function_of_card(const tokens_t *t, size_t *i, size_t *open, size_t *close);

/* An array whose size is known only when the function runs, which g++ takes and nvcc does not: an error in functions of
 * the GPU. */
void passes_refuse_vla(tokens_t *t);

#endif
