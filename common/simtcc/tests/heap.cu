// malloc and new in kernels, large local arrays, and their limits; objects with virtual functions that one kernel
// creates and another calls.  Cases 1, 2 and 5 are wrong.
#include <cstdio>
#include <cstdlib>
struct node {
    int value;
    node *next;
    __device__ node(int v, node *n) : value(v), next(n) {}
};
__device__ node *head[64];

__global__ void push(int n)
{
    for (int i = 0; i < n; ++i) head[threadIdx.x] = new node(i, head[threadIdx.x]);
}
__global__ void pop(int *to)
{
    int sum = 0;
    for (node *n = head[threadIdx.x]; n;) {
        node *next = n->next;
        sum += n->value;
        delete n;
        n = next;
    }
    to[threadIdx.x] = sum;
}
__global__ void past(int *to, int n)
{
    int *p = (int *)malloc(4 * sizeof(int));
    p[n] = 1;
    *to = p[n];
    free(p);
}
__global__ void freed(int *to)
{
    int *p = new int[4];
    p[1] = 2;
    delete[] p;
    *to = p[1];
}
struct shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~shape() {}
};
struct square : shape {
    int side;
    __device__ explicit square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct stripe : shape {
    int length;
    __device__ explicit stripe(int l) : length(l) {}
    __device__ int area() const override { return length; }
};
__device__ shape *shapes[64];
__global__ void make()
{
    const int t = threadIdx.x;
    if (t % 2) shapes[t] = new square(t);
    else shapes[t] = new stripe(t);
}
__global__ void ask(int *to) { to[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void drop() { delete shapes[threadIdx.x]; }
__global__ void exhaust(int *to)
{
    int n = 0;
    while (malloc(1 << 16)) ++n;
    *to = n;
}
__global__ void large(int *to, int n)
{
    int a[40000];
    for (int i = 0; i < 40000; ++i) a[i] = i;
    *to = a[n];
}

int main(int, char **argv)
{
    int *d, h[64];
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20);
    cudaMalloc(&d, sizeof h);
    switch (atoi(argv[1])) {
    case 1: past<<<1, 1>>>(d, 4); break;
    case 2: freed<<<1, 1>>>(d); break;
    case 3:
        push<<<1, 64>>>(10);
        pop<<<1, 64>>>(d);
        cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
        past<<<1, 1>>>(d, 3);
        exhaust<<<1, 1>>>(d);
        cudaMemcpy(h + 1, d, 4, cudaMemcpyDeviceToHost);
        large<<<1, 1>>>(d, 39999);
        cudaMemcpy(h + 2, d, 4, cudaMemcpyDeviceToHost);
        printf("popped %d, then %d pieces of 64 KiB, %d: ", h[63], h[1], h[2]);
        break;
    case 4:
    case 5:
        make<<<1, 64>>>();
        if (argv[1][0] == '5') drop<<<1, 64>>>();
        ask<<<1, 64>>>(d);
        if (argv[1][0] == '4') drop<<<1, 64>>>();
        cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
        printf("areas %d %d: ", h[7], h[8]);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
