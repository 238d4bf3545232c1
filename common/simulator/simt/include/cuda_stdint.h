#include <stdint.h> /* The header of the standard. */
