// Streams and the host: missing waits.  Cases from 1 to 20 are wrong, their twins from 21 on wait.
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>
__global__ void put(int *to, int value) { to[threadIdx.x] = value; }
__global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void count(int *to) { atomicAdd(to, 1); }
__global__ void signal(int *data, int *ready)
{
    *data = 1;
    __threadfence_system();
    *(volatile int *)ready = 1;
}
static int sum(const int *x)
{
    int s = 0;
    for (int i = 0; i < 64; ++i) s += x[i];
    return s;
}
static void CUDART_CB callback(void *data) { printf("in the stream %d\n", sum((int *)data)); }
static bool told;
static void CUDART_CB tell(void *) { told = true; }
static struct work {
    int *d, *h, s;
    cudaStream_t stream;
    std::thread first;
    std::promise<void> done;
    static void CUDART_CB then(void *data)
    {
        work *w = (work *)data;
        std::thread([=] { w->s = sum(w->h), w->done.set_value(); }).detach();
    }
    void start(bool right)
    {
        first = std::thread([=] {
            cudaStreamCreate(&stream);
            cudaMalloc(&d, 64 * sizeof *d);
            cudaMallocHost(&h, 64 * sizeof *h);
            put<<<1, 64, 0, stream>>>(d, 1);
            cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost, stream);
            if (right) cudaLaunchHostFunc(stream, then, this);
            else s = sum(h), done.set_value();
        });
    }
    int result()
    {
        first.join();
        done.get_future().wait();
        return s;
    }
} work[8];

int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20;
    const bool right = atoi(argv[1]) > 20;
    const size_t bytes = 64 * sizeof(int);
    int *d_a, *d_b, *pinned, *managed, *mapped, s = 0;
    cudaStream_t one, two, apart;
    cudaEvent_t event;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMallocHost(&pinned, bytes);
    cudaMallocManaged(&managed, bytes);
    cudaHostAlloc(&mapped, bytes, cudaHostAllocMapped);
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMemset(d_a, 0, bytes);
    cudaMemset(d_b, 0, bytes);
    cudaDeviceSynchronize();
    switch (number) {
    case 1: // a copy to the host, read too early
        cudaMemcpyAsync(pinned, d_a, bytes, cudaMemcpyDeviceToHost, one);
        if (right) cudaStreamSynchronize(one);
        s = sum(pinned);
        break;
    case 2: // managed memory
        put<<<1, 64>>>(managed, 1);
        if (right) cudaDeviceSynchronize();
        s = sum(managed);
        break;
    case 3: // mapped memory
        put<<<1, 64, 0, apart>>>(mapped, 1);
        if (right) cudaStreamSynchronize(apart);
        else cudaStreamSynchronize(one);
        s = sum(mapped);
        break;
    case 4: // overwrites the source of a copy
        cudaMemcpyAsync(d_a, pinned, bytes, cudaMemcpyHostToDevice, one);
        if (right) cudaEventRecord(event, one), cudaEventSynchronize(event);
        pinned[3] = 4;
        break;
    case 5: // two kernels, two streams
        put<<<1, 64, 0, one>>>(d_a, 1);
        if (right) cudaEventRecord(event, one), cudaStreamWaitEvent(two, event, 0);
        copy<<<1, 64, 0, two>>>(d_b, d_a);
        break;
    case 6: // the kernels exchanged
        copy<<<1, 64, 0, two>>>(d_b, d_a);
        if (right) cudaEventRecord(event, two), cudaStreamWaitEvent(one, event, 0);
        put<<<1, 64, 0, one>>>(d_a, 1);
        break;
    case 7: // a kernel and a copy
        put<<<1, 64, 0, one>>>(d_a, 1);
        cudaMemcpyAsync(pinned, d_a, bytes, cudaMemcpyDeviceToHost, right ? one : two);
        break;
    case 8: // the default stream waits for `one`, not for `apart`
        put<<<1, 64, 0, right ? one : apart>>>(d_a, 1);
        copy<<<1, 64>>>(d_b, d_a);
        break;
    case 9: // an event that is recorded too early
        if (!right) cudaEventRecord(event, one);
        put<<<1, 64, 0, one>>>(d_a, 1);
        if (right) cudaEventRecord(event, one);
        cudaStreamWaitEvent(apart, event, 0);
        copy<<<1, 64, 0, apart>>>(d_b, d_a);
        break;
    case 10: // a memset does not wait, and a stream that does not block does not wait for it
        cudaMemset(d_a, 1, 64);
        copy<<<1, 64, 0, right ? one : apart>>>(d_b, d_a);
        break;
    case 11: // two copies, the second with other data
        mapped[0] = pinned[right ? 32 : 31] + 1;
        cudaMemcpyAsync(d_a, pinned, bytes, cudaMemcpyHostToDevice, one);
        cudaMemcpyAsync(d_a + (right ? 32 : 31), mapped, 128, cudaMemcpyHostToDevice, right ? one : two);
        break;
    case 12: // freed in a stream while another one uses it
        put<<<1, 64, 0, one>>>(d_a, 1);
        cudaFreeAsync(d_a, right ? one : two);
        break;
    case 13: // a host function waits for its stream, not for another
        cudaMemcpyAsync(pinned, d_a, bytes, cudaMemcpyDeviceToHost, one);
        cudaLaunchHostFunc(right ? one : two, callback, pinned);
        break;
    case 14: // atomics may race with atomics, and reads with reads
        count<<<1, 64, 0, one>>>(d_a);
        count<<<1, 64, 0, two>>>(d_a);
        if (!right) put<<<1, 1, 0, apart>>>(d_a, 1);
        break;
    case 15: // a flag that the host polls
        signal<<<1, 1>>>(mapped, mapped + 1);
        if (right) while (*(volatile int *)(mapped + 1) == 0) { }
        s = mapped[0];
        break;
    case 16: // a host function sets a flag when its stream has finished
        cudaMemcpyAsync(pinned, d_a, bytes, cudaMemcpyDeviceToHost, one);
        cudaLaunchHostFunc(right ? one : two, tell, nullptr);
        if (told) s = sum(pinned);
        break;
    case 17: // atomics of the host and the GPU, and the accesses that they order
        count<<<1, 64>>>(managed);
        if (right) __sync_fetch_and_add(managed, 1);
        s = managed[0];
        break;
    case 18: // one stream still runs, another has finished
        put<<<1, 64, 0, one>>>(d_b, 1);
        cudaMemcpyAsync(pinned, d_a, bytes, cudaMemcpyDeviceToHost, two);
        cudaStreamSynchronize(right ? two : one);
        s = sum(pinned);
        break;
    case 19: // each host thread has a stream, whose host function starts another thread, which reads
        for (int i = 0; i < 8; ++i) work[i].start(right);
        for (int i = 0; i < 8; ++i) s += work[i].result();
        break;
    case 0: // host memory is set when cudaMemset returns
        if (right) cudaMemset(pinned, 1, bytes), cudaMemset2D(managed, 64, 1, 64, 1);
        else cudaMemsetAsync(pinned, 1, bytes, one);
        s = sum(pinned) + managed[0];
        break;
    }
    cudaDeviceSynchronize();
    printf("%d %s\n", s, cudaGetErrorString(cudaGetLastError()));
}
