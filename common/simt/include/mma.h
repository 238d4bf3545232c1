/*
 * mma.h - nvcuda::wmma as plain arithmetic, for programs of simtcc: fragments in memory's order, products in the
 * accumulator's type.
 *
 * On a card nobody says which lane holds which element; here lane 0 holds the first ones, row by row.  The lanes put
 * their parts into a table on the stack of one of them; of that only loads and stores are counted as memory traffic.
 */
#ifndef SIMT_MMA_H
#define SIMT_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

/* How many rows and columns a fragment has. */
template <class Use, int M, int N, int K> struct shape { enum { rows = M, columns = N }; };
template <int M, int N, int K> struct shape<matrix_a, M, N, K> { enum { rows = M, columns = K }; };
template <int M, int N, int K> struct shape<matrix_b, M, N, K> { enum { rows = K, columns = N }; };
template <class T> struct element { typedef T type; };
template <> struct element<precision::tf32> { typedef float type; };

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
public:
    typedef typename element<T>::type element_type;
    typedef element_type storage_element_type;
    enum { rows = shape<Use, M, N, K>::rows, columns = shape<Use, M, N, K>::columns };
    enum { num_elements = rows * columns / 32, num_storage_elements = num_elements };
    element_type x[num_elements];
};

/* Kept out of the counts, and out of sight of the checks: the table lies on another lane's stack. */
#define SIMT_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage, noinline))

/* What all lanes hold of a fragment, row by row, as the type that it is summed in. */
template <class F, class Sum> struct of_warp {
    Sum value[F::rows * F::columns];
};

SIMT_INLINE int simt_lane()
{
    const uint3 i = simt_thread_idx(), n = simt_block_dim();
    return (int)(((i.z * n.y + i.y) * n.x + i.x) % 32);
}

template <class F, class Sum> SIMT_UNSEEN void publish(of_warp<F, Sum> *table, int lane, const F *mine)
{
    for (int i = 0; i < F::num_elements; ++i) table->value[lane * F::num_elements + i] = (Sum)mine->x[i];
}

/* Lane 0's table, into which all lanes have put their parts; it stays until the next __syncwarp. */
template <class F, class Sum> SIMT_INLINE of_warp<F, Sum> *gather(of_warp<F, Sum> *own, const F &mine)
{
    auto *table = (of_warp<F, Sum> *)__shfl_sync(0xffffffffu, (unsigned long long)own, 0);
    publish(table, simt_lane(), &mine);
    __syncwarp();
    return table;
}

template <class Use, int M, int N, int K, class T, class L>
SIMT_INLINE void fill_fragment(fragment<Use, M, N, K, T, L> &f, const typename element<T>::type &v)
{
    for (auto &e : f.x) e = v;
}

/* Where element i of this lane's lies. */
template <class F> SIMT_INLINE size_t place(int i, unsigned pitch, bool by_rows)
{
    const int e = simt_lane() * F::num_elements + i, row = e / F::columns, column = e % F::columns;
    return by_rows ? (size_t)row * pitch + column : (size_t)column * pitch + row;
}

template <class Use, int M, int N, int K, class T, class L, class V>
SIMT_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, L> &f, const V *p, unsigned pitch)
{
    typedef fragment<Use, M, N, K, T, L> F;
    for (int i = 0; i < F::num_elements; ++i) f.x[i] = p[place<F>(i, pitch, std::is_same<L, row_major>::value)];
    __syncwarp();
}
template <int M, int N, int K, class T, class V>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const V *p, unsigned pitch, layout_t layout)
{
    typedef fragment<accumulator, M, N, K, T> F;
    for (int i = 0; i < F::num_elements; ++i) f.x[i] = p[place<F>(i, pitch, layout == mem_row_major)];
    __syncwarp();
}
template <int M, int N, int K, class T, class V>
SIMT_INLINE void store_matrix_sync(V *p, const fragment<accumulator, M, N, K, T> &f, unsigned pitch, layout_t layout)
{
    typedef fragment<accumulator, M, N, K, T> F;
    for (int i = 0; i < F::num_elements; ++i) p[place<F>(i, pitch, layout == mem_row_major)] = f.x[i];
    __syncwarp();
}

/* A float's sum for half and bfloat16, an int's for whole numbers; rounded to C's type once. */
template <class T> struct sum_of { typedef float type; };
template <> struct sum_of<int> { typedef int type; };
template <> struct sum_of<double> { typedef double type; };

template <class D, class A, class B, class C, class Sum>
SIMT_UNSEEN __attribute__((optimize("O3"))) void multiply(D *to, const of_warp<A, Sum> *a, const of_warp<B, Sum> *b,
                                                          const C *c, int lane)
{
    Sum sum[D::num_elements];
    const int first = lane * D::num_elements;
    for (int i = 0; i < D::num_elements; ++i) sum[i] = (Sum)c->x[i];
    for (int k = 0; k < A::columns; ++k)
        for (int i = 0; i < D::num_elements; ++i)
            sum[i] += a->value[(first + i) / D::columns * A::columns + k] *
                      b->value[k * B::columns + (first + i) % D::columns];
    for (int i = 0; i < D::num_elements; ++i) to->x[i] = (typename D::element_type)sum[i];
}

template <int M, int N, int K, class TD, class TA, class LA, class TB, class LB, class TC>
SIMT_INLINE void mma_sync(fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, TA, LA> &a,
                          const fragment<matrix_b, M, N, K, TB, LB> &b, const fragment<accumulator, M, N, K, TC> &c,
                          bool = false)
{
    typedef typename sum_of<TD>::type sum_t;
    of_warp<fragment<matrix_a, M, N, K, TA, LA>, sum_t> all_a;
    of_warp<fragment<matrix_b, M, N, K, TB, LB>, sum_t> all_b;
    const auto *table_a = gather(&all_a, a);
    const auto *table_b = gather(&all_b, b);
    multiply(&d, table_a, table_b, &c, simt_lane());
    __syncwarp();
}

/* tf32 has 10 bits behind the point. */
SIMT_INLINE float __float_to_tf32(float f)
{ return __uint_as_float((__float_as_uint(f) + 0xfffu + (__float_as_uint(f) >> 13 & 1)) & ~0x1fffu); }

} // namespace wmma
} // namespace nvcuda

#endif
