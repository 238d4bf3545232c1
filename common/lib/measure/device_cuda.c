/* device_cuda.c - a real GPU: its properties, measured peaks and times.  See device.h. */
#include "device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device_kernels.h"

static bool lost; /* an error that ended the CUDA context */

const char *device_backend(void) { return "cuda"; }

int device_open(device_facts_t *f, err_t *err)
{
    *f = (device_facts_t){.backend = "cuda", .peak_gbps = NAN};
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0)
        return err_set(err, "no CUDA device: %s.  Build for the simulator instead: make BACKEND=simt",
                       status ? cudaGetErrorString(status) : "none found");

    struct cudaDeviceProp prop;
    if (device_ok(cudaSetDevice(0), "cudaSetDevice", err)) return -1;
    if (device_ok(cudaGetDeviceProperties(&prop, 0), "cudaGetDeviceProperties", err)) return -1;
    snprintf(f->name, sizeof f->name, "%.120s", prop.name);
    snprintf(f->arch, sizeof f->arch, "sm_%d%d", prop.major, prop.minor);
    f->sms = prop.multiProcessorCount;
    f->l2_bytes = (size_t)prop.l2CacheSize;

    int driver = 0, toolkit = 0, khz = 0, bits = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&toolkit);
    snprintf(f->driver, sizeof f->driver, "CUDA %d.%d", driver / 1000, driver % 1000 / 10);
    snprintf(f->toolkit, sizeof f->toolkit, "%d.%d", toolkit / 1000, toolkit % 1000 / 10);
    FILE *version = fopen("/sys/module/nvidia/version", "r"); /* the driver's version, where Linux shows it */
    if (version) {
        char number[20];
        if (fscanf(version, "%19s", number) == 1) snprintf(f->driver, sizeof f->driver, "%s", number);
        fclose(version);
    }
    /* As in data sheets, count two transfers per clock. */
    if (!cudaDeviceGetAttribute(&khz, cudaDevAttrMemoryClockRate, 0) &&
        !cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) && khz > 0)
        f->peak_gbps = 2.0 * khz * 1e3 * (bits / 8.0) / 1e9;
    return 0;
}

bool device_lost(void) { return lost; }

int device_sync(err_t *err)
{
    cudaError_t status = cudaDeviceSynchronize();
    cudaError_t launch = cudaGetLastError(); /* clears errors that can be cleared */
    if (status == cudaSuccess) status = launch;
    if (status == cudaSuccess) return 0;
    lost = cudaDeviceSynchronize() != cudaSuccess; /* an error that remains means that the context is lost */
    return err_set(err, "CUDA: %s (%s)", cudaGetErrorString(status), cudaGetErrorName(status));
}

static struct { /* the memory that device_flush() reads */
    void *d;
    size_t bytes;
    float *d_sink;
} flush;

static int flush_open(err_t *err)
{
    if (flush.d) return 0;
    device_facts_t f;
    if (device_open(&f, err)) return -1;
    flush.bytes = 4 * (f.l2_bytes > (8u << 20) ? f.l2_bytes : 8u << 20) / 16 * 16;
    if (!flush.d_sink) flush.d_sink = device_alloc(sizeof(float), "sink", err);
    if (flush.d_sink) flush.d = device_alloc(flush.bytes, "L2 flush buffer", err);
    return flush.d ? device_ok(cudaMemset(flush.d, 0, flush.bytes), "cudaMemset", err) : -1;
}

int device_flush(err_t *err)
{
    if (flush_open(err)) return -1;
    return device_ok(device_kernel_read(flush.d, flush.bytes, flush.d_sink), "L2 flush", err);
}

enum { BATCH = 10, WAIT_US = 40 };

/* Takes BATCH samples without waiting for the GPU in between, so that the host stays ahead. */
static int time_batch(bench_fn fn, void *context, bool cold, cudaEvent_t event[2 * BATCH], double *us, err_t *err)
{
    for (int i = 0; i < BATCH; ++i) {
        if (cold ? device_flush(err) : device_ok(device_kernel_wait(WAIT_US), "between samples", err)) return -1;
        if (device_ok(cudaEventRecord(event[2 * i], 0), "cudaEventRecord", err)) return -1;
        if (fn(context, err)) return -1;
        if (device_ok(cudaEventRecord(event[2 * i + 1], 0), "cudaEventRecord", err)) return -1;
    }
    if (device_sync(err)) return -1;
    for (int i = 0; i < BATCH; ++i) {
        float ms = 0;
        if (device_ok(cudaEventElapsedTime(&ms, event[2 * i], event[2 * i + 1]), "cudaEventElapsedTime", err))
            return -1;
        us[i] = 1e3 * ms;
    }
    return 0;
}

