// A type of the driver interface that the simulator does not have.
#include <cuda.h>
__global__ void k(const __grid_constant__ CUtensorMap m) {}
int main() {}
