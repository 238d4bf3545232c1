/*
 * switch.hpp - from one fiber to another, by Boost.Context.
 */
#ifndef SIMT_SWITCH_HPP
#define SIMT_SWITCH_HPP

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace simt {

typedef boost::context::detail::fcontext_t Suspended;   /* where a fiber goes on */

static __thread Suspended *left;    /* where the fiber that has just been left is to be kept */

/* Continues `to`; where the running fiber goes on is kept in *save. */
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

/* A fiber that has yet to begin: it will call F, which never returns. */
template <void (*F)()> static inline Suspended place_new(char *top, size_t size)
{
    return boost::context::detail::make_fcontext(top, size, begin_fiber<F>);
}

} // namespace simt

#endif
