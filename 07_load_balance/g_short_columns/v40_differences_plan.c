/* v40_differences_plan.c - differences of a slice's columns, on the host; false if one exceeds 16 bits. */
#include "../plan/plan.h"

bool sell_differences(const int32_t *columns, uint32_t steps, uint16_t *differences);

bool sell_differences(const int32_t *columns, uint32_t steps, uint16_t *differences)
{
    for (size_t slot = 0; slot < 32 * (size_t)steps; ++slot) {
        const int32_t col = columns[slot], before = slot < 32 ? col : columns[slot - 32];
        const uint32_t difference = col < 0 ? UINT16_MAX : (uint32_t)col - (uint32_t)before;
        if (col >= 0 && difference >= UINT16_MAX) return false; /* a negative difference does not fit either */
        differences[slot] = (uint16_t)difference;
    }
    return true;
}
