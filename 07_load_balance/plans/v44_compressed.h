/* v44_compressed.h - columns in 16 bits: slices of v39 with other records, and words where their columns were. */
#ifndef LOAD_BALANCE_V44_COMPRESSED_H
#define LOAD_BALANCE_V44_COMPRESSED_H

#include "v39_sell.h"

/* slice: first step, first word, first place, steps | log2 lanes << 16 | SELL_WIDE
 * columns: [32 word steps]  word w of lane l at 32 w + l.  In a narrow slice a lane's first column, then two
 * differences a word; in a wide one its columns */
enum { SELL_NONE = 0xffff }; /* a difference that says: the row has ended */
constexpr uint32_t SELL_WIDE = 1u << 31;

#endif
