/*
 * mma.h - nvcuda::wmma as plain arithmetic, for programs of simtcc: fragments in memory's order, products in the
 * accumulator's type.
 *
 * A GPU does not specify which lane holds which element; here lane 0 holds the first ones, row by row.  A product is
 * taken once, by the lane that comes last (SIMT_TOGETHER); of it only loads and stores are counted as memory traffic.
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

template <class Use, int M, int N, int K, class T, class L>
SIMT_INLINE void fill_fragment(fragment<Use, M, N, K, T, L> &f, const typename element<T>::type &v)
{
    for (auto &e : f.x) e = v;
}

/* All lanes come together, which orders no memory: what is stored is for others to read behind a __syncwarp(). */
SIMT_INLINE void meet() { simt_warp_op(SIMT_TOGETHER, 0xffffffffu, 0, 0, 32); }

/* Where the elements of this lane lie, which are neighbours in a row: one every `step`. */
struct places {
    size_t first, step;
};
template <class F> SIMT_INLINE places places_of(unsigned pitch, bool by_rows)
{
    static_assert(F::columns % F::num_elements == 0, "a lane's elements are of one row");
    const size_t e = (size_t)simt_lane() * F::num_elements, row = e / F::columns, column = e % F::columns;
    return by_rows ? places{row * pitch + column, 1} : places{column * pitch + row, pitch};
}

template <class Use, int M, int N, int K, class T, class L, class V>
SIMT_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, L> &f, const V *p, unsigned pitch)
{
    typedef fragment<Use, M, N, K, T, L> F;
    const places at = places_of<F>(pitch, std::is_same<L, row_major>::value);
    for (int i = 0; i < F::num_elements; ++i) f.x[i] = p[at.first + i * at.step];
    meet();
}
template <int M, int N, int K, class T, class V>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const V *p, unsigned pitch, layout_t layout)
{
    typedef fragment<accumulator, M, N, K, T> F;
    const places at = places_of<F>(pitch, layout == mem_row_major);
    for (int i = 0; i < F::num_elements; ++i) f.x[i] = p[at.first + i * at.step];
    meet();
}
template <int M, int N, int K, class T, class V>
SIMT_INLINE void store_matrix_sync(V *p, const fragment<accumulator, M, N, K, T> &f, unsigned pitch, layout_t layout)
{
    typedef fragment<accumulator, M, N, K, T> F;
    const places at = places_of<F>(pitch, layout == mem_row_major);
    for (int i = 0; i < F::num_elements; ++i) p[at.first + i * at.step] = f.x[i];
    meet();
}

/* A float's sum for half and bfloat16, an int's for whole numbers; rounded to C's type once. */
template <class T> struct sum_of { typedef float type; };
template <> struct sum_of<int> { typedef int type; };
template <> struct sum_of<double> { typedef double type; };

SIMT_INLINE void product(float *c, const float *a, const float *b, int m, int n, int k)
{ simt_product_f32(c, a, b, m, n, k); }
SIMT_INLINE void product(double *c, const double *a, const double *b, int m, int n, int k)
{ simt_product_f64(c, a, b, m, n, k); }
SIMT_INLINE void product(int *c, const int *a, const int *b, int m, int n, int k)
{ simt_product_u32((unsigned *)c, (const unsigned *)a, (const unsigned *)b, m, n, k); }

/* An element as the type that it is summed in. */
template <class Sum, class T> SIMT_INLINE Sum as_sum(T v) { return (Sum)v; }
template <> __attribute__((always_inline, unused)) inline float as_sum<float, __half>(__half v)
{ return simt_ptx::short_float<5, 10>(v.bits, true); }

/* Kept out of the counts, and out of sight of the checks: the fragments are on the lanes' stacks. */
#define SIMT_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage, noinline, optimize("O3")))

/* The fragments of a lane. */
template <class D, class A, class B, class C> struct part : simt_part {
    D *d;
    const A *a;
    const B *b;
    const C *c;
    part(simt_part all, D *d, const A *a, const B *b, const C *c) : simt_part(all), d(d), a(a), b(b), c(c) {}
};
/* All lanes' of one kind, row by row. */
template <class Sum, class P, class F>
SIMT_UNSEEN void gather(Sum *table, const simt_part *const *all, const F *P::*which)
{
    for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < F::num_elements; ++i)
            table[lane * F::num_elements + i] = all[lane] ? as_sum<Sum>((((const P *)all[lane])->*which)->x[i]) : Sum();
}
template <class Sum, class D, class A, class B, class C> SIMT_UNSEEN void multiply(const simt_part *const *all)
{
    typedef part<D, A, B, C> part_t;
    Sum a[A::rows * A::columns], b[B::rows * B::columns], c[C::rows * C::columns];
    gather(a, all, &part_t::a);
    gather(b, all, &part_t::b);
    gather(c, all, &part_t::c);
    product(c, a, b, A::rows, B::columns, A::columns);
    for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < D::num_elements && all[lane]; ++i)
            ((const part_t *)all[lane])->d->x[i] = (typename D::element_type)c[lane * D::num_elements + i];
}

template <int M, int N, int K, class TD, class TA, class LA, class TB, class LB, class TC>
SIMT_INLINE void mma_sync(fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, TA, LA> &a,
                          const fragment<matrix_b, M, N, K, TB, LB> &b, const fragment<accumulator, M, N, K, TC> &c,
                          bool = false)
{
    typedef fragment<accumulator, M, N, K, TD> D;
    typedef fragment<accumulator, M, N, K, TC> C;
    typedef fragment<matrix_a, M, N, K, TA, LA> A;
    typedef fragment<matrix_b, M, N, K, TB, LB> B;
    const part<D, A, B, C> mine({multiply<typename sum_of<TD>::type, D, A, B, C>}, &d, &a, &b, &c);
    simt_warp_op(SIMT_TOGETHER, 0xffffffffu, (uint64_t)&mine, 0, 32);
}

/* tf32 has 10 bits behind the point. */
SIMT_INLINE float __float_to_tf32(float f)
{ return __uint_as_float((__float_as_uint(f) + 0xfffu + (__float_as_uint(f) >> 13 & 1)) & ~0x1fffu); }

} // namespace wmma
} // namespace nvcuda

#endif
