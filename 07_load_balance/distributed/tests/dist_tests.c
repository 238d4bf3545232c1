/*
 * dist_tests.c - tests that a product over ranks equals the product of one rank, and that a wrong halo is noticed.
 *
 * mpirun runs it with any number of ranks (run_dist.sh): dist_tests [few] [mpi].  All ranks run all tests.  If a check
 * fails on one rank it fails on all (ALL), so that no rank waits for another.  Rank 0 prints.
 *
 *     mpirun -n 2 dist_tests gpus [direct|nccl|host] [PRODUCTS]      on GPUs: only the tests with gpu in their names
 */
#include "tests/battery.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "../dist_impl.h"
#include "device.h"
#include "../grid.h"
#include "../order.h"
#include "../volumes.h"
#include "formats.h"
#include "verify.h"

static int rank, ranks;
static bool few; /* use fewer matrices, because many ranks on few cores are slow */
static dist_transport_t on_cpus = DIST_AUTO; /* DIST_AUTO is shared memory, because all ranks are on one host */
static dist_transport_t on_gpus = DIST_AUTO;
static int products = 30; /* the number of products on GPUs */
static FILE *complaints; /* the terminal, also for ranks that print nothing else */

/* Returns whether `mine` is true on every rank; a rank on which it is false prints its line. */
static bool on_all(bool mine, const char *what, int line)
{
    int all = mine;
    if (!mine) fprintf(complaints, "rank %d of %d, line %d: %s\n", rank, ranks, line, what);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}
#define ALL(condition) assert_true(on_all(condition, #condition, __LINE__))
#define ALL_OK(call, err) ALL((call) == DIST_OK || (fprintf(complaints, "%s\n", (err).text), 0))

/* Returns whether `mine` is true on some rank. */
static bool on_any(bool mine)
{
    int any = mine;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any;
}

/* cmocka would catch the signal of a fault and go on to the next test, while the other ranks wait for this one.
 * Without its handlers a fault ends the rank, and mpirun names the signal and ends the others. */
static void end_on_faults(void)
{
    static const int FAULTS[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};
    for (int i = 0; i < 5; ++i) signal(FAULTS[i], SIG_DFL);
}

/* Begins a test. */
#define RANKS_TEST(name)             \
    static void name##_of_all(void); \
    TEST(name)                       \
    {                                \
        end_on_faults();             \
        name##_of_all();             \
    }                                \
    static void name##_of_all(void)

/* ---- one product, and its check --------------------------------------------------------------------- */

typedef struct trial {
    dist_world_t *w;
    csr_t *A;           /* on every rank, so that each can check its rows */
    dtype_t type;
    dist_matrix_t *d;
    double *x;          /* [cols] rounded */
    void *mine_x, *mine_y; /* on the host */
    void *dx, *dy;      /* on the host or the GPU */
    size_t x_bytes, y_bytes;
} trial_t;

enum { GUARD = 64 };

static void new_x(trial_t *t, uint64_t seed)
{
    const dist_part_t *p = dist_part(t->d, rank);
    matgen_vector(t->x, t->A->cols, seed, 1);
    dtype_from_double(dtype_vector(t->type), t->mine_x, t->x + p->first_col, (size_t)p->cols);
    if (t->w->backend == DIST_CUDA) cudaMemcpy(t->dx, t->mine_x, t->x_bytes, cudaMemcpyHostToDevice);
}

static void poison_y(trial_t *t)
{
    if (t->w->backend == DIST_CUDA) cudaMemset(t->dy, 0xFF, t->y_bytes + GUARD);
    else verify_poison(t->dy, t->y_bytes + GUARD);
}

/* Takes over A.  Fails the test on all ranks if A cannot be distributed. */
static void open_trial(trial_t *t, dist_world_t *w, csr_t *A, dtype_t type, const dist_options_t *o)
{
    err_t err;
    *t = (trial_t){.w = w, .A = A, .type = type};
    matgen_vector(t->A->values, t->A->nnz, 5, 1); /* the values are small integers, so sums are exact in any order */
    ALL_OK(dist_create(&t->d, w, rank == 0 ? t->A : NULL, type, o, &err), err);
    const dist_part_t *p = dist_part(t->d, rank);
    const size_t element = dtype_size(dtype_vector(type));
    t->x_bytes = (size_t)p->cols * element, t->y_bytes = (size_t)p->rows * element;
    t->x = malloc((A->cols + 1) * sizeof *t->x);
    t->mine_x = malloc(t->x_bytes + 1), t->mine_y = malloc(t->y_bytes + GUARD);
    if (w->backend == DIST_CUDA) {
        t->dx = device_alloc(t->x_bytes, "x", &err), t->dy = device_alloc(t->y_bytes + GUARD, "y", &err);
    } else {
        t->dx = t->mine_x, t->dy = t->mine_y;
    }
    new_x(t, 11);
    poison_y(t);
}

static void close_trial(trial_t *t)
{
    if (t->w->backend == DIST_CUDA) {
        device_free(t->dx);
        device_free(t->dy);
    }
    dist_destroy(t->d);
    free(t->mine_x);
    free(t->mine_y);
    free(t->x);
    csr_free(t->A);
}

/* Returns whether this rank's y is its part of A x, bit by bit, with nothing written behind it. */
static bool right(trial_t *t)
{
    const dist_part_t *p = dist_part(t->d, rank);
    err_t err;
    double *ref = malloc((t->A->rows + 1) * sizeof *ref), *abs_sum = malloc((t->A->rows + 1) * sizeof *abs_sum);
    double *zero = calloc((size_t)p->rows + 1, sizeof *zero);
    reference_spmv(t->A, t->x, ref, abs_sum);
    bool ok = true;
    if (t->w->backend == DIST_CUDA) {
        ok = device_sync(&err) == 0;
        if (ok) cudaMemcpy(t->mine_y, t->dy, t->y_bytes + GUARD, cudaMemcpyDeviceToHost);
        else fprintf(complaints, "%s\n", err.text);
    }
    ok = ok && verify_untouched((char *)t->mine_y + t->y_bytes, GUARD) &&
         verify(t->mine_y, dtype_vector(t->type), (size_t)p->rows, ref + p->first_row, zero).ok;
    free(ref);
    free(abs_sum);
    free(zero);
    return ok;
}

static bool multiply(trial_t *t)
{
    err_t err;
    const dist_status_t status = dist_spmv(t->d, t->dx, t->dy, NULL, &err);
    if (status) fprintf(complaints, "%s\n", err.text);
    return status == DIST_OK;
}

/* Checks two products with different x; y is poisoned before each. */
static bool right_twice(trial_t *t)
{
    bool ok = multiply(t) && right(t);
    new_x(t, 12);
    poison_y(t);
    const bool again = multiply(t) && right(t); /* even if `ok` is false: the other ranks multiply, too */
    return ok && again;
}

static dist_world_t *open_world_with(dist_world_options_t o)
{
    dist_world_t *w;
    err_t err;
    ALL_OK(dist_world_open(&w, MPI_COMM_WORLD, &o, &err), err);
    return w;
}

static dist_world_t *open_world(dist_backend_t backend)
{
    const dist_transport_t transport = backend == DIST_CPU ? on_cpus : on_gpus;
    return open_world_with((dist_world_options_t){.backend = backend, .transport = transport});
}

/* Begins a test in the world w. */
#define WORLD_TEST(name, ...)                    \
    static void name##_in(dist_world_t *w);      \
    RANKS_TEST(name)                             \
    {                                            \
        dist_world_t *w = __VA_ARGS__;           \
        name##_in(w);                            \
        dist_world_close(w);                     \
    }                                            \
    static void name##_in(dist_world_t *w)

/* Checks two products of A with these options. */
static void check_product(dist_world_t *w, const csr_t *A, const char *recipe, dtype_t type, const dist_options_t *o)
{
    trial_t t;
    open_trial(&t, w, csr_copy(A), type, o);
    if (!on_all(right_twice(&t), recipe, __LINE__))
        fail_msg("%s %s cut %d, exchange %d, local %d, %d across", recipe, dtype_name(type), (int)o->cut,
                 (int)o->exchange, (int)o->local, o->across);
    close_trial(&t);
}

