/*
 * simt_heap.h - what malloc, free, new, delete, memcpy, memset and clock become in a function of the GPU
 * (translate/heap.c), what values that are stored go through (translate/values.c), and variables that are never set
 * (translate/unset.c), for programs of simtcc.  One that is the host's as well asks where it runs.
 */
#ifndef SIMT_HEAP_H
#define SIMT_HEAP_H

namespace simt {

struct heap_t {};
static const heap_t heap = {};

SIMT_INLINE void *heap_malloc(size_t bytes) { return simt_in_kernel() ? simt_device_malloc(bytes) : malloc(bytes); }
SIMT_INLINE void heap_free(void *p)
{
    if (simt_in_kernel()) simt_device_free(p);
    else free(p);
}

#ifdef SIMT_UNCHECKED
#define SIMT_LOOKED_AT() false
#else
#define SIMT_LOOKED_AT() (!__builtin_is_constant_evaluated() && simt_in_kernel())
#endif
/* Replacements of the C library's functions, which have no hooks.  Copies that g++ compiles to one load and one
 * store have hooks.  A constexpr function may call them. */
SIMT_INLINE constexpr void *copy_bytes(void *to, const void *from, size_t bytes)
{
    return SIMT_LOOKED_AT() && !(__builtin_constant_p(bytes) && bytes <= 16 && (bytes & (bytes - 1)) == 0)
               ? simt_memcpy(to, from, bytes) : __builtin_memcpy(to, from, bytes);
}
SIMT_INLINE constexpr void *set_bytes(void *to, int value, size_t bytes)
{
    return SIMT_LOOKED_AT() ? simt_memset(to, value, bytes) : __builtin_memset(to, value, bytes);
}
#undef SIMT_LOOKED_AT

SIMT_INLINE clock_t clock() { return simt_in_kernel() ? (clock_t)simt_no_clock() : ::clock(); }

/* Reports a local variable that is read before it has a value (translate/unset.c).  If its type is a class, its
 * constructor may have initialised it, so it is not reported. */
template <class T> SIMT_INLINE void unset(const char *name, T &variable)
{
#ifndef SIMT_UNCHECKED
    if (!std::is_arithmetic<std::remove_all_extents_t<T>>::value) return;
    if (simt_in_kernel()) memset((void *)&variable, 0xfe, sizeof variable);
    simt_unset(name);
#endif
}

/* The result of a function before it is stored (translate/values.c). */
template <class T> SIMT_INLINE T value(T v) { return v; }

/* The argument of a sine or cosine (translate/angles.c): for a double a GPU reads a table. */
template <class T> SIMT_INLINE const T &angle(const T &x) { return x; }
template <class T> SIMT_INLINE const T &angle_of_pi(const T &x) { return x; }
SIMT_INLINE double angle(double x) { return simt_angle(x * M_2_PI), x; }
SIMT_INLINE double angle_of_pi(double x) { return simt_angle(x * 2), x; }

/* simt::destroy = p and simt::destroy_array = p replace delete: an assignment binds so loosely that p needs no
 * brackets. */
struct destroy_t {
    template <class T> inline __attribute__((always_inline)) void operator=(T *p) const
    {
        if (!simt_in_kernel()) {
            delete p;
        } else if (p) {
            p->~T();
            simt_device_free((void *)p);
        }
    }
};
struct destroy_array_t {
    template <class T> inline __attribute__((always_inline)) void operator=(T *p) const
    {
        static_assert(std::is_trivially_destructible<T>::value, "delete[] in a kernel: of plain elements alone");
        if (simt_in_kernel()) simt_device_free((void *)p);
        else delete[] p;
    }
};
static const destroy_t destroy = {};
static const destroy_array_t destroy_array = {};

} // namespace simt

inline void *operator new(size_t bytes, simt::heap_t)
{ return simt_in_kernel() ? simt_device_malloc(bytes) : ::operator new(bytes); }
inline void *operator new[](size_t bytes, simt::heap_t)
{ return simt_in_kernel() ? simt_device_malloc(bytes) : ::operator new[](bytes); }

#endif
