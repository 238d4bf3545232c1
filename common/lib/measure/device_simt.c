/* device_simt.c - the CPU simulator: it counts and checks, but does not measure times.  See device.h. */
#include "device.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limiter.h"
#include "simt.h"

enum {
    TRACED_REQUESTS = 8, /* per access of warp 0: enough for the pictures */
    FILM_EVENTS = 20000  /* events of a film: as many as a browser can handle */
};

const char *device_backend(void) { return "simt"; }

static kernel_table_t *kernels;     /* nvcc's data of the course's kernels; NULL: much is guessed */

static simt_resources_t resources(const char *symbol) { return kernels_resources(kernels, symbol); }

int device_open(device_facts_t *f, err_t *err)
{
    *f = (device_facts_t){.backend = "simt", .peak_gbps = NAN};
    int sms = 0, l2 = 0;
    if (device_ok(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "simt", err)) return -1;
    if (!cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0)) f->l2_bytes = (size_t)l2;
    f->sms = sms;
    snprintf(f->name, sizeof f->name, "simt (CPU simulator, %d SMs)", sms);
    simt_set_report_stream(NULL); /* the harness prints the report with the row */
    simt_set_counting(false); /* until device_count_begin: runs that are only checked need half the time */
    return 0;
}

bool device_lost(void) { return false; } /* a fault ends one row, not the run */

int device_sync(err_t *err)
{
    const char *fault = simt_fault();
    if (fault) {
        const size_t length = strlen(fault), lines = fault[length - (length > 0)] == '\n' ? length - 1 : length;
        if (err) snprintf(err->text, sizeof err->text, "%.*s", (int)lines, fault); /* several lines, unchanged */
        simt_fault_clear();
        return -1;
    }
    return device_ok(cudaGetLastError(), "simt", err);
}

int device_ceilings(device_ceilings_t *c, err_t *err)
{
    c->copy_gbps = c->read_gbps = c->floor_us = NAN;
    return err_set(err, "the simulator measures no times: make BACKEND=cuda on a machine with a GPU");
}

int device_time(bench_fn fn, void *context, bool cold, const bench_policy_t *p, bench_stats_t *out, err_t *err)
{
    (void)fn, (void)context, (void)cold, (void)p, (void)out;
    return err_set(err, "the simulator measures no times: make BACKEND=cuda on a machine with a GPU");
}

void device_name(const void *d, const char *name) { simt_name_buffer(d, name); }

void device_forget(void *d, size_t bytes) { simt_forget_contents(d, bytes); }

void device_explain_wrong(bench_fn fn, void *context, err_t *err)
{
    err_t again;
    simt_watch_unread(1);
    const int failed = fn(context, &again) || device_sync(&again);
    const char *unread = simt_unread();
    const size_t length = strlen(err->text);
    if (!failed && unread)
        snprintf(err->text + length, sizeof err->text - length,
                 "\nsimt: hint: no thread reads what was written to shared memory: %s", unread);
    simt_watch_unread(0);
}

bool device_remark(err_t *about)
{
    const char *remark = simt_remark();
    if (remark) snprintf(about->text, sizeof about->text, "%.*s", (int)strlen(remark) - 1, remark);
    return remark;
}

static bool counting = true;

void device_configure(bool count, uint64_t shuffle)
{
    counting = count;
    simt_set_seed(shuffle);
}

static int pretended_sms = 8; /* the simulator's default (simt.h) */

void device_pretend_sms(int sms)
{
    pretended_sms = sms;
    simt_set_sm_count(sms);
}

void device_count_begin(void)
{
    simt_counts_reset();
    simt_set_counting(counting);
    simt_set_trace(counting ? TRACED_REQUESTS : 0);
}

void device_count_end(report_row_t *row)
{
    simt_counts_t c;
    simt_counts_get(&c);
    simt_set_trace(0);
    simt_set_counting(false);
    if (!counting) return;
    row->ld_requests = (int64_t)c.ld_requests;
    row->ld_sectors = (int64_t)c.ld_sectors;
    row->st_requests = (int64_t)c.st_requests;
    row->st_sectors = (int64_t)c.st_sectors;
    row->sh_ld_wavefronts = (int64_t)c.sh_ld_wavefronts;
    row->sh_st_wavefronts = (int64_t)c.sh_st_wavefronts;
    row->active_lanes = c.active_lanes;
    row->atomic_requests = (int64_t)c.atomic_requests;
    row->warp_max_mean = c.warp_work_mean > 0 ? (double)c.warp_work_max / c.warp_work_mean : NAN;
    row->block_max_mean = c.block_work_mean > 0 ? (double)c.block_work_max / c.block_work_mean : NAN;
    const double moved = 32.0 * (double)(c.ld_sectors + c.st_sectors);
    row->useful_pct = moved > 0 ? 100 * (double)(c.ld_useful_bytes + c.st_useful_bytes) / moved : NAN;
}

int device_flush(err_t *err) { (void)err; return 0; } /* no times are measured here */