/* ---- the product -------------------------------------------------------------------------------- */

static void run_all(dist_world_t *w, const char *recipe, const csr_t *A, dtype_t type, dist_local_t last)
{
    for (dist_cut_t cut = DIST_CUT_BEST; cut <= DIST_CUT_ROWS; ++cut)
        for (dist_exchange_kind_t exchange = DIST_HALO; exchange <= DIST_REPLICATED; ++exchange)
            for (dist_local_t local = DIST_LOCAL_PLAN; local <= last; ++local) {
                const dist_options_t o = {
                    .cut = cut, .exchange = exchange, .local = local, .no_overlap = (cut + local) % 2};
                check_product(w, A, recipe, type, &o);
            }
}

WORLD_TEST(test_equals_one_rank, open_world(DIST_CPU))
{
    for (size_t i = 0; i < BATTERY_COUNT; i += few ? 3 : 1) {
        csr_t *A = battery_matrix(i);
        if (A->nnz < 10000 && !few) run_all(w, BATTERY[i], A, i % 2 ? DTYPE_F64 : DTYPE_F32, DIST_LOCAL_BY_RANK);
        else run_all(w, BATTERY[i], A, DTYPE_F64, DIST_LOCAL_PLAN);
        csr_free(A);
    }
}

WORLD_TEST(test_equals_one_rank_on_gpus, open_world(DIST_CUDA))
{
    static const char *const RECIPES[] = {"empty:0,0",      "empty:0,7",  "empty:7,0",          "dense:1,300",
                                          "dense:300,1",    "identity:3", "random:150,130,900", "powerlaw:100,100,1500",
                                          "poisson3d:4,5,6"};
    for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; i += few ? 3 : 1) {
        csr_t *A = make_matrix(RECIPES[i]);
        run_all(w, RECIPES[i], A, i % 2 ? DTYPE_F64 : DTYPE_F32, DIST_LOCAL_NONE);
        csr_free(A);
    }
}

/* Values that are rounded must stay within the bound of common/verify, in every type. */
WORLD_TEST(test_within_the_bound, open_world(DIST_CPU))
{
    static const dtype_t TYPES[] = {DTYPE_F32, DTYPE_F64, DTYPE_F16, DTYPE_BF16};
    for (int i = 0; i < 4; ++i) {
        const dtype_t type = TYPES[i], vector = dtype_vector(type);
        csr_t *A = make_matrix("rmat:9,12");
        csr_round(A, type);
        dist_matrix_t *d;
        err_t err;
        ALL_OK(dist_create(&d, w, rank == 0 ? A : NULL, type, NULL, &err), err);
        const dist_part_t *p = dist_part(d, rank);
        double *x = malloc(A->cols * sizeof *x), *ref = malloc(A->rows * sizeof *ref),
               *tol = malloc(A->rows * sizeof *tol);
        char *whole = malloc(A->cols * 8), *mine_x = malloc((size_t)p->cols * 8 + 1),
             *mine_y = malloc((size_t)p->rows * 8 + 1);
        matgen_vector(x, A->cols, 3, 0);
        for (size_t c = 0; c < A->cols; ++c) x[c] = dtype_round(vector, x[c]);
        dtype_from_double(vector, whole, x, A->cols);
        reference_spmv(A, x, ref, tol);
        for (size_t r = 0; r < A->rows; ++r)
            tol[r] = verify_tolerance((size_t)(A->row_offsets[r + 1] - A->row_offsets[r]) / 4 + 18, vector, tol[r]);
        ALL_OK(dist_scatter_x(d, rank == 0 ? whole : NULL, mine_x, &err), err);
        ALL_OK(dist_spmv(d, mine_x, mine_y, NULL, &err), err);
        verify_poison(whole, A->cols * 8);
        ALL_OK(dist_gather_y(d, mine_y, rank == 0 ? whole : NULL, &err), err);
        ALL(rank || verify(whole, vector, A->rows, ref, tol).ok);
        free(x), free(ref), free(tol), free(whole), free(mine_x), free(mine_y);
        dist_destroy(d);
        csr_free(A);
    }
}

/* The parts of a product, called one after the other, must give the product. */
WORLD_TEST(test_parts_add_up, open_world(DIST_CPU))
{
    trial_t t;
    err_t err;
    open_trial(&t, w, make_matrix("powerlaw:300,300,4000"), DTYPE_F64, NULL);
    ALL_OK(dist_exchange(t.d, t.dx, NULL, &err), err);
    ALL_OK(dist_interior(t.d, t.dx, t.dy, NULL, &err), err);
    ALL_OK(dist_boundary(t.d, t.dx, t.dy, NULL, &err), err);
    ALL(right(&t));
    close_trial(&t);
}

/* halo_middle and halo_ends split a rank's rows; together the two parts must have all its rows. */
RANKS_TEST(test_middle_and_ends)
{
    static const struct {
        const char *recipe;
        int64_t first, end; /* the rank's rows and columns */
        int64_t begin, stop; /* the middle */
    } CASES[] = {{"poisson3d:3,4,9", 24, 72, 12, 36},  /* planes of 12 rows */
                 {"poisson3d:3,4,9", 0, 48, 0, 36},    /* no plane before the rank's rows */
                 {"poisson3d:3,4,9", 60, 108, 12, 48}, /* no plane behind them */
                 {"poisson3d:3,4,9", 0, 108, 0, 108},  /* neither */
                 {"poisson3d:3,4,9", 30, 30, 0, 0},    /* no rows */
                 {"poisson3d:3,4,9", 24, 36, 0, 0},    /* every row has a neighbour on another rank */
                 {"stencil27:4,4,6", 16, 80, 16, 48},
                 {"diagonal:50", 3, 47, 0, 44}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        const int64_t first = CASES[i].first, end = CASES[i].end;
        csr_t *A = make_matrix(CASES[i].recipe), *mine = rows_slice(A, first, end);
        halo_t h;
        err_t err;
        int64_t begin, stop;
        bool ok = halo_split(&h, mine, first, end, false, &err) == 0;
        halo_middle(&h, &begin, &stop);
        ok = ok && begin == CASES[i].begin && stop == CASES[i].stop;
        int32_t *rows = malloc((mine->rows + 1) * sizeof *rows);
        csr_t *E = halo_ends(&h, begin, stop, rows, &err);
        const size_t count = mine->rows - (size_t)(stop - begin);
        ok = ok && E && E->rows == count && csr_check(E, &err) == 0;
        for (size_t k = 0; k < count && ok; ++k) {
            const int64_t r = rows[k], n = mine->row_offsets[r + 1] - mine->row_offsets[r];
            ok = r == (int64_t)k + ((int64_t)k < begin ? 0 : stop - begin);
            ok = ok && E->row_offsets[k + 1] - E->row_offsets[k] == n;
            double sums[2] = {0, 0}; /* sums of values times columns */
            for (int64_t j = 0; j < n && ok; ++j) {
                const int64_t nz = mine->row_offsets[r] + j, at = E->row_offsets[k] + j;
                const int32_t c = E->col_indices[at], own = (int32_t)(end - first);
                sums[0] += mine->values[nz] * mine->col_indices[nz];
                sums[1] += E->values[at] * (double)(c < own ? first + c : h.columns[c - own]);
            }
            ok = ok && sums[0] == sums[1];
        }
        for (int64_t r = begin; r < stop && ok; ++r)
            ok = h.inside->row_offsets[r + 1] - h.inside->row_offsets[r] ==
                 mine->row_offsets[r + 1] - mine->row_offsets[r];
        if (!on_all(ok, CASES[i].recipe, __LINE__)) fail_msg("case %zu", i);
        csr_free(E), csr_free(mine), csr_free(A);
        halo_free(&h);
        free(rows);
    }
}

