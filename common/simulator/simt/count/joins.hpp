/* joins.hpp - what joins.cpp records about accesses during a launch, for join_sums.cpp at its end. */
#ifndef SIMT_JOINS_HPP
#define SIMT_JOINS_HPP

#include <algorithm>
#include "internal.hpp"

namespace simt {

/* Bits of SiteCounts::apart.  NOT_AT: the alignment differs within the launch; UNEVEN: it differs among the lanes of
   one access; WIDE: alignment to four numbers, at most 16 bytes; HALF: to half of that; NEW: at least one read was of
   memory that the lanes had not just read; SHOWN: several lanes were active at least once. */
enum { NOT_AT_WIDE = 1, NOT_AT_HALF = 2, NEW = 4, UNEVEN_WIDE = 8, UNEVEN_HALF = 16, SHOWN = 32 };
enum Part { WHOLE, LOW, HIGH, PARTS };      /* the part of a window that one instruction covers */

/* The widest join: four numbers of that size, or two of 8 bytes. */
static inline unsigned wide(unsigned size) { return std::min(16u, 4 * size); }

static inline uint8_t begins_apart(uint8_t a, uint8_t b, unsigned size)
{
    const unsigned differ = (unsigned)(a - 1) ^ (unsigned)(b - 1);
    return (uint8_t)((differ % wide(size) ? NOT_AT_WIDE : 0) | (differ % (wide(size) / 2) ? NOT_AT_HALF : 0));
}

} // namespace simt

#endif
