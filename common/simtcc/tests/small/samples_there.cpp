// A host file beside samples_one.cu, with the same header.
#include <helper_cuda.h>
int there() { return HELPED; }