/* A NaN in an entry of x must reach the rows that use it, on any rank, and no other rows. */
WORLD_TEST(test_nan_reaches_its_rows_only, open_world(DIST_CPU))
{
    const int32_t bad = 88;
    trial_t t;
    open_trial(&t, w, make_matrix("poisson3d:5,5,7"), DTYPE_F64, NULL);
    const csr_t *A = t.A;
    const dist_part_t *p = dist_part(t.d, rank);
    if (bad >= p->first_col && bad < p->first_col + p->cols) ((double *)t.dx)[bad - p->first_col] = NAN;
    bool ok = multiply(&t);
    for (int64_t r = 0; r < p->rows; ++r) {
        bool uses = false;
        for (int64_t nz = A->row_offsets[p->first_row + r]; nz < A->row_offsets[p->first_row + r + 1]; ++nz)
            uses = uses || A->col_indices[nz] == bad;
        ok = ok && uses == (bool)isnan(((double *)t.dy)[r]);
    }
    ALL(ok);
    close_trial(&t);
}

/* ---- shares ------------------------------------------------------------------------------------- */

static int int32_order(const void *a, const void *b)
{
    return *(const int32_t *)a < *(const int32_t *)b ? -1 : *(const int32_t *)a > *(const int32_t *)b;
}

/* Counts the distinct columns outside the rank's own that its rows use, by sorting them. */
static int64_t count_halo(const csr_t *A, const dist_part_t *p, int64_t *nonzeros)
{
    const int64_t from = A->row_offsets[p->first_row], nnz = A->row_offsets[p->first_row + p->rows] - from;
    int32_t *columns = malloc((size_t)(nnz + 1) * sizeof *columns);
    int64_t n = 0, distinct = 0;
    for (int64_t nz = from; nz < from + nnz; ++nz) {
        const int32_t c = A->col_indices[nz];
        if (c < p->first_col || c >= p->first_col + p->cols) columns[n++] = c;
    }
    qsort(columns, (size_t)n, sizeof *columns, int32_order);
    for (int64_t i = 0; i < n; ++i) distinct += i == 0 || columns[i] != columns[i - 1];
    free(columns);
    *nonzeros = n;
    return distinct;
}

WORLD_TEST(test_shares_are_counted_right, open_world(DIST_CPU))
{
    dist_part_t *measured = calloc((size_t)ranks, sizeof *measured);
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i), *mine;
        dist_matrix_t *d;
        err_t err;
        ALL_OK(dist_scatter_rows(&mine, w, rank == 0 ? A : NULL, DIST_CUT_SOURCE, &err), err);
        ALL_OK(dist_create_from_rows(&d, w, mine, DTYPE_F64, NULL, &err), err);
        ALL_OK(dist_measure(measured, w, mine, &err), err);
        int64_t row = 0, col = 0, nnz = 0, halo = 0, sends = 0, sources = 0, targets = 0, most = 0;
        bool ok =
            dist_rows(d) == (int64_t)A->rows && dist_cols(d) == (int64_t)A->cols && dist_nnz(d) == (int64_t)A->nnz;
        for (int r = 0; r < ranks; ++r) {
            const dist_part_t *p = dist_part(d, r);
            int64_t nonzeros;
            ok = ok && p->first_row == row && p->first_col == col && p->halo == count_halo(A, p, &nonzeros) &&
                 p->halo_nnz == nonzeros && p->nnz == A->row_offsets[row + p->rows] - A->row_offsets[row];
            ok = ok && dist_halo_bytes(d, r) == 8 * p->halo &&
                 dist_replicated_bytes(d, r) == 8 * ((int64_t)A->cols - p->cols);
            ok = ok && memcmp(p, &measured[r], sizeof *p) == 0;
            row += p->rows, col += p->cols, nnz += p->nnz, halo += p->halo, sends += p->sends;
            sources += p->sources, targets += p->targets, most = p->nnz > most ? p->nnz : most;
        }
        ok = ok && row == (int64_t)A->rows && col == (int64_t)A->cols && halo == sends && sources == targets;
        ok = ok && (nnz == 0 || dist_max_over_mean(d) == (double)most * ranks / (double)nnz);
        ALL(ok);
        dist_destroy(d);
        csr_free(mine);
        csr_free(A);
    }
    free(measured);
}

static void raise_to(int64_t *most, int64_t value)
{
    if (value > *most) *most = value;
}

/* Raises each count in `most` to this rank's, and adds up what the ranks receive. */
static void raise_most(volumes_t *most, const dist_part_t *p)
{
    most->halo_sum += p->halo + p->fold;
    raise_to(&most->nnz, p->nnz);
    raise_to(&most->inside_nnz, p->nnz - p->halo_nnz);
    raise_to(&most->halo_nnz, p->halo_nnz);
    raise_to(&most->halo_rows, p->halo_rows);
    raise_to(&most->halo, p->halo);
    raise_to(&most->fold, p->fold);
    raise_to(&most->moved, p->halo + p->fold);
    raise_to(&most->moved, p->sends + p->fold_sends);
    raise_to(&most->rows, p->rows);
    raise_to(&most->sources, p->sources);
}

/* The counts that one process computes for a number of ranks must equal the counts of the ranks. */
WORLD_TEST(test_volumes_need_no_ranks, open_world(DIST_CPU))
{
    dist_part_t *parts = calloc((size_t)ranks, sizeof *parts);
    for (size_t i = 0; i < BATTERY_COUNT; ++i)
        for (dist_cut_t cut = DIST_CUT_BEST; cut <= DIST_CUT_ROWS; ++cut) {
            csr_t *A = battery_matrix(i), *mine;
            err_t err;
            volumes_t v, most = {0};
            ALL_OK(dist_scatter_rows(&mine, w, rank == 0 ? A : NULL, cut, &err), err);
            ALL_OK(dist_measure(parts, w, mine, &err), err);
            ALL_OK(volumes_count(&v, A, ranks, cut, &err) ? DIST_NO_MEMORY : DIST_OK, err);
            for (int r = 0; r < ranks; ++r) raise_most(&most, &parts[r]);
            ALL(v.halo_sum == most.halo_sum && v.nnz == most.nnz && v.inside_nnz == most.inside_nnz &&
                v.halo_nnz == most.halo_nnz && v.halo_rows == most.halo_rows && v.halo == most.halo &&
                v.rows == most.rows && v.sources == most.sources);
            ALL(ranks > VOLUMES_HOST || (v.far == 0 && v.near == v.halo && v.far_sources == 0));
            csr_free(A), csr_free(mine);
        }
    free(parts);
}

/* A rank with few runs per nonzero must choose CSRL, a rank with many CSR.  Half of the rows are a band, half
 * scattered. */
WORLD_TEST(test_each_rank_decides, open_world(DIST_CPU))
{
    enum { HALF = 200, LONG = 8 };
    csr_t *A = csr_alloc(2 * HALF, 2 * HALF, 2 * HALF * LONG);
    for (int32_t r = 0; r < 2 * HALF; ++r) {
        for (int32_t k = 0; k < LONG; ++k)
            A->col_indices[r * LONG + k] = r < HALF ? r + k : 2 * k * (HALF / LONG) + r % 2; /* a run, or no runs */
        A->row_offsets[r + 1] = (r + 1) * LONG;
    }
    matgen_vector(A->values, A->nnz, 1, 1);
    const dist_options_t o = {.local = DIST_LOCAL_BY_RANK};
    trial_t t;
    open_trial(&t, w, A, DTYPE_F64, &o);
    ALL(right_twice(&t));
    bool ok = true;
    for (int r = 0; r < ranks; ++r) {
        const dist_part_t *p = dist_part(t.d, r);
        ok = ok && p->csrl == (10 * p->runs < 3 * p->nnz);
        if (p->rows && p->first_row + p->rows <= HALF) ok = ok && p->csrl == 1;
        if (p->rows && p->first_row >= HALF) ok = ok && p->csrl == 0;
    }
    ALL(ok);
    close_trial(&t);
}

