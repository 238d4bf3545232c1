/*
 * cublas_lt.cpp - cuBLASLt by OpenBLAS: products with epilogues.  Sums are float, or double for double and int, and are
 * rounded once when stored.
 */
#include <algorithm>
#include <cmath>
#include <cstring>
#include "cublas.hpp"
#include "cublasLt.h"

using namespace simt_library;

namespace {

struct layout {
    int32_t type, order, batches;
    uint64_t rows, columns;
    int64_t leading, stride;
    bool by_rows() const { return order == CUBLASLT_ORDER_ROW; }
    size_t place(uint64_t i, uint64_t j) const
    { return by_rows() ? i * (size_t)leading + j : i + j * (size_t)leading; }
    bool is_there() const
    {
        return bytes_of((cudaDataType)type) && (order == CUBLASLT_ORDER_COL || by_rows()) && batches >= 1 &&
               leading >= (int64_t)(by_rows() ? columns : rows) && leading >= 1 && rows < INT32_MAX &&
               columns < INT32_MAX;
    }
    const void *batch(const void *p, int i) const
    { return (const char *)p + i * stride * (int64_t)bytes_of((cudaDataType)type); }
};

/* A product; its fields follow cublasLtMatmulDescAttributes_t. */
struct product {
    int32_t compute, scale, pointers, way_a, way_b, way_c, fill, epilogue;
    const void *bias;
    int64_t bias_stride;
    void *aux;
    int64_t aux_leading, aux_stride;
    const float *scales[4];         /* for A, B, C, D, on the GPU; NULL: 1 */
    float *largest;
    int32_t aux_type, bias_type;    /* -1: as D */
    bool has(int flag) const { return epilogue & flag; }
};
enum { RELU = 2, BIAS = 4, DRELU = 8, GRADIENT = 16, GELU = 32, DGELU = 64, AUX = 128, OF_A = 256, OF_B = 512 };

static_assert(sizeof(layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "it must fit the caller's object");
static_assert(sizeof(product) <= sizeof(cublasLtMatmulDescOpaque_t), "it must fit the caller's object");

layout *of(cublasLtMatrixLayout_t l) { return (layout *)l; }
product *of(cublasLtMatmulDesc_t d) { return (product *)d; }

/* The address and size of an attribute; {NULL, 0}: it does not exist. */
struct field { void *p; size_t bytes; };

field field_of(layout *l, int which)
{
    switch (which) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return {&l->type, sizeof l->type};
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return {&l->order, sizeof l->order};
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return {&l->rows, sizeof l->rows};
    case CUBLASLT_MATRIX_LAYOUT_COLS: return {&l->columns, sizeof l->columns};
    case CUBLASLT_MATRIX_LAYOUT_LD: return {&l->leading, sizeof l->leading};
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return {&l->batches, sizeof l->batches};
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return {&l->stride, sizeof l->stride};
    default: return {nullptr, 0};
    }
}

field field_of(product *p, int which)
{
    switch (which) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return {&p->compute, sizeof p->compute};
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return {&p->scale, sizeof p->scale};
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: return {&p->pointers, sizeof p->pointers};
    case CUBLASLT_MATMUL_DESC_TRANSA: return {&p->way_a, sizeof p->way_a};
    case CUBLASLT_MATMUL_DESC_TRANSB: return {&p->way_b, sizeof p->way_b};
    case CUBLASLT_MATMUL_DESC_TRANSC: return {&p->way_c, sizeof p->way_c};
    case CUBLASLT_MATMUL_DESC_FILL_MODE: return {&p->fill, sizeof p->fill};
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return {&p->epilogue, sizeof p->epilogue};
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return {&p->bias, sizeof p->bias};
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: return {&p->bias_stride, sizeof p->bias_stride};
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return {&p->aux, sizeof p->aux};
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return {&p->aux_leading, sizeof p->aux_leading};
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: return {&p->aux_stride, sizeof p->aux_stride};
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER: return {&p->scales[0], sizeof p->scales[0]};
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER: return {&p->scales[1], sizeof p->scales[1]};
    case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER: return {&p->scales[2], sizeof p->scales[2]};
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: return {&p->scales[3], sizeof p->scales[3]};
    case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER: return {&p->largest, sizeof p->largest};
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: return {&p->aux_type, sizeof p->aux_type};
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return {&p->bias_type, sizeof p->bias_type};
    default: return {nullptr, 0};
    }
}

