// Accesses that nvcc combines because of their type, and others that it does not: requests of code for sm_90.
#include <cstdio>
struct alignas(8) pairs_t {
    float x, y, z, w;
};
struct plain_t {
    float x, y, z, w;
};
struct eight_t {
    float v[8];
};
struct two_t {
    double x, y;
};
struct alignas(16) mixed_t {
    float x;
    int y;
    short z, w, v[2];
};
template <class V> __global__ void all_of(float *o, const V *p)
{
    const int t = threadIdx.x;
    o[t] = (float)p[t].x + (float)p[t].y * (float)p[t].z - (float)p[t].w;
}
template <class V> __global__ void first_three(float *o, const V *p)
{
    const int t = threadIdx.x;
    o[t] = (float)p[t].x + (float)p[t].y * (float)p[t].z;
}
template <class V> __global__ void last_three(float *o, const V *p)
{
    const int t = threadIdx.x;
    o[t] = (float)p[t].y + (float)p[t].z * (float)p[t].w;
}
template <class V> __global__ void first_and_third(float *o, const V *p)
{
    const int t = threadIdx.x;
    o[t] = (float)p[t].x + (float)p[t].z;
}
template <class V> __global__ void stored(V *o, const float *a)
{
    const int t = threadIdx.x;
    o[t].x = a[t], o[t].y = a[t + 32], o[t].z = a[t + 64], o[t].w = a[t + 96];
}
template <class V> __global__ void built(V *o, const float *a)
{
    const int t = threadIdx.x;
    o[t] = {a[t], a[t + 32], a[t + 64], a[t + 96]};
}
template <class V> __global__ void updated(V *o, const float *)
{
    const int t = threadIdx.x;
    o[t].x += 1, o[t].y += 2, o[t].z += 3, o[t].w += 4;
}
__global__ void doubles(double2 *o, const double2 *a)
{
    const int t = threadIdx.x;
    o[t] = {a[t].x + 1, a[t].y};
}
template <class T> __global__ void whole(T *o, const T *a) { o[threadIdx.x] = a[threadIdx.x]; }
__global__ void mixed(float *o, const mixed_t *a)
{
    const int t = threadIdx.x;
    o[t] = a[t].x + a[t].y;
}
__global__ void store_between(float *o, const float2 *p)
{
    o[threadIdx.x] = p[threadIdx.x].x;
    o[threadIdx.x + 32] = p[threadIdx.x].y;
}
__global__ void store_elsewhere(float *__restrict__ o, const float2 *__restrict__ p)
{
    o[threadIdx.x] = p[threadIdx.x].x;
    o[threadIdx.x + 32] = p[threadIdx.x].y;
}
__global__ void branch_between(float *o, const float2 *p)
{
    float x = p[threadIdx.x].x;
    if (x >= 0) x += p[threadIdx.x].y;
    o[threadIdx.x] = x;
}
__global__ void quotient_between(float *o, const float2 *p)
{
    o[threadIdx.x] = o[64] / p[threadIdx.x].x + o[64] / p[threadIdx.x].y;
}
// A GPU computes quotients and roots with a branch, and does not combine accesses across it; expf has no branch.
enum operation { QUOTIENTS, ROOTS, EXPONENTIALS };
template <operation WHAT> __global__ void pair_of(float *o, const float *a)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = a[t], s[t + 32] = a[t + 32];
    __syncthreads();
    const float x = s[2 * t], f = WHAT == QUOTIENTS ? 1 / x : WHAT == ROOTS ? sqrtf(x) : expf(x);
    const float y = s[2 * t + 1], g = WHAT == QUOTIENTS ? 1 / y : WHAT == ROOTS ? sqrtf(y) : expf(y);
    o[t] = f + g;
}
// In shared memory nvcc combines stores of 2-byte numbers, but neither their loads nor accesses to single bytes.
template <class T> __global__ void small(T *o, const T *a)
{
    __shared__ T s[64];
    const int t = threadIdx.x;
    s[2 * t] = a[t], s[2 * t + 1] = a[t + 32];
    __syncthreads();
    o[t] = s[2 * t] + s[2 * t + 1];
}

int main()
{
    float *o;
    void *p;
    cudaMalloc(&o, 1 << 16);
    cudaMalloc(&p, 1 << 16);
    cudaMemset(o, 0, 1 << 16);
    cudaMemset(p, 0, 1 << 16);
#define OF(V)                                   \
    all_of<<<1, 32>>>(o, (V *)p);               \
    first_three<<<1, 32>>>(o, (V *)p);          \
    last_three<<<1, 32>>>(o, (V *)p);           \
    first_and_third<<<1, 32>>>(o, (V *)p);      \
    stored<<<1, 32>>>((V *)p, o);               \
    updated<<<1, 32>>>((V *)p, o);
    OF(float4)
    OF(pairs_t)
    OF(plain_t)
    OF(short4)
    OF(uchar4)
    built<<<1, 32>>>((float4 *)p, o);
    built<<<1, 32>>>((plain_t *)p, o);
    doubles<<<1, 32>>>((double2 *)p, (double2 *)p);
    whole<<<1, 32>>>((eight_t *)p, (eight_t *)p);
    whole<<<1, 32>>>((two_t *)p, (two_t *)p);
    whole<<<1, 32>>>((double2 *)p, (double2 *)p);
    mixed<<<1, 32>>>(o, (mixed_t *)p);
    store_between<<<1, 32>>>(o, (float2 *)p);
    store_elsewhere<<<1, 32>>>(o, (float2 *)p);
    branch_between<<<1, 32>>>(o, (float2 *)p);
    quotient_between<<<1, 32>>>(o, (float2 *)p);
    pair_of<QUOTIENTS><<<1, 32>>>(o, (float *)p);
    pair_of<ROOTS><<<1, 32>>>(o, (float *)p);
    pair_of<EXPONENTIALS><<<1, 32>>>(o, (float *)p);
    small<<<1, 32>>>((short *)p, (short *)o);
    small<<<1, 32>>>((char *)p, (char *)o);
    small<<<1, 32>>>((int *)p, (int *)o);
    printf("types: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
