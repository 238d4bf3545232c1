/* check.c - see check.h */
#include "check.h"

__thread char libspmv_error[WHY];

/* ---- sizes, types, pointers ----------------------------------------------------------------------- */

static spmv_status_t check_numbers(const spmv_matrix_t *A)
{
    if (A->rows < 0 || A->cols < 0 || A->nnz < 0)
        return FAIL(SPMV_BAD_ARGUMENT, "negative size: %lld rows, %lld columns, %lld nonzeros", (long long)A->rows,
                    (long long)A->cols, (long long)A->nnz);
    if (A->rows > INT32_MAX || A->cols > INT32_MAX)
        return FAIL(SPMV_BAD_ARGUMENT, "a matrix of %lld x %lld is too large: at most 2147483647 rows and columns",
                    (long long)A->rows, (long long)A->cols);
    if ((int)A->value_type < SPMV_F32 || A->value_type > SPMV_F32_F64)
        return FAIL(SPMV_BAD_ARGUMENT, "value_type %d is unknown: use SPMV_F32 (0) to SPMV_F32_F64 (4)",
                    (int)A->value_type);
    if (A->format != SPMV_COO && A->offset_bits != 32 && A->offset_bits != 64)
        return FAIL(SPMV_BAD_ARGUMENT, "offset_bits is %d; it must be 32 or 64", A->offset_bits);
    if (A->format != SPMV_COO && A->offset_bits == 32 && A->nnz > INT32_MAX - A->index_base)
        return FAIL(SPMV_BAD_ARGUMENT, "%lld nonzeros need 64-bit offsets: set offset_bits to 64", (long long)A->nnz);
    if ((uint64_t)A->nnz > SIZE_MAX / 16)
        return FAIL(SPMV_BAD_ARGUMENT, "%lld nonzeros do not fit into any memory", (long long)A->nnz);
    if (A->memory != SPMV_HOST && A->memory != SPMV_DEVICE)
        return FAIL(SPMV_BAD_ARGUMENT, "memory %d is unknown: use SPMV_HOST or SPMV_DEVICE", (int)A->memory);
    if (A->nnz > 0 && (A->rows == 0 || A->cols == 0))
        return FAIL(SPMV_BAD_MATRIX, "%lld nonzeros in a matrix of %lld x %lld", (long long)A->nnz, (long long)A->rows,
                    (long long)A->cols);
    return SPMV_OK;
}

static spmv_status_t check_form(const spmv_matrix_t *A)
{
    if ((int)A->format < SPMV_CSR || A->format > SPMV_COO)
        return FAIL(SPMV_BAD_ARGUMENT, "format %d is unknown: use SPMV_CSR, SPMV_CSC or SPMV_COO", (int)A->format);
    if ((int)A->part < SPMV_ALL || A->part > SPMV_UPPER)
        return FAIL(SPMV_BAD_ARGUMENT, "part %d is unknown: use SPMV_ALL, SPMV_LOWER or SPMV_UPPER", (int)A->part);
    if (A->index_base != 0 && A->index_base != 1)
        return FAIL(SPMV_BAD_ARGUMENT, "index_base is %d; it must be 0 or 1", A->index_base);
    if (A->part != SPMV_ALL && A->rows != A->cols)
        return FAIL(SPMV_BAD_MATRIX, "SPMV_LOWER and SPMV_UPPER need a square matrix, this one is %lld x %lld",
                    (long long)A->rows, (long long)A->cols);
    for (size_t i = 0; i < sizeof A->reserved / sizeof *A->reserved; ++i)
        if (A->reserved[i]) return FAIL(SPMV_BAD_ARGUMENT, "matrix: reserved[%zu] is not 0", i);
    return SPMV_OK;
}

static const char *offsets_of(const spmv_matrix_t *A) { return A->format == SPMV_CSC ? "col_offsets" : "row_offsets"; }

