// The driver interface: modules from file and text, launches, variables, textures, virtual memory, NVRTC.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>

static int wrong;
static void same(int got, int want, int line)
{
    if (got == want) return;
    ++wrong;
    printf("line %d: %d, not %d\n", line, got, want);
}
#define SAME(got, want) same((int)(got), (int)(want), __LINE__)
#define FINE(call) SAME(call, CUDA_SUCCESS)

static std::string text_of(const char *name)
{
    std::string text;
    FILE *f = fopen(name, "r");
    for (int c; f && (c = fgetc(f)) != EOF;) text += (char)c;
    if (f) fclose(f);
    return text;
}

static void launches(CUmodule module)
{
    CUfunction scale, mixed, none;
    CUdeviceptr a, counter, factor;
    size_t bytes;
    int n = 100, h[100], three = 3, count = 0;
    FINE(cuModuleGetFunction(&scale, module, "scale"));
    SAME(cuModuleGetFunction(&none, module, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
    FINE(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
    SAME(bytes, 4);
    FINE(cuMemcpyHtoD(factor, &three, 4));
    FINE(cuMemAlloc(&a, sizeof h));
    void *args[] = {&a, &n};
    FINE(cuLaunchKernel(scale, 2, 1, 1, 64, 1, 1, 0, 0, args, nullptr));
    FINE(cuMemcpyDtoH(h, a, sizeof h));
    for (int i = 0; i < n; ++i) SAME(h[i], 3 * i);
    FINE(cuModuleGetGlobal(&counter, nullptr, module, "counter"));
    FINE(cuMemcpyDtoH(&count, counter, 4));
    SAME(count, 6);

    /* All arguments in one buffer, at their alignment. */
    char buffer[64];
    double d = 0.5, out;
    short s = 20;
    int i = 300;
    memset(buffer, 0, sizeof buffer);
    buffer[0] = 1;
    memcpy(buffer + 8, &a, 8);
    memcpy(buffer + 16, &s, 2);
    memcpy(buffer + 24, &d, 8);
    memcpy(buffer + 32, &i, 4);
    size_t size = 36;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    FINE(cuModuleGetFunction(&mixed, module, "mixed"));
    FINE(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, extra));
    FINE(cuMemcpyDtoH(&out, a, sizeof out));
    SAME(2 * out, 643);
    FINE(cuMemsetD32(a, 7, 100));
    FINE(cuMemcpyDtoH(h, a, sizeof h));
    SAME(h[99], 7);
    FINE(cuMemFree(a));
}

static void contexts(CUdevice device, CUcontext first)
{
    CUcontext second, now;
    FINE(cuCtxCreate(&second, 0, device));
    FINE(cuCtxGetCurrent(&now));
    SAME(now == second, 1);
    FINE(cuCtxPopCurrent(&now));
    FINE(cuCtxGetCurrent(&now));
    SAME(now == first, 1);
    FINE(cuCtxDestroy(second));
    SAME(cuCtxPushCurrent(second), CUDA_ERROR_INVALID_CONTEXT);
}

static CUdeviceptr map(size_t bytes, int rights)
{
    CUdeviceptr p;
    CUmemGenericAllocationHandle pages;
    CUmemAllocationProp properties = {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    SAME(cuMemCreate(&pages, 100, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    FINE(cuMemAddressReserve(&p, bytes, 0, 0, 0));
    SAME(cuMemSetAccess(p, bytes, &access, 1), CUDA_ERROR_INVALID_VALUE);
    FINE(cuMemCreate(&pages, bytes, &properties, 0));
    FINE(cuMemMap(p, bytes, 0, pages, 0));
    FINE(cuMemRelease(pages));
    if (rights) FINE(cuMemSetAccess(p, bytes, &access, 1));
    return p;
}

static void rtc()
{
    static const char source[] = "#include \"more.h\"\n"
                                 "template <class T> __global__ void put(T *p, T v) { *p = MORE + v; }\n"
                                 "namespace n { __device__ int kept; __global__ void keep(int v) { kept = v; } }\n";
    const char *headers[] = {"#define MORE 2\n"}, *names[] = {"more.h"};
    const char *options[] = {"--gpu-architecture=sm_90", "-DUNUSED=1"};
    nvrtcProgram program;
    SAME(nvrtcCreateProgram(&program, source, "put.cu", 1, headers, names), 0);
    SAME(nvrtcAddNameExpression(program, "put<int>"), 0);
    SAME(nvrtcAddNameExpression(program, "&n::kept"), 0);
    if (nvrtcCompileProgram(program, 2, options) != NVRTC_SUCCESS) return;
    size_t size;
    const char *name;
    SAME(nvrtcGetPTXSize(program, &size), 0);
    std::string text(size, 0);
    SAME(nvrtcGetPTX(program, &text[0]), 0);
    printf("compiled\n");
    CUmodule module;
    CUfunction put;
    CUdeviceptr p, kept;
    FINE(cuModuleLoadData(&module, text.c_str()));
    SAME(nvrtcGetLoweredName(program, "put<int>", &name), 0);
    SAME(strcmp(name, "_Z3putIiEvPT_S0_"), 0);
    FINE(cuModuleGetFunction(&put, module, name));
    SAME(nvrtcGetLoweredName(program, "&n::kept", &name), 0);
    FINE(cuModuleGetGlobal(&kept, &size, module, name));
    FINE(cuMemAlloc(&p, 4));
    int v = 40, h;
    void *args[] = {&p, &v};
    FINE(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, 0, args, nullptr));
    FINE(cuMemcpyDtoH(&h, p, 4));
    SAME(h, 42);
    SAME(nvrtcDestroyProgram(&program), 0);
    /* The log has the error and its line. */
    const char *wrong = "\n__global__ void k(int *p) { *p = nothing; }\n";
    SAME(nvrtcCreateProgram(&program, wrong, "wrong.cu", 0, nullptr, nullptr), 0);
    SAME(nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
    SAME(nvrtcGetProgramLogSize(program, &size), 0);
    std::string log(size, 0);
    SAME(nvrtcGetProgramLog(program, &log[0]), 0);
    SAME(log.find("wrong.cu:2:") != std::string::npos && log.find("nothing") != std::string::npos, 1);
    SAME(nvrtcDestroyProgram(&program), 0);
}

/* A kernel of the program, launched by the driver interface: with a cluster, and in a graph. */
__global__ void ranks(int *a)
{
    int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    a[blockIdx.x] += 10 * gridDim.x + rank;
}

static void by_symbol()
{
    cudaFunction_t f;
    CUdeviceptr a;
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    int h[4];
    FINE(cudaGetFuncBySymbol(&f, ranks));
    FINE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    FINE(cuMemAllocAsync(&a, sizeof h, stream));
    FINE(cuStreamSynchronize(stream));
    FINE(cuMemsetD2D32(a, 8, 5, 2, 2));
    FINE(cuCtxSynchronize()); // the stream does not wait for the legacy stream
    CUlaunchAttribute attribute;
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    CUlaunchConfig config = {4, 1, 1, 32, 1, 1, 0, stream, &attribute, 1};
    config.blockDimX = 1;
    void *args[] = {&a};
    FINE(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FINE(cuLaunchKernelEx(&config, f, args, nullptr));
    FINE(cuStreamEndCapture(stream, &graph));
    FINE(cuGraphInstantiate(&exec, graph, 0));
    FINE(cuGraphLaunch(exec, stream));
    FINE(cuGraphLaunch(exec, stream));
    FINE(cuMemcpyDtoHAsync(h, a, sizeof h, stream));
    FINE(cuStreamSynchronize(stream));
    for (int i = 0; i < 4; ++i) SAME(h[i], 5 + 2 * (40 + i % 2));
    FINE(cuGraphExecDestroy(exec));
    FINE(cuGraphDestroy(graph));
    FINE(cuMemFreeAsync(a, stream));
    FINE(cuStreamDestroy(stream));
}

/* Attributes of a pointer; copies of a box to an array and back. */
static void pointers_and_boxes()
{
    CUdeviceptr a, base;
    unsigned kind = 0;
    size_t size = 0;
    FINE(cuMemAllocManaged(&a, 4096, CU_MEM_ATTACH_GLOBAL));
    FINE(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_IS_MANAGED, a + 8));
    SAME(kind, 1);
    FINE(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, a + 8));
    FINE(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, a + 8));
    SAME(base == a && size == 4096, 1);
    const CUdeviceptr on_host = (CUdeviceptr)(uintptr_t)&size;
    SAME(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, on_host), CUDA_ERROR_INVALID_VALUE);
    CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    FINE(cuMemAdvise(a, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 0));
    FINE(cuMemPrefetchAsync(a, 4096, host, 0, 0));
    float *in = (float *)(uintptr_t)a, out[8] = {};
    for (int i = 0; i < 64; ++i) in[i] = i;
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR what = {4, 4, 4, CU_AD_FORMAT_FLOAT, 1, 0}, got;
    FINE(cuArray3DCreate(&array, &what));
    FINE(cuArray3DGetDescriptor(&got, array));
    SAME(got.Width == 4 && got.Depth == 4 && got.Format == CU_AD_FORMAT_FLOAT && got.NumChannels == 1, 1);
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = a;
    copy.srcPitch = copy.WidthInBytes = 16;
    copy.srcHeight = copy.Height = copy.Depth = 4;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    FINE(cuMemcpy3D(&copy));
    CUDA_MEMCPY3D back = {};
    back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    back.srcArray = array;
    back.srcXInBytes = 8;
    back.srcY = back.srcZ = 1;
    back.dstMemoryType = CU_MEMORYTYPE_HOST;
    back.dstHost = out;
    back.WidthInBytes = 8;
    back.Height = back.Depth = 2;
    FINE(cuMemcpy3D(&back));
    for (int i = 0; i < 8; ++i) SAME(out[i], 16 * (1 + i / 4) + 4 * (1 + i / 2 % 2) + 2 + i % 2);
    FINE(cuArrayDestroy(array));
    FINE(cuMemFree(a));
    const char *name;
    FINE(cuGetErrorName(CUDA_ERROR_ECC_UNCORRECTABLE, &name));
}

int main(int argc, char **argv)
{
    const char *file = argc > 1 ? argv[1] : "module.ptx";
    const int mistake = argc > 2 ? atoi(argv[2]) : 0;
    CUdevice device;
    CUcontext context;
    CUmodule module, again;
    if (mistake == 1) printf("%d\n", cuDeviceGet(&device, 0));
    FINE(cuInit(0));
    FINE(cuDeviceGet(&device, 0));
    CUctxCreateParams how = {};
    FINE(cuCtxCreate(&context, &how, 0, device));
    if (cuModuleLoad(&module, file) != CUDA_SUCCESS) return 3;
    FINE(cuModuleLoadData(&again, text_of(file).c_str()));
    SAME(cuModuleLoad(&again, "no such file"), CUDA_ERROR_FILE_NOT_FOUND);
    if (mistake == 0) {
        launches(module);
        contexts(device, context);
        const CUdeviceptr p = map(4 << 20, 1);
        FINE(cuMemsetD8(p, 1, 4 << 20));
        FINE(cuMemUnmap(p, 4 << 20));
        FINE(cuMemAddressFree(p, 4 << 20));
        by_symbol();
        pointers_and_boxes();
        rtc();
    }
    CUfunction f;
    CUdeviceptr a;
    int n = 10;
    FINE(cuMemAlloc(&a, 40));
    void *args[] = {&a, &n};
    FINE(cuModuleGetFunction(&f, module, "beyond"));
    if (mistake == 2) cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, args, nullptr); // writes past the end
    if (mistake == 3) printf("%d\n", cuModuleLoadData(&again, ".version 7.0\n.target sm_70\n"));
    if (mistake == 4) { // fewer bytes than arguments
        size_t size = 8;
        void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &a, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
        printf("%d\n", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, extra));
    }
    if (mistake == 5) { // no rights to what is mapped
        a = map(2 << 20, 0);
        n = 0;
        cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, args, nullptr);
    }
    FINE(cuModuleUnload(module));
    if (mistake == 6) printf("%d\n", cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, args, nullptr));
    printf("driver %d: %d\n", wrong, cuCtxSynchronize());
    return 0;
}
