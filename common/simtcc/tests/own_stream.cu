// Captures the default stream of a host thread, with a branch in a stream that is destroyed before the end.  Another
// thread's default stream is not captured.
#include <cstdio>
#include <thread>
__global__ void add(int *p, int n) { *p += n; }
__global__ void each(int *p) { p[threadIdx.x] += 1; }

int main(int argc, char **)
{
    if (argc > 1) { // two threads have two default streams
        int *q;
        cudaMalloc(&q, 128);
        cudaMemset(q, 0, 128);
        cudaDeviceSynchronize();
        for (int i = 0; i < 2; ++i) std::thread([&] { each<<<1, 32, 0, cudaStreamPerThread>>>(q); }).join();
        return cudaDeviceSynchronize();
    }
    const cudaStream_t mine = cudaStreamPerThread;
    int *p, early, sum;
    cudaStream_t side, apart;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus here, there;
    size_t nodes = 0;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    cudaStreamCreate(&side);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    const cudaError_t begun = cudaStreamBeginCapture(mine, cudaStreamCaptureModeRelaxed);
    add<<<1, 1, 0, mine>>>(p, 1);
    cudaEventRecord(fork, mine);
    cudaStreamWaitEvent(side, fork);
    add<<<1, 1, 0, side>>>(p, 10);
    cudaEventRecord(join, side);
    cudaStreamWaitEvent(mine, join);
    cudaStreamDestroy(side);
    add<<<1, 1, 0, mine>>>(p, 100);
    cudaStreamIsCapturing(mine, &here);
    std::thread([&] { cudaStreamIsCapturing(cudaStreamPerThread, &there); }).join();
    cudaMemcpyAsync(&early, p, sizeof early, cudaMemcpyDeviceToHost, apart);
    cudaStreamSynchronize(apart);
    if (begun || cudaStreamEndCapture(mine, &graph)) return 1;
    if (cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0)) return 2;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    for (int i = 0; i < 2; ++i) cudaGraphLaunch(exec, mine);
    cudaStreamSynchronize(mine);
    cudaMemcpy(&sum, p, sizeof sum, cudaMemcpyDeviceToHost);
    printf("own %d, %d of %zu nodes, captured %d %d: %s\n", early, sum, nodes, here == cudaStreamCaptureStatusActive,
           there == cudaStreamCaptureStatusActive, cudaGetErrorString(cudaGetLastError()));
}
