/*
 * host_atomics.cpp - C++ atomics in a .cu file: std::atomic, the guards of static variables, #pragma omp atomic.
 *
 * The compiler turns them into calls of the sanitizer, which is not linked; the functions of this file perform them.
 * In a kernel (cuda::std::atomic, or a __device__ function with GCC's builtins) they are checked like CUDA's atomics.
 */
#include "internal.hpp"

namespace simt {

/* All memory orders are treated as the strongest one. */
static void look(volatile void *p, unsigned size, AccessKind k, uintptr_t frame, uintptr_t pc)
{
    if (unchecked())
        return current ? polled(current) : (void)0;
    if (confined)
        confined_check((uintptr_t)p, size, k, frame, pc);
    if (Thread *t = current) {
        release(t);
        access(t, (uintptr_t)p, size, k, false, pc);
        acquire(t, !t->block->shared.contains((uintptr_t)p));
    } else {
        order_host_polls((uintptr_t)p);
    }
}

} // namespace simt

using namespace simt;

#define LOOK(kind)                                                                                          \
    look(p, sizeof *p, kind, *static_cast<const uintptr_t *>(__builtin_frame_address(0)),                   \
         (uintptr_t)__builtin_return_address(0))
#define UPDATE(bits, T, name)                                                                               \
    T __tsan_atomic##bits##_##name(volatile T *p, T v, int)                                                 \
    {                                                                                                       \
        LOOK(ATOMIC);                                                                                       \
        return __atomic_##name(p, v, __ATOMIC_SEQ_CST);                                                     \
    }
#define COMPARE(bits, T, name, weak)                                                                        \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile T *p, T *expected, T v, int, int)            \
    {                                                                                                       \
        LOOK(ATOMIC);                                                                                       \
        return __atomic_compare_exchange_n(p, expected, v, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    }
#define ATOMICS(bits, T)                                                                                    \
    T __tsan_atomic##bits##_load(const volatile T *p, int)                                                  \
    {                                                                                                       \
        LOOK_AT(p);                                                                                         \
        const T v = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
        if (current && !unchecked())                                                                        \
            note_polled_value(current, (uintptr_t)p, v, false,                                              \
                              (uintptr_t)__builtin_return_address(0));                                      \
        return v;                                                                                           \
    }                                                                                                       \
    void __tsan_atomic##bits##_store(volatile T *p, T v, int)                                               \
    {                                                                                                       \
        LOOK(ATOMIC);                                                                                       \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                           \
    }                                                                                                       \
    T __tsan_atomic##bits##_exchange(volatile T *p, T v, int)                                               \
    {                                                                                                       \
        LOOK(ATOMIC);                                                                                       \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                 \
    }                                                                                                       \
    UPDATE(bits, T, fetch_add) UPDATE(bits, T, fetch_sub) UPDATE(bits, T, fetch_and)                        \
    UPDATE(bits, T, fetch_or) UPDATE(bits, T, fetch_xor) UPDATE(bits, T, fetch_nand)                        \
    COMPARE(bits, T, strong, false) COMPARE(bits, T, weak, true)                                            \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T v, int, int)                  \
    {                                                                                                       \
        LOOK(ATOMIC);                                                                                       \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
        return expected;                                                                                    \
    }
#define LOOK_AT(p)                                                                                          \
    look(const_cast<volatile void *>(static_cast<const volatile void *>(p)), sizeof *(p), ATOMIC,           \
         *static_cast<const uintptr_t *>(__builtin_frame_address(0)), (uintptr_t)__builtin_return_address(0))

extern "C" {
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int)
{
    if (current)
        simt_fence(1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}
}
