/*
 * plan.h - functions for the builders of plans: the memory of a plan, a scan (scan.cu), a sort (sort.cu),
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

/* The words that plan_scan needs for an array of n: the array, the total, and scratch memory. */
size_t plan_scan_words(size_t n);

/* Exclusive scan: replaces each d[i] by d[0] + .. + d[i - 1], and stores the total, which must be below
 * 2^32, in d[n].  Unless total is NULL, waits and also copies the total to *total. */
cudaError_t plan_scan(uint32_t *d, size_t n, uint32_t *total, cudaStream_t stream);

/* ---- sort --------------------------------------------------------------------------------------- */

enum { PLAN_LONGEST = 1024, PLAN_WINDOW = 1024 };

/* The words of d_counts for n lengths. */
size_t plan_sort_words(size_t n);

/* Stable sort of n lengths of at most PLAN_LONGEST, longest first: d_order[p] is the index of the length
 * at position p.  windows: sorts each window of PLAN_WINDOW lengths separately, else all together. */
cudaError_t plan_sort(const uint32_t *d_lengths, size_t n, bool windows, uint32_t *d_counts, uint32_t *d_order,
                      cudaStream_t stream);

/* ---- list of rows ------------------------------------------------------------------------------- */

/* The words of d_places for so many rows. */
size_t rows_places(size_t rows);

/* Writes the numbers of the wanted rows, ascending, to d_list; *found gets their count, which is copied to the host. */
cudaError_t rows_list(size_t rows, const bool *d_wanted, unsigned *d_places, unsigned *d_list, unsigned *found,
                      cudaStream_t stream);

/* ---- rows in pieces ----------------------------------------------------------------------------- */

/* A row whose sum consists of `count` adjacent pieces. */
typedef struct piece_run { uint32_t row, first, count; } piece_run_t;

/* Sets y[row] to the sum of its pieces, or adds it to y[row] if onto.  The order of additions is fixed. */
cudaError_t plan_add_pieces(const piece_run_t *d_runs, size_t runs, const void *d_pieces, bool onto, void *d_y,
                            dtype_t type, cudaStream_t stream);

/* ---- plans built on the host --------------------------------------------------------------------- */

/* The host memory of a builder; all of it is freed when the plan is complete. */
typedef struct host_memory {
    void *taken[16];
    int count;
} host_memory_t;

/* Allocates count zeroed elements; NULL if memory is short. */
void *host_take(host_memory_t *m, size_t count, size_t size);
void host_drop(host_memory_t *m);

/* Copies the matrix to host memory; free it with csr_free.  only_offsets: without columns and values. */
cudaError_t plan_download(const csr_arrays_t *A, bool only_offsets, csr_t **host, cudaStream_t stream);

/* The longest chain of additions for a term in a row of that length, in any format of the chapter. */
size_t load_balance_formats_depth(size_t length);

/* Arrays are freed all together, or one by one with plan_drop.  They are taken from the reserve first, because one
 * large allocation costs less than many. */
enum { PLAN_ARRAYS = 12 };

typedef struct plan_memory {
    void *taken[PLAN_ARRAYS];
    size_t bytes[PLAN_ARRAYS];
    char *reserve;
    size_t left; /* unused bytes of the reserve */
} plan_memory_t;

#ifdef __cplusplus
}

/* ---- device memory of a plan -------------------------------------------------------------------- */

#define TRY(call)                               \
    do {                                        \
        const cudaError_t try_status = (call);  \
        if (try_status != cudaSuccess) return try_status; \
    } while (0)

/* Calls build<T, O>(...) with the value type T and the offset type O of A. */
#define PLAN_BUILD(A, build, ...)                                                                              \
    ((A)->value_type == DTYPE_F64                                                                              \
         ? ((A)->offset_bits == 64 ? build<double, uint64_t>(__VA_ARGS__) : build<double, uint32_t>(__VA_ARGS__)) \
         : ((A)->offset_bits == 64 ? build<float, uint64_t>(__VA_ARGS__) : build<float, uint32_t>(__VA_ARGS__)))

/* The bytes that one array takes in a reserve. */
static inline size_t plan_room(size_t bytes) { return (bytes + 255) / 256 * 256; }

static inline cudaError_t plan_allocate(plan_memory_t *m, void **p, size_t bytes)
{
    int i = 0;
    while (m->taken[i]) ++i;
    m->bytes[i] = bytes;
    const cudaError_t status = cudaMalloc(&m->taken[i], bytes);
    if (status != cudaSuccess) {
        m->taken[i] = nullptr;
        cudaGetLastError(); /* clear the error: a later call would return it */
    }
    *p = m->taken[i];
    return status;
}

static inline cudaError_t plan_reserve(plan_memory_t *m, size_t bytes)
{
    m->left = bytes;
    return bytes ? plan_allocate(m, (void **)&m->reserve, bytes) : cudaSuccess;
}

/* Takes an array of count elements; NULL if count is 0. */
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

/* Frees an array that is not in a reserve. */
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

/* Creates a plan P, with a member `memory`, which build(p, &scratch) fills; then frees scratch.  *plan is NULL on an
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

/* The same on the host: build(p, host, &memory) takes its arrays from memory. */
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

/* Replaces *p, an array on the host, by a copy on the GPU. */
template <typename T>
static inline cudaError_t plan_upload(plan_memory_t *m, T **p, size_t count)
{
    const T *host = *p;
    TRY(plan_take(m, p, count));
    return count ? cudaMemcpy(*p, host, count * sizeof(T), cudaMemcpyHostToDevice) : cudaSuccess;
}

/* The same for values, which are double on the host, and converted to `type` for the GPU. */
static inline cudaError_t plan_upload_values(plan_memory_t *m, void **p, size_t count, dtype_t type)
{
    char *numbers = (char *)*p;
    for (size_t i = 0; i < count && type == DTYPE_F32; ++i) { // in place: a float fits into a double's memory
        double wide;
        memcpy(&wide, numbers + i * sizeof wide, sizeof wide);
        const float narrow = (float)wide;
        memcpy(numbers + i * sizeof narrow, &narrow, sizeof narrow);
    }
    TRY(plan_upload(m, &numbers, count * dtype_size(type)));
    *p = numbers;
    return cudaSuccess;
}

/* Copies count elements of d to *host. */
template <typename T>
static inline cudaError_t plan_fetch(host_memory_t *m, T **host, const T *d, size_t count)
{
    *host = (T *)host_take(m, count, sizeof(T));
    return *host ? cudaMemcpy(*host, d, count * sizeof(T), cudaMemcpyDeviceToHost) : cudaErrorMemoryAllocation;
}

/* The bytes of a plan, and the function that frees it, for LOAD_BALANCE_PLAN. */
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

/* The last line of a plan's file: the plan `name` has the type P, and create() creates it. */
#define LOAD_BALANCE_PLAN(name, P) \
    extern "C" const load_balance_plan_ops_t name = {create, plan_bytes<P>, plan_destroy<P>};

/* Extends *plan, of another step, to a plan P, which build(p, &scratch) completes.  *plan is NULL on an error. */
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

/* The same on the host: build(p, &memory) takes its arrays from memory. */
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
