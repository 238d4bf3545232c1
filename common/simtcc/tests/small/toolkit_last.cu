// Includes a header that simtcc and a toolkit have, and one that only the toolkit has.
#include <cuda_runtime.h>
#include <only_there.h>
__global__ void k() {}
int main()
{
    k<<<1, 1>>>();
    return ONLY_THERE;
}
