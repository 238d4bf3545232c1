/* cub.cu - CUB in a block, in a warp and on the whole GPU; cub 1: a mistake */
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

enum { THREADS = 128, ITEMS = 4, N = THREADS * ITEMS };

__global__ void one_block(const int *in, int *sorted, int *out)
{
    typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> load;
    typedef cub::BlockReduce<int, THREADS> reduce;
    typedef cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS> scan;
    typedef cub::BlockRadixSort<int, THREADS, ITEMS> sort;
    typedef cub::WarpReduce<int, 16> warp;
    __shared__ union {
        load::TempStorage load;
        reduce::TempStorage reduce;
        scan::TempStorage scan;
        sort::TempStorage sort;
    } room;
    __shared__ warp::TempStorage warps[THREADS / 16];
    int item[ITEMS], before[ITEMS];
    load(room.load).Load(in, item);
    __syncthreads();
    const int sum = reduce(room.reduce).Sum(item);
    __syncthreads();
    const int greatest = reduce(room.reduce).Reduce(item[0], cub::Max(), 50); /* of 50 threads */
    __syncthreads();
    scan(room.scan).ExclusiveSum(item, before);
    __syncthreads();
    sort(room.sort).Sort(item);
    const int of_warp = warp(warps[threadIdx.x / 16]).Sum((int)threadIdx.x);
    for (int i = 0; i < ITEMS; ++i)
        sorted[threadIdx.x * ITEMS + i] = item[i];
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = greatest;
    }
    if (threadIdx.x == THREADS - 1)
        out[2] = before[ITEMS - 1];
    if (threadIdx.x == 16)
        out[3] = of_warp;
}

/* Calls f for the size of the storage, allocates it, and calls f again for the work. */
template <class F> static void twice(F f)
{
    void *room = nullptr;
    size_t bytes = 0;
    f(room, bytes);
    cudaMalloc(&room, bytes);
    if (f(room, bytes) != cudaSuccess)
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(room);
}

int main(int argc, char **)
{
    std::vector<int> h(N);
    for (int i = 0; i < N; ++i)
        h[i] = i * 37 % 101;
    int *in, *sorted, *out, *place, x[4];
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&sorted, N * sizeof *sorted);
    cudaMalloc(&place, N * sizeof *place);
    cudaMalloc(&out, sizeof x);
    cudaMemcpy(in, h.data(), N * sizeof *in, cudaMemcpyHostToDevice);
    one_block<<<1, THREADS>>>(in, sorted, out);
    cudaMemcpy(x, out, sizeof x, cudaMemcpyDeviceToHost);
    printf("block %d %d %d, warp %d\n", x[0], x[1], x[2], x[3]);
    cudaMemcpy(x, sorted + N - 4, sizeof x, cudaMemcpyDeviceToHost);
    printf("sorted %d %d\n", x[0], x[3]);

    const int n = argc > 1 ? N + 1 : N;
    twice([=](void *room, size_t &bytes) { return cub::DeviceReduce::Sum(room, bytes, in, out, n); });
    twice([=](void *room, size_t &bytes) { return cub::DeviceReduce::Max(room, bytes, in, out + 1, N); });
    cudaMemcpy(x, out, sizeof x, cudaMemcpyDeviceToHost);
    printf("GPU %d %d\n", x[0], x[1]);
    twice([=](void *room, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(room, bytes, in, sorted, N); });
    cudaMemcpy(x, sorted + N - 1, sizeof *x, cudaMemcpyDeviceToHost);
    printf("before the last %d\n", x[0]);
    twice([=](void *room, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairsDescending(room, bytes, in, sorted, in, place, N);
    });
    cudaMemcpy(x, place, sizeof x, cudaMemcpyDeviceToHost);
    printf("greatest %d %d\n", x[0], x[3]);
    twice([=](void *room, size_t &bytes) {
        return cub::DeviceSelect::If(room, bytes, in, sorted, out, N, [] __device__(int v) { return v < 10; });
    });
    cudaMemcpy(x, out, sizeof *x, cudaMemcpyDeviceToHost);
    printf("few %d\n", x[0]);
    cudaMemset(place, 0, N * sizeof *place);        /* all keys are equal but the last three */
    cudaMemset(place + N - 3, 1, 3 * sizeof *place);
    twice([=](void *room, size_t &bytes) {
        return cub::DeviceScan::InclusiveSumByKey(room, bytes, place, in, sorted, N);
    });
    cudaMemcpy(x, sorted + N - 4, sizeof x, cudaMemcpyDeviceToHost);
    const int *last = &h[N - 4];
    printf("keys %d %d\n", x[0] > 20000, x[1] == last[1] && x[3] == last[1] + last[2] + last[3]);
    /* Histograms of two of three channels, with even bins and other bins, and of two pixels of each row of four. */
    const int levels[] = {3, 5}, low[] = {0, 0}, high[] = {102, 100};
    int *counts[] = {sorted, sorted + 2}, limits[] = {0, 10, 100}, *steps, *step[2], y[6];
    cudaMalloc(&steps, sizeof limits);
    cudaMemcpy(steps, limits, sizeof limits, cudaMemcpyHostToDevice);
    step[0] = step[1] = steps;
    twice([=](void *room, size_t &bytes) {
        return cub::DeviceHistogram::MultiHistogramEven<3, 2>(room, bytes, in, counts, levels, low, high, N / 3);
    });
    cudaMemcpy(y, sorted, sizeof y, cudaMemcpyDeviceToHost);
    printf("bins %d %d, %d %d %d %d\n", y[0], y[1], y[2], y[3], y[4], y[5]);
    const int three[] = {3, 3};
    twice([=](void *room, size_t &bytes) {
        return cub::DeviceHistogram::MultiHistogramRange<3, 2>(room, bytes, in, counts, three, step, N / 3);
    });
    twice([=](void *room, size_t &bytes) {
        return cub::DeviceHistogram::HistogramRange(room, bytes, in, sorted + 4, 3, steps, 2, 3, 4 * sizeof *in);
    });
    cudaMemcpy(y, sorted, sizeof y, cudaMemcpyDeviceToHost);
    printf("ranges %d %d, %d %d, %d %d\n", y[0], y[1], y[2], y[3], y[4], y[5]);
    cub::DeviceFor::Bulk(N, [=] __device__(int i) { place[i] = 3 * i; });
    cub::DeviceFor::ForEachN(place, 3, [] __device__(int &v) { ++v; });
    cudaMemcpy(x, place, sizeof x, cudaMemcpyDeviceToHost);
    printf("each %d %d %d %d, %s\n", x[0], x[1], x[2], x[3], cudaGetErrorString(cudaGetLastError()));
}
