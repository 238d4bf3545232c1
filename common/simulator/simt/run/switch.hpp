/*
 * switch.hpp - switches from one fiber to another with Boost.Context.
 */
#ifndef SIMT_SWITCH_HPP
#define SIMT_SWITCH_HPP

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace simt {

typedef boost::context::detail::fcontext_t Suspended;   /* the context in which a fiber continues */

/* Runs first in the continued fiber, and stores the context of the fiber that was left at from.data.  This address must
   not be in a thread_local variable, because a fiber may continue on another OS thread, and compilers cache the
   addresses of such variables. */
static boost::context::detail::transfer_t keep(boost::context::detail::transfer_t from)
{
    *static_cast<Suspended *>(from.data) = from.fctx;
    return from;
}

/* Continues `to` and stores the context of the running fiber in *save.  ontop_fcontext calls keep() on top of the other
   fiber.  Its return matches the call here in the processor's return-address predictor; after a plain jump every return
   up the call chain would be mispredicted. */
static inline void switch_to(Suspended to, Suspended *save)
{
    boost::context::detail::ontop_fcontext(to, save, keep);
}

/* keep() cannot be called on top of a fiber that has not begun.  So a new fiber begins here at once, returns to its
   creator, and calls F when it is continued. */
template <void (*F)()> static void begin_fiber(boost::context::detail::transfer_t from)
{
    boost::context::detail::jump_fcontext(from.fctx, nullptr);
    F();
}

/* Creates a fiber that will call F, which never returns. */
template <void (*F)()> static inline Suspended place_new(char *top, size_t size)
{
    using namespace boost::context::detail;
    return jump_fcontext(make_fcontext(top, size, begin_fiber<F>), nullptr).fctx;
}

} // namespace simt

#endif
