/*
 * sparse.cu - cuSPARSE: each call compared with plain loops over the dense matrix.  sparse N: mistakes.
 */
#include <complex>
#include <cusparse.h>
#include "on_gpu.h"

typedef std::complex<double> number;
typedef std::vector<number> numbers;
enum { M = 13, N = 9, K = 5 };
static cusparseHandle_t h;

static void near(const char *what, number a, number b)
{
    if (std::abs(a - b) > 1e-4 * (1 + std::abs(b)) && ++bad < 20) printf("%s: %g %g\n", what, a.real(), b.real());
}

template <class T> struct type_of;
template <> struct type_of<float> { static const cudaDataType type = CUDA_R_32F; };
template <> struct type_of<double> { static const cudaDataType type = CUDA_R_64F; };
template <> struct type_of<std::complex<float>> { static const cudaDataType type = CUDA_C_32F; };
template <> struct type_of<number> { static const cudaDataType type = CUDA_C_64F; };
template <class T> T as(number v) { return (T)v; }
template <> float as(number v) { return (float)v.real(); }
template <> double as(number v) { return v.real(); }
template <class T> std::vector<T> all_as(const numbers &v)
{
    std::vector<T> a;
    for (number x : v) a.push_back(as<T>(x));
    return a;
}

static number random_number(bool complex) { return {rand() % 19 - 9.0, complex ? rand() % 9 - 4.0 : 0}; }
/* A row-major matrix; one of `full` elements is not zero. */
static numbers random_matrix(int m, int n, bool complex, int full = 4)
{
    numbers a((size_t)(m * n));
    for (number &x : a) if (rand() % 4 < full) x = random_number(complex);
    return a;
}
static number op_of(const numbers &a, int m, int n, cusparseOperation_t op, int i, int j)
{
    (void)m;
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? a[(size_t)(i * n + j)]
           : op == CUSPARSE_OPERATION_TRANSPOSE ? a[(size_t)(j * n + i)] : std::conj(a[(size_t)(j * n + i)]);
}

template <class T, class I> struct sparse {
    std::vector<I> offsets, indices, rows;
    std::vector<T> values;
    sparse(const numbers &a, int m, int n, int base, bool by_columns = false)
    {
        offsets.push_back((I)base);
        for (int p = 0; p < (by_columns ? n : m); ++p) {
            for (int q = 0; q < (by_columns ? m : n); ++q) {
                const number v = a[(size_t)(by_columns ? q * n + p : p * n + q)];
                if (v == 0.0) continue;
                rows.push_back((I)(p + base));
                indices.push_back((I)(q + base));
                values.push_back(as<T>(v));
            }
            offsets.push_back((I)(values.size() + (size_t)base));
        }
    }
};

