/*
 * cusparse_products.cpp - cuSPARSE: a sparse matrix or vector times a dense one, and triangular solves.
 *
 * Sums are computed in double and rounded once; a GPU sums in the type that the call names.
 */
#include "cusparse.hpp"

using namespace simt_library;

static bool turns(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }

/* A vector that is multiplied by zero is not read. */
static int keeps(complex beta) { return beta == 0.0 ? WRITES : READS | WRITES; }
static void store(void *p, cudaDataType t, int64_t i, complex x, complex beta)
{ set_value(p, t, i, beta == 0.0 ? x : x + product(beta, value(p, t, i))); }

cusparseStatus_t cusparseSpMV_bufferSize(CUSPARSE_SPMV, size_t *bytes) { return room_for(handle, bytes); }
cusparseStatus_t cusparseSpMV_preprocess(CUSPARSE_SPMV, void *buffer) SIMT_HAS(cusparseStatus_t, handle, (void)0)

cusparseStatus_t cusparseSpMV(CUSPARSE_SPMV, void *buffer)
{
    if (handle && A && x && y && handle->pointers == CUSPARSE_POINTER_MODE_DEVICE &&
        at_launch(handle->stream, "cusparseSpMV", [=, h = *handle, A = *A, x = *x, y = *y]() mutable {
            h.stream = nullptr;
            return (int)cusparseSpMV(&h, op, alpha, &A, &x, beta, &y, compute, algorithm, buffer);
        }))
        return CUSPARSE_STATUS_SUCCESS;
    sparse_call c(handle, "cusparseSpMV");
    c.wrong_if(!A || !x || !y);
    const complex a = c.scalar("alpha", alpha, compute), b = c.scalar("beta", beta, compute);
    c.operand("the values of A", A, READS);
    if (c.fine()) {
        c.operand("x", x, turns(op) ? A->rows : A->columns, READS);
        c.operand("y", y, turns(op) ? A->columns : A->rows, keeps(b));
    }
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    const cusparseSpMatDescr matrix = *A;
    const cusparseDnVecDescr from = *x, to = *y;
    return c.run_on("A", matrix, [=] {
        std::vector<complex> sum((size_t)to.size);
        walk(matrix, 0, [&](int64_t i, int64_t j, int64_t k) {
            const complex v = under(op, value(matrix.values, matrix.type, k));
            sum[(size_t)(turns(op) ? j : i)] += product(v, value(from.values, from.type, turns(op) ? i : j));
        });
        for (int64_t i = 0; i < to.size; ++i)
            store(to.values, to.type, i, product(a, sum[(size_t)i]), b);
    });
}

cusparseStatus_t cusparseSpMM_bufferSize(CUSPARSE_SPMM, size_t *bytes) { return room_for(handle, bytes); }
cusparseStatus_t cusparseSpMM_preprocess(CUSPARSE_SPMM, void *buffer) SIMT_HAS(cusparseStatus_t, handle, (void)0)

cusparseStatus_t cusparseSpMM(CUSPARSE_SPMM, void *buffer)
{
    if (handle && A && B && C && handle->pointers == CUSPARSE_POINTER_MODE_DEVICE &&
        at_launch(handle->stream, "cusparseSpMM", [=, h = *handle, A = *A, B = *B, C = *C]() mutable {
            h.stream = nullptr;
            return (int)cusparseSpMM(&h, op_a, op_b, alpha, &A, &B, beta, &C, compute, algorithm, buffer);
        }))
        return CUSPARSE_STATUS_SUCCESS;
    sparse_call c(handle, "cusparseSpMM");
    c.wrong_if(!A || !B || !C);
    if (c.fine()) {
        const int64_t m = turns(op_a) ? A->columns : A->rows, inner = turns(op_a) ? A->rows : A->columns;
        c.wrong_if(C->rows != m || (turns(op_b) ? B->columns : B->rows) != inner ||
                   (turns(op_b) ? B->rows : B->columns) != C->columns || (A->count != 1 && A->count != C->count) ||
                   (B->count != 1 && B->count != C->count));
    }
    const complex a = c.scalar("alpha", alpha, compute), b = c.scalar("beta", beta, compute);
    c.operand("the values of A", A, READS);
    c.operand("B", B, READS);
    c.operand("C", C, keeps(b));
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    const cusparseSpMatDescr matrix = *A;
    const cusparseDnMatDescr from = *B, to = *C;
    return c.run_on("A", matrix, [=] {
        for (int batch = 0; batch < to.count; ++batch) {
            const int64_t from_base = from.count > 1 ? batch * from.stride : 0, to_base = batch * to.stride;
            std::vector<complex> sum((size_t)(to.rows * to.columns));
            walk(matrix, matrix.count > 1 ? batch : 0, [&](int64_t i, int64_t j, int64_t k) {
                const complex v = under(op_a, value(matrix.values, matrix.type, k));
                complex *const row = &sum[(size_t)((turns(op_a) ? j : i) * to.columns)];
                const int64_t r = turns(op_a) ? i : j;
                for (int64_t n = 0; n < to.columns; ++n) {
                    const int64_t at = from_base + (turns(op_b) ? place(from, n, r) : place(from, r, n));
                    row[n] += product(v, under(op_b, value(from.values, from.type, at)));
                }
            });
            for (int64_t i = 0; i < to.rows; ++i)
                for (int64_t n = 0; n < to.columns; ++n)
                    store(to.values, to.type, to_base + place(to, i, n),
                          product(a, sum[(size_t)(i * to.columns + n)]), b);
        }
    });
}

