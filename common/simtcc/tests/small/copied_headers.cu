// Includes copies of the simulator's headers from the program's folder.
#include <cooperative_groups.h>
#include <cuda/atomic>
__global__ void k(int *p)
{
    cooperative_groups::sync(cooperative_groups::this_thread_block());
    *p = 1;
}
