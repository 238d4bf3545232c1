// A race on a variable of the GPU, which the report names.
__device__ int table[8];
__global__ void k(int i) { table[i] = 1; }
int main()
{
    k<<<1, 1>>>(3);
    k<<<2, 2>>>(3);
    return cudaDeviceSynchronize();
}
