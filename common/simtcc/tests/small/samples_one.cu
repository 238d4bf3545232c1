// A program of the CUDA samples: it includes a header of theirs without a path.
#include <helper_cuda.h>
int there();
int main() { return HELPED - there(); }
