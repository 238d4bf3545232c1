// Variables of the GPU that are local to their file; check_simtcc.sh makes a second file of it, with k2, f2 and {2}.
__constant__ float c[2] = {1};
__device__ int d = 1;
__managed__ int m;
__global__ void k1(float *p) { *p = c[0] + d + m; }
float f1()
{
    float *p, h;
    cudaMalloc(&p, 4);
    m = 10;
    k1<<<1, 1>>>(p);
    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
    return h;
}
