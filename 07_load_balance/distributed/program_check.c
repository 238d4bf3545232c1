/* program_check.c - compares a product with the product of one process */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* libspmv sums a row in at least four chains, plus one addition for the halo; the loops of CSR have one chain. */
static size_t depth(size_t length, dist_local_t local)
{
    return local == DIST_LOCAL_PLAN || local == DIST_LOCAL_NONE ? length / 4 + 18 : length + 2;
}

/* Compares y, this rank's part of A x[k] in host memory, with the product of A's rows. */
static int judge(const run_t *r, const csr_t *A, const double *ref, const double *abs_sum, const void *y,
                 dist_local_t local, double *err_over_tol, err_t *err)
{
    double *tolerance = malloc((A->rows + 1) * sizeof *tolerance);
    if (!tolerance) return err_set(err, "out of memory for %zu tolerances", A->rows);
    for (size_t i = 0; i < A->rows; ++i) {
        const size_t length = (size_t)(A->row_offsets[i + 1] - A->row_offsets[i]);
        tolerance[i] = r->o->exact ? 0 : verify_tolerance(depth(length, local), dtype_vector(r->type), abs_sum[i]);
    }
    const verify_result_t v = verify(y, dtype_vector(r->type), A->rows, ref, tolerance);
    free(tolerance);
    *err_over_tol = fmax(*err_over_tol, v.err_over_tol);
    if (v.ok) return 0;
    char text[200];
    verify_describe(&v, "y", text, sizeof text);
    return err_set(err, "%s", text);
}

/* The same if this rank has only its own rows. */
static int judge_own(const run_t *r, const csr_t *mine, const void *y, int k, dist_local_t local, double *err_over_tol,
                     err_t *err)
{
    double *ref = malloc((mine->rows + 1) * sizeof *ref), *abs_sum = malloc((mine->rows + 1) * sizeof *abs_sum);
    int failed = ref && abs_sum ? 0 : err_set(err, "out of memory for %zu rows", mine->rows);
    if (!failed) {
        reference_spmv(mine, r->x[k], ref, abs_sum);
        failed = judge(r, mine, ref, abs_sum, y, local, err_over_tol, err);
    }
    free(ref);
    free(abs_sum);
    return failed;
}

/* Poisons y, so that neither an old y nor an unwritten one passes as the product. */
static dist_status_t poison(const run_t *r, size_t bytes, err_t *err)
{
    if (r->p->backend == DIST_CUDA) return cuda_ok(cudaMemset(r->dy, 0xFF, bytes), "cudaMemset", err);
    verify_poison(r->dy, bytes);
    return DIST_OK;
}

/* Computes y = A x[k] by the captured graph, which reads x[0]. */
static dist_status_t multiply_by_graph(run_t *r, int k, size_t x_bytes, err_t *err)
{
    if (k && device_ok(cudaMemcpy(r->dx[0], r->dx[k], x_bytes, cudaMemcpyDeviceToDevice), "x", err))
        return DIST_GPU_ERROR;
    if (device_sync(err)) return DIST_GPU_ERROR;
    return graph_run(r, err);
}

/* Computes y = A x[k] on all ranks.  A rank that fails ends all of them, because the others wait for its entries. */
static dist_status_t multiply(run_t *r, what_t what, int k, size_t x_bytes, err_t *err)
{
    /* r->stream waits for no other stream: x and the poison must be complete first. */
    dist_status_t status = r->p->backend == DIST_CUDA && device_sync(err) ? DIST_GPU_ERROR : DIST_OK;
    if (!status)
        status = what == GRAPH ? multiply_by_graph(r, k, x_bytes, err)
                               : dist_spmv(r->d, r->dx[k], r->dy, r->stream, err);
    if (!status) status = dist_settle(r->d, err);
    if (status) dist_end_all(r->w, err);
    return status;
}

/* Copies this rank's y to host memory, and checks its guard bytes. */
static dist_status_t fetch(const run_t *r, char *y, size_t bytes, err_t *err)
{
    if (r->p->backend != DIST_CUDA) memcpy(y, r->dy, bytes + GUARD);
    else if (device_ok(cudaMemcpy(y, r->dy, bytes + GUARD, cudaMemcpyDeviceToHost), "copy of y", err))
        return DIST_GPU_ERROR;
    if (verify_untouched(y + bytes, GUARD)) return DIST_OK;
    return FAIL_WITH(err, DIST_BAD_MATRIX, "the product wrote past the end of y");
}

dist_status_t check_product(run_t *r, const variant_t *v, const csr_t *mine, int k, double *err_over_tol, err_t *err)
{
    const dist_part_t *part = dist_part(r->d, r->w->rank);
    const size_t element = dtype_size(dtype_vector(r->type)), bytes = (size_t)part->rows * element;
    const bool whole = r->A || !r->e->each, gathers = whole && r->w->rank == 0;
    char *y = malloc(bytes + GUARD), *all = malloc((gathers ? r->rows : 0) * element + 1);
    dist_status_t status = ENOUGH(r->w, y && all, err, "out of memory for %zu rows", r->rows);
    if (!status) status = dist_agree(r->w, poison(r, bytes + GUARD, err), err);
    if (!status) {
        status = multiply(r, v->what, k, (size_t)part->cols * element, err);
        if (!status) status = fetch(r, y, bytes, err);
        status = dist_agree(r->w, status, err);
    }
    if (!status && whole) status = dist_gather_y(r->d, y, all, err);
    if (!status) {
        int wrong = 0;
        if (gathers) wrong = judge(r, r->A, r->y[k], r->abs_sum[k], all, v->local, err_over_tol, err);
        if (!whole) wrong = judge_own(r, mine, y, k, v->local, err_over_tol, err);
        status = dist_agree(r->w, wrong ? DIST_BAD_MATRIX : DIST_OK, err);
    }
    MPI_Allreduce(MPI_IN_PLACE, err_over_tol, 1, MPI_DOUBLE, MPI_MAX, r->w->comm);
    free(y);
    free(all);
    return status;
}
