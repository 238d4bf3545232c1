/*
 * cusparse_formats.cpp - cuSPARSE: conversions between formats, and the product of two sparse matrices.
 */
#include <algorithm>
#include "cusparse.hpp"

using namespace simt_library;

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t,
                                                  cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t, size_t *bytes)
{ return room_for(handle, bytes); }

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t A, cusparseDnMatDescr_t B,
                                       cusparseSparseToDenseAlg_t, void *buffer)
{
    sparse_call c(handle, "cusparseSparseToDense");
    c.wrong_if(!A || !B || A->rows != B->rows || A->columns != B->columns);
    c.operand("the values of A", A, READS);
    c.operand("B", B, WRITES);
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    const cusparseSpMatDescr from = *A;
    const cusparseDnMatDescr to = *B;
    return c.run_on("A", from, [=] {
        for (int64_t i = 0; i < to.rows; ++i)
            for (int64_t j = 0; j < to.columns; ++j)
                set_value(to.values, to.type, place(to, i, j), 0);
        walk(from, 0, [&](int64_t i, int64_t j, int64_t k) {
            set_value(to.values, to.type, place(to, i, j), value(from.values, from.type, k));
        });
    });
}

/* Calls f(row, column, value) for each nonzero element, in the order of the sparse format. */
template <class F> static void nonzeros(const cusparseDnMatDescr &A, cusparseFormat_t format, F f)
{
    const bool by_columns = format == CUSPARSE_FORMAT_CSC;
    for (int64_t p = 0; p < (by_columns ? A.columns : A.rows); ++p)
        for (int64_t q = 0; q < (by_columns ? A.rows : A.columns); ++q) {
            const int64_t i = by_columns ? q : p, j = by_columns ? p : q;
            const complex v = value(A.values, A.type, place(A, i, j));
            if (v != 0.0)
                f(i, j, v);
        }
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t,
                                                  cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t, size_t *bytes)
{ return room_for(handle, bytes); }

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t A,
                                                cusparseSpMatDescr_t B, cusparseDenseToSparseAlg_t, void *buffer)
{
    sparse_call c(handle, "cusparseDenseToSparse_analysis");
    c.wrong_if(!A || !B || A->rows != B->rows || A->columns != B->columns);
    c.operand("A", A, READS);
    if (c.fine() && B->format != CUSPARSE_FORMAT_COO)
        c.vector("the offsets", B->offsets, (size_t)B->offsets_length(), 1, index_bytes(B->offset), WRITES);
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    c.depends_on_now();    /* the number of nonzeros is known when this returns */
    return c.run([&] {
        std::vector<int64_t> lines((size_t)(B->format == CUSPARSE_FORMAT_CSC ? A->columns : A->rows));
        B->nnz = 0;
        nonzeros(*A, B->format, [&](int64_t i, int64_t j, complex) {
            ++lines[(size_t)(B->format == CUSPARSE_FORMAT_CSC ? j : i)];
            ++B->nnz;
        });
        int64_t all = B->base;
        for (size_t i = 0; B->format != CUSPARSE_FORMAT_COO && i <= lines.size(); ++i) {
            set_index(B->offsets, B->offset, (int64_t)i, all);
            all += i < lines.size() ? lines[i] : 0;
        }
    });
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t A,
                                               cusparseSpMatDescr_t B, cusparseDenseToSparseAlg_t, void *buffer)
{
    sparse_call c(handle, "cusparseDenseToSparse_convert");
    c.wrong_if(!A || !B || A->rows != B->rows || A->columns != B->columns);
    c.operand("A", A, READS);
    if (c.fine()) {
        const bool rows = B->format == CUSPARSE_FORMAT_COO;
        c.vector(rows ? "the rows" : "the offsets", B->offsets, (size_t)B->offsets_length(), 1, index_bytes(B->offset),
                 rows ? WRITES : READS);
        c.vector("the indices", B->indices, (size_t)B->nnz, 1, index_bytes(B->index), WRITES);
        c.vector("the values of B", B->values, (size_t)B->nnz, 1, value_bytes(B->type), WRITES);
    }
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    const cusparseDnMatDescr from = *A;
    const cusparseSpMatDescr to = *B;
    return c.run([=] {
        int64_t k = 0;
        nonzeros(from, to.format, [&](int64_t i, int64_t j, complex v) {
            if (k == to.nnz)
                return;    /* A has more nonzeros than in the analysis */
            if (to.format == CUSPARSE_FORMAT_COO)
                set_index(to.offsets, to.offset, k, i + to.base);
            set_index(to.indices, to.index, k, (to.format == CUSPARSE_FORMAT_CSC ? i : j) + to.base);
            set_value(to.values, to.type, k++, v);
        });
    });
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m, int *rows,
                                  cusparseIndexBase_t base)
{
    sparse_call c(handle, "cusparseXcsr2coo");
    c.wrong_if(nnz < 0 || m < 0);
    if (!c.fine())
        return c.status();
    c.vector("the offsets", offsets, (size_t)m + 1, 1, sizeof *offsets, READS);
    c.vector("the rows", rows, (size_t)nnz, 1, sizeof *rows, WRITES);
    return c.run([=] {
        for (int i = 0; i < m; ++i)
            for (int k = std::max(offsets[i] - base, 0); k < std::min(offsets[i + 1] - base, nnz); ++k)
                rows[k] = i + base;
    });
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m, int *offsets,
                                  cusparseIndexBase_t base)
{
    sparse_call c(handle, "cusparseXcoo2csr");
    c.wrong_if(nnz < 0 || m < 0);
    if (!c.fine())
        return c.status();
    c.vector("the rows", rows, (size_t)nnz, 1, sizeof *rows, READS);
    c.vector("the offsets", offsets, (size_t)m + 1, 1, sizeof *offsets, WRITES);
    return c.run([=] {
        int k = 0;
        for (int i = 0; i <= m; ++i) {
            while (k < nnz && rows[k] - base < i)
                ++k;
            offsets[i] = k + base;
        }
    });
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p)
{
    sparse_call c(handle, "cusparseCreateIdentityPermutation");
    c.wrong_if(n < 0);
    if (!c.fine())
        return c.status();
    c.vector("p", p, (size_t)n, 1, sizeof *p, WRITES);
    return c.run([=] {
        for (int i = 0; i < n; ++i)
            p[i] = i;
    });
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *, const int *,
                                                size_t *bytes)
{ return room_for(handle, bytes); }

