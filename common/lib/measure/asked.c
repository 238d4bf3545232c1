/* asked.c - see asked.h */
#include "asked.h"

#include <math.h>

extern const int student_asked __attribute__((weak));

asked_t asked_of_student(void)
{
    const int *said = &student_asked;
    return said && *said > 0 && *said < ASKED_COUNT ? (asked_t)*said : ASKED_STEP;
}

void asked_numbers(asked_t asked, double *x, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (asked == ASKED_ABSOLUTE) x[i] = fabs(x[i]);
        if (asked == ASKED_SQUARES) x[i] *= x[i];
    }
}

void asked_bytes(asked_t asked, unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (asked == ASKED_INVERTED) bytes[i] = (unsigned char)~bytes[i];
        if (asked == ASKED_COUNTED) bytes[i] ^= (unsigned char)i;
    }
}
