/* cuda_egl_interop.h - graphics are not there.  A toolkit's own header, where one is installed, declares what the
 * linker then names; it is read behind the simulator's, or it would bring a toolkit's declarations of all the rest. */
#include "cuda_runtime_api.h"
#include_next <cuda_egl_interop.h>