/* Sorts by `first`, then by `second`. */
static cusparseStatus_t sort(const char *name, cusparseHandle_t handle, int nnz, int *first, int *second, int *p,
                             void *buffer)
{
    sparse_call c(handle, name);
    c.wrong_if(nnz < 0);
    if (!c.fine())
        return c.status();
    c.vector("the rows or columns", first, (size_t)nnz, 1, sizeof *first, READS | WRITES);
    c.vector("the columns or rows", second, (size_t)nnz, 1, sizeof *second, READS | WRITES);
    c.vector("p", p, p ? (size_t)nnz : 0, 1, sizeof *p, READS | WRITES);
    c.room(buffer, ROOM);
    return c.run([=] {
        std::vector<std::pair<std::pair<int, int>, int>> all;
        for (int k = 0; k < nnz; ++k)
            all.push_back({{first[k], second[k]}, p ? p[k] : k});
        std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        for (int k = 0; k < nnz; ++k) {
            first[k] = all[(size_t)k].first.first;
            second[k] = all[(size_t)k].first.second;
            if (p)
                p[k] = all[(size_t)k].second;
        }
    });
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int, int, int nnz, int *rows, int *columns, int *p,
                                       void *buffer)
{ return sort("cusparseXcoosortByRow", handle, nnz, rows, columns, p, buffer); }
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int, int, int nnz, int *rows, int *columns, int *p,
                                          void *buffer)
{ return sort("cusparseXcoosortByColumn", handle, nnz, columns, rows, p, buffer); }

