// cuBLAS by the names that end in _v2.
#include <cublas_v2.h>
#include <stdio.h>
int main()
{
    cublasHandle_t h;
    cublasCreate_v2(&h);
    float *x, r, v[2] = {3, 4};
    cudaMalloc(&x, 8);
    cudaMemcpy(x, v, 8, cudaMemcpyHostToDevice);
    cublasSnrm2_v2(h, 2, x, 1, &r);
    printf("norm %g\n", r);
    cublasDestroy_v2(h);
}
