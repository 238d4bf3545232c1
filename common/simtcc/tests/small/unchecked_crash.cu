// Uses a null pointer, in a kernel or, with an argument, in host code.
__global__ void k(int *p) { *p = 1; }
int main(int n, char **)
{
    int *none = 0;
    int *d;
    cudaMalloc(&d, 4);
    if (n > 1) *none = 1;
    k<<<1, 1>>>(none);
}
