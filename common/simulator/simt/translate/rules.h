/*
 * rules.h - CUDA's own words and signs as C++ that g++ reads, a family a file.  Each looks through the tokens of a
 * whole translation unit and says what is written instead.
 */
#ifndef SIMT_RULES_H
#define SIMT_RULES_H

#include "tokens.h"

/* k<<<grid, block>>>(x): simt::launch("k", k, grid, block)(x).  A template whose arguments are to be deduced, a kernel
 * that is overloaded or has default arguments: simt::launch_call("k", a function that calls it, grid, block)(x); with
 * hooks in that function, unless it is of a program, simtcc's, where nobody asks what hides in such a call.
 * (void *)k, for a launch by its address: (void *)simt::kernel_address(k). */
void translate_launches(tokens_t *t, bool of_a_program);

/* __cluster_dims__ of a kernel is told to the runtime, by the kernel's name. */
void translate_clusters(tokens_t *t);

/* __launch_bounds__ is, by the kernel's address; not that of a template, which may depend on its arguments. */
void translate_bounds(tokens_t *t);

/* Every kernel that is no template can be launched by its address: those of a module, which no text here launches. */
void translate_module(tokens_t *t);

/* __shared__ T a[8], b;  a and b become references into the block's shared memory, or, extern, a pointer to its
 * dynamic part.  At file scope the references stand in the functions that name them. */
void translate_shared(tokens_t *t);

/* static int n = 10; in functions of the GPU: n becomes a reference to memory of the GPU, which begins as that. */
void translate_kept(tokens_t *t);

/* __device__, __constant__ and __managed__ before a variable: it stands in a section of its own. */
void translate_variables(tokens_t *t, bool module);

/* asm("..." : ... : ...) with PTX in it: calls of the functions of simt_ptx.h.  false: an instruction is not known,
 * which it has named on standard error with its file and line. */
bool translate_ptx(tokens_t *t);

/* p[i] = f(x), *p = a + b in functions of the GPU: what a function gives, a class perhaps, is a value before it is
 * stored (simt::value).  g++ has no hook where a call itself stores its result. */
void translate_values(tokens_t *t);

/* malloc, free, new, delete, memcpy, memset and clock in functions of the GPU: those of simt_heap.h. */
void translate_heap(tokens_t *t);

/* sin(x) and cos(x) in functions of the GPU: sin(simt::angle(x)). */
void translate_angles(tokens_t *t);

/* float sum; for (...) sum += x; in functions of the GPU: simt::unset("sum", sum) behind the declaration says so when
 * it is run.  Only where it can be read from the text alone: numbers, whose first use changes what they are by what
 * they were, and to which nothing else gives a value. */
void translate_unset(tokens_t *t);
/* case 0: int x = 1; ... case 1: in functions of the GPU: braces around what stands behind a label.  nvcc lets a jump
 * pass a variable that is set; g++ does not. */
void translate_cases(tokens_t *t);

/* #pragma unroll 1 before a loop: simt::next_round() at each of its rounds, over which nothing is joined then. */
void translate_loops(tokens_t *t);
/* Other loops in functions of the GPU: #pragma GCC unroll with the most rounds that nvcc would unroll.  g++ looks
 * whether there are so few. */
void translate_unroll(tokens_t *t);

/* A function of the host alone, in the program's own files: it is not inlined.  Kernels are, wholly, and with the same
 * flags host code of some size would take minutes. */
void translate_apart(tokens_t *t);

/* a<T>::b<n>(x) in functions of the GPU: a<T>::template b<n>(x), which nvcc does not ask for. */
void translate_dependent(tokens_t *t);

/* threadIdx and the like, where they are not the program's own names; qualifiers: __global__, __launch_bounds__, ... */
void translate_words(tokens_t *t);

#endif
