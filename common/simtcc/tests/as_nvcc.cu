// Kernels whose accesses nvcc (13.0, sm_90) and g++ order or combine differently.  Each runs as one warp, and its
// loads, stores and wavefronts of shared loads must be those of nvcc's code.
#include <cstdio>

__global__ void nest(float *o, const float *a, const float *b)
{
    float s = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s += a[(i * 4 + j) * 32 + threadIdx.x] * b[j];
    o[threadIdx.x] = s;
}
__global__ void rolled(float *o, const float *a, const float *b)
{
    float s = 0;
#pragma unroll 1
    for (int i = 0; i < 4; i++)
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            s += a[(i * 4 + j) * 32 + threadIdx.x] * b[j];
    o[threadIdx.x] = s;
}
template <int N> __global__ void neighbours(float *o, const float *a, const float *)
{
    const int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < N; ++i)
        s += a[i * 32 + t] * a[(i + 1) * 32 + t];
    o[t] = s;
}
// The lanes add to `n` addresses, 32 / n lanes to each.
template <class T> __device__ void sums(float *o, int n)
{
    __shared__ T s[32];
    s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x % n], (T)1);
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x];
}
__global__ void sum_apart(float *o, const float *, const float *) { sums<float>(o, 32); }
__global__ void sum_of_pairs(float *o, const float *, const float *) { sums<float>(o, 16); }
__global__ void sum_of_all(float *o, const float *, const float *) { sums<float>(o, 1); }
__global__ void sum_of_integers(float *o, const float *, const float *) { sums<int>(o, 1); }
__global__ void sum_of_long_ones(float *o, const float *, const float *) { sums<unsigned long long>(o, 1); }
__global__ void sines(float *o, const float *a, const float *) { o[threadIdx.x] = sin((double)a[threadIdx.x]); }
__global__ void short_sines(float *o, const float *a, const float *) { o[threadIdx.x] = sinf(a[threadIdx.x]); }
__global__ void side_by_side(float *o, const float *a, const float *)
{
    __shared__ float mean, variance;
    if (threadIdx.x == 0)
        mean = a[0], variance = a[1];
    __syncthreads();
    o[threadIdx.x] = mean * variance;
}
__global__ void behind_33(float *o, const float *a, const float *)
{
    __shared__ float row[33];
    __shared__ float mean, variance;
    row[threadIdx.x] = a[threadIdx.x];
    if (threadIdx.x == 0)
        mean = a[0], variance = a[1];
    __syncthreads();
    o[threadIdx.x] = row[31 - threadIdx.x] * mean * variance;
}
__global__ void tree(float *o, const float *a, const float *)
{
    __shared__ float s[32];
    s[threadIdx.x] = a[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0)
        o[0] = s[0];
}

// Lanes that do not enter the first branch skip the second branch, too, and this is not a path of its own.
// The store between the branches is on a path of its own.
__global__ void asked_twice(float *o, const float *a, const float *)
{
    const float v = threadIdx.x % 2 ? a[threadIdx.x] : -1;
    float x = 1;
    if (v < 0) x = 2 * v;
    o[threadIdx.x] = x;
    if (v < 0) x *= v;
    o[threadIdx.x + 32] = x;
}
// Two rounds: the second swaps neighbours, the first does not.
__global__ void swaps(float *o, const float *a, const float *)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = a[t], s[t + 32] = a[t + 32];
    for (int stride = 2; stride > 0; stride >>= 1) {
        __syncthreads();
        const int pos = 2 * t - (t & (stride - 1));
        const float x = s[pos];
        s[pos] = s[pos + stride], s[pos + stride] = x;
    }
    __syncthreads();
    o[t] = s[t];
}
// A load that both sides of a branch need is done once, before the branch.
__global__ void both_sides(float *o, const float *a, const float *)
{
    const int t = threadIdx.x;
    if (t < 16)
        o[t + 64] = 0;
    if (t % 2)
        o[t] = a[t] + 1;
    else
        o[t + 32] = a[t] * 2;
}

int main()
{
    float *o, *a, *b, two[] = {4, 0.5f};
    cudaMalloc(&o, 1 << 16);
    cudaMalloc(&a, 1 << 16);
    cudaMalloc(&b, 1 << 16);
    for (float *p : {o, a, b})
        cudaMemset(p, 0, 1 << 16);
    cudaMemcpy(a, two, sizeof two, cudaMemcpyHostToDevice);
    nest<<<1, 32>>>(o, a, b);
    rolled<<<1, 32>>>(o, a, b);
    neighbours<8><<<1, 32>>>(o, a, b);
    sum_apart<<<1, 32>>>(o, a, b);
    sum_of_pairs<<<1, 32>>>(o, a, b);
    sum_of_all<<<1, 32>>>(o, a, b);
    sum_of_integers<<<1, 32>>>(o, a, b);
    sum_of_long_ones<<<1, 32>>>(o, a, b);
    cudaMemset(a, 0, 1 << 16);
    sines<<<1, 32>>>(o, a, b);
    short_sines<<<1, 32>>>(o, a, b);
    side_by_side<<<1, 32>>>(o, a, b);
    behind_33<<<1, 32>>>(o, a, b);
    tree<<<1, 32>>>(o, a, b);
    asked_twice<<<1, 32>>>(o, a, b);
    swaps<<<1, 32>>>(o, a, b);
    both_sides<<<1, 32>>>(o, a, b);
    printf("as nvcc: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
