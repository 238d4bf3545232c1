/* type_words.hpp - how g++'s undefined-behaviour checks describe a type and a number: g++'s data layout. */
#ifndef SIMT_TYPE_WORDS_HPP
#define SIMT_TYPE_WORDS_HPP

#include <cstdint>

namespace simt {

struct TypeWords { uint16_t kind, bits; char name[1]; };        /* bits: 2 * log2 of the width, 1 more if signed */

inline unsigned width_of(const TypeWords *type) { return 1u << (type->bits >> 1); }

/* Returns a number of this type, which g++ passes as a word or, if it is longer, by its address. */
inline long long value_of(const TypeWords *type, uintptr_t number)
{
    const unsigned width = width_of(type);
    if (width > 64)
        return *(const long long *)number;
    return width == 64 || !(type->bits & 1) ? (long long)number : (long long)(number << (64 - width)) >> (64 - width);
}

} // namespace simt

#endif
