// A hint quotes a line of this program; the quote must not count as a failure.
#define checkCudaErrors(x) (x)
int main()
{
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    return 0;
}
