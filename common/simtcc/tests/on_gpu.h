/* on_gpu.h - what the tests of CUDA's libraries share: statuses that are counted in `bad`, and arrays on the GPU. */
#ifndef SIMT_TESTS_ON_GPU_H
#define SIMT_TESTS_ON_GPU_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static int bad;

inline void is(const char *what, int status, int expected = 0)
{
    if (status != expected && ++bad) printf("%s: status %d\n", what, status);
}
#define IS(call) is(#call, call)

template <class T> T *to_gpu(const std::vector<T> &v)
{
    T *p;
    cudaMalloc(&p, (v.empty() ? 1 : v.size()) * sizeof(T));
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}
template <class T> std::vector<T> from_gpu(const T *p, size_t n)
{
    std::vector<T> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
}

/* An array that is freed with this. */
template <class T> struct gpu {
    T *p = nullptr;
    size_t n;
    explicit gpu(size_t n) : n(n) { cudaMalloc(&p, (n ? n : 1) * sizeof(T)); }
    gpu(const std::vector<T> &v) : p(to_gpu(v)), n(v.size()) {}
    ~gpu() { cudaFree(p); }
    std::vector<T> back() const { return from_gpu(p, n); }
};

#endif
