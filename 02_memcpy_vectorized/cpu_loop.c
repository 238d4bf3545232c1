/*
 * memcpy c1 - one unit per iteration
 *
 * Was     This is the starting point: a copy as it is usually written.
 * Idea    for (i...) to[i] = from[i], in units of 1, 2, 4 or 8 bytes.  An empty asm statement in the loop
 *         keeps the compiler from recognising the copy and calling memcpy instead.
 * Moves   bytes in, bytes out; a cache also reads every line of the target before it is written.
 * Expect  One unit per clock: 1 to 3 GB/s for units of 1 byte and eight times that for units of 8,
 *         but no more than the memory bandwidth of the machine.
 * Still   A load and a store for each unit.  (-> c2)
 * Needs   Any bytes, any alignment.
 * Launch  One thread.
 * Source  B. Kernighan, D. Ritchie, The C Programming Language.
 */
#include "chapter.h"

#include <string.h>

#define COPY(unit_t)                                                     \
    for (; i + sizeof(unit_t) <= bytes; i += sizeof(unit_t)) {           \
        unit_t unit;                                                     \
        memcpy(&unit, source + i, sizeof unit); /* one load */           \
        memcpy(target + i, &unit, sizeof unit); /* one store */          \
        __asm__ volatile("");                                            \
    }

void memcpy_cpu_loop(void *to, const void *from, size_t bytes, size_t unit_bytes)
{
    char *target = to;
    const char *source = from;
    size_t i = 0;
    if (unit_bytes == 8) COPY(uint64_t)
    if (unit_bytes == 4) COPY(uint32_t)
    if (unit_bytes == 2) COPY(uint16_t)
    COPY(uint8_t) /* units of 1 byte, and the bytes after the last wider unit */
}
