// A function of cuda::ptx that the simulator does not have.
#include <cuda/ptx>
__global__ void k() { cuda::ptx::cp_async_bulk_tensor(1); }
int main() { k<<<1, 1>>>(); }
