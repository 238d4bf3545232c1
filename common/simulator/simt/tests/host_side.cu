/*
 * host_side.cu - the runtime's host side as programs use it: each case says how many of its values are wrong.  It is
 * a program of simtcc's, whose launches know of streams.
 */
#define SIMT_PROGRAM
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include "simt.h"
#include "simt/tests/kernels.h"

enum { N = 256, W = 20, H = 6, D = 3 };

__global__ void add_kernel(int *data, int n, int value)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] += value;
}

static int differ(const int *data, int n, int first, int step)
{
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += data[i] != first + step * i;
    return wrong;
}

/* ---- device ---- */

static int properties(void)
{
    cudaDeviceProp p;
    int value = 0, wrong = 0;
    wrong += cudaGetDeviceProperties(&p, 0) != cudaSuccess || p.warpSize != 32 || p.major < 7;
    wrong += cudaDeviceGetAttribute(&value, cudaDevAttrTotalConstantMemory, 0) != cudaSuccess || value != 65536;
    wrong += cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 99) != cudaErrorInvalidDevice;
    wrong += cudaGetLastError() != cudaErrorInvalidDevice;
    wrong += strcmp(cudaGetErrorName(cudaErrorPeerAccessNotEnabled), "cudaErrorPeerAccessNotEnabled") != 0;
    wrong += strcmp(cudaGetErrorString(cudaErrorNoKernelImageForDevice),
                    "no kernel image is available for execution on the device") != 0;
    wrong += cudaDeviceEnablePeerAccess(0, 0) != cudaErrorInvalidDevice;
    cudaGetLastError();
    size_t limit = 0;
    wrong += cudaDeviceGetLimit(&limit, cudaLimitStackSize) != cudaSuccess || limit == 0;
    return wrong;
}

/* As if nvcc had said so: 40 registers, of 16384 in each quarter of an SM; 7 KB. */
static simt_resources_t forty_registers(const char *symbol)
{
    return strstr(symbol, "add_kernel") ? simt_resources_t{40, 7 << 10} : simt_resources_t{0, 0};
}

struct shared_of {
    __host__ __device__ size_t operator()(int size) const { return (size_t)size * 256; }
};

static int occupancy(void)
{
    int grid = 0, block = 0, blocks = 0, wrong = 0;
    cudaFuncAttributes a;
    wrong += cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_kernel) != cudaSuccess || block != 1024 || grid < 1;
    wrong += cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add_kernel, shared_of()) != cudaSuccess;
    wrong += block < 32;
    blocks = block;
    wrong += cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, add_kernel, shared_of(), 0,
                                                                     cudaOccupancyDefault) != cudaSuccess;
    wrong += block != blocks;
    wrong += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_kernel, 1024, 0) != cudaSuccess || blocks != 2;
    wrong += cudaFuncGetAttributes(&a, add_kernel) != cudaSuccess || a.maxThreadsPerBlock != 1024;
    simt_set_resources(forty_registers);
    wrong += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_kernel, 256, 0) != cudaSuccess || blocks != 6;
    wrong += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_kernel, 64, 0) != cudaSuccess || blocks != 24;
    wrong += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_kernel, 32, 0) != cudaSuccess || blocks != 28;
    wrong += cudaFuncGetAttributes(&a, add_kernel) != cudaSuccess || a.numRegs != 40 || a.sharedSizeBytes != 7 << 10;
    simt_set_resources(NULL);
    return wrong;
}

static int launch_by_address(void)
{
    int *d = nullptr, out[N], n = N, value = 7;
    void *args[] = {&d, &n, &value};
    cudaMalloc(&d, sizeof out);
    cudaMemset(d, 0, sizeof out);
    int wrong = cudaLaunchKernel((const void *)add_kernel, dim3(2), dim3(N / 2), args, 0, nullptr) != cudaSuccess;
    wrong += cudaLaunchKernel(add_kernel, dim3(2), dim3(N / 2), args, 0, nullptr) != cudaSuccess;
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return wrong + differ(out, N, 14, 0);
}

/* ---- memory ---- */

__managed__ int shared_counter = 5;
__device__ int table[N];

