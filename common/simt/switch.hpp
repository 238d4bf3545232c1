/*
 * switch.hpp - from one fiber to another.
 *
 * On x86-64 a few instructions of our own: what the compiler expects to find again after a call is kept on the stack
 * that is left, and taken from the one that goes on.  How floats are rounded is the same for all fibers and is not
 * touched, which is half of what Boost.Context does; elsewhere it is Boost's.
 */
#ifndef SIMT_SWITCH_HPP
#define SIMT_SWITCH_HPP

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

namespace simt {

#ifdef __x86_64__

typedef uint64_t *Suspended;        /* where a fiber goes on: its stack pointer */

#if __has_attribute(noipa)
#define SIMT_CALLED __attribute__((naked, noipa, unused))       /* nothing is made of which registers it uses */
#else
#define SIMT_CALLED __attribute__((naked, noinline, unused))
#endif

/* The second: where it is kept how the running fiber goes on; the first: what to continue. */
SIMT_CALLED static void switch_to(Suspended, Suspended *)
{
    asm("push %rbp\n\t"
        "push %rbx\n\t"
        "push %r12\n\t"
        "push %r13\n\t"
        "push %r14\n\t"
        "push %r15\n\t"
        "mov %rsp, (%rsi)\n\t"
        "mov %rdi, %rsp\n\t"
        "pop %r15\n\t"
        "pop %r14\n\t"
        "pop %r13\n\t"
        "pop %r12\n\t"
        "pop %rbx\n\t"
        "pop %rbp\n\t"
        "ret");
}

/* A fiber that has yet to begin: it will call F, which never returns. */
template <void (*F)()> static inline Suspended place_new(char *top, size_t)
{
    enum { KEPT = 6 };          /* registers, then where to go, then whom F was called by: nobody */
    Suspended p = (Suspended)((uintptr_t)top & ~(uintptr_t)15) - KEPT - 2;
    for (int i = 0; i < KEPT; ++i)
        p[i] = 0;
    p[KEPT] = (uint64_t)F;
    p[KEPT + 1] = 0;
    return p;
}

#else

typedef boost::context::detail::fcontext_t Suspended;

static __thread Suspended *left;    /* where the fiber that has just been left is to be kept */

static inline void switch_to(Suspended to, Suspended *save)
{
    left = save;
    const boost::context::detail::transfer_t from = boost::context::detail::jump_fcontext(to, nullptr);
    *left = from.fctx;
}

template <void (*F)()> static void begin_fiber(boost::context::detail::transfer_t from)
{
    *left = from.fctx;
    F();
}

template <void (*F)()> static inline Suspended place_new(char *top, size_t size)
{
    return boost::context::detail::make_fcontext(top, size, begin_fiber<F>);
}

#endif

} // namespace simt

#endif
