// Integer divisions by zero of each width, in registers and memory: the kernel continues.  division 1: none by zero.
#include <climits>
#include <cstdint>
#include <cstdio>

struct Divisors { int64_t l; int32_t i; int16_t s; int8_t c; uint32_t many[8]; };

template <class T> __device__ __noinline__ T quotient(T a, T b) { return a / b; }
template <class T> __device__ __noinline__ T remainder_of(T a, T b) { return a % b; }

__global__ void divide(const Divisors *d, long long *out, int n, int least)
{
    int at = 0;
    const int i = (int)threadIdx.x;
    out[at++] = quotient<int>(17, d->i);
    out[at++] = remainder_of<int>(17, d->i);
    out[at++] = quotient<unsigned>(17u, (unsigned)d->i) == UINT_MAX;
    out[at++] = remainder_of<unsigned>(17u, (unsigned)d->i);
    out[at++] = quotient<long long>(-17, d->l);
    out[at++] = remainder_of<long long>(-17, d->l);
    out[at++] = quotient<unsigned long long>(17, (unsigned long long)d->l) == ULLONG_MAX;
    out[at++] = (int16_t)quotient<int16_t>(17, d->s);
    out[at++] = quotient<uint8_t>(17, (uint8_t)d->c);
    uint32_t sum = 1000;
    for (int k = 0; k < n; ++k) sum = sum / d->many[k + i] + sum % d->many[(k + 1) % 8];
    out[at++] = sum != 1;
    out[at++] = quotient<int>(least, d->i - (d->i == 0)) == least;
    out[at++] = 4711;
}

int main(int argc, char **)
{
    Divisors h = {}, *d;
    if (argc > 1) h = {1, 1, 1, 1, {1, 1, 1, 1, 1, 1, 1, 1}};
    long long *out, seen[12] = {};
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&out, sizeof seen);
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    divide<<<1, 1>>>(d, out, 8, INT_MIN);
    cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
    for (long long x : seen) printf("%lld ", x);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
