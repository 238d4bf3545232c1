/*
 * cusparse_incomplete.cpp - cuSPARSE: incomplete LU and Cholesky, row by row, with the sparsity pattern of A.
 */
#include <algorithm>
#include "cusparse.hpp"

using namespace simt_library;

struct csrilu02Info { int zero = -1; };
struct csric02Info { int zero = -1; };

namespace {

/* The rows of a CSR matrix whose values are factorised in place. */
struct rows {
    const cusparseSpMatDescr &A;
    int64_t begin(int64_t i) const { return index(A.offsets, A.offset, i) - A.base; }
    int64_t column(int64_t k) const { return index(A.indices, A.index, k) - A.base; }
    complex at(int64_t k) const { return value(A.values, A.type, k); }
    void set(int64_t k, complex x) const { set_value(A.values, A.type, k, x); }
    /* The index of an element, or -1. */
    int64_t find(int64_t i, int64_t j) const
    {
        for (int64_t k = begin(i); k < begin(i + 1); ++k)
            if (column(k) == j)
                return k;
        return -1;
    }
};

/* Both return the first row without a pivot, or -1. */
int lu(const rows &r)
{
    int zero = -1;
    for (int64_t i = 0; i < r.A.rows; ++i) {
        for (int64_t k = r.begin(i); k < r.begin(i + 1) && r.column(k) < i; ++k) {
            const int64_t above = r.column(k), pivot = r.find(above, above);
            if (pivot < 0)
                continue;
            const complex factor = r.at(k) / r.at(pivot);
            r.set(k, factor);
            for (int64_t to = k + 1; to < r.begin(i + 1); ++to) {
                const int64_t from = r.find(above, r.column(to));
                if (from >= 0)
                    r.set(to, r.at(to) - product(factor, r.at(from)));
            }
        }
        const int64_t pivot = r.find(i, i);
        if (zero < 0 && (pivot < 0 || r.at(pivot) == 0.0))
            zero = (int)i;
    }
    return zero;
}

int cholesky(const rows &r)
{
    int zero = -1;
    for (int64_t i = 0; i < r.A.rows; ++i) {
        complex rest = 0;
        for (int64_t k = r.begin(i); k < r.begin(i + 1) && r.column(k) < i; ++k) {
            const int64_t above = r.column(k), pivot = r.find(above, above);
            complex x = r.at(k);
            for (int64_t before = r.begin(i); before < k; ++before) {
                const int64_t other = r.find(above, r.column(before));
                if (other >= 0)
                    x -= product(r.at(before), std::conj(r.at(other)));
            }
            r.set(k, pivot < 0 ? x : x / r.at(pivot));
            rest += std::norm(r.at(k));
        }
        const int64_t pivot = r.find(i, i);
        const double left = pivot < 0 ? 0 : r.at(pivot).real() - rest.real();
        if (zero < 0 && left <= 0)
            zero = (int)i;
        if (pivot >= 0)
            r.set(pivot, std::sqrt(left));
    }
    return zero;
}

/* factorise: nullptr to check only the operands. */
cusparseStatus_t run(const char *name, cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t A,
                     const void *values, const int *offsets, const int *indices, cudaDataType type, int *zero,
                     void *buffer, int (*factorise)(const rows &))
{
    sparse_call c(handle, name);
    c.wrong_if(m < 0 || nnz < 0 || !A || !zero);
    if (!c.fine())
        return c.status();
    const cusparseSpMatDescr matrix{CUSPARSE_FORMAT_CSR, m, m, nnz, (void *)offsets, (void *)indices, (void *)values,
                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, cusparseGetMatIndexBase(A), type};
    c.operand("the values of A", &matrix, factorise ? READS | WRITES : READS);
    c.room(buffer, ROOM);
    return c.run_on("A", matrix, [=] {
        if (factorise)
            *zero = factorise({matrix});
    });
}

template <class I> cusparseStatus_t first_zero(cusparseHandle_t handle, I *info, int *position)
{
    if (!handle || !info || !position)
        return handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
    if (handle->pointers == CUSPARSE_POINTER_MODE_HOST)
        *position = info->zero;
    else if (cudaMemcpy(position, &info->zero, sizeof *position, cudaMemcpyHostToDevice) != cudaSuccess)
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return info->zero < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

} // namespace

#define INCOMPLETE(U, name, T, TYPE, factorise)                                                                        \
    cusparseStatus_t cusparse##U##name##_bufferSize(cusparseHandle_t handle, int, int, const cusparseMatDescr_t, T *,  \
                                                    const int *, const int *, name##Info_t, int *bytes)                \
    {                                                                                                                  \
        size_t all = 0;                                                                                                \
        const cusparseStatus_t status = room_for(handle, bytes ? &all : nullptr);                                      \
        if (bytes)                                                                                                     \
            *bytes = (int)all;                                                                                         \
        return status;                                                                                                 \
    }                                                                                                                  \
    cusparseStatus_t cusparse##U##name##_analysis(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t A, \
                                                  const T *values, const int *offsets, const int *indices,             \
                                                  name##Info_t info, cusparseSolvePolicy_t, void *buffer)              \
    {                                                                                                                  \
        return run("cusparse" #U #name "_analysis", handle, m, nnz, A, values, offsets, indices, TYPE,                 \
                   info ? &info->zero : nullptr, buffer, nullptr);                                                     \
    }                                                                                                                  \
    cusparseStatus_t cusparse##U##name(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t A, T *values, \
                                       const int *offsets, const int *indices, name##Info_t info,                      \
                                       cusparseSolvePolicy_t, void *buffer)                                            \
    {                                                                                                                  \
        return run("cusparse" #U #name, handle, m, nnz, A, values, offsets, indices, TYPE,                             \
                   info ? &info->zero : nullptr, buffer, factorise);                                                   \
    }
#define INCOMPLETES(name, factorise)                                                                                   \
    INCOMPLETE(S, name, float, CUDA_R_32F, factorise) INCOMPLETE(D, name, double, CUDA_R_64F, factorise)               \
    INCOMPLETE(C, name, cuComplex, CUDA_C_32F, factorise) INCOMPLETE(Z, name, cuDoubleComplex, CUDA_C_64F, factorise)
INCOMPLETES(csrilu02, lu)
INCOMPLETES(csric02, cholesky)

#define PIVOTS(Name, name)                                                                                             \
    cusparseStatus_t cusparseCreate##Name##Info(name##Info_t *info)                                                    \
    SIMT_DOES(cusparseStatus_t, info, *info = new name##Info)                                                          \
    cusparseStatus_t cusparseDestroy##Name##Info(name##Info_t info) SIMT_DOES(cusparseStatus_t, true, delete info)     \
    cusparseStatus_t cusparseX##name##_zeroPivot(cusparseHandle_t handle, name##Info_t info, int *position)            \
    { return first_zero(handle, info, position); }
PIVOTS(Csrilu02, csrilu02)
PIVOTS(Csric02, csric02)