/* ---- where rows come from ----------------------------------------------------------------------- */

WORLD_TEST(test_rows_opened_are_rows_dealt, open_world(DIST_CPU))
{
    static const char *const RECIPES[] = {"poisson2d:7,9", "poisson3d:4,3,5", "stencil27:5,4,3", "rmat:7,6",
                                          "identity:2"};
    for (int i = 0; i < 5; ++i)
        for (dist_cut_t cut = DIST_CUT_BEST; cut <= DIST_CUT_ROWS; ++cut) {
            csr_t *A = make_matrix(RECIPES[i]), *dealt, *opened;
            err_t err;
            ALL_OK(dist_scatter_rows(&dealt, w, rank == 0 ? A : NULL, cut, &err), err);
            ALL_OK(dist_open_rows(&opened, w, RECIPES[i], 7, cut, &err), err);
            ALL(same_matrix(dealt, opened));
            csr_free(A), csr_free(dealt), csr_free(opened);
        }
    /* A name of the suite whose file is missing must give the recipe's matrix. */
    csr_t *by_recipe, *by_name;
    err_t err;
    setenv("MATRIX_DIR", "/no/such/folder", 1);
    ALL_OK(dist_open_rows(&by_recipe, w, "like:ash219", 7, DIST_CUT_BEST, &err), err);
    ALL_OK(dist_open_rows(&by_name, w, "ash219", 7, DIST_CUT_BEST, &err), err);
    ALL(same_matrix(by_recipe, by_name));
    csr_free(by_recipe), csr_free(by_name);
    unsetenv("MATRIX_DIR");
}

/* Each rank brings its own rows, so no cut is needed; rank 1 has none. */
WORLD_TEST(test_rows_of_ones_own, open_world(DIST_CPU))
{
    const size_t rows = rank == 1 ? 0 : 3;
    size_t cols = ranks == 1 ? 3 : 3 * (size_t)(ranks - 1);
    csr_t *mine = csr_alloc(rows, cols, rows);
    const size_t first = rank > 1 ? 3 * (size_t)(rank - 1) : 0;
    for (size_t r = 0; r < rows; ++r) { /* ones on the antidiagonal */
        mine->col_indices[r] = (int32_t)(cols - 1 - first - r);
        mine->values[r] = 1;
        mine->row_offsets[r + 1] = (int64_t)r + 1;
    }
    dist_matrix_t *d;
    err_t err;
    ALL_OK(dist_create_from_rows(&d, w, mine, DTYPE_F64, NULL, &err), err);
    double x[3] = {(double)first, (double)first + 1, (double)first + 2}, y[3];
    ALL_OK(dist_spmv(d, x, y, NULL, &err), err);
    bool ok = true;
    for (size_t r = 0; r < rows; ++r) ok = ok && y[r] == (double)(cols - 1 - first - r);
    ALL(ok);
    dist_destroy(d);
    csr_free(mine);
}

/* ---- a grid ----------------------------------------------------------------------------------------- */

/* Products in every possible grid of the ranks, whole rows included. */
WORLD_TEST(test_grids_equal_one_rank, open_world(DIST_CPU))
{
    for (int across = 1; across <= ranks; ++across)
        for (size_t i = 0; i < BATTERY_COUNT && ranks % across == 0; i += few ? 3 : 1) {
            csr_t *A = battery_matrix(i);
            const bool loops = A->nnz < 10000;
            const dist_options_t o = {.across = across, .cut = (dist_cut_t)(i % 3), .no_overlap = i % 4 == 1,
                                      .local = loops ? (dist_local_t)(i % 5) : DIST_LOCAL_PLAN};
            check_product(w, A, BATTERY[i], i % 2 ? DTYPE_F64 : DTYPE_F32, &o);
            csr_free(A);
        }
}

WORLD_TEST(test_grids_on_gpus, open_world(DIST_CUDA))
{
    static const char *const RECIPES[] = {"empty:7,0", "dense:1,90", "dense:90,1", "random:150,130,900",
                                          "powerlaw:100,100,1500", "poisson3d:4,5,6", "identity:9"};
    for (int across = 2; across <= ranks; ++across)
        for (int i = 0; i < 7 && ranks % across == 0; i += few ? 3 : 1) {
            csr_t *A = make_matrix(RECIPES[i]);
            const dist_options_t o = {.across = across, .no_overlap = i == 4};
            check_product(w, A, RECIPES[i], i % 2 ? DTYPE_F64 : DTYPE_F32, &o);
            csr_free(A);
        }
}

/* Computes y = A x as a grid of one row does: the rank's own sum plus the other ranks' sums, first to last or last to
 * first. */
static void sum_by_parts(const csr_t *A, const dist_matrix_t *d, const double *x, bool back, double *y)
{
    const dist_part_t *mine = dist_part(d, rank);
    for (int64_t r = 0; r < mine->rows; ++r) {
        const int64_t from = A->row_offsets[mine->first_row + r], end = A->row_offsets[mine->first_row + r + 1];
        double others = 0;
        for (int i = 0; i < ranks; ++i) {
            const dist_part_t *p = dist_part(d, back ? ranks - 1 - i : i);
            double sum = 0;
            for (int64_t nz = from; nz < end; ++nz)
                if (A->col_indices[nz] >= p->first_col && A->col_indices[nz] < p->first_col + p->cols)
                    sum += A->values[nz] * x[A->col_indices[nz]];
            if (p == mine) y[r] = sum;
            else others += sum;
        }
        y[r] += others;
    }
}

/* Sums must be added in the order of ranks, so that their bits are the same by messages, in shared memory and on GPUs.
 * The reverse order gives other bits. */
RANKS_TEST(test_sums_come_in_order)
{
    static const dist_world_options_t WORLDS[] = {{.transport = DIST_MPI}, {.transport = DIST_SHARED},
                                                  {.backend = DIST_CUDA}};
    csr_t *A = make_matrix("rmat:7,16");
    double *x = malloc(A->cols * sizeof *x);
    matgen_vector(x, A->cols, 3, 0);
    for (int i = 0; i < 3; ++i) {
        const bool gpu = WORLDS[i].backend == DIST_CUDA;
        /* On GPUs libspmv multiplies, in an order of its own; with one nonzero per rank this order does not matter. */
        const dist_options_t o = {.across = ranks, .local = gpu ? DIST_LOCAL_PLAN : DIST_LOCAL_CSR};
        dist_world_t *w = open_world_with(WORLDS[i]);
        dist_matrix_t *d;
        err_t err;
        char recipe[40];
        snprintf(recipe, sizeof recipe, "dense:%d,%d", ranks, ranks);
        csr_t *B = gpu ? make_matrix(recipe) : csr_copy(A);
        if (gpu) matgen_vector(B->values, B->nnz, 4, 0);
        ALL_OK(dist_create(&d, w, rank == 0 ? B : NULL, DTYPE_F64, &o, &err), err);
        const dist_part_t *p = dist_part(d, rank);
        const size_t bytes = (size_t)p->rows * sizeof(double);
        double *y = malloc(bytes + 1), *want = malloc(bytes + 1), *other = malloc(bytes + 1);
        void *dx = device_upload(x + p->first_col, (size_t)p->cols * sizeof *x, "x", &err);
        void *dy = device_alloc(bytes + 1, "y", &err);
        ALL_OK(dist_spmv(d, gpu ? dx : x + p->first_col, gpu ? dy : y, NULL, &err), err);
        ALL_OK(dist_settle(d, &err), err);
        if (gpu) cudaMemcpy(y, dy, bytes, cudaMemcpyDeviceToHost);
        sum_by_parts(B, d, x, false, want);
        sum_by_parts(B, d, x, true, other);
        ALL(memcmp(y, want, bytes) == 0);
        const bool differs = on_any(memcmp(want, other, bytes) != 0);
        ALL(ranks < 7 || differs);
        device_free(dx), device_free(dy);
        free(y), free(want), free(other);
        dist_destroy(d);
        csr_free(B);
        dist_world_close(w);
    }
    csr_free(A);
    free(x);
}

