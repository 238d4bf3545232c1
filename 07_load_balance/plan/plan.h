/*
 * plan.h - what the builders of plans share: the memory of a plan, a scan (scan.cu), a sort (sort.cu),
 * a list of rows (rows.cu), rows in pieces (pieces.cu).
 */
#ifndef LOAD_BALANCE_PLAN_H
#define LOAD_BALANCE_PLAN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../chapter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scan --------------------------------------------------------------------------------------- */

/* Words an array of n needs for plan_scan: itself, the total, and room to work in. */
size_t plan_scan_words(size_t n);

/* Makes of d[0..n-1] what stands before each, d[0] + .. + d[i - 1], and of d[n] the total.  The
 * total is below 2^32.  *total gets it too, after a wait, unless total is NULL. */
cudaError_t plan_scan(uint32_t *d, size_t n, uint32_t *total, cudaStream_t stream);

/* ---- sort --------------------------------------------------------------------------------------- */

enum { PLAN_LONGEST = 1024, PLAN_WINDOW = 1024 };

/* Words of d_counts for n lengths. */
size_t plan_sort_words(size_t n);

/* d_order[p] = which of n lengths (none above PLAN_LONGEST) stands at place p: longest first, equal ones
 * in their old order.  windows: each PLAN_WINDOW of them by itself; else all. */
cudaError_t plan_sort(const uint32_t *d_lengths, size_t n, bool windows, uint32_t *d_counts, uint32_t *d_order,
                      cudaStream_t stream);

/* ---- list of rows ------------------------------------------------------------------------------- */

/* Words of d_places for so many rows. */
size_t rows_places(size_t rows);

/* The numbers of the rows that are wanted, ascending, to d_list; *found gets how many, read back from the GPU. */
cudaError_t rows_list(size_t rows, const bool *d_wanted, unsigned *d_places, unsigned *d_list, unsigned *found,
                      cudaStream_t stream);

/* ---- rows in pieces ----------------------------------------------------------------------------- */

/* A row whose sum lies in `count` pieces, one behind the other. */
typedef struct piece_run { uint32_t row, first, count; } piece_run_t;

/* y[row] = sum of its pieces, added to what is there if onto.  Always in the same order. */
cudaError_t plan_add_pieces(const piece_run_t *d_runs, size_t runs, const void *d_pieces, bool onto, void *d_y,
                            dtype_t type, cudaStream_t stream);

/* ---- plans made on the host --------------------------------------------------------------------- */

/* What a builder in plain C takes on the host; all of it goes when the plan is done. */
typedef struct host_memory {
    void *taken[16];
    int count;
} host_memory_t;

/* count zeroed elements; NULL if there is no room. */
void *host_take(host_memory_t *m, size_t count, size_t size);
void host_drop(host_memory_t *m);

/* The matrix in host memory, free with csr_free.  Without its columns and values if only_offsets. */
cudaError_t plan_download(const csr_arrays_t *A, bool only_offsets, csr_t **host, cudaStream_t stream);

/* Longest chain of additions a term goes through in a row of that length, in any format of the chapter. */
size_t load_balance_formats_depth(size_t length);

/* Everything taken goes at once, or by itself with drop.  What has been reserved is handed out first: one large
 * allocation costs less than many. */
enum { PLAN_ARRAYS = 12 };

typedef struct plan_memory {
    void *taken[PLAN_ARRAYS];
    size_t bytes[PLAN_ARRAYS];
    char *reserve;
    size_t left; /* bytes of it */
} plan_memory_t;

#ifdef __cplusplus
}

/* ---- device memory of a plan -------------------------------------------------------------------- */

#define TRY(call)                               \
    do {                                        \
        const cudaError_t try_status = (call);  \
        if (try_status != cudaSuccess) return try_status; \
    } while (0)

/* build<T, O>(...) for the value type T and the offset type O of A. */
#define PLAN_BUILD(A, build, ...)                                                                              \
    ((A)->value_type == DTYPE_F64                                                                              \
         ? ((A)->offset_bits == 64 ? build<double, uint64_t>(__VA_ARGS__) : build<double, uint32_t>(__VA_ARGS__)) \
         : ((A)->offset_bits == 64 ? build<float, uint64_t>(__VA_ARGS__) : build<float, uint32_t>(__VA_ARGS__)))

/* Room for one array in a reserve. */
static inline size_t plan_room(size_t bytes) { return (bytes + 255) / 256 * 256; }

static inline cudaError_t plan_allocate(plan_memory_t *m, void **p, size_t bytes)
{
    int i = 0;
    while (m->taken[i]) ++i;
    m->bytes[i] = bytes;
    const cudaError_t status = cudaMalloc(&m->taken[i], bytes);
    if (status != cudaSuccess) {
        m->taken[i] = nullptr;
        cudaGetLastError(); /* or whoever comes next would find it */
    }
    *p = m->taken[i];
    return status;
}

static inline cudaError_t plan_reserve(plan_memory_t *m, size_t bytes)
{
    m->left = bytes;
    return bytes ? plan_allocate(m, (void **)&m->reserve, bytes) : cudaSuccess;
}

