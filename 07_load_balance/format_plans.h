/*
 * format_plans.h - the plans of v24 to v38, and what their builders share.  All of it runs on the card:
 * plan_scan.cu, plan_sort.cu, plan_pieces.cu, then plan_csr5.cu, plan_speculative.cu, plan_sell.cu and
 * plan_compressed.cu, one for each step.
 */
#ifndef LOAD_BALANCE_FORMAT_PLANS_H
#define LOAD_BALANCE_FORMAT_PLANS_H

#include <stdlib.h>

#include "chapter.h"

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

/* ---- rows in pieces ----------------------------------------------------------------------------- */

/* A row whose sum lies in `count` pieces, one behind the other. */
typedef struct piece_run { uint32_t row, first, count; } piece_run_t;

/* y[row] = sum of its pieces, added to what is there if onto.  Always in the same order. */
cudaError_t plan_add_pieces(const piece_run_t *d_runs, size_t runs, const void *d_pieces, bool onto, void *d_y,
                            dtype_t type, cudaStream_t stream);

/* ---- variants of v35 and v38 --------------------------------------------------------------------- */

/* v35's other ways to store: rows where they stand, all rows sorted, and the paper's (one lane a row,
 * windows sorted). */
extern const load_balance_plan_ops_t load_balance_v35_natural_plan, load_balance_v35_sorted_plan,
    load_balance_v35_paper_plan;

/* Longest chain of additions a term goes through in a row of that length, for v24 to v38. */
size_t load_balance_formats_depth(size_t length);

/* For tests: what a plan of v35 holds, and where its columns, values and rows of places are on the card. */
void load_balance_formats_peek(const void *plan, size_t *steps, size_t *places, const void *arrays[3]);

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

/* Everything taken goes at once, or by itself with drop.  What has been reserved is handed out first: one large
 * allocation costs less than many. */
typedef struct plan_memory {
    void *taken[8];
    size_t bytes[8];
    char *reserve;
    size_t left; /* bytes of it */
} plan_memory_t;

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
    for (int i = 0; i < 8; ++i)
        if (p && m->taken[i] == p) {
            cudaFree(m->taken[i]);
            m->taken[i] = nullptr;
        }
}

static inline void plan_drop_all(plan_memory_t *m)
{
    for (int i = 0; i < 8; ++i) plan_drop(m, m->taken[i]);
}

static inline size_t plan_memory_bytes(const plan_memory_t *m)
{
    size_t sum = 0;
    for (int i = 0; i < 8; ++i) sum += m->taken[i] ? m->bytes[i] : 0;
    return sum;
}

/* A plan P, with a member `memory`, as build(p, &scratch) fills it; scratch goes at the end.  *plan is NULL on an error. */
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

/* Its bytes and its end, for load_balance_plan_ops_t. */
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

/* ---- v24: CSR5 ----------------------------------------------------------------------------------- */

enum { CSR5_SIGMA = 16, CSR5_TILE = 32 * CSR5_SIGMA };
constexpr uint32_t CSR5_HAS_EMPTY = 1u << 31; /* in tile_row */

typedef struct csr5 {
    plan_memory_t memory;
    size_t tiles, empties, runs;
    uint32_t *tile_row;     /* [tiles]  row of the first row start in the tile; CSR5_HAS_EMPTY: see below */
    uint32_t *descriptor;   /* [32 tiles]  a lane's bit_flag, and its y_offset << 16 */
    uint32_t *empty_start;  /* [tiles]  of a tile with empty rows: its first place in empty_offset, which ... */
    uint32_t *empty_offset; /* ... holds the row of every row start, counted from tile_row */
    int32_t *columns;       /* [512 tiles]  entry j of lane l of a tile at 32 j + l; -1 past the last */
    void *values;
    uint32_t *empty_rows;   /* [empties] */
    piece_run_t *run;       /* [runs]  rows that go on in the next tile */
    void *calibrator;       /* [tiles]  what a tile adds to the row it starts in the middle of */
} csr5_t;

/* ---- v27: speculation ---------------------------------------------------------------------------- */

enum { SPAN_BLOCK = 256, SPAN_ITEMS = 7, SPAN_TILE = SPAN_BLOCK * SPAN_ITEMS };

typedef struct spans {
    plan_memory_t memory;
    size_t tiles, runs;
    uint32_t *tile_row; /* [tiles + 1]  rows that have ended before the tile */
    piece_run_t *run;   /* [runs]  rows that go on in the next tile */
    void *open_ends;    /* [tiles]  sum of the row that is open where the tile ends */
} spans_t;

/* ---- v35 and v38: SELL --------------------------------------------------------------------------- */

typedef enum sell_order { SELL_BY_RULE, SELL_NATURAL, SELL_WINDOWS, SELL_SORTED } sell_order_t;
constexpr uint32_t SELL_PIECE = 1u << 31; /* in place_row */

typedef struct sell_plan {
    plan_memory_t memory;
    size_t slices, steps, places, runs;
    uint4 *slice;        /* [slices]  first step, number of steps, first place, log2 of the lanes a row */
                         /* v38: first step, first word, first place, steps | log2 lanes << 16 | SELL_WIDE */
    int32_t *columns;    /* [32 steps]  step k of lane l at 32 k + l; -1 where a row has ended */
    void *values;        /* [32 steps] */
    uint32_t *place_row; /* [places]  row, or SELL_PIECE + piece; NULL: the place is the row */
    piece_run_t *run;    /* [runs]  rows above PLAN_LONGEST, cut into pieces */
    void *pieces;
    uint32_t *words;     /* v38, instead of columns: [32 word steps]  word w of lane l at 32 w + l.  In a narrow slice a
                            lane's first column, then two differences a word; in a wide one its columns */
} sell_plan_t;

enum { SELL_NONE = 0xffff }; /* a difference that says: the row has ended */
constexpr uint32_t SELL_WIDE = 1u << 31;

extern "C" cudaError_t sell_plan_create(const csr_arrays_t *A, sell_order_t order, bool one_lane, void **plan,
                                        cudaStream_t stream);
#endif
#endif
