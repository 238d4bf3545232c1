// An event of a capture that has ended, whose graph was destroyed and replaced by another: a stream that waits for the
// event is not captured.
#include <cstdio>
__global__ void add(int *p, int n) { *p += n; }

// Calls that a capture does not allow: prints the call's error, and the error of cudaStreamEndCapture.
template <class F> static void disturbed(int *p, unsigned flags, cudaStreamCaptureMode mode, F call)
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaStreamCreateWithFlags(&s, flags);
    cudaStreamBeginCapture(s, mode);
    add<<<1, 1, 0, s>>>(p, 1);
    const cudaError_t error = call(s);
    printf("%d/%d ", error, cudaStreamEndCapture(s, &graph));
    cudaGetLastError();
    cudaStreamDestroy(s);
}

static void all(int *p, unsigned flags, cudaStreamCaptureMode mode)
{
    void *more;
    int sum;
    cudaEvent_t event;
    cudaEventCreate(&event);
    disturbed(p, flags, mode, [&](cudaStream_t) { return add<<<1, 1>>>(p, 1), cudaPeekAtLastError(); });
    disturbed(p, flags, mode, [&](cudaStream_t) { return cudaMemcpy(&sum, p, sizeof sum, cudaMemcpyDeviceToHost); });
    disturbed(p, flags, mode, [&](cudaStream_t) { return cudaMemset(p, 0, sizeof sum); });
    disturbed(p, flags, mode, [&](cudaStream_t) { return cudaDeviceSynchronize(); });
    disturbed(p, flags, mode, [&](cudaStream_t s) { return cudaStreamQuery(s); });
    disturbed(p, flags, mode, [&](cudaStream_t) { return cudaStreamSynchronize(0); });
    disturbed(p, flags, mode, [&](cudaStream_t) { return cudaMalloc(&more, 64); });
    disturbed(p, flags, mode, [&](cudaStream_t s) { return cudaEventRecord(event, s), cudaEventQuery(event); });
    disturbed(p, flags, mode, [&](cudaStream_t) { return cudaEventRecord(event); });
    disturbed(p, flags, mode, [&](cudaStream_t s) { return cudaMallocAsync(&more, 64, s); });
    printf("\n");
}

int main()
{
    int *p, sum;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); // the copy below is in the legacy stream
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
    cudaStreamEndCapture(s, &graph);
    all(p, 0, cudaStreamCaptureModeGlobal); // these are an H200's errors
    all(p, 0, cudaStreamCaptureModeRelaxed);
    all(p, cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal);
    all(p, cudaStreamNonBlocking, cudaStreamCaptureModeRelaxed);
}
