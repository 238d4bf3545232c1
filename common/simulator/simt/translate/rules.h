/*
 * rules.h - CUDA's own words and signs as C++ that g++ reads, a family a file.  Each looks through the tokens of a
 * whole translation unit and says what is written instead.
 */
#ifndef SIMT_RULES_H
#define SIMT_RULES_H

#include "tokens.h"

/* k<<<grid, block>>>(x): simt::launch("k", k, grid, block)(x).  A template whose arguments are to be deduced, a kernel
 * that is overloaded or has default arguments: simt::launch_call("k", a function that calls it, grid, block)(x); with
 * hooks in that function, unless it is of a program, simtcc's, where such calls are not inspected.
 * (void *)k, for a launch by its address: (void *)simt::kernel_address(k). */
void translate_launches(tokens_t *t, bool of_a_program);

/* Passes the __cluster_dims__ of a kernel to the runtime, by the kernel's name. */
void translate_clusters(tokens_t *t);

/* Passes __launch_bounds__ to the runtime, by the kernel's address; not for templates, where it may depend on their
 * arguments. */
void translate_bounds(tokens_t *t);

/* Registers the address of every kernel that is not a template: the kernels of a module are launched by other
 * programs. */
void translate_module(tokens_t *t);

/* __shared__ T a[8], b;  a and b become references into the block's shared memory, or, extern, a pointer to its
 * dynamic part.  At file scope the references stand in the functions that name them. */
void translate_shared(tokens_t *t);

/* static int n = 10; in functions of the GPU: n becomes a reference to GPU memory with this initial value. */
void translate_kept(tokens_t *t);

/* Puts __device__, __constant__ and __managed__ variables into sections of their own. */
void translate_variables(tokens_t *t, bool module);

/* asm("..." : ... : ...) with PTX in it: calls of the functions of simt_ptx.h.  false: an instruction is not known,
 * which it has named on standard error with its file and line. */
bool translate_ptx(tokens_t *t);

/* p[i] = f(x), *p = a + b in functions of the GPU: what a function gives, a class perhaps, is a value before it is
 * stored (simt::value).  g++ has no hook where a call itself stores its result. */
void translate_values(tokens_t *t);

/* Replaces malloc, free, new, delete, memcpy, memset and clock in functions of the GPU by those of simt_heap.h. */
void translate_heap(tokens_t *t);

/* Replaces sin(x) and cos(x) in functions of the GPU by sin(simt::angle(x)) and so on. */
void translate_angles(tokens_t *t);

/* float sum; for (...) sum += x; in functions of the GPU: simt::unset("sum", sum) behind the declaration says so when
 * it is run.  Only where it can be read from the text alone: numbers, whose first use changes what they are by what
 * they were, and to which nothing else gives a value. */
void translate_unset(tokens_t *t);
/* case 0: int x = 1; ... case 1: in functions of the GPU: writes braces around the statements after a label.  nvcc
 * allows a jump past an initialised variable; g++ does not. */
void translate_cases(tokens_t *t);

/* #pragma unroll 1 before a loop: simt::next_round() at each of its rounds, over which nothing is joined then. */
void translate_loops(tokens_t *t);
/* Writes #pragma GCC unroll before other loops in functions of the GPU, with the largest number of rounds that nvcc
 * would unroll.  g++ unrolls the loop if it has no more. */
void translate_unroll(tokens_t *t);

/* Forbids inlining of functions for the host only, in the program's own files.  The flags inline everything, as
 * kernels need it; large host code would take minutes to compile with them. */
void translate_apart(tokens_t *t);

/* Writes a<T>::b<n>(x) in functions of the GPU as a<T>::template b<n>(x); nvcc does not need the word. */
void translate_dependent(tokens_t *t);

/* Replaces threadIdx and similar words, unless the program declares these names itself, and the qualifiers
 * __global__, __launch_bounds__, ... */
void translate_words(tokens_t *t);

#endif
