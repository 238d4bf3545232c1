// cuBLAS by its first interface, and a vector that is too short.
#include <cublas.h>
#include <stdio.h>
int main()
{
    float *a, h[4] = {1, 2, 3, 4};
    cublasInit();
    cublasAlloc(4, 4, (void **)&a);
    cublasSetVector(4, 4, h, 1, a, 1);
    printf("first %g\n", cublasSdot(4, a, 1, a, 1));
    cublasSdot(5, a, 1, a, 1);
    printf("%s\n", cublasGetStatusName(cublasGetError()));
}
