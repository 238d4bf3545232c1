/*
 * measure_gpu.cu - measures numbers of a GPU description in a few seconds: `make GPU TO=my.card`.
 *
 * It measures latencies by a chain of loads, each of which returns the index of the next; rates with all SMs at once;
 * launches by events around many of them.  Other numbers are copied from the description of the H200, and marked so.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        const cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                                \
            fprintf(stderr, "measure_gpu: %s: %s\n", #call, cudaGetErrorString(e));           \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

enum { BLOCK = 256, SECTOR = 32, RUNS = 9 };
static const size_t hops = 4096;

__global__ void empty_kernel() {}

/* One thread follows the chain; *cycles gets the cycles per hop.  The first `before` hops, which bring the chain into
 * L1, are not timed. */
__global__ void chase_kernel(const unsigned *next, unsigned before, unsigned hops, float *cycles, unsigned *end)
{
    unsigned at = 0;
    for (unsigned i = 0; i < before; ++i) at = next[at];
    const long long start = clock64();
    for (unsigned i = 0; i < hops; ++i) at = next[at];
    *end = at;
    *cycles = (float)(clock64() - start) / (float)hops;
}

/* Every thread reads `each` times 16 bytes; the reads of the grid are adjacent. */
__global__ void stream_kernel(const uint4 *in, unsigned each, unsigned *out)
{
    const size_t tid = blockIdx.x * (size_t)BLOCK + threadIdx.x, threads = gridDim.x * (size_t)BLOCK;
    unsigned sum = 0;
#pragma unroll 8
    for (unsigned i = 0; i < each; ++i) {
        const uint4 four = in[tid + i * threads];
        sum += four.x + four.y + four.z + four.w;
    }
    if (sum == 0xdeadbeef) *out = sum; /* never true, but nvcc cannot know */
}

/* Every thread reads one word of `each` sectors, scattered over the buffer, and bypasses L1.  `sectors` is a power of
 * two: with the odd factor each sector is read once before one is read again. */
__global__ void scatter_kernel(const unsigned *in, size_t sectors, unsigned each, unsigned *out)
{
    const size_t tid = blockIdx.x * (size_t)BLOCK + threadIdx.x, threads = gridDim.x * (size_t)BLOCK;
    unsigned sum = 0;
#pragma unroll 8
    for (unsigned i = 0; i < each; ++i)
        sum += __ldcg(&in[((tid + i * threads) * 2654435761u & (sectors - 1)) * (SECTOR / sizeof(unsigned))]);
    if (sum == 0xdeadbeef) *out = sum;
}

/* Launch it with one thread per block, because the GPU combines the additions of a warp to one address.  It is in PTX,
 * because nvcc also combines them. */
__global__ void atomic_kernel(float *sum, unsigned each)
{
    for (unsigned i = 0; i < each; ++i) asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sum), "f"(1.0f) : "memory");
}

__global__ void atomic_int_kernel(unsigned *sum, unsigned each)
{
    for (unsigned i = 0; i < each; ++i) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(sum), "r"(1u) : "memory");
}

/* Returns the largest power of two that is not above n. */
static size_t power_of_two(size_t n)
{
    size_t power = 1;
    while (2 * power <= n) power *= 2;
    return power;
}

static struct { void *at; size_t bytes; } ahead; /* for a long memset before a launch, so that the host is ahead */

/* Returns the median time of a launch, in microseconds. */
template <typename F>
static double time_of(F launch)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    std::vector<float> ms(RUNS);
    launch();
    for (float &t : ms) {
        CHECK(cudaMemsetAsync(ahead.at, 0, ahead.bytes));
        CHECK(cudaEventRecord(start));
        launch();
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&t, start, stop));
    }
    CHECK(cudaGetLastError());
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    std::sort(ms.begin(), ms.end());
    return 1e3 * ms[RUNS / 2];
}

/* Returns the cycles per load of a chain of dependent loads at random addresses in `bytes` bytes.  If `warm`, they are
 * all loaded once before. */