static int managed_memory(void)
{
    int *m = nullptr, wrong = 0;
    cudaPointerAttributes a;
    cudaMallocManaged(&m, N * sizeof(int));
    for (int i = 0; i < N; ++i) m[i] = i;
    add_kernel<<<2, N / 2>>>(m, N, 3);
    add_kernel<<<1, 1>>>(&shared_counter, 1, 1);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    wrong += differ(m, N, 3, 1) + (shared_counter != 6);
    wrong += cudaPointerGetAttributes(&a, m) != cudaSuccess || a.type != cudaMemoryTypeManaged;
    m[0] = shared_counter = 5;
    cudaFree(m);
    return wrong;
}

static int pinned_memory(void)
{
    static int mine[N];
    int *h = nullptr, *d = nullptr, wrong = 0;
    cudaHostAlloc(&h, N * sizeof(int), cudaHostAllocMapped);
    memset(h, 0, N * sizeof(int));
    wrong += cudaHostGetDevicePointer(&d, h, 0) != cudaSuccess;
    add_kernel<<<2, N / 2>>>(d, N, 9);
    wrong += cudaDeviceSynchronize() != cudaSuccess || differ(h, N, 9, 0);
    wrong += cudaFreeHost(h) != cudaSuccess;
    wrong += cudaHostRegister(mine, sizeof mine, cudaHostRegisterMapped) != cudaSuccess;
    wrong += cudaHostGetDevicePointer(&d, mine, 0) != cudaSuccess;
    add_kernel<<<2, N / 2>>>(d, N, 9);
    wrong += cudaDeviceSynchronize() != cudaSuccess || differ(mine, N, 9, 0);
    return wrong + (cudaHostUnregister(mine) != cudaSuccess);
}

static int symbols(void)
{
    int in[N], out[N], wrong = 0;
    int *address = nullptr;
    size_t size = 0;
    for (int i = 0; i < N; ++i) in[i] = i;
    wrong += cudaMemcpyToSymbol(table, in, sizeof in) != cudaSuccess;
    wrong += cudaGetSymbolAddress((void **)&address, table) != cudaSuccess;
    wrong += cudaGetSymbolSize(&size, table) != cudaSuccess || size != sizeof in;
    add_kernel<<<2, N / 2>>>(address, N, 1);
    wrong += cudaMemcpy(out, address, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess;
    wrong += differ(out, N, 1, 1);
    wrong += cudaMemcpyFromSymbol(out, table, 4 * sizeof(int), 4 * sizeof(int)) != cudaSuccess || out[0] != 5;
    return wrong;
}

__global__ void pitched_kernel(int *data, size_t pitch)
{
    int *row = (int *)((char *)data + threadIdx.y * pitch);
    row[threadIdx.x] += (int)threadIdx.y;
}

static int pitched_memory(void)
{
    int in[H][W], out[H][W], *d = nullptr, wrong = 0;
    size_t pitch = 0;
    for (int i = 0; i < H * W; ++i) in[i / W][i % W] = i;
    wrong += cudaMallocPitch(&d, &pitch, sizeof in[0], H) != cudaSuccess || pitch < sizeof in[0];
    wrong += cudaMemcpy2D(d, pitch, in, sizeof in[0], sizeof in[0], H, cudaMemcpyHostToDevice) != cudaSuccess;
    pitched_kernel<<<1, dim3(W, H)>>>(d, pitch);
    wrong += cudaMemcpy2D(out, sizeof out[0], d, pitch, sizeof out[0], H, cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int i = 0; i < H * W; ++i) wrong += out[i / W][i % W] != i + i / W;
    cudaFree(d);
    return wrong;
}

static int volumes(void)
{
    static int in[D][H][W], out[D][H][W];
    int wrong = 0;
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    for (int i = 0; i < D * H * W; ++i) (&in[0][0][0])[i] = i;
    wrong += cudaMalloc3DArray(&array, &desc, make_cudaExtent(W, H, D)) != cudaSuccess;
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(in, W * sizeof(int), W, H);
    p.dstArray = array;
    p.extent = make_cudaExtent(W, H, D);
    p.kind = cudaMemcpyHostToDevice;
    wrong += cudaMemcpy3D(&p) != cudaSuccess;
    p = cudaMemcpy3DParms{};
    p.srcArray = array;
    p.srcPos = make_cudaPos(1, 0, 1);
    p.dstPtr = make_cudaPitchedPtr(out, W * sizeof(int), W, H);
    p.extent = make_cudaExtent(W - 1, H, D - 1);
    p.kind = cudaMemcpyDeviceToHost;
    wrong += cudaMemcpy3D(&p) != cudaSuccess || out[1][2][3] != in[2][2][4];
    wrong += cudaFreeArray(array) != cudaSuccess;
    return wrong;
}

/* ---- streams and graphs ---- */

static void CUDART_CB count_call(void *data) { ++*(int *)data; }

static int streams(void)
{
    int calls = 0, wrong = 0, priority = 1;
    cudaStream_t stream;
    cudaEvent_t event;
    wrong += cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1) != cudaSuccess;
    wrong += cudaStreamGetPriority(stream, &priority) != cudaSuccess || priority != -1;
    wrong += cudaLaunchHostFunc(stream, count_call, &calls) != cudaSuccess;
    wrong += cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess;
    wrong += cudaEventRecord(event, stream) != cudaSuccess || cudaStreamWaitEvent(stream, event) != cudaSuccess;
    wrong += cudaStreamSynchronize(stream) != cudaSuccess || cudaEventQuery(event) != cudaSuccess || calls != 1;
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    return wrong;
}

