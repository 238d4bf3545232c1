// Memory with a handle for other processes, which the simulator does not support.
#include <cuda.h>
#include <cstdio>
int main()
{
    cuInit(0);
    CUmemAllocationProp p = {};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle h;
    printf("create %d\n", cuMemCreate(&h, 2 << 20, &p, 0));
}
