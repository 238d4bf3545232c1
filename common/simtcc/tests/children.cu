// Kernels that launch kernels, and host threads that launch at the same time.
#include <cstdio>
#include <thread>
#include <vector>

__global__ void leaf(int *sum, const int *from, int i) { atomicAdd(sum, from[i]); }
__global__ void tree(int *sum, int *from, int depth)
{
    from[depth] = depth;
    if (depth > 1) tree<<<1, 1>>>(sum, from, depth - 1);
    leaf<<<2, 4>>>(sum, from, depth);
}
__global__ void add(int *sum) { atomicAdd(sum, 1); }

int main()
{
    int *d, *from, h;
    cudaMalloc(&d, 4);
    cudaMalloc(&from, 20 * sizeof(int));
    cudaMemset(d, 0, 4);
    tree<<<1, 1>>>(d, from, 10);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("children %d\n", h);
    cudaMemset(d, 0, 4);
    std::vector<std::thread> all;
    for (int i = 0; i < 4; ++i)
        all.emplace_back([=] {
            for (int k = 0; k < 50; ++k) add<<<4, 64>>>(d);
        });
    for (std::thread &t : all) t.join();
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("threads %d %s\n", h, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