/* A captured call does nothing at once; each launch of the graph executes it, with the arguments of the capture. */
static int captured_graph(void)
{
    int *d = nullptr, out[N], calls = 0, value = 1, wrong = 0;
    cudaStream_t stream, other;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    cudaMalloc(&d, sizeof out);
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    wrong += cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess;
    cudaMemsetAsync(d, 0, sizeof out, stream);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(other, fork);
    add_kernel<<<2, N / 2, 0, other>>>(d, N, value);
    cudaEventRecord(join, other);
    cudaStreamWaitEvent(stream, join);
    value = 1000;
    add_kernel<<<2, N / 2, 0, stream>>>(d, N, 2);
    cudaLaunchHostFunc(stream, count_call, &calls);
    cudaMemcpyAsync(out, d, sizeof out, cudaMemcpyDeviceToHost, stream);
    wrong += cudaStreamEndCapture(stream, &graph) != cudaSuccess || calls != 0;
    wrong += cudaGraphGetNodes(graph, nullptr, &nodes) != cudaSuccess || nodes != 5;
    wrong += cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess;
    memset(out, 0, sizeof out);
    for (int i = 0; i < 3; ++i) wrong += cudaGraphLaunch(exec, stream) != cudaSuccess;
    cudaStreamSynchronize(stream);
    wrong += differ(out, N, 3, 0) + (calls != 3);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaFree(d);
    return wrong;
}

static int made_graph(void)
{
    int *d = nullptr, out[N], n = N, value = 4, wrong = 0;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t set, add, back;
    cudaMalloc(&d, sizeof out);
    void *args[] = {&d, &n, &value};
    cudaKernelNodeParams k = {};
    k.func = (void *)add_kernel;
    k.gridDim = dim3(2);
    k.blockDim = dim3(N / 2);
    k.kernelParams = args;
    cudaMemsetParams m = {};
    m.dst = d;
    m.elementSize = 4;
    m.value = 100;
    m.width = N;
    m.height = 1;
    cudaGraphCreate(&graph, 0);
    wrong += cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &m) != cudaSuccess;
    wrong += cudaGraphAddKernelNode(&add, graph, &set, 1, &k) != cudaSuccess;
    wrong += cudaGraphAddMemcpyNode1D(&back, graph, &add, 1, out, d, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess;
    wrong += cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess;
    wrong += cudaGraphLaunch(exec, nullptr) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess;
    wrong += differ(out, N, 104, 0);
    value = 5;
    wrong += cudaGraphExecKernelNodeSetParams(exec, add, &k) != cudaSuccess;
    wrong += cudaGraphLaunch(exec, nullptr) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess;
    wrong += differ(out, N, 105, 0);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(d);
    return wrong;
}

/* ---- textures and surfaces ---- */

__global__ void texture_kernel(cudaTextureObject_t t, const float2 *at, float *out)
{ out[threadIdx.x] = tex2D<float>(t, at[threadIdx.x].x, at[threadIdx.x].y); }
__global__ void fetch_kernel(cudaTextureObject_t t, float *out)
{ out[threadIdx.x] = tex1Dfetch<float>(t, (int)threadIdx.x); }
__global__ void surface_kernel(cudaSurfaceObject_t s)
{
    float v = surf2Dread<float>(s, (int)(threadIdx.x * sizeof v), (int)threadIdx.y);
    surf2Dwrite(2 * v, s, (int)(threadIdx.x * sizeof v), (int)threadIdx.y);
}

