/* mutants_host.cu - host code that reaches for device memory, beside host code that copies first. */
#include <cuda_runtime.h>
#include <algorithm>
#include <string.h>
#include <unistd.h>
#include "simt/simt.h"
#include "simt/tests/kernels.h"

enum { N = 1000 };

static volatile float seen;            /* nothing is left out as unused */
__device__ int counter;

static float *buffer(const char *name)
{
    static const float ones[N] = {1};
    float *d = nullptr;
    cudaMalloc(&d, sizeof ones);
    cudaMemcpy(d, ones, sizeof ones, cudaMemcpyHostToDevice);
    keep_for_case(d, name);
    return d;
}

/* The copy that makes it right. */
static float *host_copy(const float *d)
{
    static float h[N];
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    return h;
}

/* A launcher that adds up its input itself. */
static void host_sum(int wrong)
{
    float *d_in = buffer("d_in"), sum = 0;
    const float *from = wrong ? d_in : host_copy(d_in);
    for (int i = 17; i < N; ++i)
        sum += from[i];
    seen = sum;
}

/* The answer for n = 0, written where only a kernel or cudaMemset can. */
static void host_store(int wrong)
{
    float *d_out = buffer("d_out");
    if (wrong)
        *d_out = 0;
    else
        cudaMemset(d_out, 0, sizeof *d_out);
}

static void host_volatile(int wrong)
{
    volatile float *d_in = buffer("d_in");
    if (wrong)
        while (d_in[3] != 0) {}         /* the memory is zero at once: the page reads as it did */
}

struct row { int a, b, c; };

static void host_struct(int wrong)
{
    row *d_rows = (row *)buffer("d_rows"), here = {1, 2, 3};
    if (wrong)
        here = d_rows[2];
    else
        cudaMemcpy(&here, &d_rows[2], sizeof here, cudaMemcpyDeviceToHost);
    seen = (float)here.a;
}

/* What follows has no hooks: the C library, and a C file. */
static void host_memcpy(int wrong)
{
    float *d_in = buffer("d_in"), h[N];
    volatile size_t bytes = sizeof h;   /* not known to the compiler, which would make loads of it */
    if (wrong)
        memcpy(h, d_in, bytes);
    else
        cudaMemcpy(h, d_in, bytes, cudaMemcpyDeviceToHost);
    seen = h[0];
}

static void host_memset(int wrong)
{
    float *d_out = buffer("d_out");
    volatile size_t bytes = N * sizeof *d_out;
    if (wrong)
        memset(d_out, 0, bytes);
    else
        cudaMemset(d_out, 0, bytes);
}

static void host_std_copy(int wrong)
{
    float *d_in = buffer("d_in"), h[N];
    const float *from = wrong ? d_in : host_copy(d_in);
    std::copy(from, from + N, h);
    seen = h[1];
}

static void host_in_c(int wrong)
{
    float *d_in = buffer("d_in");
    seen = add_up_in_c(wrong ? d_in : host_copy(d_in), N);
}

static void host_after_free(int wrong)
{
    float *d_in = nullptr;
    cudaMalloc(&d_in, N * sizeof *d_in);
    cudaMemset(d_in, 0, N * sizeof *d_in);
    float *h = host_copy(d_in);
    cudaFree(d_in);
    seen = add_up_in_c(wrong ? d_in : h, N);
}

static void host_beside(int wrong)
{
    float *d_in = buffer("d_in");
    if (wrong)
        d_in[N + 3] = 1;
}

static void host_variable(int wrong)
{
    const int one = 1;
    if (wrong)
        counter = one;
    else
        cudaMemcpyToSymbol(counter, &one, sizeof one);
}

/* ---- what a kernel may not do with memory that is not for that ---- */

__global__ void local_kernel(float *out, int wrong)
{
    int mine = 1;
    if (wrong)
        atomicAdd(&mine, 1);
    out[threadIdx.x] = (float)mine;
}

static void atomic_on_local(int wrong) { local_kernel<<<1, 32>>>(buffer("d_out"), wrong); }

static void read_only_input(int wrong)
{
    float *d_in = buffer("d_in"), *d_out = buffer("d_out");
    simt_set_read_only(d_in);
    local_kernel<<<1, 32>>>(wrong ? d_in : d_out, 0);
}

__global__ void atomic_kernel(float *out) { atomicAdd(&out[(blockIdx.x * blockDim.x + threadIdx.x) % N], 0.0f); }

/* A thread that is stopped in an atomic blocks no other: all launches end. */
static void atomic_on_input(int wrong)
{
    float *d_in = buffer("d_in"), *d_out = buffer("d_out");
    simt_set_read_only(d_in);
    alarm(60);
    for (int i = 0; i < 30; ++i) {
        simt_fault_clear();
        atomic_kernel<<<64, 128>>>(wrong ? d_in : d_out);
    }
    alarm(0);
}

/* ---- */

/* Which of the two a closed page has met is known where the processor says so (simt/run/signals.cpp). */
#ifdef __x86_64__
#define READS "reads"
#define WRITES "writes"
#else
#define READS "touches"
#define WRITES "touches"
#endif

extern "C" const struct mutant HOST_MUTANTS[] = {
#define CASE(name, ...) {#name, name, 0, cudaErrorIllegalAddress, {__VA_ARGS__}}
    CASE(host_sum, "host code reads device memory: d_in[17]; a GPU would crash", "in host code",
         "mutants_host.cu:38:  sum += from[i];", "note: copy it (cudaMemcpy), or launch a kernel"),
    CASE(host_store, "host code writes device memory: d_out[0]", "*d_out = 0;"),
    CASE(host_volatile, "host code reads device memory: d_in[3]"),
    CASE(host_struct, "host code reads device memory: d_rows[2]", "here = d_rows[2];"),
    CASE(host_memcpy, "host code " READS " device memory", " of d_in", "memcpy(h, d_in, bytes);"),
    CASE(host_memset, "host code " WRITES " device memory", " of d_out", "memset(d_out, 0, bytes);"),
    CASE(host_std_copy, "host code " READS " device memory", "d_in"),
    CASE(host_in_c, "host code " READS " device memory: byte 0 of d_in", "test_checks.c", "sum += numbers[i];"),
    CASE(host_after_free, "host code " READS " device memory", "on which cudaFree has been called"),
    CASE(host_beside, "host code writes device memory: beside d_in", "d_in[N + 3] = 1;"),
    CASE(atomic_on_local, "atomic on a local variable", "local_kernel"),
    CASE(read_only_input, "read-only memory: writes out", "local_kernel"),
    CASE(atomic_on_input, "read-only memory: writes out", "atomic_kernel"),
    CASE(host_variable, "host code writes device memory: counter", "cudaMemcpyToSymbol"),
};
extern "C" const int N_HOST_MUTANTS = sizeof HOST_MUTANTS / sizeof HOST_MUTANTS[0];
