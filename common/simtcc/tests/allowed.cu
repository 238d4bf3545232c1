/* allowed.cu - code that looks wrong but is allowed: calls between host and GPU functions, jumps past variables */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

int both(int x) { return x + 1; }                            /* not overloaded */
__device__ int both(float x) { return (int)x + 2; }
__host__ __device__ int everywhere(int x) { return x + 3; }
template <class T> __host__ __device__ T any(T x) { return x + 4; }
__device__ int declared(int x);
int helper(int x) { return x; }                              /* for the host; other things below have its name */
__device__ int on_gpu(int x) { return x + 5; }
__device__ int rand(unsigned *state) { return (int)(*state = *state * 5 + 1); }

namespace mine {
__device__ int strlen(const char *) { return 6; }
__device__ void write(int *p, int x) { *p = x; }
__device__ void twice(int *p, int x) { write(p, 2 * x); }
} // namespace mine

struct thing {
    int value;
    __device__ int helper(int x) const { return x + value; }
    __device__ int twice(int x) const { return 2 * helper(x); }
    __device__ int random() const { return value; }
    __device__ int twice_random() const { return 2 * random(); }
};

/* nvcc accepts this only in functions of the GPU. */
__device__ int choose(int which)
{
    int sum = 0;
    switch (which) {
    case 0:
        int a = 1;
        const float *b = nullptr;
        sum = a + (b != nullptr);
        break;
    case 1: case 7 > 3 ? 2 : 5: {
        int a = 20;
        sum = a;
    }
    /* falls through */
    default:
        int c = 300;
        switch (c) {
        case 300: int d = 4000; sum += d; break;
        case 4: sum = 1;
        }
        sum += c;
    }
    return sum;
}

__global__ void first(int *out)
{
    extern __shared__ int room[];
    const auto helper = [](int x) { return 10 * x; };
    unsigned state = 1;
    room[0] = both(1.0f) + everywhere(1) + any(1) + declared(1) + helper(1) + rand(&state);
    *out = room[0] + mine::strlen("") + choose(0) + choose(2) + choose(9);
}
__global__ void second(int *out, int on_host)
{
    extern __shared__ int room[];
    const thing t{1};
    room[0] = t.twice(1) + (int)sizeof(helper(1)) + on_host;
    *out = room[0];
}
__device__ int declared(int x) { return on_gpu(x); }

template <class F> __global__ void call(F f, int *out) { *out = f(1); }

int main()
{
    int *d, x[3];
    cudaMalloc(&d, sizeof x);
    first<<<1, 1, 4>>>(d);
    second<<<1, 1, 4>>>(d + 1, helper(1) + both(1) + (int)strlen("abc"));
    call<<<1, 1>>>([=] __device__(int v) { return on_gpu(v); }, d + 2);
    cudaMemcpy(x, d, sizeof x, cudaMemcpyDeviceToHost);
    printf("allowed %d %d %d %s\n", x[0], x[1], x[2], cudaGetErrorString(cudaGetLastError()));
    return 0 * rand();
}
