// The driver interface in C.
#include <cuda.h>
int main(void)
{
    CUcontext c;
    return cuInit(0) || cuCtxCreate(&c, 0, 0) || cuCtxDestroy(c);
}
