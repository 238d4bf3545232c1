/* texture_indirect_functions.h - empty: cuda_runtime.h already declares these functions. */
#include "cuda_runtime.h"
