/*
 * shifts.cpp - a shift by as many bits as the number has, or more, or by a negative count.
 *
 * C++ leaves the result open.  A card gives 0 (-1 where a negative number is shifted right), an x86 CPU takes the count
 * modulo the width: what works there may be wrong here.  Programs of simtcc are compiled with
 * -fsanitize=shift-exponent, which compares each count that is not known and calls in here.
 */
#include "internal.hpp"
#include "type_words.hpp"

namespace simt {

/* As the compiler lays them out. */
struct Shift {
    const char *file;
    uint32_t line, column;
    const TypeWords *number, *count;
};

static std::string words_of(const Shift *s, uintptr_t count)
{ return format("shift by %lld of a number of %u bits", value_of(s->count, count), width_of(s->number)); }

__attribute__((noinline)) static void say(Thread *t, const Shift *s, uintptr_t count, uintptr_t pc)
{
    const char *hint = "C++ leaves the result open: a card gives 0 (-1 of a negative number to the right), this CPU "
                       "another number; compare the count before the shift";
    if (!settings.lenient)
        fault(t, cudaErrorLaunchFailure, pc, words_of(s, count), hint);
    if (!said_before(pc))
        pass(t, WARNING, pc, words_of(s, count), hint);
}

} // namespace simt

/* On the host it is the CPU's own. */
extern "C" void __ubsan_handle_shift_out_of_bounds(void *data, uintptr_t, uintptr_t count)
{
    if (simt::current)
        simt::say(simt::current, static_cast<simt::Shift *>(data), count, (uintptr_t)__builtin_return_address(0));
}
