/* order.c - see order.h */
#include "order.h"

#include <stdlib.h>
#include <string.h>

void order_free(order_t *o)
{
    free(o->place);
    free(o->first);
    *o = (order_t){0};
}

/* Copies the rows in their new order with new columns; two transpositions sort these. */
csr_t *order_apply(const csr_t *A, const int32_t *place, err_t *err)
{
    csr_t *B = csr_alloc(A->rows, A->cols, A->nnz), *T = NULL, *C = NULL;
    if (B) {
        for (size_t r = 0; r < A->rows; ++r)
            B->row_offsets[place[r] + 1] = A->row_offsets[r + 1] - A->row_offsets[r];
        for (size_t r = 0; r < A->rows; ++r) B->row_offsets[r + 1] += B->row_offsets[r];
        for (size_t r = 0; r < A->rows; ++r) {
            int64_t to = B->row_offsets[place[r]];
            for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz, ++to) {
                B->col_indices[to] = place[A->col_indices[nz]];
                B->values[to] = A->values[nz];
            }
        }
        T = csr_transpose(B);
    }
    csr_free(B);
    if (T) C = csr_transpose(T);
    csr_free(T);
    if (!C) err_set(err, "out of memory for %zu nonzeros in another order", A->nnz);
    return C;
}

#ifdef HAVE_METIS
#include <metis.h>

bool order_has_metis(void) { return true; }

/* Finds the neighbours of row r: the columns of row r of A and of its transpose, without r itself; both are sorted.
 * Stores them in `to` unless that is NULL, and returns their number. */
static size_t neighbours(const csr_t *A, const csr_t *T, size_t r, idx_t *to)
{
    size_t n = 0;
    int64_t a = A->row_offsets[r], t = T->row_offsets[r];
    while (a < A->row_offsets[r + 1] || t < T->row_offsets[r + 1]) {
        const int32_t ca = a < A->row_offsets[r + 1] ? A->col_indices[a] : INT32_MAX;
        const int32_t ct = t < T->row_offsets[r + 1] ? T->col_indices[t] : INT32_MAX;
        const int32_t c = ca < ct ? ca : ct;
        a += ca == c, t += ct == c;
        if ((size_t)c == r) continue;
        if (to) to[n] = c;
        ++n;
    }
    return n;
}

/* Makes the graph of A and its transpose, without loops: offsets [rows + 1] and neighbours.  Returns -1 if memory is
 * short. */
static int open_graph(const csr_t *A, idx_t **offsets, idx_t **adjacent, err_t *err)
{
    csr_t *T = csr_transpose(A);
    size_t edges = 0;
    *offsets = malloc((A->rows + 1) * sizeof **offsets);
    *adjacent = NULL;
    if (T && *offsets) {
        for (size_t r = 0; r < A->rows; ++r) edges += neighbours(A, T, r, NULL);
        if (edges < IDX_MAX) *adjacent = malloc((edges + 1) * sizeof **adjacent);
    }
    if (*adjacent) {
        (*offsets)[0] = 0;
        for (size_t r = 0; r < A->rows; ++r)
            (*offsets)[r + 1] = (*offsets)[r] + (idx_t)neighbours(A, T, r, *adjacent + (*offsets)[r]);
    }
    csr_free(T);
    return *adjacent ? 0 : err_set(err, "out of memory for the graph of %zu nonzeros, or too many for METIS", A->nnz);
}

/* Asks METIS for the part of each row. */
static int part_rows(const csr_t *A, int parts, idx_t *part, err_t *err)
{
    idx_t *offsets, *adjacent, *weights = malloc((A->rows + 1) * sizeof *weights), options[METIS_NOPTIONS], volume;
    idx_t rows = (idx_t)A->rows, constraints = 1, count = parts;
    int failed = open_graph(A, &offsets, &adjacent, err);
    if (!failed && !weights) failed = err_set(err, "out of memory for %zu rows", A->rows);
    for (size_t r = 0; r < A->rows && !failed; ++r)
        weights[r] = (idx_t)(A->row_offsets[r + 1] - A->row_offsets[r]) + 1; /* an empty row is work, too */
    if (!failed) {
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_SEED] = 1;
        options[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
        options[METIS_OPTION_UFACTOR] = 10; /* the fullest part: 1.01 times the mean, if possible */
        const int code = METIS_PartGraphKway(&rows, &constraints, offsets, adjacent, weights, NULL, NULL, &count, NULL,
                                             NULL, options, &volume, part);
        if (code != METIS_OK) failed = err_set(err, "METIS could not cut the matrix into %d parts (error %d)",
                                                    parts, code);
    }
    free(offsets);
    free(adjacent);
    free(weights);
    return failed;
}

int order_metis(order_t *o, const csr_t *A, int parts, err_t *err)
{
    *o = (order_t){0};
    if (A->rows != A->cols)
        return err_set(err, "the matrix is %zu x %zu: only a square one can have one order for rows and columns",
                       A->rows, A->cols);
    idx_t *part = calloc(A->rows + 1, sizeof *part);
    o->place = malloc((A->rows + 1) * sizeof *o->place);
    o->first = calloc((size_t)parts + 1, sizeof *o->first);
    int failed = part && o->place && o->first ? 0 : err_set(err, "out of memory for an order of %zu rows", A->rows);
    if (!failed && parts > 1 && A->rows > 0) failed = part_rows(A, parts, part, err);
    if (!failed) {
        for (size_t r = 0; r < A->rows; ++r) ++o->first[part[r] + 1];
        for (int p = 0; p < parts; ++p) o->first[p + 1] += o->first[p];
        for (size_t r = 0; r < A->rows; ++r) o->place[r] = (int32_t)o->first[part[r]]++;
        memmove(o->first + 1, o->first, (size_t)parts * sizeof *o->first); /* each had advanced to the next part */
        o->first[0] = 0;
    }
    free(part);
    if (failed) order_free(o);
    return failed;
}

#else

bool order_has_metis(void) { return false; }

int order_metis(order_t *o, const csr_t *A, int parts, err_t *err)
{
    (void)A, (void)parts;
    *o = (order_t){0};
    return err_set(err, "built without METIS: install libmetis-dev (./bootstrap does) and build again");
}
#endif

int order_choose(order_choice_t *c, order_t *o, const csr_t *A, int parts, err_t *err)
{
    *c = (order_choice_t){0};
    int failed = order_metis(o, A, parts, err);
    if (!failed) failed = volumes_count(&c->natural, A, parts, DIST_CUT_BEST, err);
    if (!failed && !(c->ordered = order_apply(A, o->place, err))) failed = -1;
    if (!failed) failed = volumes_count_parts(&c->metis, c->ordered, parts, o->first, err);
    const double most = c->natural.max_over_mean > 1.05 ? c->natural.max_over_mean : 1.05;
    if (failed || c->metis.halo >= c->natural.halo || c->metis.max_over_mean > most) {
        c->ordered = csr_free(c->ordered);
        order_free(o);
    }
    return failed;
}