static double latency(size_t bytes, bool warm, unsigned *buffer, float *d_cycles, unsigned *d_end)
{
    const size_t step = 1024 / sizeof(unsigned); /* larger than a cache line and its prefetched neighbours */
    const unsigned n = (unsigned)std::min<size_t>(bytes / 1024, warm ? bytes / 1024 : hops);
    std::vector<unsigned> order(n), next(n * step, 0);
    for (unsigned i = 0; i < n; ++i) order[i] = i;
    unsigned long long seed = 42;
    for (unsigned i = n - 1; i > 0; --i) {  /* a random cycle through all, which cannot be predicted */
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        std::swap(order[i], order[(seed >> 33) % i]);
    }
    for (unsigned i = 0; i < n; ++i) next[order[i] * step] = (unsigned)(order[(i + 1) % n] * step);
    CHECK(cudaMemcpy(buffer, next.data(), next.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
    /* Evict the chain from L2. */
    if (!warm) CHECK(cudaMemset(buffer + next.size(), 0, bytes - next.size() * sizeof(unsigned)));
    float cycles;
    chase_kernel<<<1, 1>>>(buffer, warm ? n : 0, warm ? std::max(n, (unsigned)hops) : n, d_cycles, d_end);
    CHECK(cudaMemcpy(&cycles, d_cycles, sizeof cycles, cudaMemcpyDeviceToHost));
    return cycles;
}

typedef struct measured {
    double l1, l2, dram;                    /* cycles */
    double dram_gbps, lone, l2_sectors;     /* GB/s, 1e9 sectors/s */
    double atomic, atomic_int;              /* 1e9/s */
    double floor, gap, memset;              /* us */
} measured_t;

static void measure_rates(measured_t *m, const cudaDeviceProp &p, unsigned *buffer, size_t bytes, unsigned *out)
{
    const unsigned grid = 8 * (unsigned)p.multiProcessorCount;
    const double threads = (double)grid * BLOCK;
    const unsigned each = (unsigned)((double)bytes / (16 * threads));
    const auto rate = [m](double count, auto launch) { /* 1e9/s */
        return count / (1e3 * (time_of(launch) - m->floor));
    };
    m->dram_gbps = rate(threads * each * 16, [&] { stream_kernel<<<grid, BLOCK>>>((const uint4 *)buffer, each, out); });
    const unsigned once = (unsigned)((double)bytes / SECTOR / threads);
    m->lone = rate(threads * once, [&] { scatter_kernel<<<grid, BLOCK>>>(buffer, bytes / SECTOR, once, out); });
    const size_t in_l2 = power_of_two((size_t)p.l2CacheSize / 4) / SECTOR; /* fits L2; the first reads load it */
    m->l2_sectors = rate(threads * 512, [&] { scatter_kernel<<<grid, BLOCK>>>(buffer, in_l2, 512, out); });
    const unsigned all = 32 * (unsigned)p.multiProcessorCount;
    m->atomic = rate(64.0 * all, [&] { atomic_kernel<<<all, 1>>>((float *)out, 64); });
    m->atomic_int = rate(64.0 * all, [&] { atomic_int_kernel<<<all, 1>>>(out, 64); });
}

static void measure_launches(measured_t *m, unsigned *buffer)
{
    m->floor = time_of([] { empty_kernel<<<1, 1>>>(); });
    m->gap = (time_of([] { for (int i = 0; i < 21; ++i) empty_kernel<<<1, 1>>>(); }) - m->floor) / 20;
    const double with = time_of([&] {
        for (int i = 0; i < 20; ++i) {
            CHECK(cudaMemsetAsync(buffer, 0, 4096));
            empty_kernel<<<1, 1>>>();
        }
    });
    m->memset = (with - m->floor - 19 * m->gap) / 20;
}

/* Writes the measured numbers, then those that are only in the description `other`. */
static void write_gpu(FILE *f, const measured_t *m, const cudaDeviceProp &p, double clock_ghz, FILE *other)
{
    const struct { const char *key; double value; const char *from; } numbers[] = {
        {"sms", (double)p.multiProcessorCount, "driver"}, {"clock_ghz", clock_ghz, "driver"},
        {"warps_per_sm", p.maxThreadsPerMultiProcessor / 32.0, "driver"},
        {"blocks_per_sm", (double)p.maxBlocksPerMultiProcessor, "driver"},
        {"registers_per_sm", (double)p.regsPerMultiprocessor, "driver"},
        {"shared_kb", p.sharedMemPerMultiprocessor / 1024.0, "driver"},
        {"l2_mb", p.l2CacheSize / 1048576.0, "driver"}, {"dram_gbps", m->dram_gbps, "measured"},
        {"lone_gsectors", m->lone, "measured"}, {"l2_gsectors", m->l2_sectors, "measured"},
        {"l1_cycles", m->l1, "measured"}, {"l2_cycles", m->l2, "measured"}, {"dram_cycles", m->dram, "measured"},
        {"atomic_gops", m->atomic, "measured"}, {"atomic_int_gops", m->atomic_int, "measured"},
        {"floor_us", m->floor, "measured"}, {"gap_us", m->gap, "measured"}, {"memset_us", m->memset, "measured"},
        {"fit_floor", 1, "not fitted"}, {"fit_gap", 1, "not fitted"}, {"fit_time", 1, "not fitted"},
        {"low", 0.6, "a guess"}, {"high", 1.7, "a guess"},
    };
    char line[256], key[64];
    fprintf(f, "# measured by common/simulator/predict/measure_gpu.cu\nname ");
    for (const char *c = p.name; *c; ++c) fputc(*c == ' ' ? '_' : *c, f);
    fprintf(f, "\nchecked no\n");
    for (const auto &n : numbers) fprintf(f, "%s %.4g # %s\n", n.key, n.value, n.from);
    while (fgets(line, sizeof line, other)) {
        bool known = sscanf(line, "%63s", key) != 1 || *key == '#';
        for (const char *word : {"name", "checked"}) known = known || strcmp(key, word) == 0;
        for (const auto &n : numbers) known = known || strcmp(key, n.key) == 0;
        if (!known) fprintf(f, "%.*s # as of an H200, not measured\n", (int)strcspn(line, "#\n"), line);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return fprintf(stderr, "usage: measure_gpu H200.card NEW.card\n"), 64;
    FILE *other = fopen(argv[1], "r");
    if (!other) return perror(argv[1]), 74;
    cudaDeviceProp p;
    int khz = 0;
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    const size_t bytes = power_of_two(16 * (size_t)p.l2CacheSize);
    unsigned *buffer, *d_end;
    float *d_cycles;
    CHECK(cudaMalloc((void **)&buffer, bytes));
    CHECK(cudaMalloc((void **)&d_end, 256));
    CHECK(cudaMalloc((void **)&d_cycles, 256));
    CHECK(cudaMemset(buffer, 0, bytes));
    CHECK(cudaMemset(d_end, 0, 256));
    ahead = {buffer, bytes};
    measured_t m = {};
    measure_launches(&m, buffer);
    measure_rates(&m, p, buffer, bytes, d_end);
    m.l1 = latency(16 << 10, true, buffer, d_cycles, d_end);
    m.l2 = latency(4 << 20, true, buffer, d_cycles, d_end);
    m.dram = latency(bytes, false, buffer, d_cycles, d_end);
    FILE *f = fopen(argv[2], "w");
    if (!f) return perror(argv[2]), 74;
    write_gpu(f, &m, p, khz * 1e-6, other);
    CHECK(cudaFree(buffer));
    CHECK(cudaFree(d_end));
    CHECK(cudaFree(d_cycles));
    fclose(other);
    return fclose(f) ? (perror(argv[2]), 74) : 0;
}
