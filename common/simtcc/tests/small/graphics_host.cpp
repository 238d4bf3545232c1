// A function that the simulator does not have, in a file for the host and with a toolkit's header.
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
int main() { return cudaGraphicsMapResources(1, 0); }
