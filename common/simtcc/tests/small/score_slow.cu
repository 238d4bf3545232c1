// Several times as fast without checks; check_simtcc.sh doubles the work until the checked program is too slow.
__global__ void k(int *p, int n)
{
    for (int i = 0; i < n; ++i) p[64 * threadIdx.x + i % 64] += i;
}
int main()
{
    int *p;
    cudaMalloc(&p, 8192);
    cudaMemset(p, 0, 8192);
    k<<<1, 32>>>(p, 1 << 21);
    return cudaDeviceSynchronize();
}
