// Includes copies of the simulator's headers, from a folder of the program's own.
#include <cooperative_groups.h>
#include <cuda/atomic>
__global__ void k(int *p)
{
    cooperative_groups::sync(cooperative_groups::this_thread_block());
    *p = 1;
}
