/*
 * device.h - the GPU: its properties, its measured peak bandwidths, its clock.
 *
 * This interface hides the differences between a GPU and the simulator: device_cuda.c measures times, device_simt.c
 * counts, and the build links one of them.  Host code calls the rest of the runtime API (cudaMemcpy, cudaMemset, ...)
 * directly.
 */
#ifndef COURSE_DEVICE_H
#define COURSE_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench.h"
#include "csr.h"
#include "report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct device_facts {
    const char *backend; /* "cuda" or "simt" */
    char name[128];      /* "NVIDIA H200", or "simt (CPU simulator, 8 SMs)" */
    char driver[32], toolkit[32], arch[16];
    int sms;
    size_t l2_bytes;
    double peak_gbps;    /* as in data sheets: memory clock x bus width; NAN if the driver does not report them */
} device_facts_t;

/* Returns "cuda" or "simt": the back end for which this program was built. */
const char *device_backend(void);

/* Selects device 0.  If there is none: -1, and *err says what to do. */
int device_open(device_facts_t *facts, err_t *err);

/* Peak bandwidths and launch overhead of this GPU, measured now (rule 7 and 11 of docs/how-we-measure.md). */
typedef struct device_ceilings {
    double copy_gbps; /* bytes read + written by the best large copy */
    double read_gbps; /* bytes read by a sum over a large array */
    double floor_us;  /* the time of an empty kernel, measured like that of a row */
} device_ceilings_t;
int device_ceilings(device_ceilings_t *c, err_t *err);

/* Times fn, which enqueues its work on the default stream.  Each sample is: flush or wait, event,
 * fn, event.  cold: L2 is filled with other, clean lines first.  warm: the GPU waits instead, so that
 * the host is ahead of it in both cases and its call overhead stays out of the interval.
 * A fn that waits for the GPU itself is timed with that wait. */
int device_time(bench_fn fn, void *context, bool cold, const bench_policy_t *p, bench_stats_t *out, err_t *err);

/* Fills L2 with other, clean lines: afterwards none of the step's data is cached, and no write-back disturbs the
 * measurement.  Only enqueues the work; the first call allocates the buffer. */
int device_flush(err_t *err);

/* Waits for all work.  -1 and the first error (on simt: the whole report) in *err; the error is then cleared
 * for the next step.  After some errors no further step can run: device_lost(). */
int device_sync(err_t *err);
bool device_lost(void);

/* Returns 0 for cudaSuccess, else -1 and "what: cudaGetErrorString" in *err. */
int device_ok(cudaError_t status, const char *what, err_t *err);

/* Ends the capture of a stream; if it has not failed: 0 and *graph, in which kernels keep their streams' priorities.
 * Otherwise -1 and *err. */
int device_graph(int failed, cudaStream_t stream, cudaGraphExec_t *graph, err_t *err);

/* Device memory with its name for reports.  NULL and *err ("needs 8.0 GiB, the GPU has 4.2 GiB free"). */
void *device_alloc(size_t bytes, const char *name, err_t *err);
void device_free(void *d); /* takes NULL */
/* Makes a device array with a copy of `bytes` bytes of host memory. */
void *device_upload(const void *host, size_t bytes, const char *name, err_t *err);
/* Copy a host matrix's arrays to the device, and free them.  -1 and *err; *d is then all zero, as after freeing. */
int csr_arrays_upload(csr_arrays_t *d, const csr_arrays_t *host, err_t *err);
void csr_arrays_free_device(csr_arrays_t *d);

/* Sets the name of a buffer in fault reports (device_alloc calls it).  No effect on cuda. */
void device_name(const void *d, const char *name);

/* simt: marks these bytes as uninitialised, so that a kernel that reads them before writing is a fault.  No effect on
 * cuda. */
void device_forget(void *d, size_t bytes);

/* simt: runs fn, whose result was wrong, once more and adds to *err the values in shared memory that no thread has
 * read, if there are any.  No effect on cuda. */
void device_explain_wrong(bench_fn fn, void *context, err_t *err);

/* simt: stores in *about a remark on what kernels did since the last call, for example a race that is allowed but
 * suspicious; false if there is none.  No effect on cuda. */
bool device_remark(err_t *about);

/* Settings of the simulator: whether it counts traffic, and the seed of the order of blocks, warps and lanes.
 * No effect on cuda. */
void device_configure(bool count, uint64_t shuffle);

/* Sets the number of multiprocessors of the simulated GPU.  No effect on cuda. */
void device_pretend_sms(int sms);

/* simt: stores the counts of the kernels between begin and end in the count columns of *row.  No effect on cuda. */
void device_count_begin(void);
void device_count_end(report_row_t *row);

/* simt: predicts times of later runs on a GPU (common/simulator/predict), given by its name or the file of its
 * description; NULL ends the predictions.  about receives the line that the report prints below its
 * tables.  On cuda: -1, because times are measured there. */
int device_predict_for(const char *gpu, char *about, size_t size, err_t *err);
/* The same for a description that has been read already, with kernels that are not in nvcc's table. */
struct gpu;
void device_predict_gpu(const struct gpu *gpu);
bool device_predicts(void); /* whether times are predicted */
/* Returns whether the host has queried the number of SMs since the last call.  Then the work on a GPU may differ. */
bool device_gpu_asked(void);
/* Gives the simulator as many SMs as the GPU of the prediction (on), or its former number (off). */
void device_predict_as_gpu(bool on);
/* Predicts the time of the counted runs between begin and end, and stores it in *row; its texts are valid until the
 * next begin. */
void device_predict_begin(void);
void device_predict_end(report_row_t *row);
/* Returns the page of docs/ that explains the limit of the latest predicted run; NULL if there is none. */
const char *device_predict_page(void);

/* simt: write the counts of the kernels since device_count_begin per source line, worst first; and the trace
 * of accesses, one row per access.  On cuda: -1, and *err says what to use instead. */
int device_explain(FILE *f, err_t *err);
/* Writes the same counts as rows of a results file (simt_lines), for step, case and type of *row. */
int device_lines(FILE *f, const report_row_t *row, err_t *err);
int device_trace(FILE *f, err_t *err);

/* simt: records every step of later counted runs; device_film writes the steps of the latest run (simt_film) after a
 * line for each count of *row.  On cuda: no effect, and -1. */
void device_keep_film(void);
int device_film(FILE *f, const report_row_t *row, err_t *err);

#ifdef __cplusplus
}
#endif
#endif