static const cusparseOperation_t ops[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                          CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

template <class T, class I> static void products(cusparseIndexType_t index, int base)
{
    const cudaDataType type = type_of<T>::type;
    const bool complex = type == CUDA_C_32F || type == CUDA_C_64F;
    const cusparseIndexBase_t b = (cusparseIndexBase_t)base;
    const numbers a = random_matrix(M, N, complex, 1);
    const sparse<T, I> by_rows(a, M, N, base), by_columns(a, M, N, base, true);
    gpu<I> offsets(by_rows.offsets), indices(by_rows.indices), rows(by_rows.rows);
    gpu<I> column_offsets(by_columns.offsets), column_indices(by_columns.indices);
    gpu<T> values(by_rows.values), column_values(by_columns.values);
    const int64_t nnz = (int64_t)by_rows.values.size();
    cusparseSpMatDescr_t A[3];
    IS(cusparseCreateCsr(&A[0], M, N, nnz, offsets.p, indices.p, values.p, index, index, b, type));
    IS(cusparseCreateCsc(&A[1], M, N, nnz, column_offsets.p, column_indices.p, column_values.p, index, index, b, type));
    IS(cusparseCreateCoo(&A[2], M, N, nnz, rows.p, indices.p, values.p, index, b, type));
    const T alpha = as<T>(3), beta = as<T>(2), zero = as<T>(0);
    for (int f = 0; f < 3; ++f)
        for (cusparseOperation_t op : ops) {
            const int from = op ? M : N, to = op ? N : M;
            const numbers x = random_matrix(from, 1, complex), y = random_matrix(to, 1, complex);
            gpu<T> dx(all_as<T>(x)), dy(all_as<T>(y));
            cusparseDnVecDescr_t X, Y;
            IS(cusparseCreateDnVec(&X, from, dx.p, type));
            IS(cusparseCreateDnVec(&Y, to, dy.p, type));
            size_t bytes;
            IS(cusparseSpMV_bufferSize(h, op, &alpha, A[f], X, &beta, Y, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
            gpu<char> buffer(bytes);
            IS(cusparseSpMV(h, op, &alpha, A[f], X, &beta, Y, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer.p));
            const std::vector<T> got = dy.back();
            for (int i = 0; i < to; ++i) {
                number sum = 0;
                for (int j = 0; j < from; ++j) sum += op_of(a, M, N, op, i, j) * x[(size_t)j];
                near("SpMV", got[(size_t)i], 3.0 * sum + 2.0 * y[(size_t)i]);
            }
            cusparseDestroyDnVec(X);
            cusparseDestroyDnVec(Y);
            /* the same with K columns; the orders of B and C, and op(B), depend on the format */
            const cusparseOperation_t op_b = ops[f];
            const int b_rows = op_b ? K : from, b_columns = op_b ? from : K;
            const cusparseOrder_t order = f == 1 ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
            const numbers B = random_matrix(b_rows, b_columns, complex);
            numbers laid((size_t)(b_rows * b_columns));
            for (int i = 0; i < b_rows; ++i)
                for (int j = 0; j < b_columns; ++j)
                    laid[(size_t)(order == CUSPARSE_ORDER_ROW ? i * b_columns + j : i + j * b_rows)] =
                        B[(size_t)(i * b_columns + j)];
            gpu<T> dB(all_as<T>(laid)), dC((size_t)(to * K));
            cusparseDnMatDescr_t DB, DC;
            IS(cusparseCreateDnMat(&DB, b_rows, b_columns, order == CUSPARSE_ORDER_ROW ? b_columns : b_rows, dB.p, type,
                                   order));
            IS(cusparseCreateDnMat(&DC, to, K, to, dC.p, type, CUSPARSE_ORDER_COL));
            IS(cusparseSpMM_bufferSize(h, op, op_b, &alpha, A[f], DB, &zero, DC, type, CUSPARSE_SPMM_ALG_DEFAULT,
                                       &bytes));
            IS(cusparseSpMM(h, op, op_b, &alpha, A[f], DB, &zero, DC, type, CUSPARSE_SPMM_ALG_DEFAULT, buffer.p));
            const std::vector<T> C = dC.back();
            for (int i = 0; i < to; ++i)
                for (int k = 0; k < K; ++k) {
                    number sum = 0;
                    for (int j = 0; j < from; ++j)
                        sum += op_of(a, M, N, op, i, j) * op_of(B, b_rows, b_columns, op_b, j, k);
                    near("SpMM", C[(size_t)(i + k * to)], 3.0 * sum);
                }
            cusparseDestroyDnMat(DB);
            cusparseDestroyDnMat(DC);
        }
    /* to a dense matrix and back, in each format */
    gpu<T> dense((size_t)(M * N));
    cusparseDnMatDescr_t D;
    IS(cusparseCreateDnMat(&D, M, N, N, dense.p, type, CUSPARSE_ORDER_ROW));
    for (int f = 0; f < 3; ++f) {
        size_t bytes;
        IS(cusparseSparseToDense_bufferSize(h, A[f], D, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
        gpu<char> buffer(bytes);
        IS(cusparseSparseToDense(h, A[f], D, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer.p));
        const std::vector<T> got = dense.back();
        for (int i = 0; i < M * N; ++i) near("SparseToDense", got[(size_t)i], a[(size_t)i]);
        gpu<I> lines((size_t)(f == 2 ? nnz : (f == 0 ? M : N) + 1)), places((size_t)nnz);
        gpu<T> filled((size_t)nnz);
        cusparseSpMatDescr_t S;
        if (f == 0) IS(cusparseCreateCsr(&S, M, N, 0, lines.p, nullptr, nullptr, index, index, b, type));
        if (f == 1) IS(cusparseCreateCsc(&S, M, N, 0, lines.p, nullptr, nullptr, index, index, b, type));
        if (f == 2) IS(cusparseCreateCoo(&S, M, N, 0, nullptr, nullptr, nullptr, index, b, type));
        IS(cusparseDenseToSparse_bufferSize(h, D, S, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
        IS(cusparseDenseToSparse_analysis(h, D, S, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer.p));
        int64_t m, n, found;
        IS(cusparseSpMatGetSize(S, &m, &n, &found));
        bad += found != nnz;
        if (f == 0) IS(cusparseCsrSetPointers(S, lines.p, places.p, filled.p));
        if (f == 1) IS(cusparseCscSetPointers(S, lines.p, places.p, filled.p));
        if (f == 2) IS(cusparseCooSetPointers(S, lines.p, places.p, filled.p));
        IS(cusparseDenseToSparse_convert(h, D, S, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer.p));
        bad += lines.back() != (f == 0 ? by_rows.offsets : f == 1 ? by_columns.offsets : by_rows.rows);
        bad += places.back() != (f == 1 ? by_columns.indices : by_rows.indices);
        bad += filled.back() != (f == 1 ? by_columns.values : by_rows.values);
        cusparseDestroySpMat(S);
    }
    /* the product of two dense matrices, at the elements of A */
    const numbers left = random_matrix(M, K, complex), right = random_matrix(K, N, complex);
    gpu<T> dl(all_as<T>(left)), dr(all_as<T>(right));
    cusparseDnMatDescr_t L, R;
    size_t bytes;
    IS(cusparseCreateDnMat(&L, M, K, K, dl.p, type, CUSPARSE_ORDER_ROW));
    IS(cusparseCreateDnMat(&R, K, N, N, dr.p, type, CUSPARSE_ORDER_ROW));
    IS(cusparseSDDMM_bufferSize(h, ops[0], ops[0], &alpha, L, R, &beta, A[0], type, CUSPARSE_SDDMM_ALG_DEFAULT,
                               &bytes));
    gpu<char> buffer(bytes);
    IS(cusparseSDDMM(h, ops[0], ops[0], &alpha, L, R, &beta, A[0], type, CUSPARSE_SDDMM_ALG_DEFAULT, buffer.p));
    const std::vector<T> got = values.back();
    for (size_t k = 0; k < got.size(); ++k) {
        number sum = 0;
        const int i = (int)by_rows.rows[k] - base, j = (int)by_rows.indices[k] - base;
        for (int q = 0; q < K; ++q) sum += left[(size_t)(i * K + q)] * right[(size_t)(q * N + j)];
        near("SDDMM", got[k], 3.0 * sum + 2.0 * (number)by_rows.values[k]);
    }
    for (cusparseSpMatDescr_t each : A) cusparseDestroySpMat(each);
    cusparseDestroyDnMat(D);
    cusparseDestroyDnMat(L);
    cusparseDestroyDnMat(R);
}

template <class T> static void vectors()
{
    const cudaDataType type = type_of<T>::type;
    const std::vector<int> places{1, 4, 7};
    gpu<int> at(places);
    gpu<T> x(all_as<T>({2, -3, 5})), y(all_as<T>({1, 2, 3, 4, 5, 6, 7, 8, 9}));
    cusparseSpVecDescr_t X;
    cusparseDnVecDescr_t Y;
    IS(cusparseCreateSpVec(&X, N, 3, at.p, x.p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    IS(cusparseCreateDnVec(&Y, N, y.p, type));
    T result, alpha = as<T>(2), beta = as<T>(3);
    size_t bytes;
    IS(cusparseSpVV_bufferSize(h, ops[0], X, Y, &result, type, &bytes));
    gpu<char> buffer(bytes);
    IS(cusparseSpVV(h, ops[0], X, Y, &result, type, buffer.p));
    near("SpVV", result, 2 * 2 - 3 * 5 + 5 * 8);
    IS(cusparseAxpby(h, &alpha, X, &beta, Y));
    near("Axpby", y.back()[4], -6 + 15);
    near("Axpby", y.back()[5], 18);
    IS(cusparseGather(h, Y, X));
    near("Gather", x.back()[2], 10 + 24);
    IS(cusparseAxpby(h, &alpha, X, &beta, Y));
    IS(cusparseScatter(h, X, Y));
    near("Scatter", y.back()[1], 4 + 6);
    near("Scatter", y.back()[0], 9);
    const T c = as<T>(0.6), s = as<T>(0.8);
    const number x1 = x.back()[1], y4 = y.back()[4];
    IS(cusparseRot(h, &c, &s, X, Y));
    near("Rot", x.back()[1], 0.6 * x1 + 0.8 * y4);
    near("Rot", y.back()[4], 0.6 * y4 - 0.8 * x1);
    cusparseDestroySpVec(X);
    cusparseDestroyDnVec(Y);
}

/* Sorts unordered elements by rows and by columns. */
static void sorts()
{
    const std::vector<int> r{2, 0, 1, 0, 2}, c{1, 3, 0, 1, 0};
    for (int by_columns = 0; by_columns < 2; ++by_columns) {
        gpu<int> rows(r), columns(c), p(5);
        size_t bytes;
        IS(cusparseCreateIdentityPermutation(h, 5, p.p));
        IS(cusparseXcoosort_bufferSizeExt(h, 3, 4, 5, rows.p, columns.p, &bytes));
        gpu<char> buffer(bytes);
        const auto sort = by_columns ? cusparseXcoosortByColumn : cusparseXcoosortByRow;
        IS(sort(h, 3, 4, 5, rows.p, columns.p, p.p, buffer.p));
        bad += p.back() != (by_columns ? std::vector<int>{2, 4, 3, 0, 1} : std::vector<int>{3, 1, 2, 4, 0});
        for (int k = 0; k < 5; ++k)
            bad += rows.back()[(size_t)k] != r[(size_t)p.back()[(size_t)k]] ||
                   columns.back()[(size_t)k] != c[(size_t)p.back()[(size_t)k]];
    }
}

/* Sorts the unordered elements within each row or column. */
static void sorts_lines()
{
    const std::vector<int> o{1, 4, 4, 6}, i{3, 1, 2, 3, 1};
    for (int columns = 0; columns < 2; ++columns) {
        gpu<int> offsets(o), indices(i), p(5);
        cusparseMatDescr_t A;
        size_t bytes;
        IS(cusparseCreateMatDescr(&A));
        IS(cusparseSetMatIndexBase(A, CUSPARSE_INDEX_BASE_ONE));
        IS(cusparseCreateIdentityPermutation(h, 5, p.p));
        IS((columns ? cusparseXcscsort_bufferSizeExt : cusparseXcsrsort_bufferSizeExt)(h, 3, 3, 5, offsets.p, indices.p,
                                                                                      &bytes));
        gpu<char> buffer(bytes);
        IS((columns ? cusparseXcscsort : cusparseXcsrsort)(h, 3, 3, 5, A, offsets.p, indices.p, p.p, buffer.p));
        bad += indices.back() != std::vector<int>{1, 2, 3, 1, 3} || p.back() != std::vector<int>{1, 2, 0, 4, 3};
        IS(cusparseDestroyMatDescr(A));
    }
}

/* Solves A x = b by the triangles of A, and computes A A. */
template <class T> static void triangles_and_squares()
{
    const cudaDataType type = type_of<T>::type;
    const bool complex = type == CUDA_C_32F || type == CUDA_C_64F;
    numbers a = random_matrix(N, N, complex, 2);
    for (int i = 0; i < N; ++i) a[(size_t)(i * N + i)] = 60.0 + i;
    const sparse<T, int> s(a, N, N, 0);
    gpu<int> offsets(s.offsets), indices(s.indices);
    gpu<T> values(s.values);
    cusparseSpMatDescr_t A, C;
    IS(cusparseCreateCsr(&A, N, N, (int64_t)s.values.size(), offsets.p, indices.p, values.p, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    const T alpha = as<T>(2), zero = as<T>(0);
    for (int fill = 0; fill < 2; ++fill)
        for (int unit = 0; unit < 2; ++unit)
            for (cusparseOperation_t op : ops) {
                IS(cusparseSpMatSetAttribute(A, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
                IS(cusparseSpMatSetAttribute(A, CUSPARSE_SPMAT_DIAG_TYPE, &unit, sizeof unit));
                numbers triangle = a;
                for (int i = 0; i < N; ++i)
                    for (int j = 0; j < N; ++j)
                        if (i == j ? unit : fill == CUSPARSE_FILL_MODE_LOWER ? j > i : j < i)
                            triangle[(size_t)(i * N + j)] = i == j;
                const numbers x = random_matrix(N, 1, complex);
                gpu<T> dx(all_as<T>(x)), dy((size_t)N), dC((size_t)N);
                cusparseDnVecDescr_t X, Y;
                IS(cusparseCreateDnVec(&X, N, dx.p, type));
                IS(cusparseCreateDnVec(&Y, N, dy.p, type));
                cusparseSpSVDescr_t solution;
                size_t bytes;
                IS(cusparseSpSV_createDescr(&solution));
                IS(cusparseSpSV_bufferSize(h, op, &alpha, A, X, Y, type, CUSPARSE_SPSV_ALG_DEFAULT, solution, &bytes));
                gpu<char> buffer(bytes);
                IS(cusparseSpSV_analysis(h, op, &alpha, A, X, Y, type, CUSPARSE_SPSV_ALG_DEFAULT, solution, buffer.p));
                IS(cusparseSpSV_solve(h, op, &alpha, A, X, Y, type, CUSPARSE_SPSV_ALG_DEFAULT, solution));
                IS(cusparseSpSV_destroyDescr(solution));
                cusparseDnMatDescr_t B, D;
                cusparseSpSMDescr_t columns;
                IS(cusparseCreateDnMat(&B, N, 1, N, dx.p, type, CUSPARSE_ORDER_COL));
                IS(cusparseCreateDnMat(&D, N, 1, N, dC.p, type, CUSPARSE_ORDER_COL));
                IS(cusparseSpSM_createDescr(&columns));
                IS(cusparseSpSM_bufferSize(h, op, ops[0], &alpha, A, B, D, type, CUSPARSE_SPSM_ALG_DEFAULT, columns,
                                           &bytes));
                IS(cusparseSpSM_analysis(h, op, ops[0], &alpha, A, B, D, type, CUSPARSE_SPSM_ALG_DEFAULT, columns,
                                         buffer.p));
                IS(cusparseSpSM_solve(h, op, ops[0], &alpha, A, B, D, type, CUSPARSE_SPSM_ALG_DEFAULT, columns));
                IS(cusparseSpSM_destroyDescr(columns));
                const std::vector<T> y = dy.back();
                bad += y != dC.back();
                for (int i = 0; i < N && !unit; ++i) {
                    number sum = 0;
                    for (int j = 0; j < N; ++j) sum += op_of(triangle, N, N, op, i, j) * (number)y[(size_t)j];
                    near("SpSV", sum, 2.0 * x[(size_t)i]);
                }
                if (unit) /* the sums are large, so this checks backwards from what has been solved */
                    for (int i = 0; i < N; ++i) {
                        number sum = 2.0 * x[(size_t)i];
                        double size = std::abs(sum);
                        for (int j = 0; j < N; ++j)
                            if (i != j) {
                                const number part = op_of(triangle, N, N, op, i, j) * (number)y[(size_t)j];
                                sum -= part;
                                size += std::abs(part);
                            }
                        if (std::abs(sum - (number)y[(size_t)i]) > 1e-5 * size && ++bad) printf("SpSV with ones\n");
                    }
                cusparseDestroyDnVec(X);
                cusparseDestroyDnVec(Y);
                cusparseDestroyDnMat(B);
                cusparseDestroyDnMat(D);
            }
    gpu<int> c_offsets((size_t)N + 1);
    cusparseSpGEMMDescr_t square;
    size_t one, two;
    IS(cusparseCreateCsr(&C, N, N, 0, c_offsets.p, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, type));
    IS(cusparseSpGEMM_createDescr(&square));
#define SQUARE h, ops[0], ops[0], &alpha, A, A, &zero, C, type, CUSPARSE_SPGEMM_DEFAULT, square
    IS(cusparseSpGEMM_workEstimation(SQUARE, &one, nullptr));
    gpu<char> first(one);
    IS(cusparseSpGEMM_workEstimation(SQUARE, &one, first.p));
    IS(cusparseSpGEMM_compute(SQUARE, &two, nullptr));
    gpu<char> second(two);
    IS(cusparseSpGEMM_compute(SQUARE, &two, second.p));
    int64_t m, n, nnz;
    IS(cusparseSpMatGetSize(C, &m, &n, &nnz));
    gpu<int> c_indices((size_t)nnz);
    gpu<T> c_values((size_t)nnz);
    IS(cusparseCsrSetPointers(C, c_offsets.p, c_indices.p, c_values.p));
    IS(cusparseSpGEMM_copy(SQUARE));
    IS(cusparseSpGEMM_destroyDescr(square));
    const std::vector<int> o = c_offsets.back(), c = c_indices.back();
    const std::vector<T> v = c_values.back();
    numbers got((size_t)(N * N));
    for (int i = 0; i < N; ++i)
        for (int k = o[(size_t)i]; k < o[(size_t)i + 1]; ++k) got[(size_t)(i * N + c[(size_t)k])] = v[(size_t)k];
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            number sum = 0;
            for (int k = 0; k < N; ++k) sum += a[(size_t)(i * N + k)] * a[(size_t)(k * N + j)];
            near("SpGEMM", got[(size_t)(i * N + j)], 2.0 * sum);
        }
    /* row indices, and the transpose */
    const int count = (int)s.values.size();
    gpu<int> rows((size_t)count), again((size_t)N + 1), t_offsets((size_t)N + 1), t_indices((size_t)count);
    gpu<T> t_values((size_t)count);
    IS(cusparseXcsr2coo(h, offsets.p, count, N, rows.p, CUSPARSE_INDEX_BASE_ZERO));
    bad += rows.back() != s.rows;
    IS(cusparseXcoo2csr(h, rows.p, count, N, again.p, CUSPARSE_INDEX_BASE_ZERO));
    bad += again.back() != s.offsets;
    size_t bytes;
#define TRANSPOSE                                                                                                      \
    h, N, N, count, values.p, offsets.p, indices.p, t_values.p, t_offsets.p, t_indices.p, type,                        \
        CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1
    IS(cusparseCsr2cscEx2_bufferSize(TRANSPOSE, &bytes));
    gpu<char> buffer(bytes);
    IS(cusparseCsr2cscEx2(TRANSPOSE, buffer.p));
    const sparse<T, int> t(a, N, N, 0, true);
    bad += t_offsets.back() != t.offsets || t_indices.back() != t.indices || t_values.back() != t.values;
    cusparseDestroySpMat(A);
    cusparseDestroySpMat(C);
}

/* Checks that L U, or L L', equals A at the elements of A. */
static void incomplete(bool cholesky)
{
    numbers a = random_matrix(N, N, false, 1);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < i; ++j)
            if (cholesky || a[(size_t)(i * N + j)] == 0.0) a[(size_t)(i * N + j)] = a[(size_t)(j * N + i)];
    for (int i = 0; i < N; ++i) a[(size_t)(i * N + i)] = 90;
    const sparse<double, int> s(a, N, N, 1);
    const int nnz = (int)s.values.size();
    gpu<int> offsets(s.offsets), indices(s.indices);
    gpu<double> values(s.values);
    cusparseMatDescr_t A;
    IS(cusparseCreateMatDescr(&A));
    IS(cusparseSetMatIndexBase(A, CUSPARSE_INDEX_BASE_ONE));
    csrilu02Info_t lu;
    csric02Info_t ic;
    int bytes, zero = 5;
    IS(cusparseCreateCsrilu02Info(&lu));
    IS(cusparseCreateCsric02Info(&ic));
#define MATRIX h, N, nnz, A, values.p, offsets.p, indices.p
    if (cholesky) IS(cusparseDcsric02_bufferSize(MATRIX, ic, &bytes));
    else IS(cusparseDcsrilu02_bufferSize(MATRIX, lu, &bytes));
    gpu<char> buffer((size_t)bytes);
    if (cholesky) {
        IS(cusparseDcsric02_analysis(MATRIX, ic, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.p));
        IS(cusparseDcsric02(MATRIX, ic, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.p));
        IS(cusparseXcsric02_zeroPivot(h, ic, &zero));
    } else {
        IS(cusparseDcsrilu02_analysis(MATRIX, lu, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.p));
        IS(cusparseDcsrilu02(MATRIX, lu, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.p));
        IS(cusparseXcsrilu02_zeroPivot(h, lu, &zero));
    }
    bad += zero != -1;
    const std::vector<double> v = values.back();
    numbers l((size_t)(N * N)), u((size_t)(N * N));
    for (int k = 0; k < nnz; ++k) {
        const int i = s.rows[(size_t)k] - 1, j = s.indices[(size_t)k] - 1;
        if (cholesky && i >= j) l[(size_t)(i * N + j)] = u[(size_t)(j * N + i)] = v[(size_t)k];
        if (!cholesky) (i > j ? l : u)[(size_t)(i * N + j)] = v[(size_t)k];
    }
    for (int i = 0; i < N && !cholesky; ++i) l[(size_t)(i * N + i)] = 1;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            number sum = 0;
            for (int k = 0; k < N; ++k) sum += l[(size_t)(i * N + k)] * u[(size_t)(k * N + j)];
            if (a[(size_t)(i * N + j)] != 0.0 && (!cholesky || i >= j))
                near(cholesky ? "csric02" : "csrilu02", sum, a[(size_t)(i * N + j)]);
        }
    if (!cholesky) { /* a zero pivot */
        std::vector<double> none(s.values.size());
        cudaMemcpy(values.p, none.data(), none.size() * sizeof(double), cudaMemcpyHostToDevice);
        IS(cusparseDcsrilu02(MATRIX, lu, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.p));
        bad += cusparseXcsrilu02_zeroPivot(h, lu, &zero) != CUSPARSE_STATUS_ZERO_PIVOT || zero != 0;
    }
    IS(cusparseDestroyCsrilu02Info(lu));
    IS(cusparseDestroyCsric02Info(ic));
    IS(cusparseDestroyMatDescr(A));
}

/* 1: too few values.  2: a column that A does not have.  3: no buffer.  4: x, which was never written.
 * 5: scalars on the GPU, which is right.  6: a row that ends behind the last element, to be sorted. */
static void wrong(int which)
{
    const std::vector<int> offsets{0, 2, 3}, indices{0, which == 2 ? 3 : 2, 1};
    gpu<int> o(offsets), i(indices);
    gpu<float> v(std::vector<float>((size_t)(which == 1 ? 2 : 3), 1)), x(std::vector<float>(3, 1)), y(2), none(3);
    gpu<float> scalars(std::vector<float>{2, 0});
    if (which == 6) {
        cusparseMatDescr_t D;
        cusparseCreateMatDescr(&D);
        gpu<int> p(3);
        gpu<char> room(1 << 16);
        cusparseCreateIdentityPermutation(h, 3, p.p);
        cusparseXcsrsort(h, 2, 3, 2, D, o.p, i.p, p.p, room.p);
        return;
    }
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t X, Y;
    cusparseCreateCsr(&A, 2, 3, 3, o.p, i.p, v.p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                      CUDA_R_32F);
    cusparseCreateDnVec(&X, 3, which == 4 ? none.p : x.p, CUDA_R_32F);
    cusparseCreateDnVec(&Y, 2, y.p, CUDA_R_32F);
    float alpha = 2, beta = 0;
    if (which == 5) cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE);
    const float *const a = which == 5 ? scalars.p : &alpha, *const b = which == 5 ? scalars.p + 1 : &beta;
    size_t bytes;
    cusparseSpMV_bufferSize(h, ops[0], a, A, X, b, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    gpu<char> buffer(bytes);
    const cusparseStatus_t status = cusparseSpMV(h, ops[0], a, A, X, b, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                                                 which == 3 ? nullptr : buffer.p);
    printf("%s %g\n", cusparseGetErrorName(status), y.back()[0]);
}

int main(int argc, char **argv)
{
    IS(cusparseCreate(&h));
    if (argc > 1) {
        wrong(atoi(argv[1]));
        return 0;
    }
    for (int base = 0; base < 2; ++base) {
        products<float, int>(CUSPARSE_INDEX_32I, base);
        products<double, int64_t>(CUSPARSE_INDEX_64I, base);
        products<std::complex<float>, int>(CUSPARSE_INDEX_32I, base);
        products<number, int64_t>(CUSPARSE_INDEX_64I, base);
    }
    vectors<float>();
    vectors<number>();
    sorts();
    sorts_lines();
    triangles_and_squares<double>();
    triangles_and_squares<number>();
    triangles_and_squares<float>();
    incomplete(false);
    incomplete(true);
    IS(cusparseDestroy(h));
    printf("bad %d, %s\n", bad, cudaGetErrorString(cudaGetLastError()));
}