spmv_status_t check_arguments(const spmv_matrix_t *A)
{
    spmv_status_t status = check_form(A);
    if (status == SPMV_OK) status = check_numbers(A);
    if (status != SPMV_OK) return status;
    const int64_t lines = A->format == SPMV_CSC ? A->cols : A->rows;
    if (A->format != SPMV_COO && lines > 0 && !A->offsets) return FAIL(SPMV_BAD_ARGUMENT, "%s is NULL", offsets_of(A));
    if (A->format != SPMV_COO && misaligned(A->offsets, (size_t)A->offset_bits / 8))
        return FAIL(SPMV_BAD_ARGUMENT, "%s is misaligned", offsets_of(A));
    if (A->format != SPMV_CSC && A->nnz > 0 && !A->col_indices) return FAIL(SPMV_BAD_ARGUMENT, "col_indices is NULL");
    if (A->format != SPMV_CSC && misaligned(A->col_indices, sizeof(int32_t)))
        return FAIL(SPMV_BAD_ARGUMENT, "col_indices is misaligned");
    if (A->format != SPMV_CSR && A->nnz > 0 && !A->row_indices) return FAIL(SPMV_BAD_ARGUMENT, "row_indices is NULL");
    if (A->format != SPMV_CSR && misaligned(A->row_indices, sizeof(int32_t)))
        return FAIL(SPMV_BAD_ARGUMENT, "row_indices is misaligned");
    if (A->nnz > 0 && !A->values) return FAIL(SPMV_BAD_ARGUMENT, "values is NULL");
    if (misaligned(A->values, value_size(A->value_type))) return FAIL(SPMV_BAD_ARGUMENT, "values is misaligned");
    return SPMV_OK;
}