/* Counts the elements of each row (CSR) or column (CSC). */
static cusparseStatus_t sort_lines(const char *name, cusparseHandle_t handle, cusparseFormat_t format, int m, int n,
                                   int nnz, const cusparseMatDescr_t A, const int *offsets, int *indices, int *p,
                                   void *buffer)
{
    sparse_call c(handle, name);
    c.wrong_if(m < 0 || n < 0 || nnz < 0 || !A);
    if (!c.fine())
        return c.status();
    const cusparseSpMatDescr all{format, m, n, nnz, (void *)offsets, indices, nullptr, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, cusparseGetMatIndexBase(A), CUDA_R_32F};
    c.operand("the values", &all, 0);
    c.vector("the indices", indices, (size_t)nnz, 1, sizeof *indices, READS | WRITES);
    c.vector("p", p, p ? (size_t)nnz : 0, 1, sizeof *p, READS | WRITES);
    c.room(buffer, ROOM);
    return c.run_on("the matrix", all, [=] {
        for (int64_t i = 0; i + 1 < all.offsets_length(); ++i) {
            std::vector<std::pair<int, int>> line;
            const int from = offsets[i] - all.base;
            for (int k = from; k < offsets[i + 1] - all.base; ++k)
                line.push_back({indices[k], p ? p[k] : k});
            std::stable_sort(line.begin(), line.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
            for (size_t k = 0; k < line.size(); ++k) {
                indices[from + (int)k] = line[k].first;
                if (p)
                    p[from + (int)k] = line[k].second;
            }
        }
    });
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *, const int *,
                                                size_t *bytes)
{ return room_for(handle, bytes); }
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *, const int *,
                                                size_t *bytes)
{ return room_for(handle, bytes); }
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t A,
                                  const int *offsets, int *columns, int *p, void *buffer)
{ return sort_lines("cusparseXcsrsort", handle, CUSPARSE_FORMAT_CSR, m, n, nnz, A, offsets, columns, p, buffer); }
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t A,
                                  const int *offsets, int *rows, int *p, void *buffer)
{ return sort_lines("cusparseXcscsort", handle, CUSPARSE_FORMAT_CSC, m, n, nnz, A, offsets, rows, p, buffer); }

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(CUSPARSE_CSR2CSC, size_t *bytes) { return room_for(handle, bytes); }

cusparseStatus_t cusparseCsr2cscEx2(CUSPARSE_CSR2CSC, void *buffer)
{
    sparse_call c(handle, "cusparseCsr2cscEx2");
    const size_t element = action == CUSPARSE_ACTION_NUMERIC ? value_bytes(type) : 0;
    c.wrong_if(m < 0 || n < 0 || nnz < 0 || (action == CUSPARSE_ACTION_NUMERIC && !element));
    if (!c.fine())
        return c.status();
    const cusparseSpMatDescr from{CUSPARSE_FORMAT_CSR, m, n, nnz, (void *)offsets, (void *)indices, (void *)values,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base, type};
    c.operand("the values", &from, element ? READS : 0);
    c.vector("the columns' offsets", csc_offsets, (size_t)n + 1, 1, sizeof(int), WRITES);
    c.vector("the columns' indices", csc_indices, (size_t)nnz, 1, sizeof(int), WRITES);
    c.vector("the columns' values", csc_values, (size_t)nnz, 1, element, element ? WRITES : 0);
    c.room(buffer, ROOM);
    return c.run_on("the matrix", from, [=] {
        std::vector<int> next((size_t)n + 1);
        walk(from, 0, [&](int64_t, int64_t j, int64_t) { ++next[(size_t)j + 1]; });
        for (int j = 0; j < n; ++j)
            next[(size_t)j + 1] += next[(size_t)j];
        for (int j = 0; j <= n; ++j)
            csc_offsets[j] = next[(size_t)j] + base;
        walk(from, 0, [&](int64_t i, int64_t j, int64_t k) {
            const int at = next[(size_t)j]++;
            csc_indices[at] = (int)i + base;
            if (element)
                set_value(csc_values, type, at, value(values, type, k));
        });
    });
}

/* ---- the product of two ---- */

struct cusparseSpGEMMDescr {
    std::vector<int64_t> offsets, indices;
    std::vector<complex> values;
};

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *product)
SIMT_DOES(cusparseStatus_t, product, *product = new cusparseSpGEMMDescr)
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t product)
SIMT_DOES(cusparseStatus_t, true, delete product)

/* For both buffers: a call without a buffer returns the size. */
cusparseStatus_t cusparseSpGEMM_workEstimation(CUSPARSE_SPGEMM, size_t *bytes, void *buffer)
{
    if (!product)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!buffer)
        return room_for(handle, bytes);
    sparse_call c(handle, "cusparseSpGEMM_workEstimation");
    c.room(buffer, ROOM);
    return c.run([] {});
}

