/*
 * repeats.cu - a launch that would repeat an earlier one is not run; a launch that differs in any way is run.
 *
 * Each case launches six times, and prints its result and how many launches were not run.  The results are the same
 * with SIMT_EVERY_LAUNCH=1.  repeats N: a mistake in a launch that was not run.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" uint64_t simt_repeats(void);

enum { N = 128, STEPS = 6000, TIMES = 6 };

__constant__ int factor = 3;
__device__ int summand = 5;
__device__ unsigned tickets;
__managed__ int shift = 1;

/* Takes longer than comparing the memory before a launch. */
__device__ unsigned mixed(unsigned x)
{
    for (int i = 0; i < STEPS; ++i) x = x * 1664525u + 1013904223u;
    return x;
}

__global__ void plain(const int *in, unsigned *out, int more)
{
    const int i = threadIdx.x;
    out[i] = mixed((unsigned)(in[i] * factor + summand + shift + more));
}
__global__ void adds(const int *in, unsigned *out, int)
{ atomicAdd(&out[threadIdx.x % 8], mixed((unsigned)in[threadIdx.x])); }
__global__ void takes_long(const int *in, unsigned *out)
{
    unsigned x = (unsigned)in[threadIdx.x];
    for (int i = 0; i < 40; ++i) x = mixed(x);
    out[threadIdx.x] = x;
}
__global__ void prints(const int *in, unsigned *out)
{
    out[threadIdx.x] = mixed((unsigned)in[threadIdx.x]);
    if (threadIdx.x == 0) printf("a word\n");
}
__global__ void allocates(const int *in, unsigned *out)
{
    unsigned *p = (unsigned *)malloc(sizeof *p);
    *p = mixed((unsigned)in[threadIdx.x]);
    out[threadIdx.x] = *p;
    free(p);
}
__global__ void looks_at_the_clock(const int *in, unsigned *out)
{
    const long long begin = clock64();
    out[threadIdx.x] = mixed((unsigned)in[threadIdx.x]) + (clock64() < begin);
}
__global__ void takes_a_ticket(const int *in, unsigned *out)
{
    if (threadIdx.x == 0) out[0] = atomicAdd(&tickets, 1u);
    else out[threadIdx.x] = mixed((unsigned)in[threadIdx.x]);
}
__global__ void fetches(cudaTextureObject_t t, unsigned *out)
{ out[threadIdx.x] = mixed((unsigned)(1000 * tex1D<float>(t, (float)threadIdx.x + 0.25f))); }
__global__ void counts_down(cudaGraphConditionalHandle handle, const int *in, unsigned *out)
{
    if (threadIdx.x > 0) out[1 + threadIdx.x] = mixed((unsigned)in[threadIdx.x]);
    else cudaGraphSetConditional(handle, --out[0] > 0);
}
__global__ void child(unsigned *out) { ++*out; }
__global__ void parent(const int *in, unsigned *out)
{
    out[1 + threadIdx.x % 7] = mixed((unsigned)in[threadIdx.x % 7]);
    if (threadIdx.x == 0) child<<<1, 1>>>(out);
}

static int host_in[N], *in;
static unsigned host_out[N], *out;
static unsigned long sum;
static uint64_t before;

static void fill(int salt)
{
    for (int i = 0; i < N; ++i) host_in[i] = i * 7 + salt;
    cudaMemcpy(in, host_in, sizeof host_in, cudaMemcpyHostToDevice);
}
static void begin(void)
{
    fill(0);
    cudaMemset(out, 0, sizeof host_out);
    sum = 0;
    before = simt_repeats();
}
/* Adds the current values to the result, in order. */
static void take(void)
{
    cudaMemcpy(host_out, out, sizeof host_out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i) sum = sum * 31 + host_out[i];
}
static void end(const char *name) { printf("%s: %lx, %d not run\n", name, sum, (int)(simt_repeats() - before)); }

#define SIX(name, ...)                                  \
    do {                                                \
        begin();                                        \
        for (int k = 0; k < TIMES; ++k) { __VA_ARGS__ } \
        end(name);                                      \
    } while (0)

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter)
{
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = filter;
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    return t;
}

static void textures(void)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    float host[N];
    for (int i = 0; i < N; ++i) host[i] = (float)(i * i % 17);
    cudaMallocArray(&array, &desc, N, 0);
    cudaMemcpy2DToArray(array, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice);
    cudaTextureObject_t t = texture_of(array, cudaFilterModePoint);
    SIX("texture", fetches<<<1, N>>>(t, out); take(););
    SIX("texture with other texels", host[k] += 1;
        cudaMemcpy2DToArray(array, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice);
        fetches<<<1, N>>>(t, out); take(););
    fetches<<<1, N>>>(t, out);
    fetches<<<1, N>>>(t, out);
    fetches<<<1, N>>>(t, out);
    begin();
    cudaDestroyTextureObject(t);
    t = texture_of(array, cudaFilterModeLinear); /* probably at the old one's address */
    fetches<<<1, N>>>(t, out);
    take();
    end("another texture");
    cudaDestroyTextureObject(t);
    cudaFreeArray(array);
}