cublasStatus_t set_field(field f, const void *value, size_t bytes)
{
    if (!value || !f.p || bytes < f.bytes)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(f.p, value, f.bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get_field(field f, void *value, size_t bytes, size_t *written)
{
    if (written)
        *written = f.bytes;
    if (!f.p || (bytes && (!value || bytes < f.bytes)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (bytes)
        memcpy(value, f.p, f.bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- one product ---- */

/* Checks whether a product is possible, apart from its pointers. */
cublasStatus_t look(const product &p, const layout &a, const layout &b, const layout &c, const layout &d)
{
    const uint64_t k = p.way_a == CUBLAS_OP_N ? a.columns : a.rows, k_too = p.way_b == CUBLAS_OP_N ? b.rows : b.columns;
    const uint64_t m = p.way_a == CUBLAS_OP_N ? a.rows : a.columns, n = p.way_b == CUBLAS_OP_N ? b.columns : b.rows;
    for (const layout *l : {&a, &b, &c, &d})
        if (!l->is_there())
            return CUBLAS_STATUS_INVALID_VALUE;
    if (k != k_too || d.rows != m || d.columns != n || c.rows != m || c.columns != n || a.batches != d.batches ||
        b.batches != d.batches || c.batches != d.batches)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (p.has(AUX) && (!p.aux || (!p.has(RELU | DRELU) && p.aux_leading < (int64_t)m)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (p.has(BIAS | GRADIENT | OF_A | OF_B) && !p.bias)
        return CUBLAS_STATUS_INVALID_VALUE;
    return p.pointers <= CUBLASLT_POINTER_MODE_DEVICE && p.way_c == CUBLAS_OP_N ? CUBLAS_STATUS_SUCCESS
                                                                               : CUBLAS_STATUS_NOT_SUPPORTED;
}

void operand(blas_call &c, const char *name, const void *p, const layout &l, int does)
{
    const size_t inner = l.by_rows() ? l.columns : l.rows, outer = l.by_rows() ? l.rows : l.columns;
    c.call::matrix(name, p, inner, outer, (size_t)l.leading, bytes_of((cudaDataType)l.type), does);
}

/* A matrix, or its transpose, column by column without gaps. */
template <class R> std::vector<R> taken(const void *p, const layout &l, int way, double scale)
{
    const bool turned = way != CUBLAS_OP_N;
    const uint64_t rows = turned ? l.columns : l.rows, columns = turned ? l.rows : l.columns;
    std::vector<R> all;
    all.reserve(rows * columns);
    for (uint64_t j = 0; j < columns; ++j)
        for (uint64_t i = 0; i < rows; ++i)
            all.push_back((R)(scale * number(p, (cudaDataType)l.type, turned ? l.place(j, i) : l.place(i, j))));
    return all;
}

/* GELU (Hendrycks and Gimpel, Gaussian Error Linear Units, 2016) in its tanh form, and its derivative. */
const double TO_TANH = 0.7978845608028654, CUBIC = 0.044715;
double gelu(double x) { return 0.5 * x * (1 + std::tanh(TO_TANH * (x + CUBIC * x * x * x))); }
double dgelu(double x)
{
    const double t = std::tanh(TO_TANH * (x + CUBIC * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * TO_TANH * (1 + 3 * CUBIC * x * x);
}

struct one_product {
    const product p;            /* copies, because a graph can outlive the program's objects */
    const layout a, b, c, d;
    double alpha, beta, scale[4];
    const void *A, *B, *C;
    void *D;
    const char *bias;
    char *aux;

    cudaDataType aux_type() const { return (cudaDataType)(p.aux_type < 0 ? d.type : p.aux_type); }
    /* As in cuBLASLt, the bias of an 8-bit D has 16 bits. */
    cudaDataType bias_type() const
    {
        const bool short_d = bytes_of((cudaDataType)d.type) == 1;
        return (cudaDataType)(p.bias_type >= 0 ? p.bias_type : short_d ? CUDA_R_16BF : d.type);
    }
    uint64_t bias_length() const { return p.has(OF_B) ? d.columns : d.rows; }

    void operands(blas_call &call) const
    {
        operand(call, "A", A, a, alpha != 0 ? READS : 0);
        operand(call, "B", B, b, alpha != 0 ? READS : 0);
        if (beta != 0)
            operand(call, "C", C, c, READS);
        operand(call, "D", D, d, WRITES);
        if (p.has(BIAS | GRADIENT | OF_A | OF_B))
            call.call::vector("the bias", bias, bias_length(), 1, bytes_of(bias_type()), p.has(BIAS) ? READS : WRITES);
        if (p.has(AUX) && p.has(GELU | DGELU))
            call.call::matrix("the auxiliary matrix", aux, d.rows, d.columns, (size_t)p.aux_leading,
                              bytes_of(aux_type()), p.has(DGELU) ? READS : WRITES);
        if (p.has(AUX) && p.has(RELU | DRELU))
            call.call::matrix("the auxiliary bits", aux, (d.rows + 7) / 8, d.columns, (size_t)p.aux_leading / 8, 1,
                              p.has(DRELU) ? READS : WRITES);
    }

    double epilogue(double x, uint64_t i, uint64_t j) const
    {
        const size_t at = i + j * (size_t)p.aux_leading;
        if (p.has(BIAS))
            x += number(bias, bias_type(), i);
        if (p.has(GELU) && p.has(AUX))
            set_number(aux, aux_type(), at, x);
        if (p.has(RELU) && p.has(AUX))
            aux[at / 8] = (char)((aux[at / 8] & ~(1 << at % 8)) | (x > 0) << at % 8);
        if (p.has(RELU))
            x = x > 0 ? x : 0;
        if (p.has(GELU))
            x = gelu(x);
        if (p.has(DGELU))
            x *= dgelu(number(aux, aux_type(), at));
        if (p.has(DRELU))
            x = aux[at / 8] >> at % 8 & 1 ? x : 0;
        return x;
    }

    /* Computes D and returns the largest magnitude. */
    template <class R> double multiply() const
    {
        const int m = (int)d.rows, n = (int)d.columns, k = (int)(p.way_a == CUBLAS_OP_N ? a.columns : a.rows);
        const auto left = taken<R>(A, a, p.way_a, scale[0]), right = taken<R>(B, b, p.way_b, scale[1]);
        std::vector<R> sums((size_t)m * (size_t)n);
        if (beta != 0)
            sums = taken<R>(C, c, CUBLAS_OP_N, scale[2]);
        gemm(CblasNoTrans, CblasNoTrans, m, n, k, (R)alpha, left.data(), std::max(1, m), right.data(), std::max(1, k),
             (R)beta, sums.data(), std::max(1, m));
        std::vector<double> gradient(bias_length());
        double largest = 0;
        for (uint64_t j = 0; j < d.columns; ++j)
            for (uint64_t i = 0; i < d.rows; ++i) {
                const double x = epilogue((double)sums[i + j * d.rows], i, j);
                largest = std::max(largest, std::fabs(x));
                if (p.has(GRADIENT))
                    gradient[i] += x;
                set_number(D, (cudaDataType)d.type, d.place(i, j), scale[3] * x);
            }
        for (int q = 0; q < k; ++q)
            for (uint64_t i = 0; i < gradient.size() && p.has(OF_A | OF_B); ++i)
                gradient[i] += (double)(p.has(OF_A) ? left[i + (size_t)q * (size_t)m]
                                                    : right[(size_t)q + i * (size_t)k]);
        for (uint64_t i = 0; i < gradient.size() && p.has(GRADIENT | OF_A | OF_B); ++i)
            set_number(const_cast<char *>(bias), bias_type(), i, gradient[i]);
        return largest;
    }
};

} // namespace

/* ---- handles and descriptions ---- */

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) { return cublasCreate(handle); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return cublasDestroy(handle); }
size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t l, size_t size, cudaDataType type,
                                                 uint64_t rows, uint64_t cols, int64_t ld)
{
    if (!l || size < sizeof(layout))
        return CUBLAS_STATUS_INVALID_VALUE;
    *of(l) = {type, CUBLASLT_ORDER_COL, 1, rows, cols, ld, 0};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType type, uint64_t rows, uint64_t cols,
                                          int64_t ld)
{
    if (!l)
        return CUBLAS_STATUS_INVALID_VALUE;
    *l = new cublasLtMatrixLayoutOpaque_t;
    return cublasLtMatrixLayoutInit_internal(*l, sizeof **l, type, rows, cols, ld);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { return delete l, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t which,
                                                const void *value, size_t bytes)
{ return l ? set_field(field_of(of(l), which), value, bytes) : CUBLAS_STATUS_INVALID_VALUE; }
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t which,
                                                void *value, size_t bytes, size_t *written)
{ return l ? get_field(field_of(of(l), which), value, bytes, written) : CUBLAS_STATUS_INVALID_VALUE; }

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t d, size_t size, cublasComputeType_t compute,
                                               cudaDataType scale)
{
    if (!d || size < sizeof(product))
        return CUBLAS_STATUS_INVALID_VALUE;
    product p = {};
    p.compute = compute;
    p.scale = scale;
    p.fill = CUBLAS_FILL_MODE_FULL;
    p.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    p.aux_type = p.bias_type = -1;
    *of(d) = p;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute, cudaDataType scale)
{
    if (!d)
        return CUBLAS_STATUS_INVALID_VALUE;
    *d = new cublasLtMatmulDescOpaque_t;
    return cublasLtMatmulDescInit_internal(*d, sizeof **d, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) { return delete d, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t which,
                                              const void *value, size_t bytes)
{
    if (which == CUBLASLT_MATMUL_DESC_FAST_ACCUM || which == CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET)
        return CUBLAS_STATUS_SUCCESS;           /* It only affects the speed on a GPU. */
    return d ? set_field(field_of(of(d), which), value, bytes) : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t which,
                                              void *value, size_t bytes, size_t *written)
{ return d ? get_field(field_of(of(d), which), value, bytes, written) : CUBLAS_STATUS_INVALID_VALUE; }

/* Preferences have no effect, because there is only one algorithm. */
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t p, size_t size)
{ return p && size ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE; }
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p)
{ return p ? (*p = new cublasLtMatmulPreferenceOpaque_t{}, CUBLAS_STATUS_SUCCESS) : CUBLAS_STATUS_INVALID_VALUE; }
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { return delete p, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p, cublasLtMatmulPreferenceAttributes_t,
                                                    const void *value, size_t)
{ return p && value ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE; }

/* ---- products ---- */

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t h, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *, cublasLtMatmulHeuristicResult_t *result)
{
    if (!is_handle(h))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!desc || !a || !b || !c || !d || !result)
        return CUBLAS_STATUS_INVALID_VALUE;
    *result = {};
    return result->state = look(*of(desc), *of(a), *of(b), *of(c), *of(d));
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                              cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                              cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int *found)
{
    if (!found || wanted < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    const cublasStatus_t status = cublasLtMatmulAlgoCheck(h, desc, a, b, c, d, nullptr, results);
    *found = status == CUBLAS_STATUS_SUCCESS;
    return status;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t desc, const void *alpha, const void *A,
                              cublasLtMatrixLayout_t a, const void *B, cublasLtMatrixLayout_t b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t c, void *D, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream)
{
    if (!desc || !a || !b || !c || !d)
        return CUBLAS_STATUS_INVALID_VALUE;
    const product &p = *of(desc);
    blas_call call(h, "cublasLtMatmul", stream, p.pointers == CUBLASLT_POINTER_MODE_DEVICE);
    const cublasStatus_t seen = look(p, *of(a), *of(b), *of(c), *of(d));
    call.wrong_if(seen != CUBLAS_STATUS_SUCCESS, seen);
    const auto type = (cudaDataType)p.scale;
    one_product first{p, *of(a), *of(b), *of(c), *of(d), scalar(call, "alpha", alpha, type),
                      scalar(call, "beta", beta, type), {1, 1, 1, 1}, nullptr, nullptr, nullptr, nullptr, nullptr,
                      nullptr};
    for (int i = 0; i < 4; ++i)
        if (p.scales[i] && call.fine())
            first.scale[i] = (double)value_at(call, "a scale", p.scales[i], true);
    std::vector<one_product> all;
    for (int i = 0; call.fine() && i < of(d)->batches; ++i) {
        all.push_back(first);
        one_product &one = all.back();
        one.A = one.a.batch(A, i);
        one.B = one.b.batch(B, i);
        one.C = one.c.batch(C, i);
        one.D = const_cast<void *>(one.d.batch(D, i));
        one.bias = (const char *)p.bias + i * p.bias_stride * (int64_t)bytes_of(one.bias_type());
        one.aux = (char *)p.aux + i * p.aux_stride * (int64_t)bytes_of(one.aux_type());
        one.operands(call);
    }
    if (p.largest && call.fine())
        call.vector("the largest magnitude", p.largest, 1, 1, WRITES);
    const bool wide = arithmetic{(cublasComputeType_t)p.compute}.sums_in_double();
    float *const to = p.largest;
    return call.run([all, wide, to] {
        double largest = 0;
        for (const one_product &one : all)
            largest = std::max(largest, wide ? one.multiply<double>() : one.multiply<float>());
        if (to)
            *to = (float)largest;
    });
}