cusparseStatus_t cusparseSDDMM_bufferSize(CUSPARSE_SDDMM, size_t *bytes) { return room_for(handle, bytes); }
cusparseStatus_t cusparseSDDMM_preprocess(CUSPARSE_SDDMM, void *buffer) SIMT_HAS(cusparseStatus_t, handle, (void)0)

cusparseStatus_t cusparseSDDMM(CUSPARSE_SDDMM, void *buffer)
{
    sparse_call c(handle, "cusparseSDDMM");
    c.wrong_if(!A || !B || !C);
    if (c.fine())
        c.wrong_if((turns(op_a) ? A->columns : A->rows) != C->rows ||
                   (turns(op_b) ? B->rows : B->columns) != C->columns ||
                   (turns(op_a) ? A->rows : A->columns) != (turns(op_b) ? B->columns : B->rows));
    const complex a = c.scalar("alpha", alpha, compute), b = c.scalar("beta", beta, compute);
    c.operand("A", A, READS);
    c.operand("B", B, READS);
    c.operand("the values of C", C, keeps(b));
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    const cusparseDnMatDescr left = *A, right = *B;
    const cusparseSpMatDescr to = *C;
    return c.run_on("C", to, [=] {
        const int64_t inner = turns(op_a) ? left.rows : left.columns;
        for (int batch = 0; batch < to.count; ++batch)
            walk(to, batch, [&](int64_t i, int64_t j, int64_t k) {
                complex sum = 0;
                for (int64_t n = 0; n < inner; ++n) {
                    const int64_t l = turns(op_a) ? place(left, n, i) : place(left, i, n);
                    const int64_t r = turns(op_b) ? place(right, j, n) : place(right, n, j);
                    const int64_t left_base = left.count > 1 ? batch * left.stride : 0;
                    const int64_t right_base = right.count > 1 ? batch * right.stride : 0;
                    sum += product(under(op_a, value(left.values, left.type, left_base + l)),
                                   under(op_b, value(right.values, right.type, right_base + r)));
                }
                store(to.values, to.type, k, product(a, sum), b);
            });
    });
}

/* ---- sparse vectors ---- */

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, cusparseConstSpVecDescr_t,
                                         cusparseConstDnVecDescr_t, const void *, cudaDataType, size_t *bytes)
{ return room_for(handle, bytes); }

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void *result, cudaDataType compute, void *buffer)
{
    sparse_call c(handle, "cusparseSpVV");
    c.wrong_if(!x || !y || !result || !value_bytes(compute));
    c.operand("x", x, READS);
    if (c.fine())
        c.operand("y", y, x->size, READS);
    if (c.on_gpu())
        c.vector("the result", result, 1, 1, value_bytes(compute), WRITES);
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    const cusparseSpVecDescr sparse = *x;
    const cusparseDnVecDescr dense = *y;
    return c.run_on("x", sparse, [=] {
        complex sum = 0;
        for (int64_t k = 0; k < sparse.nnz; ++k)
            sum += product(under(op, value(sparse.values, sparse.type, k)),
                           value(dense.values, dense.type, index(sparse.indices, sparse.index, k) - sparse.base));
        set_value(result, compute, 0, sum);
    });
}