/* The counts that one process computes for a grid must equal the counts of its ranks, and the choice must cost
 * least. */
WORLD_TEST(test_grids_are_counted_right, open_world(DIST_CPU))
{
    int64_t *first = malloc(((size_t)ranks + 1) * sizeof *first);
    for (size_t i = 0; i < BATTERY_COUNT; i += few ? 3 : 1) {
        csr_t *A = battery_matrix(i);
        grid_choice_t c;
        err_t err;
        cut_rows(A->row_offsets, A->rows, ranks, DIST_CUT_BEST, first);
        ALL_OK(grid_choose(&c, A, ranks, first, 8, &err) ? DIST_NO_MEMORY : DIST_OK, err);
        ALL(c.taken == (c.across > 1 && grid_weight(&c.blocks, 8) < grid_weight(&c.rows, 8)) &&
            (c.across > 1) == (ranks > 1));
        for (int across = 1; across <= ranks; ++across) {
            if (ranks % across) continue;
            const dist_options_t o = {.across = across};
            volumes_t v, most = {0};
            dist_matrix_t *d;
            ALL_OK(volumes_count_grid(&v, A, ranks, across, first, &err) ? DIST_NO_MEMORY : DIST_OK, err);
            ALL_OK(dist_create(&d, w, rank == 0 ? A : NULL, DTYPE_F64, &o, &err), err);
            int64_t nnz = 0;
            for (int r = 0; r < ranks; ++r) {
                raise_most(&most, dist_part(d, r));
                nnz += dist_part(d, r)->nnz;
            }
            ALL(nnz == (int64_t)A->nnz && v.nnz == most.nnz && v.halo == most.halo && v.fold == most.fold &&
                v.moved == most.moved && v.halo_sum == most.halo_sum && v.sources == most.sources &&
                v.halo_nnz == most.halo_nnz);
            ALL(across == 1 || across != c.across || v.moved == c.blocks.moved);
            dist_destroy(d);
        }
        csr_free(A);
    }
    free(first);
}

WORLD_TEST(test_grids_that_cannot_be, open_world(DIST_CPU))
{
    csr_t *A = make_matrix("identity:9"), *mine;
    dist_matrix_t *d;
    err_t err = {{0}};
    const dist_options_t none = {.across = ranks + 1}, all = {.across = ranks, .exchange = DIST_REPLICATED};
    int64_t *first = calloc((size_t)ranks + 1, sizeof *first);
    ALL(dist_create(&d, w, rank == 0 ? A : NULL, DTYPE_F64, &none, &err) == DIST_BAD_ARGUMENT && d == NULL &&
        strstr(err.text, "cannot form a grid"));
    ALL(ranks == 1 || (dist_create(&d, w, rank == 0 ? A : NULL, DTYPE_F64, &all, &err) == DIST_BAD_ARGUMENT && !d &&
                       strstr(err.text, "DIST_HALO")));
    ALL(ranks == 1 || (dist_create_from_rows(&d, w, A, DTYPE_F64, &all, &err) == DIST_BAD_ARGUMENT && !d &&
                       strstr(err.text, "block")));
    ALL(dist_scatter_blocks(&mine, w, NULL, first, ranks, &err) == DIST_BAD_ARGUMENT && !mine);
    first[ranks] = 10; /* the block has only 9 rows */
    const dist_options_t grid = {.across = ranks};
    ALL(dist_create_from_blocks(&d, w, A, first, DTYPE_F64, &grid, &err) == DIST_BAD_ARGUMENT && !d &&
        strstr(err.text, "row of the grid"));
    free(first);
    csr_free(A);
}

/* ---- another order -------------------------------------------------------------------------------- */

/* Multiplies P A P^T by P x on all ranks, puts y back in A's order and compares it with A x; the mutant does not
 * reorder x. */
static bool right_in_order(dist_world_t *w, const csr_t *A, const order_t *o, bool mutant)
{
    const size_t n = A->rows;
    err_t err;
    csr_t *B = order_apply(A, o->place, &err), *mine;
    double *x = malloc((n + 1) * sizeof *x), *px = malloc((n + 1) * sizeof *px), *y = malloc((n + 1) * sizeof *y),
           *ref = malloc((n + 1) * sizeof *ref), *abs_sum = malloc((n + 1) * sizeof *abs_sum);
    matgen_vector(x, n, 21, 1);
    for (size_t i = 0; i < n; ++i) px[mutant ? i : (size_t)o->place[i]] = x[i];
    reference_spmv(A, x, ref, abs_sum);
    dist_matrix_t *d;
    bool ok = csr_check(B, &err) == 0;
    ALL_OK(dist_scatter_parts(&mine, w, rank == 0 ? B : NULL, o->first, &err), err);
    ALL_OK(dist_create_from_rows(&d, w, mine, DTYPE_F64, NULL, &err), err);
    const dist_part_t *p = dist_part(d, rank);
    double *mine_y = malloc(((size_t)p->rows + 1) * sizeof *mine_y);
    ok = ok && p->first_row == o->first[rank] && p->rows == o->first[rank + 1] - o->first[rank];
    ALL_OK(dist_spmv(d, px + p->first_col, mine_y, NULL, &err), err);
    ALL_OK(dist_gather_y(d, mine_y, y, &err), err);
    for (size_t i = 0; i < n && rank == 0; ++i) ok = ok && y[o->place[i]] == ref[i];
    dist_destroy(d);
    csr_free(B), csr_free(mine);
    free(x), free(px), free(y), free(ref), free(abs_sum), free(mine_y);
    return ok;
}

/* METIS's order must be a permutation, give the same product, and be chosen only if fewer bytes are received. */
WORLD_TEST(test_order, open_world(DIST_CPU))
{
    static const char *const RECIPES[] = {"rmat:8,8", "powerlaw:300,300,4000", "poisson2d:20,20", "poisson3d:6,7,8",
                                          "identity:9", "random:200,200,900", "empty:5,5", "dense:20,20"};
    order_t o;
    err_t err;
    for (int i = 0; i < 8; ++i) {
        csr_t *A = make_matrix(RECIPES[i]);
        matgen_vector(A->values, A->nnz, 5, 1);
        if (!order_has_metis()) {
            ALL(order_metis(&o, A, ranks, &err) && strstr(err.text, "libmetis-dev"));
            csr_free(A);
            continue;
        }
        order_choice_t c;
        volumes_t v;
        ALL_OK(order_metis(&o, A, ranks, &err) ? DIST_NO_MEMORY : DIST_OK, err);
        bool *seen = calloc(A->rows + 1, sizeof *seen), ok = o.first[0] == 0 && o.first[ranks] == (int64_t)A->rows;
        for (size_t r = 0; r < A->rows; ++r) {
            ok = ok && o.place[r] >= 0 && (size_t)o.place[r] < A->rows && !seen[o.place[r]];
            if (ok) seen[o.place[r]] = true;
        }
        free(seen);
        ALL(ok);
        ALL(right_in_order(w, A, &o, false));
        if (i < 4 && ranks > 1) ALL(on_any(!right_in_order(w, A, &o, true)));
        order_free(&o);
        ALL_OK(order_choose(&c, &o, A, ranks, &err) ? DIST_NO_MEMORY : DIST_OK, err);
        ALL(volumes_count(&v, A, ranks, DIST_CUT_BEST, &err) == 0 && v.halo == c.natural.halo);
        ALL(!c.ordered == !o.place && (!c.ordered || c.metis.halo < c.natural.halo));
        if (c.ordered) ALL(volumes_count_parts(&v, c.ordered, ranks, o.first, &err) == 0 && v.halo == c.metis.halo);
        if (i == 3 && ranks == 4) ALL(c.ordered != NULL); /* METIS finds cubes, which have a smaller halo than slabs */
        csr_free(c.ordered), csr_free(A);
        order_free(&o);
    }
    csr_t *A = make_matrix("random:5,6,9");
    ALL(order_metis(&o, A, ranks, &err) && o.place == NULL);
    csr_free(A);
}

