// A program of the CUDA samples: it includes one of their headers without a path.
#include <helper_cuda.h>
int there();
int main() { return HELPED - there(); }