/* An array of count elements, NULL if that is 0. */
template <typename T>
static inline cudaError_t plan_take(plan_memory_t *m, T **p, size_t count)
{
    const size_t room = plan_room(count * sizeof(T));
    *p = nullptr;
    if (count == 0) return cudaSuccess;
    if (m->left < room) return plan_allocate(m, (void **)p, count * sizeof(T));
    *p = (T *)m->reserve;
    m->reserve += room;
    m->left -= room;
    return cudaSuccess;
}

/* Gives back an array that is no part of a reserve. */
static inline void plan_drop(plan_memory_t *m, const void *p)
{
    for (int i = 0; i < PLAN_ARRAYS; ++i)
        if (p && m->taken[i] == p) {
            cudaFree(m->taken[i]);
            m->taken[i] = nullptr;
        }
}

static inline void plan_drop_all(plan_memory_t *m)
{
    for (int i = 0; i < PLAN_ARRAYS; ++i) plan_drop(m, m->taken[i]);
}

static inline size_t plan_memory_bytes(const plan_memory_t *m)
{
    size_t sum = 0;
    for (int i = 0; i < PLAN_ARRAYS; ++i) sum += m->taken[i] ? m->bytes[i] : 0;
    return sum;
}

/* A plan P, with a member `memory`, as build(p, &scratch) fills it; scratch goes at the end.  *plan is NULL on an
 * error. */
template <typename P, typename Build>
static inline cudaError_t plan_create(void **plan, Build build)
{
    P *p = (P *)calloc(1, sizeof *p);
    plan_memory_t scratch = {};
    const cudaError_t status = p ? build(p, &scratch) : cudaErrorMemoryAllocation;
    plan_drop_all(&scratch);
    if (p && status != cudaSuccess) {
        plan_drop_all(&p->memory);
        free(p);
        p = nullptr;
    }
    *plan = p;
    return status;
}

/* The same on the host: build(p, host, &memory) takes what it needs from memory. */
template <typename P, typename Build>
static inline cudaError_t plan_create_on_host(const csr_arrays_t *A, bool only_offsets, void **plan,
                                              cudaStream_t stream, Build build)
{
    return plan_create<P>(plan, [=](P *p, plan_memory_t *) {
        csr_t *host = nullptr;
        host_memory_t memory = {};
        TRY(plan_download(A, only_offsets, &host, stream));
        const cudaError_t status = build(p, host, &memory);
        host_drop(&memory);
        csr_free(host);
        return status;
    });
}

/* *p, an array on the host, becomes its copy on the GPU. */
template <typename T>
static inline cudaError_t plan_upload(plan_memory_t *m, T **p, size_t count)
{
    const T *host = *p;
    TRY(plan_take(m, p, count));
    return count ? cudaMemcpy(*p, host, count * sizeof(T), cudaMemcpyHostToDevice) : cudaSuccess;
}

/* The same for values: double on the host, of that type on the GPU. */
static inline cudaError_t plan_upload_values(plan_memory_t *m, void **p, size_t count, dtype_t type)
{
    char *numbers = (char *)*p;
    for (size_t i = 0; i < count && type == DTYPE_F32; ++i) { // each fits where the double stood
        double wide;
        memcpy(&wide, numbers + i * sizeof wide, sizeof wide);
        const float narrow = (float)wide;
        memcpy(numbers + i * sizeof narrow, &narrow, sizeof narrow);
    }
    TRY(plan_upload(m, &numbers, count * dtype_size(type)));
    *p = numbers;
    return cudaSuccess;
}

/* The other way: *host is a copy of count elements of d. */
template <typename T>
static inline cudaError_t plan_fetch(host_memory_t *m, T **host, const T *d, size_t count)
{
    *host = (T *)host_take(m, count, sizeof(T));
    return *host ? cudaMemcpy(*host, d, count * sizeof(T), cudaMemcpyDeviceToHost) : cudaErrorMemoryAllocation;
}

/* Its bytes and its end, for LOAD_BALANCE_PLAN. */
template <typename P>
static inline size_t plan_bytes(const void *plan)
{
    return plan_memory_bytes(&((const P *)plan)->memory);
}

template <typename P>
static inline void plan_destroy(void *plan)
{
    if (plan) plan_drop_all(&((P *)plan)->memory);
    free(plan);
}

/* Last line of the file that makes a step's plan: the plan `name` is a P, which create() makes. */
#define LOAD_BALANCE_PLAN(name, P) \
    extern "C" const load_balance_plan_ops_t name = {create, plan_bytes<P>, plan_destroy<P>};

/* *plan, another step's, becomes the first part of a plan P, and build(p, &scratch) goes on.  NULL on an error. */
template <typename P, typename Build>
static inline cudaError_t plan_extend(void **plan, Build build)
{
    P *p = (P *)realloc(*plan, sizeof *p);
    plan_memory_t scratch = {};
    const cudaError_t status = p ? build(p, &scratch) : cudaErrorMemoryAllocation;
    plan_drop_all(&scratch);
    if (status != cudaSuccess) {
        plan_destroy<P>(p ? p : *plan);
        p = nullptr;
    }
    *plan = p;
    return status;
}

/* The same on the host: build(p, &memory) takes what it needs from memory. */
template <typename P, typename Build>
static inline cudaError_t plan_extend_on_host(void **plan, Build build)
{
    return plan_extend<P>(plan, [=](P *p, plan_memory_t *) {
        host_memory_t memory = {};
        const cudaError_t status = build(p, &memory);
        host_drop(&memory);
        return status;
    });
}

#endif
#endif
