// Global objects: they allocate GPU memory before main, and free it after main.
#include <cstdio>
#include <vector>
__global__ void set(int *p) { p[threadIdx.x] = threadIdx.x; }
static struct pool {
    std::vector<int *> pieces;
    cudaStream_t stream;
    cudaEvent_t event;
    pool()
    {
        cudaStreamCreate(&stream);
        cudaEventCreate(&event);
        for (int i = 0; i < 600; ++i) {
            int *p;
            cudaMalloc(&p, 64 * sizeof *p);
            pieces.push_back(p);
        }
    }
    ~pool()
    {
        int h[64];
        set<<<1, 64, 0, stream>>>(pieces[0]);
        cudaMemcpyAsync(h, pieces[0], sizeof h, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        for (int *p : pieces) cudaFree(p);
        cudaEventDestroy(event);
        cudaStreamDestroy(stream);
        printf("after main %d %s\n", h[63], cudaGetErrorString(cudaGetLastError()));
    }
} held;
int main()
{
    set<<<1, 64>>>(held.pieces[1]);
    printf("main %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