int device_explain(FILE *f, err_t *err)
{
    return simt_explain(f) < 0 ? err_set(err, "explain: %s", strerror(errno)) : 0;
}

int device_lines(FILE *f, const report_row_t *row, err_t *err)
{
    char prefix[512];
    snprintf(prefix, sizeof prefix, "%s\t%s\t%s", row->step, row->case_name, row->dtype);
    return simt_lines(f, prefix) < 0 ? err_set(err, "lines: %s", strerror(errno)) : 0;
}

int device_trace(FILE *f, err_t *err)
{
    return simt_trace(f) < 0 ? err_set(err, "trace: %s", strerror(errno)) : 0;
}

/* ---- predictions ------------------------------------------------------------------------------ */

static struct {
    gpu_t gpu;
    bool on;
    int turns;       /* the value of simt_set_turns before the run with that GPU's SMs */
    char words[160]; /* the text of the limiter, and its page */
    const char *page;
} predicting;

bool device_predicts(void) { return predicting.on && counting; }

int device_predict_for(const char *gpu, char *about, size_t size, err_t *err)
{
    predicting.on = false;
    if (!kernels) kernels = kernels_read(NULL, NULL);
    simt_set_resources(resources); /* so that the occupancy API returns the same as on a GPU */
    if (!gpu) return 0;
    if (gpu_read(&predicting.gpu, gpu, err)) return -1;
    predicting.on = true;
    const gpu_t *c = &predicting.gpu;
    snprintf(about, size, c->checked ? "predicted for %s, not measured (model " PREDICT_VERSION
                                       "): 90 %% of the held-out rows took %.2f to %.2f times as long"
                                     : "predicted for %s, not measured, and never compared with this GPU (model "
                                       PREDICT_VERSION "): the range of %.2f to %.2f times is a guess",
             c->name, c->low, c->high);
    return 0;
}

void device_predict_gpu(const gpu_t *gpu)
{
    predicting.gpu = *gpu;
    kernels = kernels_free(kernels);
    predicting.on = true;
}

bool device_gpu_asked(void) { return simt_gpu_asked(); }

void device_predict_as_gpu(bool on)
{
    if (on) predicting.turns = simt_turns();
    simt_set_turns(on ? 0 : predicting.turns); /* turns need all threads of all SMs at once */
    simt_set_workers(on ? 1 : 0); /* one worker: tickets and plans are reproducible */
    simt_set_sm_count(on ? (int)predicting.gpu.sms : pretended_sms);
}

void device_predict_begin(void)
{
    enum { MOST_BYTES = 1 << 30 };
    simt_set_replay(MOST_BYTES);
}

void device_predict_end(report_row_t *row)
{
    size_t n;
    prediction_t p = {.us = NAN, .low_us = NAN, .high_us = NAN};
    const simt_way_t *ways = simt_ways(&n);
    err_t err;
    if (!ways) snprintf(p.why, sizeof p.why, "not modelled: more requests than fit into memory");
    else if (predict(&p, &predicting.gpu, kernels, ways, n, &err))
        snprintf(p.why, sizeof p.why, "not modelled: %.70s", err.text);
    row->predicted_for = predicting.gpu.name;
    row->predicted_us = p.us;
    row->predicted_low_us = p.low_us;
    row->predicted_high_us = p.high_us;
    row->replayed_us = isfinite(p.us) ? p.replay_us : NAN;
    row->predicted_nodes = isfinite(p.us) ? (int64_t)(p.launches + p.memsets) : REPORT_NONE;
    limiter_t second;
    predicting.page = limiter_page(limiter_of(&p, &second));
    limiter_words(&p, &predicting.gpu, predicting.words, sizeof predicting.words);
    row->limiter = predicting.words;
    simt_set_replay(0);
}

const char *device_predict_page(void) { return predicting.page; }

void device_keep_film(void) { simt_set_film(FILM_EVENTS); }

int device_film(FILE *f, const report_row_t *row, err_t *err)
{
    fprintf(f, "row\t%s\t%s\t%s\t%s\n", row->step, row->case_name, row->dtype, row->idea);
    if (row->status == REPORT_OK) {
#define WHOLE(name) fprintf(f, "count\t" #name "\t%lld\n", (long long)row->name)
        WHOLE(ld_requests);
        WHOLE(ld_sectors);
        WHOLE(st_requests);
        WHOLE(st_sectors);
        WHOLE(sh_ld_wavefronts);
        WHOLE(sh_st_wavefronts);
        WHOLE(atomic_requests);
#undef WHOLE
#define RATIO(name) if (isfinite(row->name)) fprintf(f, "count\t" #name "\t%.12g\n", row->name)
        RATIO(active_lanes);
        RATIO(useful_pct);
        RATIO(warp_max_mean);
        RATIO(block_max_mean);
#undef RATIO
    }
    for (const char *line = row->status == REPORT_OK ? "" : row->why; *line;) {
        const size_t length = strcspn(line, "\n");
        fprintf(f, "why\t%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    return simt_film(f) < 0 ? err_set(err, "film: %s", strerror(errno)) : 0;
}