/* ---- refused arguments -------------------------------------------------------------------------- */

/* An error of one rank must be returned on all ranks, and its text must name that rank. */
WORLD_TEST(test_an_error_is_everybodys, open_world(DIST_CPU))
{
    const int culprit = ranks - 1;
    csr_t *A = make_matrix("identity:4");
    dist_matrix_t *d = (dist_matrix_t *)&culprit;
    err_t err = {{0}};
    if (rank == culprit) A->col_indices[2] = 99;
    const dist_status_t status = dist_create_from_rows(&d, w, A, DTYPE_F64, NULL, &err);
    char whose[32];
    snprintf(whose, sizeof whose, "rank %d: ", culprit);
    ALL(status == DIST_BAD_MATRIX && d == NULL && strstr(err.text, "column") &&
        (rank == culprit || strstr(err.text, whose)));
    csr_free(A);

    A = csr_alloc(1, rank == culprit ? 8 : 9, 0); /* ranks disagree about the number of columns */
    const dist_status_t shapes = dist_create_from_rows(&d, w, A, DTYPE_F64, NULL, &err);
    ALL(ranks == 1 ? shapes == DIST_OK : shapes == DIST_BAD_ARGUMENT && strstr(err.text, "columns"));
    dist_destroy(d);
    csr_free(A);

    csr_t *mine;
    ALL(dist_scatter_rows(&mine, w, NULL, DIST_CUT_BEST, &err) == DIST_BAD_ARGUMENT && mine == NULL);
    ALL(dist_open_rows(&mine, w, "no/such/file.mtx", 1, DIST_CUT_BEST, &err) == DIST_BAD_MATRIX &&
        strstr(err.text, "file.mtx"));
    ALL(dist_open_rows(&mine, w, "poisson2d:0", 1, DIST_CUT_ROWS, &err) == DIST_BAD_MATRIX &&
        strstr(err.text, "poisson2d"));
}

RANKS_TEST(test_what_cannot_be)
{
    const dist_world_options_t on_cpu = {.transport = DIST_NCCL}, directly = {.transport = DIST_DIRECT},
                               no_nccl = {.backend = DIST_CUDA, .transport = DIST_NCCL},
                               shares = {.backend = DIST_CUDA, .transport = DIST_SHARED},
                               no_direct = {.backend = DIST_CUDA, .transport = DIST_DIRECT};
    dist_world_t *w;
    err_t err;
    ALL(dist_world_open(&w, MPI_COMM_WORLD, &directly, &err) == DIST_BAD_ARGUMENT && strstr(err.text, "GPUs only"));
    ALL(dist_world_open(&w, MPI_COMM_WORLD, &shares, &err) == DIST_BAD_ARGUMENT && strstr(err.text, "CPUs"));
    if (strcmp(device_backend(), "simt") == 0)
        ALL(dist_world_open(&w, MPI_COMM_WORLD, &no_direct, &err) == DIST_NO_SHARING &&
            strstr(err.text, "the direct transport"));
    ALL(dist_world_open(&w, MPI_COMM_WORLD, &on_cpu, &err) == DIST_BAD_ARGUMENT && w == NULL &&
        strstr(err.text, "NCCL"));
    if (strcmp(device_backend(), "simt") == 0)
        ALL(dist_world_open(&w, MPI_COMM_WORLD, &no_nccl, &err) == DIST_NO_NCCL && w == NULL &&
            strstr(err.text, "MPI"));
    w = open_world(DIST_CUDA);
    if (strcmp(device_backend(), "simt") == 0)
        ALL(w->transport == DIST_MPI && w->gpus == 1 && w->gpu == 0 && strstr(w->why, "host buffers"));
    csr_t *A = make_matrix("identity:9");
    dist_matrix_t *d;
    const dist_options_t loops = {.local = DIST_LOCAL_CSR};
    ALL(dist_create(&d, w, rank == 0 ? A : NULL, DTYPE_F64, &loops, &err) == DIST_BAD_ARGUMENT && d == NULL);
    ALL(dist_create(&d, w, rank == 0 ? A : NULL, DTYPE_I8, NULL, &err) == DIST_BAD_ARGUMENT &&
        strstr(err.text, "int8"));
    dist_destroy(NULL);
    dist_world_close(NULL);
    csr_free(A);
    dist_world_close(w);
}

/* DIST_AUTO must select shared memory if all ranks are on one host; a named transport must be used. */
RANKS_TEST(test_transports_on_cpus)
{
    static const dist_transport_t ASKED[] = {DIST_AUTO, DIST_SHARED, DIST_MPI},
                                  GOT[] = {DIST_SHARED, DIST_SHARED, DIST_MPI};
    for (int i = 0; i < 3; ++i) {
        trial_t t;
        dist_world_t *w = open_world_with((dist_world_options_t){.transport = ASKED[i]});
        open_trial(&t, w, make_matrix("poisson2d:9,9"), DTYPE_F64, NULL);
        ALL(w->transport == GOT[i] && dist_transport(t.d) == GOT[i] && right_twice(&t) &&
            strstr(w->why, GOT[i] == DIST_MPI ? "MPI, " : "shared memory, "));
        close_trial(&t);
        dist_world_close(w);
    }
}

/* Many products with changing x, some with letters of several pieces, must be right bit by bit. */
WORLD_TEST(test_many_products, open_world(DIST_CPU))
{
    static const char *const RECIPES[] = {"rmat:8,8", "poisson2d:30,30", "dense:70000,2", "random:300,140000,3000"};
    for (int i = 0; i < 4; ++i) {
        trial_t t;
        const dist_options_t o = {.exchange = i == 3 ? DIST_REPLICATED : DIST_HALO};
        open_trial(&t, w, make_matrix(RECIPES[i]), DTYPE_F64, &o);
        bool ok = true;
        for (uint64_t seed = 0; seed < (few || i > 1 ? 5 : 50); ++seed) {
            new_x(&t, seed);
            poison_y(&t);
            ok = multiply(&t) && right(&t) && ok; /* without a barrier ranks may run ahead */
        }
        ALL(ok);
        close_trial(&t);
    }
}

/* ---- on GPUs ------------------------------------------------------------------------------------ */

enum { XS = 7, YS = 64 };

/* Several x, several y, and the expected bits. */
typedef struct many {
    trial_t t;
    void *dx[XS], *dy[YS];
    char *want[XS], *got; /* on the host */
} many_t;

static void open_many(many_t *m, dist_world_t *w, csr_t *A, const dist_options_t *o)
{
    trial_t *t = &m->t;
    err_t err;
    void *got = NULL;
    double *ref = malloc((A->rows + 1) * sizeof *ref), *abs_sum = malloc((A->rows + 1) * sizeof *abs_sum);
    open_trial(t, w, A, DTYPE_F64, o);
    for (int k = 0; k < XS; ++k) {
        new_x(t, 100 + (uint64_t)k);
        reference_spmv(t->A, t->x, ref, abs_sum);
        m->want[k] = malloc(t->y_bytes + 1);
        memcpy(m->want[k], ref + dist_part(t->d, rank)->first_row, t->y_bytes);
        m->dx[k] = device_upload(t->mine_x, t->x_bytes, "x", &err);
    }
    for (int k = 0; k < YS; ++k) {
        m->dy[k] = device_alloc(t->y_bytes + 1, "y", &err);
        cudaMemset(m->dy[k], 0xFF, t->y_bytes);
    }
    cudaMallocHost(&got, t->y_bytes + 1);
    m->got = got;
    free(ref), free(abs_sum);
}

static void close_many(many_t *m)
{
    for (int k = 0; k < XS; ++k) free(m->want[k]), device_free(m->dx[k]);
    for (int k = 0; k < YS; ++k) device_free(m->dy[k]);
    cudaFreeHost(m->got);
    close_trial(&m->t);
}

