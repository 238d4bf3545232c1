/*
 * bounds.cpp - reports an index past an array whose size the compiler knows: local, shared, __device__, in a struct.
 *
 * Programs of simtcc are compiled with -fsanitize=bounds, which tests each index of such an array and calls a function
 * of this file if it is too large.  The sanitizer's library is not linked; this file decodes the sanitizer's arguments.
 */
#include "internal.hpp"
#include "type_words.hpp"

namespace simt {

/* The sanitizer's arguments, in the compiler's layout. */
struct OutOfBounds {
    const char *file;
    uint32_t line, column;
    const TypeWords *array, *index;
};

/* Returns "index 5 of an array 'int [4]'"; for an array with several dimensions, of the one whose index is too
   large. */
static std::string words_of(const OutOfBounds *o, uintptr_t index)
{ return format("out of bounds: index %lld of an array %s", value_of(o->index, index), o->array->name); }

static const char *const hint = "indices begin with 0 and end before the size; compare before the access";

__attribute__((noinline)) static void say(Thread *t, const OutOfBounds *o, uintptr_t index, uintptr_t pc)
{
    if (t)
        fault(t, cudaErrorIllegalAddress, pc, words_of(o, index), hint);
    pass_host(WARNING, pc, words_of(o, index), hint);
}

} // namespace simt

extern "C" void __ubsan_handle_out_of_bounds(void *data, uintptr_t index)
{
    simt::say(simt::current, static_cast<simt::OutOfBounds *>(data), index, (uintptr_t)__builtin_return_address(0));
}
