/* syntax.cu - CUDA's syntax in the shapes that programs give it: each case says how many of its values are wrong. */
#include <cuda_runtime.h>
#include "simt/tests/kernels.h"
#include "simt/tests/syntax.cuh"

enum { THREADS = SYNTAX_THREADS };

static int *d_out, out[THREADS];

static void begin(void)
{
    cudaMalloc((void **)&d_out, sizeof out);
    cudaMemset(d_out, 0xff, sizeof out);
}

/* How many differ from first + step * i. */
static int wrong(int first, int step)
{
    int n = 0;
    if (cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) n = THREADS;
    for (int i = 0; i < THREADS; ++i) n += out[i] != first + step * i;
    cudaFree(d_out);
    return n;
}

/* ---- launches ---- */

__global__ void plain_kernel(int *to)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = (int)i;
}
template <class T> __global__ void deduced_kernel(T *to, T first) { to[threadIdx.x] = first + (T)threadIdx.x; }
template <int N, class T> __global__ void half_deduced_kernel(T *to) { to[threadIdx.x] = N * (T)threadIdx.x; }
template <class T, int STEP = 3>
__global__ void default_template_kernel(T *to) { to[threadIdx.x] = STEP * (T)threadIdx.x; }
__global__ void default_argument_kernel(int *to, int step = 5) { to[threadIdx.x] = step * (int)threadIdx.x; }
__global__ void overloaded_kernel(int *to) { to[threadIdx.x] = (int)threadIdx.x; }
__global__ void overloaded_kernel(int *to, float step) { to[threadIdx.x] = (int)(step * threadIdx.x); }
/* A host function of a kernel's name. */
__global__ void same_name(int *to) { to[threadIdx.x] = 3 * (int)threadIdx.x; }
static void same_name(void) { same_name<<<1, THREADS>>>(d_out); }
template <class... T> __global__ void pack_kernel(int *to, T... v) { to[threadIdx.x] = (int)threadIdx.x * (v + ...); }
namespace inner {
template <class A, class B> struct pair { A a; B b; };
template <class P> __global__ void nested_kernel(int *to, P p) { to[threadIdx.x] = p.a + p.b.a * (int)threadIdx.x; }
}
static __global__ void __launch_bounds__(THREADS) bounded_kernel(int *to) { to[threadIdx.x] = (int)threadIdx.x; }

#define LAUNCH(kernel, blocks, ...) kernel<<<blocks, THREADS / (blocks)>>>(__VA_ARGS__)
#define DEFINE_KERNEL(name, step) \
    __global__ void name(int *to) \
    { \
        __shared__ int all[THREADS]; \
        all[threadIdx.x] = (step) * (int)threadIdx.x; \
        to[threadIdx.x] = all[threadIdx.x]; \
    }
DEFINE_KERNEL(made_kernel, 7)

static int in_a_macro(void) { begin(); LAUNCH(plain_kernel, 2, d_out); return wrong(0, 1); }
static int made_by_a_macro(void) { begin(); made_kernel<<<1, THREADS>>>(d_out); return wrong(0, 7); }
static int over_lines(void)
{
    begin();
    plain_kernel
        <<<dim3(1,
                1),
           THREADS /* threads >>> */, 0 >> 1,
           cudaStream_t(0)>>>
        (d_out);
    return wrong(0, 1);
}
static int through_a_pointer(void)
{
    void (*kernel)(int *) = plain_kernel, (*kernels[2])(int *) = {nullptr, bounded_kernel};
    begin();
    kernel<<<1, THREADS>>>(d_out);
    int n = wrong(0, 1);
    begin();
    (*kernel)<<<1, THREADS>>>(d_out);
    n += wrong(0, 1);
    begin();
    if (n == 0) kernels[1]<<<1, THREADS>>>(d_out);
    return n + wrong(0, 1);
}
static int deduced(void)
{
    begin();
    deduced_kernel<<<1, THREADS>>>(d_out, 4);
    int n = wrong(4, 1);
    begin();
    deduced_kernel<int><<<1, THREADS>>>(d_out, 4);
    n += wrong(4, 1);
    begin();
    half_deduced_kernel<9><<<1, THREADS>>>(d_out);
    n += wrong(0, 9);
    begin();
    default_template_kernel<<<1, THREADS>>>(d_out);
    n += wrong(0, 3);
    begin();
    pack_kernel<<<1, THREADS>>>(d_out, 2, 4);
    n += wrong(0, 6);
    begin();
    inner::nested_kernel<inner::pair<int, inner::pair<int, int>>><<<1, THREADS>>>(d_out, {1, {2, 3}});
    return n + wrong(1, 2);
}
static int default_arguments(void) { begin(); default_argument_kernel<<<1, THREADS>>>(d_out); return wrong(0, 5); }
static int overloaded(void)
{
    begin();
    overloaded_kernel<<<1, THREADS>>>(d_out);
    int n = wrong(0, 1);
    begin();
    overloaded_kernel<<<1, THREADS>>>(d_out, 2);
    n += wrong(0, 2);
    begin();
    same_name();
    return n + wrong(0, 3);
}
static int from_a_header(void) { begin(); included_kernel<<<1, THREADS>>>(d_out); return wrong(2 * (THREADS - 1), -2); }

