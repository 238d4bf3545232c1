// memcpy and memset in kernels, for which g++ has no hook, count as writes.  Cases from 1 on are wrong, their twins
// from 21 on are right.  With -DOWN the program has a memset of its own, which is called instead.
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct record { char name[20]; int number; };

#ifdef OWN
__device__ void memset(float *to, float value, int n)
{
    for (int i = 0; i < n; ++i) to[i] = value;
}
__global__ void own(float *to) { memset(to, 2.5f, 3); }
__global__ void own_sum(const float *from, int *to) { *to = (int)(from[0] + from[1] + from[2]); }
#endif
constexpr __host__ __device__ float as_float(int x)
{
    float f = 0;
    memcpy(&f, &x, sizeof f);
    return f;
}
__global__ void fill(char *to, record *all, int n)
{
    memset(to, 1, n);
    memcpy(to + 512, to, n);
    record mine;
    ::memset(&mine, 0, sizeof mine);
    mine.number = threadIdx.x + (int)as_float(0x3f800000);
    std::memcpy(all + threadIdx.x, &mine, sizeof mine);
}
__global__ void sum(const char *from, const record *all, int *to, int n)
{
    int s = all->name[19] + all->number;
    for (int i = 0; i < n; ++i) s += from[i] + from[512 + i];
    *to = s;
}
__global__ void past(char *to, int n) { memcpy(to + 1024, to, n); }
__global__ void raced(char *to, bool apart) { memset(to + (apart ? 8 : 4) * threadIdx.x, threadIdx.x, 8); }
__global__ void unwritten(char *to, const char *from, int n) { memcpy(to, from, n); }
__global__ void unaligned(double *to, const char *from) { memcpy(to + threadIdx.x, from + 8 * threadIdx.x + 3, 8); }

int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20;
    const bool right = atoi(argv[1]) > 20;
    char *d_bytes, *d_fresh;
    record *d_records;
    int *d_sum, h = 0;
    cudaMalloc(&d_bytes, 2048);
    cudaMalloc(&d_fresh, 2048);
    cudaMalloc(&d_records, sizeof(record));
    cudaMalloc(&d_sum, sizeof *d_sum);
    cudaMemset(d_sum, 0, sizeof *d_sum);
    if (number != 0 && number != 3) cudaMemset(d_bytes, 0, 2048);
    if (number == 3 && right) cudaMemset(d_fresh, 0, 2048);
    switch (number) {
    case 0:
        fill<<<1, 1>>>(d_bytes, d_records, 499);
        sum<<<1, 1>>>(d_bytes, d_records, d_sum, 499);
        unaligned<<<1, 32>>>((double *)(d_bytes + 1024), d_bytes);
        break;
    case 1: past<<<1, 1>>>(d_bytes, right ? 1024 : 1025); break;
    case 2: raced<<<1, 32>>>(d_bytes, right); break;
    case 3: unwritten<<<1, 1>>>(d_bytes, d_fresh, 100); break;
#ifdef OWN
    case 4:
        own<<<1, 1>>>((float *)d_fresh);
        own_sum<<<1, 1>>>((float *)d_fresh, d_sum);
        break;
#endif
    }
    cudaMemcpy(&h, d_sum, sizeof h, cudaMemcpyDeviceToHost);
    printf("bytes %d %s\n", h, cudaGetErrorString(cudaGetLastError()));
}
