/* program_check.c - a product against the answer of one process */
#include "program_impl.h"

#include <stdlib.h>
#include <string.h>

/* Where libspmv sums, at least four chains a row and one addition for the halo; the loops of CSR have one chain. */
static size_t depth(size_t length, dist_local_t local)
{
    return local == DIST_LOCAL_PLAN || local == DIST_LOCAL_NONE ? length / 4 + 18 : length + 2;
}

/* y in host memory, this rank's part of A x[k], against A's rows. */
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

/* Only the rank's own rows are at hand. */
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

dist_status_t check_product(run_t *r, const variant_t *v, const csr_t *mine, int k, double *err_over_tol, err_t *err)
{
    const dist_local_t local = v->local;
    const dist_part_t *part = dist_part(r->d, r->w->rank);
    const size_t element = dtype_size(dtype_vector(r->type)), bytes = (size_t)part->rows * element;
    const bool on_card = r->p->backend == DIST_CUDA, whole = r->A || !r->e->each;
    char *y = malloc(bytes + GUARD), *all = malloc((whole && r->w->rank == 0 ? r->rows : 0) * element + 1);
    dist_status_t status = y && all ? DIST_OK : DIST_NO_MEMORY;
    if (status) err_set(err, "out of memory for %zu rows", r->rows);
    if (!status && on_card && device_ok(cudaMemset(r->dy, 0xFF, bytes + GUARD), "cudaMemset", err))
        status = DIST_GPU_ERROR;
    else if (!status && !on_card) verify_poison(r->dy, bytes + GUARD);
    status = dist_agree(r->w, status, err);
    if (!status) {
        if (v->what != GRAPH) status = dist_spmv(r->d, r->dx[k], r->dy, NULL, err);
        else if (k && device_ok(cudaMemcpy(r->dx[0], r->dx[k], (size_t)part->cols * element, cudaMemcpyDeviceToDevice),
                                "x", err))
            status = DIST_GPU_ERROR;
        else if (device_sync(err)) status = DIST_GPU_ERROR; /* its stream waits for no other: first x and the poison */
        else status = graph_run(&r->graph, err);            /* it reads dx[0] */
        if (on_card && device_sync(err)) status = DIST_GPU_ERROR;
        if (status) dist_end_all(r->w, err);
        if (!status && on_card &&
            device_ok(cudaMemcpy(y, r->dy, bytes + GUARD, cudaMemcpyDeviceToHost), "copy of y", err))
            status = DIST_GPU_ERROR;
        else if (!on_card) memcpy(y, r->dy, bytes + GUARD);
        if (!status && !verify_untouched(y + bytes, GUARD)) {
            err_set(err, "wrote past the end of y");
            status = DIST_BAD_MATRIX;
        }
        status = dist_agree(r->w, status, err);
    }
    if (!status && whole) status = dist_gather_y(r->d, y, all, err);
    if (!status) {
        int wrong = 0;
        if (whole && r->w->rank == 0) wrong = judge(r, r->A, r->y[k], r->abs_sum[k], all, local, err_over_tol, err);
        if (!whole) wrong = judge_own(r, mine, y, k, local, err_over_tol, err);
        status = dist_agree(r->w, wrong ? DIST_BAD_MATRIX : DIST_OK, err);
    }
    MPI_Allreduce(MPI_IN_PLACE, err_over_tol, 1, MPI_DOUBLE, MPI_MAX, r->w->comm);
    free(y);
    free(all);
    return status;
}
