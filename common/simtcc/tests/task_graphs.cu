// Graphs that allocate, and graphs with conditional nodes (if, while, switch); nodes of any kind.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }
__global__ void choose(cudaGraphConditionalHandle handle, const int *p) { cudaGraphSetConditional(handle, *p); }
__global__ void count_down(cudaGraphConditionalHandle handle, int *left, int *rounds)
{
    ++*rounds;
    cudaGraphSetConditional(handle, --*left > 0);
}
__global__ void forever(int *p) { *p = 1; }

static cudaGraphNodeParams kernel(void *func, unsigned threads, void **args)
{
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = func;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(threads);
    p.kernel.kernelParams = args;
    return p;
}

// Fills memory that the graph allocates and adds it to out; the graph frees it, or not.
static cudaError_t allocating(int *out, bool freed, unsigned long long flags, int launches)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t alloc, node, last;
    cudaMemAllocNodeParams how = {};
    how.poolProps.allocType = cudaMemAllocationTypePinned;
    how.poolProps.location.type = cudaMemLocationTypeDevice;
    how.bytesize = 32 * sizeof(int);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &how);
    int v = 5;
    void *fill_args[] = {&how.dptr, &v}, *add_args[] = {&out, &how.dptr};
    cudaGraphNodeParams p = kernel((void *)fill, 32, fill_args);
    cudaGraphAddNode(&node, graph, &alloc, nullptr, 1, &p);
    p = kernel((void *)add, 32, add_args);
    cudaGraphAddNode(&last, graph, &node, nullptr, 1, &p);
    if (freed) cudaGraphAddMemFreeNode(&node, graph, &last, 1, how.dptr);
    cudaGraphInstantiate(&exec, graph, flags);
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < launches; ++i)
        if (cudaError_t now = cudaGraphLaunch(exec, 0)) e = now;
    if (!freed && !flags && launches == 1) cudaFree(how.dptr);
    return e;
}

static cudaGraph_t body_of(cudaGraph_t graph, cudaGraphConditionalHandle h, cudaGraphConditionalNodeType type,
                           unsigned size, cudaGraphNode_t after, cudaGraph_t *bodies)
{
    cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
    c.conditional.handle = h;
    c.conditional.type = type;
    c.conditional.size = size;
    cudaGraphNode_t node;
    cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr, after ? 1 : 0, &c);
    for (unsigned i = 0; i < size; ++i) bodies[i] = c.conditional.phGraph_out[i];
    return bodies[0];
}

static int at(const int *d)
{
    int h;
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    return h;
}

static void conditional(int *d, bool endless)
{
    cudaGraph_t graph, bodies[3];
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle h;
    // if, else and switch: the kernel `choose` sets the value
    for (int type : {cudaGraphCondTypeIf, cudaGraphCondTypeSwitch}) {
        int *to = d + 1, *what = d, numbers[] = {10, 20, 30};
        const unsigned size = type == cudaGraphCondTypeIf ? 2 : 3;
        cudaGraphCreate(&graph, 0);
        cudaGraphConditionalHandleCreate(&h, graph);
        void *args[] = {&h, &what};
        cudaGraphNodeParams p = kernel((void *)choose, 1, args);
        cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p);
        body_of(graph, h, (cudaGraphConditionalNodeType)type, size, node, bodies);
        for (unsigned i = 0; i < size; ++i) {
            void *fill_args[] = {&to, &numbers[i]};
            p = kernel((void *)fill, 1, fill_args);
            cudaGraphAddNode(&node, bodies[i], nullptr, nullptr, 0, &p);
        }
        cudaGraphInstantiate(&exec, graph);
        for (int v = 0; v < 4; ++v) {
            cudaMemset(d + 1, 0, 4);
            cudaMemcpy(d, &v, 4, cudaMemcpyHostToDevice);
            cudaGraphLaunch(exec, 0);
            printf("%d ", at(d + 1));
        }
    }
    // while, by capture; the value is 1 at the beginning of each launch
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&h, graph, 1, cudaGraphCondAssignDefault);
    body_of(graph, h, cudaGraphCondTypeWhile, 1, nullptr, bodies);
    cudaStreamBeginCaptureToGraph(s, bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
    if (endless) forever<<<1, 1, 0, s>>>(d);
    else count_down<<<1, 1, 0, s>>>(h, d, d + 1);
    cudaStreamEndCapture(s, nullptr);
    cudaGraphInstantiate(&exec, graph);
    for (int v : {7, 3}) {
        cudaMemset(d + 1, 0, 4);
        cudaMemcpy(d, &v, 4, cudaMemcpyHostToDevice);
        cudaGraphLaunch(exec, 0);
        printf("%d ", at(d + 1));
        if (endless) break;
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

int main(int argc, char **argv)
{
    const int mistake = argc > 1 ? atoi(argv[1]) : 0;
    int *d;
    cudaMalloc(&d, 32 * sizeof(int));
    cudaMemset(d, 0, 32 * sizeof(int));
    if (mistake == 0) {
        const int e[] = {allocating(d, true, 0, 3), allocating(d, false, cudaGraphInstantiateFlagAutoFreeOnLaunch, 2),
                         allocating(d, false, 0, 1)};
        printf("allocating %d %d %d, sum %d\n", e[0], e[1], e[2], at(d));
        cudaStream_t s; // captured: the graph owns the buffer of the stream
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        int *own;
        cudaStreamCreate(&s);
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMallocAsync(&own, 128, s);
        fill<<<1, 32, 0, s>>>(own, 1);
        add<<<1, 32, 0, s>>>(d, own);
        cudaFreeAsync(own, s);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&exec, graph);
        for (int i = 0; i < 4; ++i) cudaGraphLaunch(exec, s);
        cudaStreamSynchronize(s);
        printf("captured %d %s\n", at(d), cudaGetErrorString(cudaGetLastError()));
        conditional(d, false);
    }
    if (mistake == 1) printf("%d\n", allocating(d, false, 0, 2)); // launched again without a free
    if (mistake == 2) conditional(d, true);                       // no kernel sets the condition to 0
    if (mistake == 3) {                                           // memory used after its free
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaGraphNode_t alloc, freed, node;
        cudaMemAllocNodeParams how = {};
        how.bytesize = 128;
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &how);
        cudaGraphAddMemFreeNode(&freed, graph, &alloc, 1, how.dptr);
        int v = 1;
        void *args[] = {&how.dptr, &v};
        cudaGraphNodeParams p = kernel((void *)fill, 32, args);
        cudaGraphAddNode(&node, graph, &freed, nullptr, 1, &p);
        cudaGraphInstantiate(&exec, graph);
        cudaGraphLaunch(exec, 0);
        cudaDeviceSynchronize();
    }
    return 0;
}
