/*
 * measure_card.cu - the numbers of a card description that can be measured, in a few seconds: `make card TO=my.card`.
 *
 * Latencies by a chain of loads, each of which says where the next one is; rates by all SMs at once; launches by
 * events around many.  What cannot be measured so is copied from the description of the H200, and marked as that.
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
            fprintf(stderr, "measure_card: %s: %s\n", #call, cudaGetErrorString(e));           \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

enum { BLOCK = 256, HOPS = 4096, SECTOR = 32, RUNS = 9 };

__global__ void empty_kernel() {}

/* One thread follows the chain; *cycles: of a hop. */
__global__ void chase_kernel(const unsigned *next, unsigned hops, float *cycles, unsigned *end)
{
    unsigned at = 0;
    const long long start = clock64();
    for (unsigned i = 0; i < hops; ++i) at = next[at];
    *end = at;
    *cycles = (float)(clock64() - start) / (float)hops;
}

/* Every thread reads `each` words, `stride` words apart; all of the grid side by side.  words: a power of two. */
__global__ void read_kernel(const unsigned *in, size_t words, size_t stride, unsigned each, unsigned *out)
{
    const size_t tid = blockIdx.x * (size_t)BLOCK + threadIdx.x, threads = gridDim.x * (size_t)BLOCK;
    unsigned sum = 0;
#pragma unroll 8
    for (unsigned i = 0; i < each; ++i) sum += in[(tid + i * threads) * stride & (words - 1)];
    if (sum == 0xdeadbeef) *out = sum; /* never, and nvcc does not know */
}

template <typename T>
__global__ void atomic_kernel(T *sum, unsigned each)
{
    for (unsigned i = 0; i < each; ++i) atomicAdd(sum, T(1));
}

/* The largest one that is not above n. */
static size_t power_of_two(size_t n)
{
    size_t power = 1;
    while (2 * power <= n) power *= 2;
    return power;
}

/* The median time of a launch, in microseconds. */
template <typename F>
static double time_of(F launch)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    std::vector<float> ms(RUNS);
    launch();
    for (float &t : ms) {
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

/* Cycles of one of dependent loads that jump about in so many bytes.  warm: they have been there before. */
static double latency(size_t bytes, bool warm, unsigned *buffer, float *d_cycles, unsigned *d_end)
{
    const size_t step = 1024 / sizeof(unsigned); /* larger than any line, and than what is fetched with it */
    const unsigned n = (unsigned)std::min<size_t>(bytes / 1024, warm ? bytes / 1024 : HOPS);
    std::vector<unsigned> order(n), next(n * step, 0);
    for (unsigned i = 0; i < n; ++i) order[i] = i;
    unsigned long long seed = 42;
    for (unsigned i = n - 1; i > 0; --i) {  /* one cycle through all, so that nothing can be foreseen */
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        std::swap(order[i], order[(seed >> 33) % i]);
    }
    for (unsigned i = 0; i < n; ++i) next[order[i] * step] = (unsigned)(order[(i + 1) % n] * step);
    CHECK(cudaMemcpy(buffer, next.data(), next.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
    /* Out of L2 with it. */
    if (!warm) CHECK(cudaMemset(buffer + next.size(), 0, bytes - next.size() * sizeof(unsigned)));
    float cycles;
    for (int run = 0; run < (warm ? 2 : 1); ++run) chase_kernel<<<1, 1>>>(buffer, n, d_cycles, d_end);
    CHECK(cudaMemcpy(&cycles, d_cycles, sizeof cycles, cudaMemcpyDeviceToHost));
    return cycles;
}

typedef struct measured {
    double l1, l2, dram;                    /* cycles */
    double dram_gbps, lone, l2_sectors;     /* GB/s, 1e9 sectors/s */
    double atomic, atomic_int;              /* 1e9/s */
    double floor, gap, memset;              /* us */
} measured_t;

static void measure_rates(measured_t *m, const cudaDeviceProp &p, unsigned *buffer, size_t words, unsigned *out)
{
    const unsigned grid = 8 * (unsigned)p.multiProcessorCount;
    const double threads = (double)grid * BLOCK;
    const unsigned each = (unsigned)(words / threads);
    const double read_us = time_of([&] { read_kernel<<<grid, BLOCK>>>(buffer, words, 1, each, out); });
    m->dram_gbps = threads * each * 4 / (1e3 * read_us);
    /* A word of every fourth sector: lone ones, each of them fetched by itself. */
    const size_t apart = 4 * SECTOR / sizeof(unsigned);
    const unsigned lone = (unsigned)(words / apart / threads);
    m->lone = threads * lone / (1e3 * time_of([&] { read_kernel<<<grid, BLOCK>>>(buffer, words, apart, lone, out); }));
    const size_t in_l2 = power_of_two((size_t)p.l2CacheSize / 4) / sizeof(unsigned); /* it stays there, and in no L1 */
    const size_t sector = SECTOR / sizeof(unsigned);
    const double l2_us = time_of([&] { read_kernel<<<grid, BLOCK>>>(buffer, in_l2, sector, 64, out); });
    m->l2_sectors = threads * 64 / (1e3 * l2_us);
    const double adds = 32.0 * 64;
    m->atomic = adds * p.multiProcessorCount /
                (1e3 * time_of([&] { atomic_kernel<<<p.multiProcessorCount, 32>>>((float *)out, 64); }));
    m->atomic_int = adds * p.multiProcessorCount /
                    (1e3 * time_of([&] { atomic_kernel<<<p.multiProcessorCount, 32>>>(out, 64); }));
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

/* Those measured, and behind them what is taken from the description in `other`, line by line. */
static void write_card(FILE *f, const measured_t *m, const cudaDeviceProp &p, double clock_ghz, FILE *other)
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
    fprintf(f, "# measured by common/predict/measure_card.cu\nname ");
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
    if (argc != 3) return fprintf(stderr, "measure_card H200.card NEW.card\n"), 64;
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
    measured_t m = {};
    measure_launches(&m, buffer);
    measure_rates(&m, p, buffer, bytes / sizeof(unsigned), d_end);
    m.l1 = latency(16 << 10, true, buffer, d_cycles, d_end);
    m.l2 = latency(4 << 20, true, buffer, d_cycles, d_end);
    m.dram = latency(bytes, false, buffer, d_cycles, d_end);
    FILE *f = fopen(argv[2], "w");
    if (!f) return perror(argv[2]), 74;
    write_card(f, &m, p, khz * 1e-6, other);
    CHECK(cudaFree(buffer));
    CHECK(cudaFree(d_end));
    CHECK(cudaFree(d_cycles));
    fclose(other);
    return fclose(f) ? (perror(argv[2]), 74) : 0;
}
