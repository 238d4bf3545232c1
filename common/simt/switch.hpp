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
static inline void keep(boost::context::detail::transfer_t from) { *static_cast<Suspended *>(from.data) = from.fctx; }

/* Continues `to`; where the running fiber goes on is kept in *save. */
static inline void switch_to(Suspended to, Suspended *save)
{
    keep(boost::context::detail::jump_fcontext(to, save));
}

template <void (*F)()> static void begin_fiber(boost::context::detail::transfer_t from)
{
    keep(from);
    F();
}

/* A fiber that has yet to begin: it will call F, which never returns. */
template <void (*F)()> static inline Suspended place_new(char *top, size_t size)
{
    return boost::context::detail::make_fcontext(top, size, begin_fiber<F>);
}

} // namespace simt

#endif
