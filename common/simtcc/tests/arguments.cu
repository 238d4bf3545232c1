// An argument with a destructor: a GPU copies it bit by bit, and no thread destroys the copy.
#include <cstdio>
static int freed;
struct Owner {
    int *d;
    Owner() { cudaMalloc(&d, 4); }
    ~Owner() { ++freed; }
    __device__ void add(int n) const { atomicAdd(d, n); }
};
__global__ void count(Owner o, int n) { o.add(n); }
// Two kernels of one name, with the argument NULL, which becomes a number when a function passes it on.
__global__ void put(int *a, const int *none) { if (!none) atomicAdd(a, 0); }
template <class T> __global__ void put(T *a, const T *none, T b) { if (!none) atomicAdd(a, b - b); }
int main()
{
    int h = 0;
    Owner o;
    cudaMemset(o.d, 0, 4);
    count<<<4, 64>>>(o, 2);
    put<<<1, 1>>>(o.d, NULL);
    put<int><<<1, 1>>>(o.d, NULL, 1);
    cudaMemcpy(&h, o.d, 4, cudaMemcpyDeviceToHost);
    printf("%d, %s\n", h, freed <= 2 ? "destroyed on the host alone" : "destroyed by threads");
}
