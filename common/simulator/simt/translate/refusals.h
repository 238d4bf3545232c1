/* refusals.h - errors that nvcc reports and g++ does not, because it knows nothing of the GPU. */
#ifndef SIMT_REFUSALS_H
#define SIMT_REFUSALS_H

#include "tokens.h"

/*
 * Is nothing in a pass of the preprocessor that nvcc refuses, in functions of the GPU (of_gpu) or of the host?  What
 * is there is named on standard error with its file and line:
 * - the GPU's functions call what is the host's, or the host's what is the GPU's;
 * - a kernel is called as a function, a function launched as a kernel, a kernel gives something back;
 * - dynamic shared memory of one name has two types, a __shared__ variable an initializer;
 * - a copy or a launch gets the address of a variable of the GPU's from the host;
 * - there are exceptions in a function of the GPU.
 * Looked at are functions of the program in no class and no template, that are called by their names alone, and what
 * kernels name of the C library; a name that is declared in two ways, or is a variable as well, passes.
 */
bool refusals_none(const tokens_t *t, bool of_gpu);

#endif
