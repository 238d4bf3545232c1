/*
 * simt_nv_atomics.h - nvcc's own atomics, as __nv_atomic_load_n(p, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE), for
 * programs of simtcc: values of 4 and 8 bytes, in kernels.
 */
#ifndef SIMT_NV_ATOMICS_H
#define SIMT_NV_ATOMICS_H

enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL,
       __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE,
       __NV_THREAD_SCOPE_SYSTEM };

namespace simt {

template <class T> constexpr int atomic_type()
{
    if (std::is_same<T, float>::value) return SIMT_F32;
    if (std::is_same<T, double>::value) return SIMT_F64;
    if (std::is_integral<T>::value && std::is_signed<T>::value) return sizeof(T) == 8 ? SIMT_S64 : SIMT_S32;
    return sizeof(T) == 8 ? SIMT_U64 : SIMT_U32;
}

/* Returns the old value. */
template <class T> SIMT_INLINE T nv_atomic(T *p, int op, T v, int order, int scope, T compare = T())
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "the simulator has atomics of 4 and 8 bytes only");
    if (order >= __NV_ATOMIC_RELEASE) simt_fence(scope > __NV_THREAD_SCOPE_BLOCK);
    const uint64_t old = simt_atomic((void *)p, op, atomic_type<T>(), bits_of(v), bits_of(compare));
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) simt_fence(scope > __NV_THREAD_SCOPE_BLOCK);
    return from_bits<T>(old);
}
/* The type of an argument whose type may differ from that of *p. */
template <class T> struct same { typedef T type; };
template <class T> using as_at = typename same<T>::type;

} // namespace simt

template <class T> SIMT_INLINE T __nv_atomic_load_n(const T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{ return simt::nv_atomic(const_cast<T *>(p), SIMT_LOOK, T(), order, scope); }
template <class T> SIMT_INLINE void __nv_atomic_load(const T *p, T *to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{ *to = __nv_atomic_load_n(p, order, scope); }
template <class T>
SIMT_INLINE T __nv_atomic_exchange_n(T *p, simt::as_at<T> v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{ return simt::nv_atomic<T>(p, SIMT_EXCH, v, order, scope); }
template <class T>
SIMT_INLINE void __nv_atomic_store_n(T *p, simt::as_at<T> v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{ __nv_atomic_exchange_n(p, v, order, scope); }
template <class T>
SIMT_INLINE void __nv_atomic_store(T *p, const T *v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{ __nv_atomic_exchange_n(p, *v, order, scope); }
template <class T>
SIMT_INLINE bool __nv_atomic_compare_exchange_n(T *p, T *expected, simt::as_at<T> v, bool, int order, int,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    const T old = simt::nv_atomic<T>(p, SIMT_CAS, v, order, scope, *expected);
    const bool same = simt::bits_of(old) == simt::bits_of(*expected);
    *expected = old;
    return same;
}
#define SIMT_NV_FETCH(name, op)                                                                                   \
    template <class T>                                                                                            \
    SIMT_INLINE T __nv_atomic_fetch_##name(T *p, simt::as_at<T> v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) \
    { return simt::nv_atomic<T>(p, op, v, order, scope); }
SIMT_NV_FETCH(add, SIMT_ADD)
SIMT_NV_FETCH(and, SIMT_AND)
SIMT_NV_FETCH(or, SIMT_OR)
SIMT_NV_FETCH(xor, SIMT_XOR)
SIMT_NV_FETCH(min, SIMT_MIN)
SIMT_NV_FETCH(max, SIMT_MAX)
#undef SIMT_NV_FETCH
template <class T>
SIMT_INLINE T __nv_atomic_fetch_sub(T *p, simt::as_at<T> v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{ return simt::nv_atomic<T>(p, SIMT_ADD, (T)(T(0) - v), order, scope); }
SIMT_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{ if (order != __NV_ATOMIC_RELAXED) simt_fence(scope > __NV_THREAD_SCOPE_BLOCK); }

#endif