enum { POINTS = 6 };
static cudaTextureObject_t object_of(cudaArray_t array, cudaTextureAddressMode address, cudaTextureFilterMode filter,
                                     int normalised)
{
    cudaResourceDesc r = {};
    cudaTextureDesc t = {};
    cudaTextureObject_t object = 0;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    t.addressMode[0] = t.addressMode[1] = address;
    t.filterMode = filter;
    t.readMode = cudaReadModeElementType;
    t.normalizedCoords = normalised;
    cudaCreateTextureObject(&object, &r, &t, nullptr);
    return object;
}

/* A 4 x 2 texture of 10 y + x read at six points. */
static int read_points(cudaTextureObject_t object, const float2 *at, const float *expected)
{
    float2 *d_at = nullptr;
    float *d_out = nullptr, out[POINTS];
    int wrong = 0;
    cudaMalloc(&d_at, POINTS * sizeof *at);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_at, at, POINTS * sizeof *at, cudaMemcpyHostToDevice);
    texture_kernel<<<1, POINTS>>>(object, d_at, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < POINTS; ++i) wrong += fabsf(out[i] - expected[i]) > 1e-4f;
    cudaDestroyTextureObject(object);
    cudaFree(d_at);
    cudaFree(d_out);
    return wrong;
}

static int textures(void)
{
    const float texels[2][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}};
    const float2 at[POINTS] = {{0.5f, 0.5f}, {1.5f, 1.5f}, {1.25f, 0.5f}, {2, 1}, {-3, 0.5f}, {9, 9}};
    const float point[POINTS] = {0, 11, 1, 12, 0, 13}, linear[POINTS] = {0, 11, 0.75f, 6.5f, 0, 13};
    const float border[POINTS] = {0, 11, 1, 12, 0, 0};
    const float2 parts[POINTS] = {{0.125f, 0.25f}, {0.375f, 0.75f}, {1.125f, 0.25f}, {-0.125f, 0.25f}, {0.625f, 1.25f},
                                  {2.375f, -0.25f}};
    const float wrap[POINTS] = {0, 11, 0, 3, 2, 11}, mirror[POINTS] = {0, 11, 3, 0, 12, 1};
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    int wrong = cudaMallocArray(&array, &desc, 4, 2) != cudaSuccess;
    wrong += cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels[0], sizeof texels[0], 2, cudaMemcpyHostToDevice) !=
             cudaSuccess;
    wrong += read_points(object_of(array, cudaAddressModeClamp, cudaFilterModePoint, 0), at, point);
    wrong += read_points(object_of(array, cudaAddressModeClamp, cudaFilterModeLinear, 0), at, linear);
    wrong += read_points(object_of(array, cudaAddressModeBorder, cudaFilterModePoint, 0), at, border);
    wrong += read_points(object_of(array, cudaAddressModeWrap, cudaFilterModePoint, 1), parts, wrap);
    wrong += read_points(object_of(array, cudaAddressModeMirror, cudaFilterModePoint, 1), parts, mirror);
    cudaFreeArray(array);
    return wrong;
}

/* Bytes read as parts of 1, and zero behind the end. */
static int linear_texture(void)
{
    const unsigned char bytes[3] = {0, 51, 255};
    unsigned char *d = nullptr;
    float *d_out = nullptr, out[4];
    cudaResourceDesc r = {};
    cudaTextureDesc t = {};
    cudaTextureObject_t object = 0;
    cudaMalloc(&d, sizeof bytes);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = d;
    r.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    r.res.linear.sizeInBytes = sizeof bytes;
    t.readMode = cudaReadModeNormalizedFloat;
    int wrong = cudaCreateTextureObject(&object, &r, &t, nullptr) != cudaSuccess;
    fetch_kernel<<<1, 4>>>(object, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    wrong += out[0] != 0 || fabsf(out[1] - 0.2f) > 1e-6f || out[2] != 1 || out[3] != 0;
    cudaDestroyTextureObject(object);
    cudaFree(d);
    cudaFree(d_out);
    return wrong;
}

static cudaArray_t surface_of(cudaSurfaceObject_t *object)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    cudaResourceDesc r = {};
    float in[H][W];
    for (int i = 0; i < H * W; ++i) in[i / W][i % W] = (float)i;
    cudaMallocArray(&array, &desc, W, H, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], H, cudaMemcpyHostToDevice);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaCreateSurfaceObject(object, &r);
    return array;
}

