/* cufft.hpp - what the files of cuFFT share. */
#ifndef SIMT_LIBRARY_CUFFT_HPP
#define SIMT_LIBRARY_CUFFT_HPP

#include "cufft.h"

namespace simt_library {

/* How many complex numbers a plan is for, and their bytes; false: it is not made, or has a real side. */
bool shape_of(cufftHandle plan, size_t *numbers, size_t *element);

} // namespace simt_library

#endif
