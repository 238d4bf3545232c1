/* balance.c - how much work each warp gets, computed from the row lengths without running a kernel. */
#include "spmv_lightspmv.h"

#include <stdlib.h>

#include "spmv_session.h"

enum { WARP = 32, ROUNDS = 4 }; /* ROUNDS: v3 and v4 */

/* The memory requests of a warp with rows first .. first + 32 / lanes - 1, as the simulator counts them: two offsets,
 * then column, value and x for each round of its longest row, and y. */
static size_t stretch_requests(const csr_t *A, size_t lanes, size_t first)
{
    size_t longest = 0;
    for (size_t r = first; r < first + WARP / lanes && r < A->rows; ++r) {
        const size_t length = (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]);
        longest = length > longest ? length : longest;
    }
    if (first >= A->rows) return 0;
    return 2 + 3 * ((longest + lanes - 1) / lanes) + 1;
}

/* A heap of workers, ordered by the time at which they become idle, the earliest at the top. */
typedef struct worker {
    size_t free_at, who;
} worker_t;

static bool before(worker_t a, worker_t b)
{
    return a.free_at < b.free_at || (a.free_at == b.free_at && a.who < b.who);
}

/* Moves the top, whose time has grown, down to its position. */
static void sink(worker_t *heap, size_t count)
{
    for (size_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && before(heap[child + 1], heap[child])) ++child;
        if (!before(heap[child], heap[i])) return;
        const worker_t t = heap[i];
        heap[i] = heap[child];
        heap[child] = t;
    }
}

int spmv_lightspmv_balance(spmv_lightspmv_balance_t *b, const csr_t *A, int lanes, bool chunks, bool dynamic,
                           size_t sms, err_t *err)
{
    const size_t warps_per_block = BALANCE_BLOCK / WARP, blocks = sms * BALANCE_BLOCKS_PER_SM;
    const size_t stretch = WARP / (size_t)lanes, stretches = (A->rows + stretch - 1) / stretch;
    /* A worker takes one chunk of rows at a time: a warp 32 / lanes rows, a block ROUNDS times that for each warp. */
    const size_t team = chunks ? warps_per_block : 1, workers = blocks * warps_per_block / team;
    const size_t lot = chunks ? ROUNDS * warps_per_block : 1, lots = (stretches + lot - 1) / lot;
    *b = (spmv_lightspmv_balance_t){1, 1, dynamic ? lots + workers : 0};

    size_t *work = calloc(workers * team, sizeof *work), sum = 0, busiest = 0, last = 0;
    worker_t *heap = malloc(workers * sizeof *heap);
    if (!work || !heap) {
        free(work);
        free(heap);
        return err_set(err, "out of memory for %zu warps", workers * team);
    }
    for (size_t w = 0; w < workers; ++w) heap[w] = (worker_t){0, w};
    for (size_t l = 0; l < lots; ++l) {
        worker_t *const mine = dynamic ? &heap[0] : &heap[l % workers];
        size_t longest = 0; /* dynamic: a block waits for its slowest warp; static chunks need no waiting */
        for (size_t w = 0; w < team; ++w) {
            size_t own = dynamic && w == 0; /* the addition to the counter is a request, too */
            for (size_t s = l * lot + w; s < (l + 1) * lot && s < stretches; s += team)
                own += stretch_requests(A, (size_t)lanes, s * stretch);
            work[mine->who * team + w] += own;
            sum += own;
            longest = own > longest ? own : longest;
        }
        mine->free_at += longest;
        if (dynamic) sink(heap, workers);
    }
    for (size_t w = 0; w < workers * team; ++w) busiest = work[w] > busiest ? work[w] : busiest;
    for (size_t w = 0; w < workers; ++w) last = heap[w].free_at > last ? heap[w].free_at : last;
    if (!dynamic || !chunks) last = busiest;
    if (sum) {
        const double mean = (double)sum / (double)(workers * team);
        b->warp_max_mean = (double)busiest / mean;
        b->span = (double)last / mean;
    }
    free(work);
    free(heap);
    return 0;
}

int spmv_lightspmv_balance_record(FILE *to, const char *const *matrices, uint64_t seed, size_t sms, err_t *err)
{
    static const char *const STEP[] = {"v3", "v4", "v5", "v6"};
    static const char *const IDEA[] = {"chunks to blocks, static", "chunks to blocks, dynamic",
                                       "row ranges to warps, static", "row ranges to warps, dynamic"};
    fprintf(to, "# chapter: 06_spmv_lightspmv\n# model: %zu SMs, blocks of %d threads, %d on each SM\n# seed: %llu\n",
            sms, BALANCE_BLOCK, BALANCE_BLOCKS_PER_SM, (unsigned long long)seed);
    fprintf(
        to,
        "chapter\tstep\tkind\tcase\tdtype\tstatus\tidea\trows\tmean_row\tmax_row\tlanes\twarp_max_mean\tspan\tasked\n");
    for (; *matrices; ++matrices) {
        char name[SPMV_NAME];
        csr_t *A = spmv_matrix_of_suite(*matrices, seed, name, err);
        if (!A) return -1;
        const csr_stats_t stats = csr_stats(A);
        const int lanes = lanes_by_rule(LIGHTSPMV_LANES, stats.mean_row);
        for (int i = 0; i < 4; ++i) {
            spmv_lightspmv_balance_t b;
            if (spmv_lightspmv_balance(&b, A, lanes, i < 2, i % 2, sms, err)) {
                csr_free(A);
                return -1;
            }
            fprintf(to, "06_spmv_lightspmv\t%s\tmodel\t%s\t-\tok\t%s\t%zu\t%.4g\t%zu\t%d\t%.4g\t%.4g\t%zu\n", STEP[i],
                    name, IDEA[i], A->rows, stats.mean_row, stats.max_row, lanes, b.warp_max_mean, b.span, b.asked);
        }
        csr_free(A);
    }
    return 0;
}
