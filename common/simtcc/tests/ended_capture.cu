// An event of a capture that has ended, its graph destroyed and another one begun in its place: who waits for it is not
// captured.
#include <cstdio>
__global__ void add(int *p, int n) { *p += n; }
int main()
{
    int *p, sum;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    add<<<1, 1, 0, s>>>(p, 1);
    cudaEventRecord(e, s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphDestroy(graph);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    add<<<1, 1, 0, s>>>(p, 1);
    cudaStreamWaitEvent(t, e);
    add<<<1, 1, 0, t>>>(p, 10);
    cudaStreamSynchronize(t);
    cudaMemcpy(&sum, p, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum %d\n", sum);
}