int device_time(bench_fn fn, void *context, bool cold, const bench_policy_t *p, bench_stats_t *out, err_t *err)
{
    if (flush_open(err)) return -1;
    cudaEvent_t event[2 * BATCH] = {0};
    double *us = malloc((p->max_samples + BATCH) * sizeof *us);
    int failed = us ? 0 : err_set(err, "out of memory for %zu samples", p->max_samples);
    for (int i = 0; i < 2 * BATCH && !failed; ++i)
        failed = device_ok(cudaEventCreate(&event[i]), "cudaEventCreate", err);
    for (size_t i = 0; i < p->warmup && !failed; ++i) failed = fn(context, err);
    if (!failed) failed = device_sync(err);

    size_t n = 0;
    const double start = clock_now();
    while (!failed && n < p->max_samples && !bench_enough(p, us, n, clock_now() - start)) {
        failed = time_batch(fn, context, cold, event, us + n, err);
        n += BATCH;
    }
    if (!failed) *out = bench_summary(us, n < p->max_samples ? n : p->max_samples);
    for (int i = 0; i < 2 * BATCH; ++i)
        if (event[i]) cudaEventDestroy(event[i]);
    free(us);
    return failed ? -1 : 0;
}

struct span {
    char *d_to, *d_from;
    size_t bytes;
};

static int run_empty(void *context, err_t *err)
{
    (void)context;
    return device_ok(device_kernel_empty(), "empty kernel", err);
}

static int run_read(void *context, err_t *err)
{
    const struct span *s = context;
    return device_ok(device_kernel_read(s->d_from, s->bytes, flush.d_sink), "read ceiling", err);
}

static int run_copy_kernel(void *context, err_t *err)
{
    const struct span *s = context;
    return device_ok(device_kernel_copy(s->d_to, s->d_from, s->bytes), "copy ceiling", err);
}

static int run_copy_official(void *context, err_t *err)
{
    const struct span *s = context;
    return device_ok(cudaMemcpyAsync(s->d_to, s->d_from, s->bytes, cudaMemcpyDeviceToDevice, 0), "copy ceiling", err);
}

int device_ceilings(device_ceilings_t *c, err_t *err)
{
    size_t free_bytes = 0, total_bytes = 0;
    const bench_policy_t policy = bench_policy(0);
    bench_stats_t floor, read, copy, official;
    struct span s = {0};

    if (flush_open(err)) return -1;
    if (device_ok(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo", err)) return -1;
    s.bytes = free_bytes / 4 < (2ull << 30) ? free_bytes / 4 / 16 * 16 : 2ull << 30;
    s.d_from = device_alloc(s.bytes, "ceiling source", err);
    s.d_to = device_alloc(s.bytes, "ceiling target", err);
    int failed = !s.d_from || !s.d_to || device_ok(cudaMemset(s.d_from, 1, s.bytes), "cudaMemset", err) ||
                 device_time(run_empty, NULL, true, &policy, &floor, err) ||
                 device_time(run_read, &s, true, &policy, &read, err) ||
                 device_time(run_copy_kernel, &s, true, &policy, &copy, err) ||
                 device_time(run_copy_official, &s, true, &policy, &official, err);
    device_free(s.d_from);
    device_free(s.d_to);
    if (failed) return -1;

    /* Every time contains a launch, which is subtracted: the peak is the bandwidth of the memory alone. */
    const double copy_us = copy.median_us < official.median_us ? copy.median_us : official.median_us;
    c->floor_us = floor.median_us;
    c->read_gbps = (double)s.bytes / ((read.median_us - c->floor_us) * 1e3);
    c->copy_gbps = 2.0 * (double)s.bytes / ((copy_us - c->floor_us) * 1e3);
    return 0;
}

void device_forget(void *d, size_t bytes) { (void)d, (void)bytes; }

void device_explain_wrong(bench_fn fn, void *context, err_t *err) { (void)fn, (void)context, (void)err; }

bool device_remark(err_t *about) { return (void)about, false; }

void device_name(const void *d, const char *name) { (void)d, (void)name; }
void device_configure(bool count, uint64_t shuffle) { (void)count, (void)shuffle; }
void device_pretend_sms(int sms) { (void)sms; }
void device_count_begin(void) {}
void device_count_end(report_row_t *row) { row->counted = false; }

int device_explain(FILE *f, err_t *err)
{
    (void)f;
    return err_set(err, "--explain needs the simulator: make BACKEND=simt, or use ncu on the GPU");
}

int device_lines(FILE *f, const report_row_t *row, err_t *err)
{
    (void)f, (void)row;
    return err_set(err, "--lines needs the simulator: make BACKEND=simt");
}

int device_trace(FILE *f, err_t *err)
{
    (void)f;
    return err_set(err, "--trace needs the simulator: make BACKEND=simt");
}

int device_predict_for(const char *gpu, char *about, size_t size, err_t *err)
{
    (void)about, (void)size;
    return gpu ? err_set(err, "--predict needs the simulator (make BACKEND=simt); on this GPU times are measured") : 0;
}

void device_predict_gpu(const struct gpu *gpu) { (void)gpu; }
bool device_predicts(void) { return false; }
bool device_gpu_asked(void) { return false; }
void device_predict_as_gpu(bool on) { (void)on; }
void device_predict_begin(void) { }
void device_predict_end(report_row_t *row) { (void)row; }
const char *device_predict_page(void) { return NULL; }

void device_keep_film(void) {}

int device_film(FILE *f, const report_row_t *row, err_t *err)
{
    (void)f, (void)row;
    return err_set(err, "film: only the simulator records every step (make BACKEND=simt)");
}
