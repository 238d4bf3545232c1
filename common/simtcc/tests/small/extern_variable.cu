// Uses the variable d of own_variables.cu, which is local to that file without -rdc=true.
extern __device__ int d;
__global__ void k(int *p) { *p = d; }
int main()
{
    int *p, x;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);
    return x != 1;
}