static int surfaces(void)
{
    cudaSurfaceObject_t object = 0;
    float out[H][W];
    int wrong = 0;
    cudaArray_t array = surface_of(&object);
    surface_kernel<<<1, dim3(W, H)>>>(object);
    wrong += cudaMemcpy2DFromArray(out, sizeof out[0], array, 0, 0, sizeof out[0], H, cudaMemcpyDeviceToHost) !=
             cudaSuccess;
    for (int i = 0; i < H * W; ++i) wrong += out[i / W][i % W] != (float)(2 * i);
    cudaDestroySurfaceObject(object);
    cudaFreeArray(array);
    return wrong;
}

extern "C" const struct syntax_case HOST_SIDE[] = {
#define CASE(name) {#name, name}
    CASE(properties), CASE(occupancy), CASE(launch_by_address), CASE(managed_memory), CASE(pinned_memory),
    CASE(symbols), CASE(pitched_memory), CASE(volumes), CASE(streams), CASE(captured_graph), CASE(made_graph),
    CASE(textures), CASE(linear_texture), CASE(surfaces),
#undef CASE
};
extern "C" const int N_HOST_SIDE = sizeof HOST_SIDE / sizeof *HOST_SIDE;

/* ---- and used wrongly ---- */

static volatile int seen;       /* nothing is left out as unused */

/* The host takes what a kernel may still be writing. */
static void managed_too_early(int wrong)
{
    int *m = nullptr;
    cudaMallocManaged(&m, N * sizeof(int));
    add_kernel<<<2, N / 2>>>(m, N, 3);
    if (!wrong) cudaDeviceSynchronize();
    seen = m[5];
    cudaDeviceSynchronize();
    cudaFree(m);
}

/* A buffer of which the kernel only reads may be read by the host, too, but not written. */
__global__ void read_kernel(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }
static void managed_written_too_early(int wrong)
{
    int *m = nullptr, *d = nullptr;
    cudaMallocManaged(&m, 32 * sizeof(int));
    cudaMalloc(&d, 32 * sizeof(int));
    read_kernel<<<1, 32>>>(m, d);
    seen = m[5];
    if (wrong) m[5] = 1;
    cudaDeviceSynchronize();
    cudaFree(m);
    cudaFree(d);
}

static void registered_bounds(int wrong)
{
    static int mine[2 * N];
    cudaHostRegister(mine, N * sizeof(int), cudaHostRegisterMapped);
    add_kernel<<<1, 32>>>(mine + (wrong ? N - 31 : N - 32), 32, 1);
    cudaDeviceSynchronize();
    cudaHostUnregister(mine);
}

static void surface_bounds(int wrong)
{
    cudaSurfaceObject_t object = 0;
    cudaArray_t array = surface_of(&object);
    surface_kernel<<<1, dim3(W, wrong ? H + 1 : H)>>>(object);
    cudaDeviceSynchronize();
    cudaDestroySurfaceObject(object);
    cudaFreeArray(array);
}

extern "C" const struct mutant HOST_SIDE_MUTANTS[] = {
#define CASE(name, error, ...) {#name, name, 0, error, {__VA_ARGS__}}
    CASE(managed_too_early, cudaErrorIllegalAddress, "host reads m[5] before it has waited",
         "add_kernel in the default stream writes it", "seen = m[5];"),
    CASE(managed_written_too_early, cudaErrorIllegalAddress, "host writes m[5] before it has waited",
         "read_kernel in the default stream reads it", "m[5] = 1;"),
    CASE(registered_bounds, cudaErrorIllegalAddress, "thread (31,0,0)"),
    CASE(surface_bounds, cudaErrorLaunchFailure, "surface access out of bounds: byte 0 of row 6",
         "it has 80 bytes, 6 rows, 1 slices"),
};
extern "C" const int N_HOST_SIDE_MUTANTS = sizeof HOST_SIDE_MUTANTS / sizeof *HOST_SIDE_MUTANTS;
