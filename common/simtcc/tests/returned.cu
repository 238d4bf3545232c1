// Objects returned by functions and operators and stored at once are checked like any store.  returned 1: out of bounds
#include <cstdio>
#include <cstdlib>

struct mixed { char c; double d; };
struct many { float v[5]; int n; };
struct pair { float x, y; };

__device__ __noinline__ mixed make(int i)
{
    mixed m;
    m.c = i, m.d = i;
    return m;
}
__device__ __noinline__ many make_many(int i)
{
    many m;
    for (int k = 0; k < 5; ++k) m.v[k] = i + k;
    m.n = i;
    return m;
}
__device__ __noinline__ pair operator+(pair a, pair b) { return {a.x + b.x, a.y + b.y}; }
template <class T, int N> __device__ T *shifted(T *p) { return p + N; }

__global__ void fill(mixed *s, many *t, pair *p, int beyond)
{
    const int i = threadIdx.x;
    s[i + beyond] = make(i);
    *(t + i) = make_many(i), p[i].x = p[i].y = float(i);
    pair *same = &p[i];
    *same = p[i] + pair(*same);
    if (i == 0) *shifted<pair, 32>(p) = p[0] + p[0]; // this comma ends no argument
}
__global__ void use(const mixed *s, const many *t, const pair *p, double *out)
{
    __shared__ mixed in[32];
    const int i = threadIdx.x;
    in[i] = s[i];
    __syncthreads();
    mixed a = in[31 - i];
    many b = t[31 - i];
    out[i] = a.d + a.c + b.v[4] + b.n + p[i].y;
}

int main(int argc, char **argv)
{
    mixed *s;
    many *t;
    pair *p;
    double *d, h[32];
    cudaMalloc(&s, 32 * sizeof *s);
    cudaMalloc(&t, 32 * sizeof *t);
    cudaMalloc(&p, 33 * sizeof *p);
    cudaMalloc(&d, sizeof h);
    fill<<<1, 32>>>(s, t, p, argc > 1 ? atoi(argv[1]) : 0);
    use<<<1, 32>>>(s, t, p, d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 32; ++i) wrong += h[i] != 4 * (31 - i) + 4 + 2 * i;
    printf("returned %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
