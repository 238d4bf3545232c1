/* cufft.hpp - shared by the files of cuFFT. */
#ifndef SIMT_LIBRARY_CUFFT_HPP
#define SIMT_LIBRARY_CUFFT_HPP

#include "cufft.h"

namespace simt_library {

/* The number of complex numbers of a plan, and their size in bytes; false: the plan is not made, or has a real side. */
bool shape_of(cufftHandle plan, size_t *numbers, size_t *element);

} // namespace simt_library

#endif
