// More of libcu++: functors, bits, latches, semaphores, annotated pointers, a stream's reference.
#include <cstdio>
#include <cuda/annotated_ptr>
#include <cuda/bit>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/bit>
#include <cuda/std/bitset>
#include <cuda/std/concepts>
#include <cuda/std/numbers>
#include <cuda/std/version>
#include <cuda/stream_ref>
#include <new>

typedef cuda::latch<cuda::thread_scope_block> latch;
typedef cuda::counting_semaphore<cuda::thread_scope_block> semaphore;

__device__ int total;

__global__ void meets(int *out, const int *in)
{
    __shared__ alignas(16) char place[sizeof(latch) + sizeof(semaphore)];
    __shared__ int parts[64], inside, most;
    latch *all = reinterpret_cast<latch *>(place);
    semaphore *two = reinterpret_cast<semaphore *>(place + sizeof(latch));
    if (threadIdx.x == 0) {
        new (all) latch(blockDim.x);
        new (two) semaphore(2);
        inside = most = 0;
    }
    __syncthreads();
    cuda::annotated_ptr<const int, cuda::access_property::persisting> from(in);
    parts[threadIdx.x] = from[threadIdx.x];
    all->arrive_and_wait();
    int v = parts[63 - threadIdx.x];
    two->acquire();
    atomicMax(&most, atomicAdd(&inside, 1) + 1);
    atomicSub(&inside, 1);
    two->release();
    __syncthreads();
    out[threadIdx.x] = cuda::maximum<>{}(v, 10) + (most <= 2 ? 0 : 1000);
    if (threadIdx.x == 0) total = cuda::minimum<int>{}(7, 3);
}

__global__ void bits(unsigned *out)
{
    out[0] = cuda::std::popcount(0xf0u) + 10 * cuda::std::countl_zero(1u) + 1000 * cuda::std::countr_zero(8u);
    out[1] = cuda::std::bit_ceil(100u) + cuda::std::bit_floor(100u);
    out[2] = cuda::std::rotl(0x80000001u, 4);
    out[3] = cuda::std::bit_cast<unsigned>(1.0f);
    out[4] = cuda::bitfield_insert(0xffffffffu, 0u, 4, 8) + cuda::bitfield_extract(0xabcdu, 4, 8);
    out[5] = cuda::bit_reverse(1u);
    out[6] = (unsigned)(1e6 * cuda::std::numbers::pi_v<double>);
}

int main()
{
    int *d_x, *d_y, h[64], back[64], wrong = 0;
    unsigned *d_b, b[7];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cuda::stream_ref in(stream);
    cudaMalloc(&d_x, sizeof h);
    cudaMalloc(&d_y, sizeof h);
    cudaMalloc(&d_b, sizeof b);
    for (int i = 0; i < 64; ++i) h[i] = i;
    cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
    meets<<<1, 64, 0, in.get()>>>(d_y, d_x);
    in.wait();
    cudaMemcpy(back, d_y, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) wrong += back[i] != (63 - i > 10 ? 63 - i : 10);
    bits<<<1, 1>>>(d_b);
    cudaMemcpy(b, d_b, sizeof b, cudaMemcpyDeviceToHost);
    int t = 0;
    cudaMemcpy(&t, cuda::get_device_address(total), sizeof t, cudaMemcpyDeviceToHost);
    const auto twice = cuda::proclaim_return_type<int>([](int x) { return 2 * x; });
    printf("more %d %d %u %u %x %x %x %x %u %d %s\n", wrong, t, b[0], b[1], b[2], b[3], b[4], b[5], b[6], twice(4),
           cudaGetErrorString(cudaGetLastError()));
    return CCCL_MAJOR_VERSION < 3;
}
