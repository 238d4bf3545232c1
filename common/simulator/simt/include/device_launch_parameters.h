/* device_launch_parameters.h - threadIdx and its kin come with cuda_runtime.h here. */
#include "cuda_runtime.h"