spmv_status_t check_options(const spmv_options_t *o)
{
    if ((int)o->backend < SPMV_BACKEND_AUTO || o->backend > SPMV_BACKEND_GPU)
        return FAIL(SPMV_BAD_ARGUMENT, "backend %d is unknown: use SPMV_BACKEND_AUTO, _CPU or _GPU", (int)o->backend);
    if (o->setup != SPMV_SETUP_PLAN && o->setup != SPMV_SETUP_NONE && o->setup != SPMV_SETUP_LOOK)
        return FAIL(SPMV_BAD_ARGUMENT, "setup %d is unknown: use SPMV_SETUP_PLAN, _NONE or _LOOK", (int)o->setup);
    const struct { const char *name; int value; } flags[] = {
        {"copy", o->copy}, {"deterministic", o->deterministic}, {"check", o->check}, {"exclusive", o->exclusive},
        {"tune", o->tune}, {"transpose", o->transpose}, {"values", o->values}, {"reorder", o->reorder},
        {"beside", o->beside}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        if (flags[i].value != 0 && flags[i].value != 1)
            return FAIL(SPMV_BAD_ARGUMENT, "option %s is %d; it must be 0 or 1", flags[i].name, flags[i].value);
    if (o->many < 0) return FAIL(SPMV_BAD_ARGUMENT, "option many is %d; it must not be negative", o->many);
    if (o->threads < 0) return FAIL(SPMV_BAD_ARGUMENT, "option threads is %d; it must not be negative", o->threads);
    if (o->reserved) return FAIL(SPMV_BAD_ARGUMENT, "options: reserved is not 0");
    return SPMV_OK;
}

/* ---- arrays --------------------------------------------------------------------------------------- */

static spmv_status_t check_offsets(const spmv_matrix_t *A, int64_t lines)
{
    const char *name = offsets_of(A);
    int64_t before = matrix_offset(A, 0);
    if (before != A->index_base)
        return FAIL(SPMV_BAD_MATRIX, "%s[0] is %lld, not %d", name, (long long)before, A->index_base);
    for (int64_t r = 1; r <= lines; ++r) {
        const int64_t here = matrix_offset(A, r);
        if (here < before)
            return FAIL(SPMV_BAD_MATRIX, "%s[%lld] is %lld, less than the one before it, %lld", name, (long long)r,
                        (long long)here, (long long)before);
        before = here;
    }
    if (before != A->nnz + A->index_base)
        return FAIL(SPMV_BAD_MATRIX, "%s[%lld] is %lld, not nnz%s, %lld", name, (long long)lines, (long long)before,
                    A->index_base ? " + 1" : "", (long long)(A->nnz + A->index_base));
    return SPMV_OK;
}

static spmv_status_t check_indices(const spmv_matrix_t *A, const int32_t *indices, int64_t limit, const char *name,
                                   const char *things)
{
    for (int64_t k = 0; k < A->nnz; ++k)
        if ((uint32_t)indices[k] - (uint32_t)A->index_base >= (uint32_t)limit)
            return FAIL(SPMV_BAD_MATRIX, "%s[%lld] is %d; there are %lld %s%s", name, (long long)k, indices[k],
                        (long long)limit, things, A->index_base ? " from 1 on" : "");
    return SPMV_OK;
}

/* Checks that the other triangle has no entries. */
static spmv_status_t check_triangle(const spmv_matrix_t *A)
{
    int64_t line = 0;
    for (int64_t k = 0; k < A->nnz; ++k) {
        while (A->format != SPMV_COO && matrix_offset(A, line + 1) - A->index_base <= k) ++line;
        const int64_t row = A->format == SPMV_CSR ? line + A->index_base : A->row_indices[k],
                      col = A->format == SPMV_CSC ? line + A->index_base : A->col_indices[k];
        if (A->part == SPMV_LOWER ? col > row : col < row)
            return FAIL(SPMV_BAD_MATRIX, "nonzero %lld, in row %lld and column %lld, is not in the %s triangle",
                        (long long)k, (long long)row, (long long)col, A->part == SPMV_LOWER ? "lower" : "upper");
    }
    return SPMV_OK;
}

spmv_status_t check_matrix(const spmv_matrix_t *A)
{
    const int64_t lines = A->format == SPMV_CSC ? A->cols : A->rows;
    spmv_status_t status = SPMV_OK;
    if (A->format != SPMV_COO && lines > 0) status = check_offsets(A, lines);
    if (status == SPMV_OK && A->format != SPMV_CSR)
        status = check_indices(A, A->row_indices, A->rows, "row_indices", "rows");
    if (status == SPMV_OK && A->format != SPMV_CSC)
        status = check_indices(A, A->col_indices, A->cols, "col_indices", "columns");
    if (status == SPMV_OK && A->part != SPMV_ALL) status = check_triangle(A);
    return status;
}

/* ---- calls ---------------------------------------------------------------------------------------- */

bool overlap(const void *a, size_t n, const void *b, size_t m)
{
    const uintptr_t from_a = (uintptr_t)a, from_b = (uintptr_t)b;
    return n > 0 && m > 0 && from_a < from_b + m && from_b < from_a + n;
}

/* Returns the number of elements from the first to the last of a rows x k array with leading dimension `ld`, or
 * SIZE_MAX if that is too many. */
static size_t extent(int64_t rows, int k, bool by_columns, int64_t ld)
{
    const size_t lines = (size_t)(by_columns ? k : rows), length = (size_t)(by_columns ? rows : k);
    if (lines == 0 || length == 0) return 0;
    return (size_t)ld > (SIZE_MAX / 16 - length) / lines ? SIZE_MAX : (lines - 1) * (size_t)ld + length;
}

spmv_status_t check_many(const spmv_csr_t *A, int k, spmv_order_t order, double alpha, const void *X, int64_t ldx,
                                const void *Y, int64_t ldy)
{
    const size_t size = vector_size(A->value_type);
    const bool by_columns = order == SPMV_COL_MAJOR;
    const int64_t least_x = by_columns ? A->cols : k, least_y = by_columns ? A->rows : k;
    if (k < 0) return FAIL(SPMV_BAD_ARGUMENT, "k is %d; it must not be negative", k);
    if (order != SPMV_ROW_MAJOR && order != SPMV_COL_MAJOR)
        return FAIL(SPMV_BAD_ARGUMENT, "order %d is unknown: use SPMV_ROW_MAJOR or SPMV_COL_MAJOR", (int)order);
    if (A->rows == 0 || k == 0) return SPMV_OK;
    if (!Y) return FAIL(SPMV_BAD_ARGUMENT, "Y is NULL");
    if (!X && A->cols > 0 && alpha != 0) return FAIL(SPMV_BAD_ARGUMENT, "X is NULL");
    if (misaligned(X, size)) return FAIL(SPMV_BAD_ARGUMENT, "X is misaligned");
    if (misaligned(Y, size)) return FAIL(SPMV_BAD_ARGUMENT, "Y is misaligned");
    if (ldx < least_x)
        return FAIL(SPMV_BAD_ARGUMENT, "ldx is %lld, less than %lld", (long long)ldx, (long long)least_x);
    if (ldy < least_y)
        return FAIL(SPMV_BAD_ARGUMENT, "ldy is %lld, less than %lld", (long long)ldy, (long long)least_y);
    const size_t in_x = extent(A->cols, k, by_columns, ldx), in_y = extent(A->rows, k, by_columns, ldy);
    if (in_x == SIZE_MAX || in_y == SIZE_MAX)
        return FAIL(SPMV_BAD_ARGUMENT, "ldx %lld, ldy %lld: X or Y would not fit into any memory", (long long)ldx,
                    (long long)ldy);
    if (X && overlap(X, in_x * size, Y, in_y * size)) return FAIL(SPMV_BAD_ARGUMENT, "X and Y overlap");
    return SPMV_OK;
}