/* Returns whether y[i] has the bits of A x[k], and poisons y[i]. */
static bool as_wanted(many_t *m, int i, int k)
{
    const size_t bytes = m->t.y_bytes;
    cudaMemcpy(m->got, m->dy[i], bytes, cudaMemcpyDeviceToHost);
    cudaMemset(m->dy[i], 0xFF, bytes);
    return memcmp(m->got, m->want[k], bytes) == 0;
}

/* Runs products one after the other; ranks wait for each other only in the exchange.  Checks every y. */
static void run_many(many_t *m, int count, const char *recipe)
{
    err_t err;
    int wrong = 0;
    for (int done = 0; done < count; done += YS) {
        for (int i = 0; i < YS; ++i)
            ALL_OK(dist_spmv(m->t.d, m->dx[(done + i) % XS], m->dy[i], NULL, &err), err);
        ALL_OK(dist_settle(m->t.d, &err), err);
        for (int i = 0; i < YS; ++i) wrong += !as_wanted(m, i, (done + i) % XS);
    }
    if (!on_all(wrong == 0, recipe, __LINE__)) fail_msg("%s: %d wrong products", recipe, wrong);
}

/* Replays a graph of two products and a sum with changing x. */
static void run_graphs(many_t *m, int count, const char *recipe)
{
    trial_t *t = &m->t;
    const double numbers[2] = {rank + 1, 0.5};
    double got[2];
    err_t err;
    cudaStream_t stream;
    cudaGraphExec_t exec;
    void *x[2] = {device_alloc(t->x_bytes + 1, "x", &err), device_alloc(t->x_bytes + 1, "x", &err)};
    double *constant = device_upload(numbers, sizeof numbers, "numbers", &err);
    double *sums = device_upload(numbers, sizeof numbers, "numbers", &err);
    bool ok = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
              cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess;
    for (int i = 0; i < 2 && ok; ++i) ok = dist_spmv(t->d, x[i], m->dy[i], stream, &err) == DIST_OK;
    ok = ok && dist_sum(t->w, sums, 2, stream, &err) == DIST_OK;
    ALL(device_graph(!ok, stream, &exec, &err) == 0);
    int wrong = 0;
    for (int k = 0; k < count && ok; ++k) {
        for (int i = 0; i < 2; ++i)
            cudaMemcpyAsync(x[i], m->dx[(k + 3 * i) % XS], t->x_bytes, cudaMemcpyDeviceToDevice, stream);
        cudaMemcpyAsync(sums, constant, sizeof numbers, cudaMemcpyDeviceToDevice, stream);
        ok = cudaGraphLaunch(exec, stream) == cudaSuccess;
        if (k % 16 && k + 1 < count) continue;
        ok = ok && dist_settle(t->d, &err) == DIST_OK;
        for (int i = 0; i < 2; ++i) wrong += !as_wanted(m, i, (k + 3 * i) % XS);
        cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost);
        cudaDeviceSynchronize(); /* y must be poisoned before the next graph starts */
        wrong += got[0] != ranks * (ranks + 1) / 2 || got[1] != 0.5 * ranks;
    }
    if (!on_all(ok && wrong == 0, recipe, __LINE__)) fail_msg("%s: %d wrong products or sums by graphs", recipe, wrong);
    cudaGraphExecDestroy(exec), cudaStreamDestroy(stream);
    device_free(x[0]), device_free(x[1]), device_free(constant), device_free(sums);
}

/* Cases: words that the boundary waits for, words with a take, flags, flags with a boundary beside the interior, a
 * replicated x, and grids with one and two rows of ranks. */
WORLD_TEST(test_many_products_on_gpus, open_world(DIST_CUDA))
{
    static const struct {
        const char *recipe, *on_gpu;
        dist_options_t o;
    } CASES[] = {{"poisson3d:5,5,8", "poisson3d:32,32,32", {0}},
                 {"poisson3d:5,5,8", "poisson3d:32,32,32", {.no_overlap = true}},
                 {"rmat:7,8", "rmat:14,16", {0}},
                 {"dense:300,40", "stencil27:120,120,10", {0}},
                 {"poisson3d:3,3,12", "poisson3d:100,100,64", {0}},
                 {"rmat:7,8", "rmat:13,16", {.exchange = DIST_REPLICATED}},
                 {"rmat:7,8", "rmat:13,16", {.across = 1}},
                 {"rmat:7,8", "rmat:16,16", {.across = 1, .no_overlap = true}},
                 {"rmat:7,8", "rmat:14,16", {.across = 2}}};
    const bool gpu = strcmp(device_backend(), "simt") != 0;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        dist_options_t o = CASES[i].o;
        if (o.across && ranks % o.across) continue;
        o.across = o.across ? ranks / o.across : 0;
        const char *recipe = gpu ? CASES[i].on_gpu : CASES[i].recipe;
        many_t m;
        open_many(&m, w, make_matrix(recipe), &o);
        run_many(&m, i ? products / 10 : products, recipe);
        if (w->transport != DIST_MPI) { /* the simulator has only MPI */
            run_graphs(&m, i ? products / 100 : products / 10, recipe);
            run_many(&m, YS, recipe); /* after graphs the host can launch products again */
        }
        close_many(&m);
    }
}

/* If one rank does not multiply, the others must report it in time, and ranks that need its x must get NaN. */
RANKS_TEST(test_a_gpu_that_does_not_send)
{
    if (ranks == 1 || on_gpus != DIST_DIRECT) return;
    static const char *const RECIPES[] = {"poisson3d:16,16,16", "rmat:14,16"};
    const dist_world_options_t o = {.backend = DIST_CUDA, .transport = DIST_DIRECT, .patience_s = 0.3};
    for (int i = 0; i < 2; ++i) {
        err_t err = {{0}};
        trial_t t;
        dist_world_t *w = open_world_with(o);
        open_trial(&t, w, make_matrix(RECIPES[i]), DTYPE_F64, NULL);
        ALL(multiply(&t) && right(&t));
        const int silent = ranks - 1;
        const bool reads = i == 1 || rank + 1 == silent;
        dist_status_t status = DIST_RANK_LOST;
        bool lost = true;
        char whose[40];
        snprintf(whose, sizeof whose, "the GPU of rank %d did not", silent);
        if (rank != silent) {
            status = dist_spmv(t.d, t.dx, t.dy, NULL, &err);
            if (!status) status = dist_settle(t.d, &err);
            cudaMemcpy(t.mine_y, t.dy, t.y_bytes, cudaMemcpyDeviceToHost);
            lost = false;
            for (size_t r = 0; r < t.y_bytes / sizeof(double); ++r) lost = lost || isnan(((double *)t.mine_y)[r]);
        }
        ALL(status == DIST_RANK_LOST && (rank == silent || (lost == reads && strstr(err.text, whose))));
        close_trial(&t);
        dist_world_close(w);
    }
}