/* Computes row by row: sums into a dense row and keeps a list of its columns. */
static void multiply(const cusparseSpMatDescr &A, const cusparseSpMatDescr &B, complex alpha, cusparseSpGEMMDescr *to)
{
    typedef std::pair<int64_t, int64_t> element;    /* column and position */
    std::vector<std::vector<element>> left((size_t)A.rows), right((size_t)B.rows);
    walk(A, 0, [&](int64_t i, int64_t j, int64_t k) { left[(size_t)i].push_back({j, k}); });
    walk(B, 0, [&](int64_t i, int64_t j, int64_t k) { right[(size_t)i].push_back({j, k}); });
    std::vector<complex> row((size_t)B.columns);
    std::vector<bool> there((size_t)B.columns);
    *to = {};
    to->offsets.push_back(0);
    for (const auto &line : left) {
        std::vector<int64_t> columns;
        for (const element &a : line)
            for (const element &b : right[(size_t)a.first]) {
                if (!there[(size_t)b.first]) {
                    there[(size_t)b.first] = true;
                    columns.push_back(b.first);
                    row[(size_t)b.first] = 0;
                }
                row[(size_t)b.first] += product(value(A.values, A.type, a.second), value(B.values, B.type, b.second));
            }
        std::sort(columns.begin(), columns.end());
        for (int64_t j : columns) {
            to->indices.push_back(j);
            to->values.push_back(product(alpha, row[(size_t)j]));
            there[(size_t)j] = false;
        }
        to->offsets.push_back((int64_t)to->indices.size());
    }
}

cusparseStatus_t cusparseSpGEMM_compute(CUSPARSE_SPGEMM, size_t *bytes, void *buffer)
{
    if (!buffer)
        return room_for(handle, bytes);
    sparse_call c(handle, "cusparseSpGEMM_compute");
    c.wrong_if(!A || !B || !C || !product || A->columns != B->rows || C->rows != A->rows || C->columns != B->columns);
    c.wrong_if(op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || op_b != CUSPARSE_OPERATION_NON_TRANSPOSE,
               CUSPARSE_STATUS_NOT_SUPPORTED);
    const complex a = c.scalar("alpha", alpha, compute), b = c.scalar("beta", beta, compute);
    c.wrong_if(b != 0.0, CUSPARSE_STATUS_NOT_SUPPORTED);
    c.operand("the values of A", A, READS);
    c.operand("the values of B", B, READS);
    c.room(buffer, ROOM);
    if (!c.fine())
        return c.status();
    c.depends_on_now();    /* the number of nonzeros is known when this returns */
    return c.run([&] {
        if (!c.sound("A", *A) || !c.sound("B", *B))
            return;
        multiply(*A, *B, a, product);
        C->nnz = (int64_t)product->indices.size();
    });
}

cusparseStatus_t cusparseSpGEMM_copy(CUSPARSE_SPGEMM)
{
    sparse_call c(handle, "cusparseSpGEMM_copy");
    c.wrong_if(!C || !product || C->format != CUSPARSE_FORMAT_CSR ||
               product->offsets.size() != (size_t)C->offsets_length());
    if (!c.fine())
        return c.status();
    c.vector("the offsets of C", C->offsets, (size_t)C->offsets_length(), 1, index_bytes(C->offset), WRITES);
    c.vector("the indices of C", C->indices, (size_t)C->nnz, 1, index_bytes(C->index), WRITES);
    c.vector("the values of C", C->values, (size_t)C->nnz, 1, value_bytes(C->type), WRITES);
    const cusparseSpMatDescr to = *C;
    const cusparseSpGEMMDescr from = *product;
    return c.run([=] {
        for (size_t i = 0; i < from.offsets.size(); ++i)
            set_index(to.offsets, to.offset, (int64_t)i, from.offsets[i] + to.base);
        for (size_t k = 0; k < from.indices.size(); ++k) {
            set_index(to.indices, to.index, (int64_t)k, from.indices[k] + to.base);
            set_value(to.values, to.type, (int64_t)k, from.values[k]);
        }
    });
}
