// Code under __CUDA_ARCH__: device functions whose #else has other parameters, or other functions; and device code that
// is wrong only for g++: a template member called without the word template.
#include <cstdio>

#if __CUDA_ARCH__ >= 500
static __device__ __forceinline__ int choose(int a, int b, int c) { return 100 * a + 10 * b + c; }
static __device__ __forceinline__ int more(int a) { return a + 1; }
#else
static __device__ __forceinline__ int choose(int g, int e, int f) { return g + e + f; }
static __device__ __forceinline__ int other(int a) { return a; }
#endif

static __device__ int between(int a) { return 2 * a; }

#ifdef __CUDA_ARCH__
template <class T> __device__ T last(T x) { return x * x; }
#else
template <class T> __device__ T last(T) { return 0; }
static __host__ int of_the_host() { return 7; }
#endif

template <class T> struct scaled {
    template <int n> static __device__ T by(T x) { return n * x; }
    enum { less = 3 };
};
template <class T> __device__ T twice(T x) { return scaled<T>::by<2>(x) + (scaled<T>::less < x && x > (1) ? 1 : 0); }

__global__ void k(int *p)
{
    *p = choose(1, 2, 3) + between(1000) + last(100) + twice(100000);
#if __CUDA_ARCH__ >= 500
    *p = more(*p);
#endif
}

#ifdef __CUDA_ARCH__
static __device__ int behind(int x) { return x; }
#else
static __device__ int behind(int y) { return -y; }
#endif

/* A class that only the GPU's pass has, between functions that both passes have. */
template <class T, bool CACHED> struct loader {
    static __host__ __device__ T load(const T *p) { return *p; }
};
#ifdef __CUDA_ARCH__
template <class T> struct loader<T, true> {
    typedef T type_t;
    static __host__ __device__ type_t load(const T *p) { return __ldg(p); }
    static __device__ type_t twice(const T *p) { return 2 * load(p); }
};
#endif
template <class T> __host__ __device__ T loaded(const T *p) { return loader<T, true>::load(p); }
__global__ void of_class(int *p) { p[1] = loaded(p); }

/* Functions of the host and of the GPU with the same names. */
struct infinity {
#ifdef __CUDA_ARCH__
    __device__ operator float() const { return 50; }
#else
    __host__ __device__ operator float() const { return 8; }
    __host__ __device__ operator long() const { return 9; }
#endif
};
#ifdef __CUDA_ARCH__
static __device__ __forceinline__ int alike(int x) { return x + 1; }
#else
static inline int alike(int x) { return x + 2; }
#endif

/* A class whose types depend on the pass. */
struct small { enum { n = 2 }; };
struct large { enum { n = 3 }; };
template <class T> struct tuned {
#if __CUDA_ARCH__ >= 500
    typedef large sizes;
    using number = T;
#else
    typedef small sizes;
    using number = double;
#endif
    enum { doubled = 2 * sizes::n };
#if __CUDA_ARCH__ >= 500
    typedef large gpu_sizes;
    static __device__ int three() { return gpu_sizes::n; }
#else
    static __device__ int three() { return 0; }
#endif
};
/* A class whose constant depends on the pass, and which has a function for the GPU only; another class follows. */
#ifdef __CUDA_ARCH__
struct widths { static constexpr int width = 32; __device__ static int twice() { return 2 * width; } };
#else
struct widths { static constexpr int width = 1; };
#endif
struct behind { int of_the_host() const { return 1; } };
__global__ void by_width(int *p)
{
#ifdef __CUDA_ARCH__
    *p = widths::twice() + widths::width;
#endif
}

__global__ void by_type(int *p)
{
    p[0] = (int)(float)infinity() + alike(1) + 1000 * tuned<int>::sizes::n;
    tuned<int>::number seven = 15;
    p[1] = seven / 2 + 10 * tuned<int>::doubled + 100 * tuned<int>::three();
}

/* Kernels with an empty body and other parameter names for the host; of_host exists only in the host's pass. */
#if __CUDA_ARCH__ >= 300
__global__ void __launch_bounds__(64) of_gpu(int *p, const int amount) { *p = amount + 40; }
static __device__ int helper(int x) { return x; }
#else
__global__ void of_gpu(int *p, const int n) { ; }
__global__ void of_host(int *p) { *p = 3; }
#endif

int main()
{
    int *d, h = 0, types[2];
    cudaMalloc(&d, 2 * sizeof h);
    by_type<<<1, 1>>>(d);
    cudaMemcpy(types, d, sizeof types, cudaMemcpyDeviceToHost);
    printf("types %d %d, %g %d\n", types[0], types[1], (double)(float)infinity(), alike(1));
    by_width<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("widths %d\n", h);
    of_gpu<<<1, 1>>>(d, 2);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("stubs %d\n", h);
#ifndef __CUDA_ARCH__
    of_host<<<1, 1>>>(d); // an error on a GPU
#endif
    k<<<1, 1>>>(d);
    of_class<<<1, 1>>>(d);
    cudaMemcpy(&h, d + 1, sizeof h, cudaMemcpyDeviceToHost);
    if (h < 1) printf("no class\n");
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
#ifdef __CUDA_ARCH__
    printf("no host has this\n");
#else
    printf("passes %d %d\n", h, of_the_host());
#endif
    return 0;
}
