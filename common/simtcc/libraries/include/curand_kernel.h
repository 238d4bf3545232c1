/*
 * curand_kernel.h - random numbers in kernels.  If simtcc finds a CUDA toolkit, this includes the toolkit's header, and
 * the numbers are those of a GPU; otherwise it includes simt_curand.h, whose numbers are as random but different.
 */
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H

#include "curand.h"
#include "simt_libraries.h"

#ifdef SIMT_TOOLKIT_CURAND_KERNEL
/* Replaces the toolkit's two asm statements, r = a * b and r = a * b + c in 64 bits. */
#define SIMT_FOURTH(one, two, three, four, ...) four
#define asm(...) SIMT_FOURTH(__VA_ARGS__, r = (unsigned long long)a * b + c, r = (unsigned long long)a * b, )
/* For the host the toolkit's header declares threadIdx and blockDim itself; they are renamed here. */
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
/* The toolkit's function leaves members unset that are not used yet.  They count as written, because programs copy
 * states. */
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
