// A host file that g++ compiles without simtcc, in the C++ standard of a course's Makefile.
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <cuda.h>
#include <vector_types.h>
#include <vector_functions.h>
#include <driver_functions.h>
#include <channel_descriptor.h>
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cublas_v2.h>
#include <cublas_api.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <cusolverDn.h>
#include <math_constants.h>
void run(float4 *p, int n);
int main()
{
    float4 *p, h[4];
    dim3 size(2, 2);
    cudaPos at = make_cudaPos(1, 2, 3);
    cudaMalloc(&p, sizeof h);
    run(p, 4);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    return !(h[3].y == 3 && size.y == 2 && at.z == 3 && cudaCreateChannelDesc<float2>().y == 32 &&
             make_int2(4, 5).y == 5 && CUDART_MIN_DENORM_F > 0 && CUDART_MIN_DENORM > 0 && CUDART_LN2_HI > 0.69);
}
