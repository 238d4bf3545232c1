// A hint quotes a line of this program, which is no failure of its own check.
#define checkCudaErrors(x) (x)
int main()
{
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    return 0;
}
