/* cpu_kernels_plain.c - what every processor of the kind has. */
#define ISA plain
#define NARROW_LANES 4
#define DOUBLE_LANES 2
#include "cpu_kernels.h"