/* If one rank does not send, the others must name it in time. */
RANKS_TEST(test_a_rank_that_does_not_send)
{
    if (ranks == 1 || on_cpus == DIST_MPI) return;
    err_t err;
    trial_t t;
    dist_world_t *w = open_world_with((dist_world_options_t){.transport = DIST_SHARED, .patience_s = 0.3});
    open_trial(&t, w, make_matrix("rmat:7,8"), DTYPE_F64, NULL);
    ALL(multiply(&t) && right(&t));
    const int silent = ranks - 1;
    dist_status_t status = DIST_RANK_LOST;
    if (rank != silent) status = dist_spmv(t.d, t.dx, t.dy, NULL, &err);
    int names_it = rank != silent && strstr(err.text, "did not send for 0.3 s") != NULL;
    char whose[32];
    snprintf(whose, sizeof whose, "rank %d did", silent);
    ALL(status == DIST_RANK_LOST && (!names_it || strstr(err.text, whose)));
    MPI_Allreduce(MPI_IN_PLACE, &names_it, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    ALL(names_it == 1); /* one rank prints a line, not every rank */
    close_trial(&t);
    dist_world_close(w);
}

/* Adds more numbers than the direct transport sends at a time, repeatedly. */
static void sums_in(dist_world_t *w)
{
    enum { NUMBERS = 6 };
    const dist_backend_t backend = w->backend;
    err_t err;
    for (int again = 0; again < 20; ++again) {
        double values[NUMBERS] = {1, rank, 0.5, again, 2, rank}, *d_values = values;
        if (backend == DIST_CUDA) d_values = device_upload(values, sizeof values, "sums", &err);
        ALL_OK(dist_sum(w, d_values, NUMBERS, NULL, &err), err);
        if (backend == DIST_CUDA)
            cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost), device_free(d_values);
        const double all = ranks * (ranks - 1) / 2;
        ALL(values[0] == ranks && values[1] == all && values[2] == 0.5 * ranks && values[3] == again * ranks &&
            values[4] == 2 * ranks && values[5] == all);
    }
}
WORLD_TEST(test_sums, open_world(DIST_CPU)) { sums_in(w); }
WORLD_TEST(test_sums_on_gpus, open_world(DIST_CUDA)) { sums_in(w); }

/* ---- mutants ------------------------------------------------------------------------------------ */

/* Errors of an exchange, for a matrix in which every rank needs entries of other ranks. */
typedef enum mutant { NONE, DROPPED, STALE, WRONG_OFFSET, WRONG_PLACE, ADDED_TWICE, NOT_ADDED, MUTANTS } mutant_t;

static bool multiply_wrongly(trial_t *t, mutant_t m)
{
    dist_matrix_t *d = t->d;
    err_t err;
    bool ok = true;
    if (m == DROPPED && d->request_count) { /* one message is received elsewhere; its entries stay poison */
        verify_poison(d->received, d->halo * d->element);
        for (int r = 0; r < d->w->ranks; ++r) /* receive into memory that nothing reads */
            if (d->lists.source_counts[r]) {
                static double elsewhere[4096];
                MPI_Request_free(&d->requests[0]);
                MPI_Recv_init(elsewhere, d->lists.source_counts[r], MPI_DOUBLE, r, 0, d->w->comm, &d->requests[0]);
                break;
            }
    }
    if (m == WRONG_OFFSET)
        for (size_t i = 0; i < d->lists.sends; ++i)
            d->lists.send_index[i] = (int32_t)((d->lists.send_index[i] + 1) % d->mine.cols);
    if (m != STALE) ok = dist_exchange(d, t->dx, NULL, &err) == DIST_OK;
    if (m == WRONG_PLACE && d->halo > 1) { /* all entries arrive, but shifted by one */
        double *h = d->received, first = h[0];
        memmove(h, h + 1, (d->halo - 1) * sizeof *h);
        h[d->halo - 1] = first;
    }
    ok = dist_interior(d, t->dx, t->dy, NULL, &err) == DIST_OK && ok;
    for (int i = 0; i < (m == ADDED_TWICE ? 2 : m == NOT_ADDED ? 0 : 1); ++i)
        ok = dist_boundary(d, t->dx, t->dy, NULL, &err) == DIST_OK && ok;
    return ok;
}

/* Computes a right product with another x, so that stale entries are wrong. */
static void before_a_mutant(trial_t *t)
{
    ALL(multiply(t) && right(t));
    new_x(t, 13);
    poison_y(t);
}

WORLD_TEST(test_mutants_are_rejected, open_world_with((dist_world_options_t){.transport = DIST_MPI}))
{
    static const char *const NAMES[] = {"none",         "a message dropped",       "a stale halo",
                                        "wrong offset", "wrong place in the halo", "added twice",
                                        "not added"};
    static const char *const RECIPES[] = {"rmat:7,8", "poisson3d:5,5,40"};
    for (int i = 0; i < 2; ++i)
        for (mutant_t m = NONE; m < MUTANTS && ranks > 1; ++m) {
            trial_t t;
            open_trial(&t, w, make_matrix(RECIPES[i]), DTYPE_F64, NULL);
            before_a_mutant(&t);
            ALL(multiply_wrongly(&t, m));
            const bool wrong = on_any(!right(&t));
            if (wrong != (m != NONE)) fail_msg("%s: %s was %s", RECIPES[i], NAMES[m], wrong ? "rejected" : "accepted");
            close_trial(&t);
        }
}

/* Errors with the rows of other ranks. */
typedef enum grid_mutant { G_NONE, LEFT_OUT, WRONG_ROWS, OLD_SUMS, OLD_X, TWICE, G_MUTANTS } grid_mutant_t;

static bool multiply_wrongly_in_grid(trial_t *t, grid_mutant_t m)
{
    dist_matrix_t *d = t->d;
    err_t err;
    bool ok = m == OLD_X || (own_start(d, t->dx, NULL, &err) == DIST_OK && own_finish(d, NULL, &err) == DIST_OK);
    ok = ok && dist_interior(d, t->dx, t->dy, NULL, &err) == DIST_OK && fold_outside(d, NULL, &err) == DIST_OK &&
         own_outside(d, t->dx, t->dy, NULL, &err) == DIST_OK;
    dist_matrix_t *sums = fold_sums(d);
    if (m == WRONG_ROWS && sums->lists.sends > 1) { /* each sum is sent in the position of another */
        const int32_t first = sums->lists.send_index[0];
        memmove(sums->lists.send_index, sums->lists.send_index + 1, (sums->lists.sends - 1) * sizeof first);
        sums->lists.send_index[sums->lists.sends - 1] = first;
    }
    if (m != OLD_SUMS) ok = ok && fold_exchange(d, NULL, &err) == DIST_OK;
    for (int i = 0; i < (m == LEFT_OUT ? 0 : m == TWICE ? 2 : 1); ++i)
        ok = ok && fold_add(d, t->dy, NULL, &err) == DIST_OK;
    return ok;
}

WORLD_TEST(test_grid_mutants, open_world_with((dist_world_options_t){.transport = DIST_MPI}))
{
    static const char *const NAMES[] = {"none", "sums left out", "sums of other rows", "old sums", "an old x",
                                        "sums added twice"};
    for (int across = 2; across <= ranks; ++across)
        for (grid_mutant_t m = G_NONE; m < G_MUTANTS && ranks % across == 0; ++m) {
            if (m == OLD_X && across == ranks) continue; /* in this grid x is not exchanged */
            const dist_options_t o = {.across = across};
            trial_t t;
            open_trial(&t, w, make_matrix("rmat:8,12"), DTYPE_F64, &o);
            before_a_mutant(&t);
            ALL(multiply_wrongly_in_grid(&t, m));
            const bool wrong = on_any(!right(&t));
            if (wrong != (m != G_NONE))
                fail_msg("%d across: %s was %s", across, NAMES[m], wrong ? "rejected" : "accepted");
            close_trial(&t);
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bool gpus = false;
    for (int i = 1; i < argc; ++i) {
        few = few || strcmp(argv[i], "few") == 0;
        if (strcmp(argv[i], "mpi") == 0) on_cpus = DIST_MPI;
        gpus = gpus || strcmp(argv[i], "gpus") == 0;
        if (strcmp(argv[i], "direct") == 0) on_gpus = DIST_DIRECT;
        if (strcmp(argv[i], "nccl") == 0) on_gpus = DIST_NCCL;
        if (strcmp(argv[i], "host") == 0) on_gpus = DIST_MPI;
        if (atoi(argv[i])) products = atoi(argv[i]);
    }
    complaints = fdopen(dup(STDERR_FILENO), "w");
    setvbuf(complaints, NULL, _IOLBF, 0);
    if (rank && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))) return 1;
    device_configure(false, 0);
    if (gpus) cmocka_set_test_filter("*gpu*");
    const int failed = cmocka_run_group_tests_name(gpus ? "GPUs" : "dist", tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
