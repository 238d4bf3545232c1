/* processes.cu - memory, events and pools shared with another process; processes N: mistakes */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 5000 };
struct handles {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
    cudaMemPoolPtrExportData pooled;
    int pool;                   /* its file descriptor, which the child inherits */
};

__global__ void add(int *p, int by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) p[i] += by;
}

/* Uses the handles in the other process. */
static int child(const handles &h, bool beyond)
{
    int *p, *again;
    cudaEvent_t event;
    const unsigned how = cudaIpcMemLazyEnablePeerAccess;
    if (cudaIpcOpenMemHandle((void **)&p, h.memory, how) != cudaSuccess) return 2;
    if (cudaIpcOpenMemHandle((void **)&again, h.memory, how) != cudaSuccess || again != p) return 3;
    if (cudaIpcOpenEventHandle(&event, h.event) != cudaSuccess) return 4;
    if (cudaStreamWaitEvent(0, event, 0) != cudaSuccess) return 4;
    for (int k = 0; k < 3; ++k) add<<<(N + 255) / 256, 256>>>(p + (beyond ? N : 0), 10);
    cudaEventRecord(event);
    const cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) return 5;
    cudaMemPool_t pool, other;
    cudaMemPoolProps props = {};
    int *q;
    props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    if (h.pool && cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)h.pool, props.handleTypes, 0)) return 6;
    cudaMemPoolCreate(&other, &props);
    cudaMemPoolPtrExportData pooled = h.pooled;
    if (h.pool && cudaMemPoolImportPointer((void **)&q, other, &pooled) == cudaSuccess) return 7; // of another pool
    cudaGetLastError();
    if (h.pool && cudaMemPoolImportPointer((void **)&q, pool, &pooled) != cudaSuccess) return 8;
    if (h.pool) {
        add<<<(N + 255) / 256, 256>>>(q, 1000);
        cudaFreeAsync(q, 0);
        cudaMemPoolDestroy(pool);
    }
    cudaMemPoolDestroy(other);
    cudaIpcCloseMemHandle(p);
    cudaIpcCloseMemHandle(p);
    cudaEventDestroy(event);
    return cudaGetLastError() != cudaSuccess;
}

/* Starts another process of this program, which gets the handles through a pipe; returns its status. */
static int run(const handles &h, const char *how)
{
    int ends[2];
    if (pipe(ends)) return -1;
    const pid_t other = fork();
    if (other == 0) {
        dup2(ends[0], 0);
        close(ends[1]);
        execl("/proc/self/exe", "processes", "child", how, (char *)NULL);
        _exit(127);
    }
    const ssize_t written = write(ends[1], &h, sizeof h);
    close(ends[0]);
    close(ends[1]);
    int status;
    waitpid(other, &status, 0);
    return written == sizeof h && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    handles h = {};
    if (argc > 2) return read(0, &h, sizeof h) == sizeof h ? child(h, strcmp(argv[2], "beyond") == 0) : 9;
    static int host[N];
    int *p, *managed;
    cudaEvent_t event, plain;
    for (int i = 0; i < N; ++i) host[i] = i;
    cudaMalloc(&p, sizeof host);
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess);
    if (cudaIpcGetMemHandle(&h.memory, p) != cudaSuccess) return 1;
    if (cudaIpcGetEventHandle(&h.event, event) != cudaSuccess) return 1;
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: memset(&h.memory, 7, sizeof h.memory); return run(h, "child");
    case 2: return cudaIpcOpenMemHandle((void **)&managed, h.memory, 0);
    case 3: cudaFree(p); return run(h, "child");
    case 4: cudaEventCreate(&plain); return cudaIpcGetEventHandle(&h.event, plain);
    case 5: cudaMallocManaged(&managed, 4); return cudaIpcGetMemHandle(&h.memory, managed);
    case 6: return run(h, "beyond");
    case 7: return cudaIpcCloseMemHandle(p);
    }
    cudaMemPool_t pool;
    cudaMemPoolProps props = {};
    int *pooled, wrong = 0, of_pool[N];
    props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPoolCreate(&pool, &props);
    cudaMallocFromPoolAsync(&pooled, sizeof host, pool, 0);
    cudaMemsetAsync(pooled, 0, sizeof host, 0);
    cudaDeviceSynchronize();
    wrong += cudaMemPoolExportToShareableHandle(&h.pool, pool, props.handleTypes, 0) != cudaSuccess;
    wrong += cudaMemPoolExportPointer(&h.pooled, pooled) != cudaSuccess;
    fcntl(h.pool, F_SETFD, 0); /* inherited, instead of sent through a socket */
    for (int turn = 1; turn <= 2; ++turn) {
        add<<<(N + 255) / 256, 256>>>(p, 1);
        cudaDeviceSynchronize();
        const int status = run(h, "child");
        cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
        for (int i = 0; i < N; ++i) wrong += host[i] != i + 31 * turn;
        wrong += status != 0;
        cudaMemcpy(of_pool, pooled, sizeof of_pool, cudaMemcpyDeviceToHost);
        for (int i = 0; i < N; ++i) wrong += of_pool[i] != 1000 * turn;
    }
    cudaFreeAsync(pooled, 0);
    cudaMemPoolDestroy(pool);
    cudaFree(p);
    printf("processes %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
