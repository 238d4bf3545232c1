// Races between branches of a graph.  0: right; 1: two write one buffer; 2: a branch reads what another writes;
// 3: a copy of one branch, a kernel of the other; 4: a missing edge; 5: a stream that is not joined at the end;
// 6: the host reads before the graph has finished; 7: a race with a child graph; 8: a kernel that does not
// depend on the copy to its input.
#include <cstdio>
#include <cstdlib>
#include <utility>

enum { N = 256 };

__global__ void add(int *x, int v) { x[threadIdx.x] += v; }
__global__ void sum(int *to, const int *a, const int *b) { to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

/* Captures two branches between a fork and a join, twice. */
static cudaGraph_t captured(cudaStream_t s, cudaStream_t other, int *a, int *b, int *c, int wrong)
{
    cudaGraph_t graph = nullptr;
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, N, 0, s>>>(a, 1);
    for (int i = 0; i < 2; ++i) {
        cudaEventRecord(fork, s);
        cudaStreamWaitEvent(other, fork, 0);
        add<<<1, N, 0, s>>>(a, 10);
        if (wrong == 3) cudaMemcpyAsync(b, a, N * sizeof *a, cudaMemcpyDeviceToDevice, other);
        add<<<1, N, 0, other>>>(wrong == 1 ? a : b, 100);
        if (wrong == 2) sum<<<1, N, 0, other>>>(c, a, b);
        cudaEventRecord(join, other);
        if (wrong != 5) cudaStreamWaitEvent(s, join, 0);
        sum<<<1, N, 0, s>>>(c, a, b);
    }
    printf("end %d, ", cudaStreamEndCapture(s, &graph));
    cudaGetLastError();
    return graph;
}

/* Builds a graph like a diamond by hand. */
static cudaGraph_t by_hand(int *a, int *b, int *c, bool edge)
{
    cudaGraph_t graph;
    cudaGraphNode_t first, left, right, last;
    int one = 1, ten = 10;
    cudaGraphCreate(&graph, 0);
    void *of_first[] = {&a, &one}, *of_left[] = {&a, &ten}, *of_right[] = {&b, &ten}, *of_last[] = {&c, &a, &b};
    cudaKernelNodeParams p = {};
    p.func = (void *)add;
    p.gridDim = dim3(1);
    p.blockDim = dim3(N);
    p.kernelParams = of_first;
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &p);
    p.kernelParams = of_left;
    cudaGraphAddKernelNode(&left, graph, &first, 1, &p);
    p.kernelParams = of_right;
    cudaGraphAddKernelNode(&right, graph, &first, 1, &p);
    p.func = (void *)sum;
    p.kernelParams = of_last;
    cudaGraphNode_t both[] = {left, right};
    cudaGraphAddKernelNode(&last, graph, both, edge ? 2 : 1, &p);
    return graph;
}

/* A copy and a kernel that must depend on it; the copy's parameters are set at creation or later. */
static void copied(int *a, int *b, int *c, cudaStream_t s)
{
    static int h[N];
    cudaGraph_t graph;
    cudaGraphNode_t copy, node;
    cudaGraphExec_t run;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, a, h, sizeof h, cudaMemcpyHostToDevice); // copied here
    void *args[] = {&c, &a, &b};
    cudaKernelNodeParams p = {};
    p.func = (void *)sum;
    p.gridDim = dim3(1);
    p.blockDim = dim3(N);
    p.kernelParams = args;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
    cudaGraphInstantiate(&run, graph, 0);
    cudaGraphLaunch(run, s);
}

int main(int argc, char **argv)
{
    const int wrong = argc > 1 ? atoi(argv[1]) : 0;
    int *a, *b, *c, h[N];
    cudaStream_t s, other;
    cudaStreamCreate(&s);
    cudaStreamCreate(&other);
    for (int **p : {&a, &b, &c}) {
        cudaMalloc(p, N * sizeof **p);
        cudaMemset(*p, 0, N * sizeof **p);
    }
    cudaDeviceSynchronize();
    cudaGraph_t graph = captured(s, other, a, b, c, wrong), diamond = by_hand(a, b, c, wrong != 4);
    cudaGraphNode_t node;
    if (graph) cudaGraphAddChildGraphNode(&node, diamond, nullptr, 0, graph);   // unordered with the diamond's nodes
    cudaGraphExec_t run, run_diamond;
    if (graph) {
        cudaGraphInstantiate(&run, graph, 0);
        for (int i = 0; i < 3; ++i) cudaGraphLaunch(run, s);
        add<<<1, N, 0, s>>>(a, 1000);
        cudaStreamSynchronize(s);
    }
    if (wrong == 8) copied(a, b, c, s);
    cudaGraph_t alone = by_hand(a, b, c, wrong != 4);
    cudaGraphInstantiate(&run_diamond, wrong == 7 ? diamond : alone, 0);
    cudaGraphLaunch(run_diamond, s);
    int *seen;
    cudaMallocHost((void **)&seen, sizeof h);
    cudaMemcpyAsync(seen, c, sizeof h, cudaMemcpyDeviceToHost, s);
    if (wrong != 6) cudaStreamSynchronize(s);
    printf("branches %d %s\n", seen[5], cudaGetErrorString(cudaGetLastError()));
}