/* Calls each(k, i, sparse, dense) for element k of the sparse x, whose index is i. */
template <class F> static cusparseStatus_t on_both(sparse_call &c, const cusparseSpVecDescr *x, int does_x,
                                                   const cusparseDnVecDescr *y, int does_y, F each)
{
    c.wrong_if(!x || !y);
    c.operand("x", x, does_x);
    if (c.fine())
        c.operand("y", y, x->size, does_y);
    if (!c.fine())
        return c.status();
    const cusparseSpVecDescr sparse = *x;
    const cusparseDnVecDescr dense = *y;
    return c.run_on("x", sparse, [=] {
        for (int64_t k = 0; k < sparse.nnz; ++k)
            each(k, index(sparse.indices, sparse.index, k) - sparse.base, sparse, dense);
    });
}
#define ELEMENT [=](int64_t k, int64_t i, const cusparseSpVecDescr &sparse, const cusparseDnVecDescr &dense)

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y)
{
    sparse_call c(handle, "cusparseAxpby");
    c.wrong_if(!x || !y);
    const cudaDataType compute = !x ? CUDA_R_32F : value_bytes(x->type) < 4 ? CUDA_R_32F : x->type;
    const complex a = c.scalar("alpha", alpha, compute), b = c.scalar("beta", beta, compute);
    c.operand("x", x, READS);
    if (c.fine())
        c.operand("y", y, x->size, keeps(b));
    if (!c.fine())
        return c.status();
    const cusparseSpVecDescr sparse = *x;
    const cusparseDnVecDescr dense = *y;
    return c.run_on("x", sparse, [=] {
        for (int64_t i = 0; i < dense.size; ++i)
            store(dense.values, dense.type, i, 0, b);
        for (int64_t k = 0; k < sparse.nnz; ++k)
            store(dense.values, dense.type, index(sparse.indices, sparse.index, k) - sparse.base,
                  product(a, value(sparse.values, sparse.type, k)), 1);
    });
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x)
{
    sparse_call c(handle, "cusparseGather");
    return on_both(c, x, WRITES, y, SOME, ELEMENT {
        set_value(sparse.values, sparse.type, k, value(dense.values, dense.type, i));
    });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    sparse_call c(handle, "cusparseScatter");
    return on_both(c, x, READS, y, WRITES, ELEMENT {
        set_value(dense.values, dense.type, i, value(sparse.values, sparse.type, k));
    });
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *cosine, const void *sine, cusparseSpVecDescr_t x,
                             cusparseDnVecDescr_t y)
{
    sparse_call c(handle, "cusparseRot");
    const complex cos = c.scalar("the cosine", cosine, x ? x->type : CUDA_R_32F);
    const complex sin = c.scalar("the sine", sine, x ? x->type : CUDA_R_32F);
    return on_both(c, x, READS | WRITES, y, READS | WRITES, ELEMENT {
        const complex a = value(sparse.values, sparse.type, k), b = value(dense.values, dense.type, i);
        set_value(sparse.values, sparse.type, k, product(cos, a) + product(sin, b));
        set_value(dense.values, dense.type, i, product(cos, b) - product(std::conj(sin), a));
    });
}

/* ---- triangles ---- */

/* op(A) x = x, from the first row on, or from the last. */
static void solve(const cusparseSpMatDescr &A, cusparseOperation_t op, complex *x)
{
    const bool lower = (A.fill == CUSPARSE_FILL_MODE_LOWER) != turns(op);
    const int64_t n = A.rows;
    std::vector<std::vector<std::pair<int64_t, complex>>> rows((size_t)n);
    std::vector<complex> diagonal((size_t)n, A.diagonal == CUSPARSE_DIAG_TYPE_UNIT ? 1.0 : 0.0);
    walk(A, 0, [&](int64_t i, int64_t j, int64_t k) {
        const complex v = under(op, value(A.values, A.type, k));
        if (turns(op))
            std::swap(i, j);
        if (i == j && A.diagonal == CUSPARSE_DIAG_TYPE_NON_UNIT)
            diagonal[(size_t)i] += v;
        else if (lower ? j < i : j > i)
            rows[(size_t)i].push_back({j, v});
    });
    for (int64_t step = 0; step < n; ++step) {
        const int64_t i = lower ? step : n - 1 - step;
        for (const auto &e : rows[(size_t)i])
            x[i] -= product(e.second, x[e.first]);
        x[i] /= diagonal[(size_t)i];
    }
}