static void graph(void)
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    plain<<<1, N, 0, s>>>(in, out, 9);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, nullptr, nullptr, 0);
    SIX("graph", cudaGraphLaunch(e, s); cudaStreamSynchronize(s); take(););
    cudaGraphExecDestroy(e);
    cudaGraphDestroy(g);
    cudaStreamDestroy(s);
}

/* A loop of three rounds, six times: its condition does not depend on memory. */
static void loop(void)
{
    const unsigned three = 3;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle h;
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional}, k = {cudaGraphNodeTypeKernel};
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault);
    p.conditional.handle = h;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &p);
    void *args[] = {&h, &in, &out};
    k.kernel.func = (void *)counts_down;
    k.kernel.gridDim = dim3(1);
    k.kernel.blockDim = dim3(N / 2);
    k.kernel.kernelParams = args;
    cudaGraphAddNode(&node, p.conditional.phGraph_out[0], nullptr, nullptr, 0, &k);
    cudaGraphInstantiate(&e, g, nullptr, nullptr, 0);
    SIX("loop", cudaMemcpy(out, &three, sizeof three, cudaMemcpyHostToDevice); cudaGraphLaunch(e, 0); take(););
    cudaGraphExecDestroy(e);
    cudaGraphDestroy(g);
}

/* The last launch is not run, and the host does not wait for it. */
static void host_reads(void)
{
    unsigned *managed;
    cudaMallocManaged(&managed, sizeof host_out);
    for (int k = 0; k < TIMES; ++k) {
        cudaDeviceSynchronize();
        plain<<<1, N>>>(in, managed, 2);
    }
    printf("%u\n", managed[3]);
}

__global__ void reads(const unsigned *in, unsigned *out) { out[threadIdx.x] = in[threadIdx.x]; }

static void other_stream_reads(void)
{
    cudaStream_t one, other;
    unsigned *copy;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    cudaMalloc(&copy, sizeof host_out);
    for (int k = 0; k < TIMES; ++k) {
        cudaDeviceSynchronize();
        plain<<<1, N, 0, one>>>(in, out, 4);
    }
    reads<<<1, N, 0, other>>>(out, copy);
    cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    cudaMalloc(&in, sizeof host_in);
    cudaMalloc(&out, sizeof host_out);
    if (argc > 1) {
        fill(0);
        if (atoi(argv[1]) == 1) host_reads();
        else other_stream_reads();
        return 0;
    }
    SIX("same", plain<<<1, N>>>(in, out, 0); take(););
    SIX("other arguments", plain<<<1, N>>>(in, out, 10 + k); take(););
    SIX("other shape", plain<<<1, N - k>>>(in, out, 1); take(););
    SIX("other input", fill(k); plain<<<1, N>>>(in, out, 0); take(););
    SIX("output overwritten", cudaMemset(out, 1, sizeof host_out); plain<<<1, N>>>(in, out, 5); take(););
    SIX("constant", cudaMemcpyToSymbol(factor, &k, sizeof k); plain<<<1, N>>>(in, out, 0); take(););
    SIX("variable", cudaMemcpyToSymbol(summand, &k, sizeof k); plain<<<1, N>>>(in, out, 0); take(););
    SIX("managed", cudaDeviceSynchronize(); shift = k; plain<<<1, N>>>(in, out, 0); take(););
    SIX("in place", adds<<<1, N>>>(in, out, 0); take(););
    SIX("in turns", cudaMemset(out, 0, sizeof host_out); adds<<<1, N>>>(in, out, 1); take();
        adds<<<1, N>>>(in, out, 1); take(););
    SIX("prints", prints<<<1, N>>>(in, out); take(););
    SIX("clock", looks_at_the_clock<<<1, N>>>(in, out); take(););
    SIX("ticket", takes_a_ticket<<<1, N>>>(in, out); take(););
    SIX("child", parent<<<1, 7>>>(in, out); take(););
    int *mapped;
    unsigned *mapped_out;
    cudaHostAlloc(&mapped, sizeof host_in, cudaHostAllocMapped);
    cudaHostAlloc(&mapped_out, sizeof host_out, cudaHostAllocMapped);
    for (int i = 0; i < N; ++i) mapped[i] = i;
    SIX("mapped", cudaDeviceSynchronize(); mapped[k] = 1000 + k; plain<<<1, N>>>(mapped, out, 0); take(););
    SIX("mapped output", plain<<<1, N>>>(in, mapped_out, 0); cudaDeviceSynchronize(); sum += mapped_out[k];);
    SIX("another buffer", int *fresh; cudaMalloc(&fresh, sizeof host_in); cudaFree(fresh);
        plain<<<1, N>>>(in, out, 3); take(););
    void *large;        /* its digest takes longer than the short kernel, but it is not used */
    cudaMalloc(&large, 256 << 20);
    cudaMemset(large, 0, 256 << 20);
    SIX("beside a large buffer", takes_long<<<1, N>>>(in, out); take(); plain<<<1, N>>>(in, out, 6); take(););
    cudaFree(large);
    textures();
    graph();
    loop();
    SIX("allocates", allocates<<<1, N>>>(in, out); take();); /* last, because its heap is large */
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
