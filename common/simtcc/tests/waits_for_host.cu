// A kernel waits for a flag of the host, set before the launch, by another thread, or after the launch, when a GPU
// would run both at once.
#include <cstdio>
#include <thread>

__global__ void wait(int *flag, int *seen)
{
    while (atomicAdd_system(flag, 0) == 0) {
    }
    *seen = 1;
}
int main(int argc, char **)
{
    int *flag, *seen;
    cudaMallocManaged(&flag, sizeof *flag);
    cudaMallocManaged(&seen, sizeof *seen);
    *flag = *seen = 0;
    std::thread other([=] { if (argc == 1) __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST); });
    wait<<<1, 1>>>(flag, seen);
    __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
    printf("waited %s, ", cudaGetErrorString(cudaDeviceSynchronize()));
    other.join();
    printf("%d\n", *seen);
    return 0;
}
