/*
 * shifts.cpp - reports a shift by a negative count or by at least as many bits as the number has, and a float that does
 * not fit into the integer to which it is converted.
 *
 * C++ does not define the results.  For a wide shift a GPU gives 0 (-1 if a negative number is shifted right), and an
 * x86 CPU takes the count modulo the width.  For a conversion a GPU gives the nearest integer, and 0 for NaN; an x86
 * CPU gives another number.  So a program that works on a GPU may be wrong here.  Programs of simtcc are compiled with
 * -fsanitize=shift-exponent,float-cast-overflow, which tests each such operand and calls functions of this file.
 */
#include <cmath>
#include <cstring>
#include <limits>
#include "internal.hpp"
#include "type_words.hpp"

namespace simt {

/* The sanitizer's arguments, in the compiler's layout. */
struct Shift {
    const char *file;
    uint32_t line, column;
    const TypeWords *number, *count;
};

static std::string words_of(const Shift *s, uintptr_t count)
{ return format("shift by %lld of a number of %u bits", value_of(s->count, count), width_of(s->number)); }

__attribute__((noinline)) static void say(Thread *t, const std::string &what, const char *hint, uintptr_t pc)
{
    if (!settings.lenient)
        fault(t, cudaErrorLaunchFailure, pc, what, hint);
    if (!said_before(pc))
        pass(t, WARNING, pc, what, hint);
}

/* Returns whether x becomes the same I here as on a GPU, which converts to the nearest value of type Wide and then
   truncates it to I. */
template <class I, class Wide> static bool same(double x)
{
    typedef std::numeric_limits<Wide> limits;
    const Wide nearest = x != x                      ? 0
                         : x <= (double)limits::min() ? limits::min()
                         : x >= (double)limits::max() ? limits::max()
                                                      : (Wide)x;
    volatile double number = x;
    return (I)nearest == (I)number;
}

static bool same_here(const TypeWords *to, double x)
{
    switch (to->bits) {         /* 2 * log2 of the width, 1 more if signed */
    case 6: return same<uint8_t, uint32_t>(x);
    case 7: return same<int8_t, int32_t>(x);
    case 8: return same<uint16_t, uint32_t>(x);
    case 9: return same<int16_t, int32_t>(x);
    case 10: return same<uint32_t, uint32_t>(x);
    case 11: return same<int32_t, int32_t>(x);
    case 12: return same<uint64_t, uint64_t>(x);
    case 13: return same<int64_t, int64_t>(x);
    default: return true;
    }
}

/* The arguments of a conversion, in the compiler's layout.  The source position precedes them if it is known. */
struct Cast {
    const TypeWords *from, *to;
};
static const Cast *types_of(const char *data)
{
    const unsigned char *first;
    memcpy(&first, data, sizeof first);
    const bool is_type = first && first[0] + first[1] < 2; /* the kind of a type, not two letters of a file's name */
    return (const Cast *)(is_type ? data : data + sizeof(char *) + 2 * sizeof(uint32_t));
}

static void say_cast(Thread *t, const Cast *cast, uintptr_t number, uintptr_t pc)
{
    double x;
    float f;
    const unsigned bits = cast->from->bits;     /* for a float: its width */
    if (bits == 32)
        memcpy(&f, &number, sizeof f), x = f;
    else if (bits == 64)
        memcpy(&x, &number, sizeof x);
    else
        return;
    if (!same_here(cast->to, x))
        say(t, format("%g becomes %s, into which it does not fit", x, cast->to->name),
            "C++ leaves the result open: a GPU gives the nearest integer (0 of NaN), this CPU another one; compare the "
            "number before the cast", pc);
}

} // namespace simt

/* In host code the result is that of the CPU, as without the simulator, so nothing is reported. */
extern "C" void __ubsan_handle_shift_out_of_bounds(void *data, uintptr_t, uintptr_t count)
{
    if (simt::current)
        simt::say(simt::current, simt::words_of(static_cast<simt::Shift *>(data), count),
                  "C++ leaves the result open: a GPU gives 0 (-1 of a negative number to the right), this CPU another "
                  "number; compare the count before the shift", (uintptr_t)__builtin_return_address(0));
}
extern "C" void __ubsan_handle_float_cast_overflow(void *data, uintptr_t number)
{
    if (simt::current)
        simt::say_cast(simt::current, simt::types_of(static_cast<char *>(data)), number,
                       (uintptr_t)__builtin_return_address(0));
}
