/* ranks.c - see ranks.h */
#include "ranks.h"

#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "../distributed/dist.h"

static struct {
    bool open;
    int rank, count;
    dist_world_t *world[3]; /* one per ranks_place_t, opened when first used */
} ranks = {.count = 1};

static void end(void)
{
    if (!ranks.open) return;
    if (ranks.rank == 0) ranks_give(&(ranks_order_t){.what = RANKS_END});
    for (int i = 0; i < 3; ++i) dist_world_close(ranks.world[i]);
    MPI_Finalize();
    ranks.open = false;
}

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    ranks.open = true;
    if (ranks.rank == 0) atexit(end); /* even after a wrong command line, so that the others do not wait forever */
}

bool ranks_serve(int *argc, char ***argv)
{
    /* set by Open MPI; by MPICH and its derivatives; by a resource manager */
    static const char *const SET_BY_MPIRUN[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof SET_BY_MPIRUN / sizeof *SET_BY_MPIRUN && !ranks.open; ++i)
        if (getenv(SET_BY_MPIRUN[i])) begin(argc, argv);
    return ranks.rank > 0;
}

void ranks_finish(void) { end(); }

int ranks_count(void) { return ranks.count; }

const char *ranks_missing(void) { return NULL; }

void ranks_give(const ranks_order_t *order)
{
    ranks_order_t copy = *order;
    if (!ranks.open) begin(NULL, NULL);
    MPI_Bcast(&copy, sizeof copy, MPI_BYTE, 0, MPI_COMM_WORLD);
}

