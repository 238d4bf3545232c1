/*
 * switch.hpp - from one fiber to another, by Boost.Context.
 */
#ifndef SIMT_SWITCH_HPP
#define SIMT_SWITCH_HPP

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace simt {

typedef boost::context::detail::fcontext_t Suspended;   /* where a fiber goes on */

/* Whoever is continued keeps, for the fiber that has been left, where that one goes on.  Not by a variable of the
   thread: a fiber may go on in another one, and compilers remember where such variables are. */
static boost::context::detail::transfer_t keep(boost::context::detail::transfer_t from)
{
    *static_cast<Suspended *>(from.data) = from.fctx;
    return from;
}

/* Continues `to`; where the running fiber goes on is kept in *save.  By a function on top of the other fiber: its
   return is the one that processors expect behind the call here, where a jump would have them guess wrong all the way
   up. */
static inline void switch_to(Suspended to, Suspended *save)
{
    boost::context::detail::ontop_fcontext(to, save, keep);
}

/* Nothing can be called on top of a fiber that has not begun: it comes here, and goes on when it is wanted. */
template <void (*F)()> static void begin_fiber(boost::context::detail::transfer_t from)
{
    boost::context::detail::jump_fcontext(from.fctx, nullptr);
    F();
}

/* A fiber that will call F, which never returns. */
template <void (*F)()> static inline Suspended place_new(char *top, size_t size)
{
    using namespace boost::context::detail;
    return jump_fcontext(make_fcontext(top, size, begin_fiber<F>), nullptr).fctx;
}

} // namespace simt

#endif
