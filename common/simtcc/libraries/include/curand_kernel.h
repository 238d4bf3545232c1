/*
 * curand_kernel.h - random numbers in kernels.  Where simtcc finds a CUDA toolkit, its own header does it, and the
 * numbers are a GPU's; else simt_curand.h, whose numbers are as random, but others.
 */
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H

#include "curand.h"
#include "simt_libraries.h"

#ifdef SIMT_TOOLKIT_CURAND_KERNEL
/* Two of its functions, r = a * b and r = a * b + c in 64 bits, are instructions of the GPU's. */
#define SIMT_FOURTH(one, two, three, four, ...) four
#define asm(...) SIMT_FOURTH(__VA_ARGS__, r = (unsigned long long)a * b + c, r = (unsigned long long)a * b, )
/* For the host it declares the GPU's own variables, which the simulator would take for the program's. */
#ifndef __CUDA_ARCH__
#define threadIdx simt_curand_thread
#define blockDim simt_curand_block
#endif
#define curand_init simt_toolkit_init
#include SIMT_TOOLKIT_CURAND_KERNEL
#undef curand_init
#undef asm
#undef SIMT_FOURTH
#undef threadIdx
#undef blockDim
/* It leaves out what is used later only; who copies the state reads that, too. */
template <class A, class B, class State> void curand_init(A a, B b, State *s)
{
    simt_library_wrote(s, sizeof *s);
    simt_toolkit_init(a, b, s);
}
template <class A, class B, class C, class State> void curand_init(A a, B b, C c, State *s)
{
    simt_library_wrote(s, sizeof *s);
    simt_toolkit_init(a, b, c, s);
}
#else
#include "simt_curand.h"
#endif

#endif
