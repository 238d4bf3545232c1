/* cpu_kernels_plain.c - the kernels for every processor, in plain C. */
#define ISA plain
#define NARROW_LANES 4
#define DOUBLE_LANES 2
#include "cpu_kernels.h"
