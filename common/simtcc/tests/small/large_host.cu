// Host code that launches a kernel of large_kernel.cu; check_simtcc.sh appends large_code.cu as host code to it.
__global__ void twice(float *p, // a declaration in two lines; it ends at its semicolon
                      int n);
void k(float *p);
int main()
{
    float *p, x = 0;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    twice<<<1, 1>>>(p, 1);
    k(&x);
    return cudaDeviceSynchronize();
}