/* C = a op(A)^-1 op(B); C may have the values of B. */
static cusparseStatus_t solve_columns(sparse_call &c, const cusparseSpMatDescr &A, cusparseOperation_t op_a, complex a,
                                      const cusparseDnMatDescr &B, cusparseOperation_t op_b,
                                      const cusparseDnMatDescr &C)
{
    return c.run_on("A", A, [=] {
        const int64_t n = C.rows;
        std::vector<complex> all((size_t)(n * C.columns));
        for (int64_t k = 0; k < n * C.columns; ++k)
            all[(size_t)k] = product(a, under(op_b, value(B.values, B.type, turns(op_b) ? place(B, k / n, k % n)
                                                                                        : place(B, k % n, k / n))));
        for (int64_t j = 0; j < C.columns; ++j)
            solve(A, op_a, all.data() + j * n);
        for (int64_t k = 0; k < n * C.columns; ++k)
            set_value(C.values, C.type, place(C, k % n, k / n), all[(size_t)k]);
    });
}

static cusparseDnMatDescr column(const cusparseDnVecDescr &x)
{ return {x.size, 1, x.size, x.values, x.type, CUSPARSE_ORDER_COL}; }

/* Keeps the buffer for the solution. */
template <class D> static cusparseStatus_t analyse(cusparseHandle_t handle, const char *name,
                                                   cusparseConstSpMatDescr_t A, D *solution, void *buffer)
{
    sparse_call c(handle, name);
    c.wrong_if(!A || !solution || A->rows != A->columns);
    c.operand("the values of A", A, READS);
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    solution->buffer = buffer;
    return c.run_on("A", *A, [] {});
}

#define SOLVER(NAME, ARGUMENTS)                                                                                    \
    struct NAME##Descr { void *buffer; };                                                                          \
    cusparseStatus_t NAME##_createDescr(NAME##Descr_t *solution)                                                   \
    SIMT_DOES(cusparseStatus_t, solution, *solution = new NAME##Descr{})                                           \
    cusparseStatus_t NAME##_destroyDescr(NAME##Descr_t solution) SIMT_DOES(cusparseStatus_t, true, delete solution) \
    cusparseStatus_t NAME##_bufferSize(ARGUMENTS, size_t *bytes) { return room_for(handle, bytes); }               \
    cusparseStatus_t NAME##_analysis(ARGUMENTS, void *buffer)                                                      \
    { return analyse(handle, #NAME "_analysis", A, solution, buffer); }
SOLVER(cusparseSpSV, CUSPARSE_SPSV)
SOLVER(cusparseSpSM, CUSPARSE_SPSM)

cusparseStatus_t cusparseSpSV_solve(CUSPARSE_SPSV)
{
    sparse_call c(handle, "cusparseSpSV_solve");
    c.wrong_if(!A || !x || !y || !solution || !solution->buffer || A->rows != A->columns);
    const complex a = c.scalar("alpha", alpha, compute);
    c.operand("the values of A", A, READS);
    if (c.fine()) {
        c.operand("x", x, A->rows, READS);
        c.operand("y", y, A->rows, WRITES);
        c.room(solution->buffer, ROOM);
    }
    if (!c.fine())
        return c.status();
    return solve_columns(c, *A, op, a, column(*x), CUSPARSE_OPERATION_NON_TRANSPOSE, column(*y));
}

cusparseStatus_t cusparseSpSM_solve(CUSPARSE_SPSM)
{
    sparse_call c(handle, "cusparseSpSM_solve");
    c.wrong_if(!A || !B || !C || !solution || !solution->buffer || A->rows != A->columns || C->rows != A->rows ||
               (turns(op_b) ? B->columns : B->rows) != A->rows || (turns(op_b) ? B->rows : B->columns) != C->columns);
    const complex a = c.scalar("alpha", alpha, compute);
    c.operand("the values of A", A, READS);
    c.operand("B", B, READS);
    c.operand("C", C, WRITES);
    if (!c.fine())
        return c.status();
    c.room(solution->buffer, ROOM);
    return solve_columns(c, *A, op_a, a, *B, op_b, *C);
}
