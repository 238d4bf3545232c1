/* volumes.c - see volumes.h */
#include "volumes.h"

#include <stdlib.h>

#include "dist_impl.h"

static void raise_to(int64_t *most, int64_t value)
{
    if (value > *most) *most = value;
}

/* Which part has column c; parts ascend, and so do the columns asked for. */
static int owner(const int64_t *first_col, int from, int32_t c)
{
    while (c >= first_col[from + 1]) ++from;
    return from;
}

static void count_sources(volumes_t *v, const halo_t *h, const int64_t *first_col, int part)
{
    int64_t near = 0, far = 0, near_sources = 0, far_sources = 0;
    int last = -1, at = 0;
    for (size_t i = 0; i < h->distinct; ++i) {
        at = owner(first_col, at, h->columns[i]);
        const int same_host = at / VOLUMES_HOST == part / VOLUMES_HOST;
        near += same_host, far += !same_host;
        if (at != last) near_sources += same_host, far_sources += !same_host;
        last = at;
    }
    raise_to(&v->halo, near + far);
    raise_to(&v->near, near);
    raise_to(&v->far, far);
    raise_to(&v->sources, near_sources + far_sources);
    raise_to(&v->near_sources, near_sources);
    raise_to(&v->far_sources, far_sources);
    v->halo_sum += near + far;
}

int volumes_count(volumes_t *v, const csr_t *A, int parts, dist_cut_t how, err_t *err)
{
    int64_t *first = malloc(((size_t)parts + 1) * sizeof *first);
    if (!first) return err_set(err, "out of memory for %d parts", parts);
    cut_rows(A->row_offsets, A->rows, parts, how, first);
    const int failed = volumes_count_parts(v, A, parts, first, err);
    free(first);
    return failed;
}

int volumes_count_parts(volumes_t *v, const csr_t *A, int parts, const int64_t *first, err_t *err)
{
    *v = (volumes_t){0};
    int64_t *first_col = malloc(((size_t)parts + 1) * sizeof *first_col);
    int failed = first_col ? 0 : err_set(err, "out of memory for %d parts", parts);
    if (!failed) {
        cut_even((int64_t)A->cols, parts, first_col);
        v->max_over_mean = cut_max_over_mean(A->row_offsets, first, parts);
    }
    const int64_t *columns_of = A->rows == A->cols ? first : first_col;
    for (int p = 0; p < parts && !failed; ++p) {
        const int64_t rows = first[p + 1] - first[p], nnz = A->row_offsets[first[p + 1]] - A->row_offsets[first[p]];
        /* these rows of A, where they are: offsets keep counting from A's beginning */
        const csr_t mine = {.rows = (size_t)rows,
                            .cols = A->cols,
                            .nnz = (size_t)nnz,
                            .row_offsets = A->row_offsets + first[p],
                            .col_indices = A->col_indices,
                            .values = A->values};
        halo_t h;
        size_t halo_nnz;
        failed = halo_columns(&h, &mine, columns_of[p], columns_of[p + 1], &halo_nnz, err);
        if (failed) break;
        raise_to(&v->nnz, nnz);
        raise_to(&v->inside_nnz, nnz - (int64_t)halo_nnz);
        raise_to(&v->halo_nnz, (int64_t)halo_nnz);
        raise_to(&v->rows, rows);
        raise_to(&v->halo_rows, (int64_t)h.halo_rows);
        count_sources(v, &h, columns_of, p);
        halo_free(&h);
    }
    free(first_col);
    return failed;
}
