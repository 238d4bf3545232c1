/* nvtx3/nvToolsExtCuda.h - see nvToolsExt.h. */
#include "../nvToolsExt.h"
