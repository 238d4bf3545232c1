/* cusparse.hpp - shared by the files of cuSPARSE: descriptors, a call with them, a loop over a sparse matrix. */
#ifndef SIMT_LIBRARY_CUSPARSE_HPP
#define SIMT_LIBRARY_CUSPARSE_HPP

#include <complex>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "call.hpp"
#include "cusparse.h"

/* Buffer sizes do not depend on the arguments of a call. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

struct cusparseContext {
    cudaStream_t stream = nullptr;
    cusparsePointerMode_t pointers = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index;
    cusparseIndexBase_t base;
    cudaDataType type;
};
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};
struct cusparseDnMatDescr {
    int64_t rows, columns, leading;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    int count = 1;
    int64_t stride = 0;    /* in a batch, in elements */
};
/* offsets: for COO the row of each element. */
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, columns, nnz;
    void *offsets, *indices, *values;
    cusparseIndexType_t offset, index;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
    int count = 1;
    int64_t offset_stride = 0, value_stride = 0;
    int64_t offsets_length() const
    { return format == CUSPARSE_FORMAT_COO ? nnz : (format == CUSPARSE_FORMAT_CSR ? rows : columns) + 1; }
};

namespace simt_library {

SIMT_STATUSES(cusparseStatus_t, CUSPARSE)
typedef std::complex<double> complex;

size_t value_bytes(cudaDataType t);    /* 0: an unknown type */
inline bool is_complex(cudaDataType t) { return t == CUDA_C_32F || t == CUDA_C_64F; }
inline size_t index_bytes(cusparseIndexType_t t)
{ return t == CUSPARSE_INDEX_16U ? 2 : t == CUSPARSE_INDEX_32I ? 4 : 8; }

inline complex value(const void *p, cudaDataType t, int64_t i)
{
    switch (t) {
    case CUDA_R_32F: return ((const float *)p)[i];
    case CUDA_R_64F: return ((const double *)p)[i];
    case CUDA_C_32F: return ((const std::complex<float> *)p)[i];
    case CUDA_C_64F: return ((const complex *)p)[i];
    case CUDA_R_16F: return __half2float(((const __half *)p)[i]);
    case CUDA_R_16BF: return __bfloat162float(((const __nv_bfloat16 *)p)[i]);
    case CUDA_R_8I: return ((const int8_t *)p)[i];
    case CUDA_R_32I: return ((const int32_t *)p)[i];
    default: return 0;
    }
}
void set_value(void *p, cudaDataType t, int64_t i, complex x);    /* rounded to the type */

inline int64_t index(const void *p, cusparseIndexType_t t, int64_t i)
{
    return t == CUSPARSE_INDEX_32I ? ((const int32_t *)p)[i]
           : t == CUSPARSE_INDEX_64I ? ((const int64_t *)p)[i] : ((const uint16_t *)p)[i];
}
inline void set_index(void *p, cusparseIndexType_t t, int64_t i, int64_t x)
{
    if (t == CUSPARSE_INDEX_32I)
        ((int32_t *)p)[i] = (int32_t)x;
    else if (t == CUSPARSE_INDEX_64I)
        ((int64_t *)p)[i] = x;
    else
        ((uint16_t *)p)[i] = (uint16_t)x;
}

/* A complex product without C++'s treatment of infinities. */
inline complex product(complex a, complex b)
{ return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()}; }
inline complex under(cusparseOperation_t op, complex x)
{ return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x; }

inline int64_t place(const cusparseDnMatDescr &A, int64_t row, int64_t column)
{ return A.order == CUSPARSE_ORDER_COL ? row + column * A.leading : row * A.leading + column; }

/* Calls f(row, column, position of the value) for each element of matrix b of the batch. */
template <class F> void walk(const cusparseSpMatDescr &A, int b, F f)
{
    const char *const offsets = (const char *)A.offsets + (size_t)(b * A.offset_stride) * index_bytes(A.offset);
    const char *const indices = (const char *)A.indices + (size_t)(b * A.value_stride) * index_bytes(A.index);
    if (A.format == CUSPARSE_FORMAT_COO) {
        for (int64_t k = 0; k < A.nnz; ++k)
            f(index(offsets, A.offset, k) - A.base, index(indices, A.index, k) - A.base, b * A.value_stride + k);
        return;
    }
    const int64_t lines = A.offsets_length() - 1;
    for (int64_t i = 0; i < lines; ++i)
        for (int64_t k = index(offsets, A.offset, i) - A.base; k < index(offsets, A.offset, i + 1) - A.base; ++k) {
            const int64_t j = index(indices, A.index, k) - A.base;
            A.format == CUSPARSE_FORMAT_CSR ? f(i, j, b * A.value_stride + k) : f(j, i, b * A.value_stride + k);
        }
}

/* A call whose descriptors are checked one after the other; the first error becomes its status. */
class sparse_call : public checked_call<cusparseStatus_t> {
public:
    sparse_call(cusparseHandle_t h, const char *name)
        : checked_call(name, h ? h->stream : nullptr, h),
          on_gpu_(h && h->pointers == CUSPARSE_POINTER_MODE_DEVICE) {}
    bool on_gpu() const { return on_gpu_; }
    /* A scalar of the type in which the call computes. */
    complex scalar(const char *name, const void *p, cudaDataType t);
    void operand(const char *name, const cusparseDnVecDescr *x, int64_t size, int does);
    void operand(const char *name, const cusparseSpVecDescr *x, int does);
    void operand(const char *name, const cusparseDnMatDescr *A, int does);
    /* does: the access to the values.  The indices are read. */
    void operand(const char *name, const cusparseSpMatDescr *A, int does);
    void room(const void *buffer, size_t bytes);
    /* false: an offset or index of A is out of range; it has been reported. */
    bool sound(const char *name, const cusparseSpMatDescr &A) const;
    bool sound(const char *name, const cusparseSpVecDescr &x) const;
    template <class F> cusparseStatus_t run(F does)
    {
        const cusparseStatus_t s = checked_call::run(does);
        return fine() && cudaPeekAtLastError() == cudaErrorIllegalAddress ? CUSPARSE_STATUS_EXECUTION_FAILED : s;
    }
    /* Runs does() only if the sparse operand is sound at that time. */
    template <class D, class F> cusparseStatus_t run_on(const char *operand, const D &sparse, F does)
    {
        return run([=, name = name()] {
            if (sparse_call(nullptr, name).sound(operand, sparse))
                does();
        });
    }

private:
    bool on_gpu_;
};

enum { ROOM = 512 };    /* bytes of the buffer that a call asks for and checks */
inline cusparseStatus_t room_for(cusparseHandle_t h, size_t *bytes)
{
    if (!h || !bytes)
        return h ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
    *bytes = ROOM;
    return CUSPARSE_STATUS_SUCCESS;
}

} // namespace simt_library

#endif
