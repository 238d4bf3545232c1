/* v42_words_plan.h - v39's slices, with two differences of columns in a word, as v42 and v43 read them. */
#ifndef LOAD_BALANCE_V42_WORDS_PLAN_H
#define LOAD_BALANCE_V42_WORDS_PLAN_H

#include "../f_sell/v39_sell_plan.h"

enum { SELL_NONE = 0xffff };             /* a difference that says: the row has ended */
constexpr uint32_t SELL_WIDE = 1u << 31; /* in a slice's record, beside its lanes: a difference did not fit */

struct packed_plan : sell_plan_t {
    uint32_t *words; /* [32 steps]  those of a slice begin where its columns do */
};

#endif