ranks_order_t ranks_take(void)
{
    ranks_order_t order;
    MPI_Bcast(&order, sizeof order, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (order.what == RANKS_END) end();
    return order;
}

/* ---- the product -------------------------------------------------------------------------------- */

typedef struct rank_product {
    product_t product; /* first */
    dist_world_t *world;
    dist_matrix_t *matrix;
    void *part;        /* host memory [rows], for messages between GPUs */
    void *whole;       /* rank 0, on GPUs: host memory [n] */
    int threads_before;
} rank_product_t;

static int multiply(product_t *p, err_t *err)
{
    return dist_spmv(((rank_product_t *)p)->matrix, p->x, p->y, p->stream, err) ? -1 : 0;
}

static int add_up(product_t *p, double *numbers, int count, err_t *err)
{
    return dist_sum(((rank_product_t *)p)->world, numbers, count, p->stream, err) ? -1 : 0;
}

static int settle(product_t *p, err_t *err)
{
    return dist_settle(((rank_product_t *)p)->matrix, err) ? -1 : 0;
}

static int scatter(product_t *p, const void *whole, void *part, err_t *err)
{
    rank_product_t *r = (rank_product_t *)p;
    if (!p->on_gpu) return dist_scatter_x(r->matrix, whole, part, err) ? -1 : 0;
    if (dist_scatter_x(r->matrix, whole, r->part, err)) return -1;
    return device_ok(cudaMemcpy(part, r->part, p->rows * dtype_size(p->type), cudaMemcpyHostToDevice), "scatter", err);
}

static int gather(product_t *p, const void *part, void *whole, err_t *err)
{
    rank_product_t *r = (rank_product_t *)p;
    const size_t size = dtype_size(p->type);
    if (!p->on_gpu) return dist_gather_y(r->matrix, part, whole, err) ? -1 : 0;
    const int failed = device_ok(cudaMemcpy(r->part, part, p->rows * size, cudaMemcpyDeviceToHost), "gather", err);
    if (dist_agree(r->world, failed ? DIST_GPU_ERROR : DIST_OK, err)) return -1;
    if (dist_gather_y(r->matrix, r->part, r->whole, err)) return -1;
    if (r->world->rank != 0) return 0;
    return device_ok(cudaMemcpy(whole, r->whole, p->n * size, cudaMemcpyHostToDevice), "gather", err);
}

static void close_ranks(product_t *p)
{
    rank_product_t *r = (rank_product_t *)p;
    dist_destroy(r->matrix);
    if (p->stream) cudaStreamDestroy(p->stream);
    memory_give(p, p->x), memory_give(p, p->y);
    free(r->part);
    free(r->whole);
    if (!p->on_gpu) omp_set_num_threads(r->threads_before);
    free(r);
}

static int open_world(ranks_place_t place, err_t *err)
{
    dist_world_t **world = &ranks.world[place];
    dist_world_options_t where = {.backend = place == RANKS_CPU ? DIST_CPU : DIST_CUDA};
    if (*world) return 0;
    if (place == RANKS_NCCL) {
        where.transport = DIST_NCCL;
        if (dist_world_open(world, MPI_COMM_WORLD, &where, err) == DIST_OK) return 0;
        where.transport = DIST_MPI;
    }
    return dist_world_open(world, MPI_COMM_WORLD, &where, err) ? -1 : 0;
}

/* If the host need not wait, a solver may capture its steps as a graph, on a separate stream.  The simulator cannot
 * capture launches of the course. */
static dist_status_t open_stream(product_t *p, err_t *err)
{
    const rank_product_t *r = (const rank_product_t *)p;
    cudaStream_t stream = NULL;
    p->records = p->on_gpu && strcmp(device_backend(), "cuda") == 0 &&
                 (dist_transport(r->matrix) != DIST_MPI || ranks.count == 1);
    if (!p->records) return DIST_OK;
    const int failed = device_ok(cudaStreamCreate(&stream), "a stream", err);
    p->stream = stream;
    return failed ? DIST_GPU_ERROR : DIST_OK;
}

product_t *product_of_ranks(ranks_place_t place, dtype_t type, const csr_t *A, err_t *err)
{
    const bool on_gpu = place != RANKS_CPU;
    dist_world_t **world = &ranks.world[place];
    if (open_world(place, err)) return NULL;

    rank_product_t *r = calloc(1, sizeof *r);
    dist_status_t status = r ? DIST_OK : DIST_NO_MEMORY;
    if (!r) err_set(err, "out of memory");
    if (dist_agree(*world, status, err)) {
        free(r);
        return NULL;
    }
    r->world = *world;
    r->threads_before = omp_get_max_threads();
    product_t *p = &r->product;
    *p = (product_t){.type = type, .on_gpu = on_gpu, .multiply = multiply, .add_up = add_up, .scatter = scatter,
                     .gather = gather, .settle = settle, .close = close_ranks};

    /* Divides the cores of this host by the number of ranks, assuming that all ranks run on it. */
    const int threads = omp_get_num_procs() / ranks.count;
    const dist_options_t options = {.threads = threads > 1 ? threads : 1};
    if (!on_gpu) omp_set_num_threads(options.threads);
    if (dist_create(&r->matrix, *world, A, type, &options, err)) {
        close_ranks(p);
        return NULL;
    }
    p->n = (size_t)dist_rows(r->matrix);
    p->rows = (size_t)dist_part(r->matrix, ranks.rank)->rows;

    const size_t bytes = p->rows * dtype_size(type);
    p->x = memory_take(p, bytes, "x", err);
    p->y = memory_take(p, bytes, "y", err);
    if (on_gpu) { /* messages go through host memory */
        r->part = malloc(bytes + 1);
        r->whole = malloc((ranks.rank == 0 ? p->n * dtype_size(type) : 0) + 1);
        if (!r->part || !r->whole) err_set(err, "out of memory for vectors of %zu", p->rows);
    }
    if (!p->x || !p->y || (on_gpu && (!r->part || !r->whole))) status = DIST_NO_MEMORY;
    if (!status) status = open_stream(p, err);
    if (dist_agree(*world, status, err)) {
        close_ranks(p);
        return NULL;
    }
    return p;
}

void ranks_end_all(const product_t *p, const err_t *err) { dist_end_all(((const rank_product_t *)p)->world, err); }

void ranks_note(const product_t *p, report_row_t *row)
{
    const rank_product_t *r = (const rank_product_t *)p;
    int64_t most = 0;
    for (int i = 0; i < ranks.count; ++i)
        if (dist_halo_bytes(r->matrix, i) > most) most = dist_halo_bytes(r->matrix, i);
    row->ranks = ranks.count;
    row->max_over_mean = dist_max_over_mean(r->matrix);
    row->exchange_bytes = (double)most * row->iterations;
    row->idea = r->world->why;
}
