// Mistakes for which a GPU does not stop: one kernel at a time, selected by number.
#include <cstdio>
#include <cstdlib>
__global__ void same(int *flag, const int *a) { if (a[threadIdx.x]) *flag = 1; }
__global__ void same_shared(int *to)
{
    __shared__ int any;
    if (threadIdx.x == 0) any = 0;
    __syncthreads();
    if (threadIdx.x > 3) any = 7;
    __syncthreads();
    to[threadIdx.x] = any;
}
/* A flag that is cleared in each round; all threads write the same value, or with `other` different ones. */
__global__ void same_in_rounds(int *to, bool other)
{
    __shared__ int any;
    for (int round = 0; round < 3; ++round) {
        if (threadIdx.x == 0) any = 0;
        __syncthreads();
        if (threadIdx.x > 3) any = other && round == 1 ? threadIdx.x : 7;
        __syncthreads();
        to[threadIdx.x] += any;
        __syncthreads();
    }
}
__global__ void different(int *to) { to[0] = threadIdx.x; }
__global__ void not_written(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void returned(int *to)
{
    if (threadIdx.x >= 40) return;
    __syncthreads();
    to[threadIdx.x] = 1;
}
__global__ void compare_and_swap(int *to)
{
    int old = *to, seen;
    do {
        seen = old;
        old = atomicCAS(to, seen, seen + 1);
    } while (old != seen);
}

/* All read; then one lane reads again and writes.  Right if all lanes have synchronised, wrong if only eight have. */
__global__ void after_meeting(int *to, unsigned who)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int v = s[3];
    if (who >> threadIdx.x & 1) {
        __syncwarp(who);
        if (threadIdx.x == 3) s[3] += v;
    }
    to[threadIdx.x] = v;
}

/* The upper lanes have returned: the mask may include them, but their values must not be used. */
__global__ void some_return(int *to, int distance)
{
    if (threadIdx.x >= 24) return;
    const int v = __shfl_down_sync(~0u, (int)threadIdx.x, distance, 8);
    const int votes = __any_sync(~0u, v > 5) + __popc(__ballot_sync(~0u, 1));
    to[threadIdx.x] = v + votes + __shfl_sync(~0u, v, distance < 8 ? 3 : 30);
}

/* Two threads do the same work: both start the sum again at the same address, and the final sum is right. */
__global__ void sum_twice(int *to, const int *from)
{
    to[threadIdx.x] = from[0];
    for (int i = 1; i < 8; ++i) to[threadIdx.x] += from[i];
}
/* Only values that are in memory already are written, and the writer may read them. */
__global__ void same_and_read(int *flag, int *to)
{
    *(volatile int *)to = 0;
    flag[0] = 7;
    to[threadIdx.x + 1] = flag[0];
    flag[0] = 7;
}

/* Threads below the limit wait in another barrier than the others. */
__global__ void two_barriers(int *to, int limit)
{
    if ((int)threadIdx.x < limit) {
        to[threadIdx.x] = 1;
        __syncthreads();
    } else {
        __syncthreads();
        to[threadIdx.x] = to[0] + 1;
    }
}

/* Each lane reads an element that another lane writes after a shuffle, which orders the read.  `write_first`: a shuffle
 * does not publish a write.  With `far`, the two lanes are in halves that do not synchronise. */
__global__ void around_a_shuffle(int *to, bool write_first, unsigned mask, int far)
{
    __shared__ int s[32];
    const int lane = threadIdx.x;
    s[lane] = lane;
    __syncthreads();
    if (write_first) s[lane] = 2 * lane;
    int x = write_first ? lane : s[lane ^ far];
    x += __shfl_xor_sync(mask == ~0u ? mask : lane < 16 ? mask : ~mask, x, 1);
    if (!write_first) s[lane] = x;
    else x += s[lane ^ far];
    to[lane] = x;
}

/* The threads of the first warp wait in one more barrier than the others. */
__global__ void once_more(int *to)
{
    if (threadIdx.x < 32) __syncthreads();
    to[threadIdx.x] = 1;
    __syncthreads();
}

/* Each thread reads the element that the next thread writes: zeros before and after, by chance. */
__global__ void no_barrier_on_zeros(int *to, const int *zeros)
{
    __shared__ int s[65];
    s[threadIdx.x] = zeros[threadIdx.x];
    to[threadIdx.x] = s[threadIdx.x + 1];
}

__global__ void adds(int *to, bool atomically)
{
    if (atomically) atomicAdd(&to[threadIdx.x], 1);
    else to[threadIdx.x] += 1;
}

int main(int, char **argv)
{
    int *flag, *a, *b, h[64];
    for (int &x : h) x = 1;
    cudaMalloc(&flag, 4);
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(flag, 0, 4);
    switch (atoi(argv[1])) {
    case 1: same<<<1, 64>>>(flag, a); break;
    case 2: same_shared<<<1, 64>>>(a); break;
    case 9: same_in_rounds<<<1, 64>>>(a, false); break;
    case 10: same_in_rounds<<<1, 64>>>(a, true); break;
    case 3: different<<<1, 64>>>(flag); break;
    case 5: returned<<<1, 64>>>(a); break;
    case 6: compare_and_swap<<<1, 64>>>(flag); break;
    case 7: after_meeting<<<1, 32>>>(a, 0xff); break;
    case 27: after_meeting<<<1, 32>>>(a, ~0u); after_meeting<<<1, 20>>>(a, 0xfffff); break;
    case 8: some_return<<<1, 32>>>(a, 8); break;
    case 28: some_return<<<1, 32>>>(a, 1); break;
    case 11: two_barriers<<<1, 64>>>(a, 32); break;
    case 12: two_barriers<<<1, 64>>>(a, 20); break;
    case 13: sum_twice<<<1, dim3(16, 2)>>>(a, a + 32); break;
    case 14: same_and_read<<<1, 1>>>(flag, a); same_and_read<<<2, 1>>>(flag, a); break;
    case 29: around_a_shuffle<<<1, 32>>>(a, false, ~0u, 17); around_a_shuffle<<<1, 32>>>(a, false, 0xffff, 1); break;
    case 15: around_a_shuffle<<<1, 32>>>(a, true, ~0u, 1); break;
    case 16: around_a_shuffle<<<1, 32>>>(a, false, 0xffff, 16); break;
    case 17: once_more<<<1, 64>>>(a); break;
    case 18: cudaMemset(a, 0, sizeof h); no_barrier_on_zeros<<<1, 64>>>(b, a); break;
    case 19: adds<<<1, 64>>>(b, false); break;
    case 20: adds<<<1, 64>>>(b, true); break;
    case 4: not_written<<<1, 64>>>(a, b); break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
