/* nvtx3/nvToolsExtCudaRt.h - see nvToolsExt.h. */
#include "../nvToolsExt.h"