/* What looks like CUDA in a text or a comment is none: plain_kernel<<<1, 2>>>(d_out); __shared__ int a; */
static int in_texts(void)
{
    const char *quoted = "k<<<1, 2>>>(x) threadIdx.x __shared__ int a;", *raw = R"x(" k<<<1, 2>>>(x); )x";
    // plain_kernel<<<1, 2>>>(d_out); and __shared__ int a[4];
    return (quoted[1] != '<') + (quoted[15] != 't') + (raw[0] != '"') + (raw[3] != '<') + ('"' != 34);
}

/* ---- shared memory ---- */

struct body { int mass, place[2]; };

__global__ void declarations_kernel(int *to)
{
    __shared__ int a[THREADS], b, c[2][THREADS / 2];
    __shared__ volatile int
        over_lines[THREADS];
    volatile __shared__ int before[THREADS];
    static __shared__ body bodies[THREADS];
    __shared__ struct { int first; float second[THREADS]; } local;
    __shared__ __align__(16) char bytes[64];
    alignas(16) __shared__ int aligned[4];
    __shared__ alignas(double2) char as_a_type[20];
    __shared__ int *pointers[THREADS], one;
    const int i = (int)threadIdx.x;
    if (i == 0) b = local.first = one = 1;
    a[i] = over_lines[i] = before[i] = bodies[i].place[1] = i;
    c[i / (THREADS / 2)][i % (THREADS / 2)] = i;
    local.second[i] = i;
    pointers[i] = &a[i];
    bytes[i] = (char)i;
    if (i < 4) aligned[i] = ((size_t)aligned | (size_t)bytes | (size_t)as_a_type) % 16 == 0;
    __syncthreads();
    to[i] = a[i] + b + c[i / (THREADS / 2)][i % (THREADS / 2)] + over_lines[i] + before[i] + bodies[i].place[1] +
            local.first + (int)local.second[i] + *pointers[i] + one + bytes[i] + aligned[i % 4];
}

extern __shared__ int all_ints[];
template <class T> __global__ void dynamic_kernel(T *to)
{
    extern __shared__ char here[];
    extern __shared__ __align__(8) double2 pairs[];
    T *mine = (T *)here;
    mine[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    to[threadIdx.x] = (T)(all_ints[threadIdx.x] + ((void *)pairs == (void *)here) - 1);
}

static int shared_declarations(void) { begin(); declarations_kernel<<<1, THREADS>>>(d_out); return wrong(4, 8); }
static int shared_dynamic(void)
{
    begin();
    dynamic_kernel<<<1, THREADS, THREADS * sizeof(int)>>>(d_out);
    return wrong(0, 1);
}

/* ---- variables of the GPU ---- */

__device__ volatile int flag = 3;
__device__ const int table[4] = {1, 2, 3, 4};
static __device__ const int *last_entry = &table[3];
__constant__ int factors[2];
__device__ __constant__ int offset_to_add = 1;
__constant__ const int never_changes = 2;
__device__ int (*operation)(int) = twice;
typedef int (*operation_t)(int);

__global__ void variables_kernel(int *to)
{
    const int i = (int)threadIdx.x;
    to[i] = factors[i % 2] * i + flag + table[i % 4] - table[i % 4] + *last_entry + offset_to_add + never_changes +
            operation(1);
    if (i == 0) device_total = 12;
}

static int device_variables(void)
{
    const int both[2] = {6, 6};
    int total = 0;
    begin();
    cudaMemcpyToSymbol(factors, both, sizeof both);
    variables_kernel<<<1, THREADS>>>(d_out);
    cudaMemcpyFromSymbol(&total, device_total, sizeof total);
    return wrong(3 + 4 + 1 + 2 + 2, 6) + (total != 12);
}

/* ---- names of the program's own ---- */

struct launch_shape { dim3 gridDim, blockDim; int warpSize; };

__global__ void shape_kernel(int *to, launch_shape shape)
{
    const int warpSize = 32;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = (int)(shape.blockDim.x * gridDim.x) - THREADS + shape.warpSize - warpSize;
}

static int launch_it(dim3 gridDim, dim3 blockDim)
{
    const launch_shape shape = {gridDim, blockDim, 32};
    begin();
    shape_kernel<<<gridDim, blockDim>>>(d_out, shape);
    return wrong(0, 0);
}
static int names_of_its_own(void)
{
    const dim3 gridDim(2), threads(THREADS / 2);
    return launch_it(gridDim, threads) + (gridDim.x != 2);
}

extern "C" const struct syntax_case SYNTAX[] = {
#define CASE(name) {#name, name}
    CASE(in_a_macro), CASE(made_by_a_macro), CASE(over_lines), CASE(through_a_pointer), CASE(deduced),
    CASE(default_arguments), CASE(overloaded), CASE(from_a_header), CASE(in_texts), CASE(shared_declarations),
    CASE(shared_dynamic), CASE(device_variables), CASE(names_of_its_own),
};
extern "C" const int N_SYNTAX = sizeof SYNTAX / sizeof *SYNTAX;
