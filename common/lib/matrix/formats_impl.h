/*
 * formats_impl.h - functions that the formats_*.c share.
 */
#ifndef COURSE_FORMATS_IMPL_H
#define COURSE_FORMATS_IMPL_H

#include "formats.h"

/* 0 if `bytes` (a double, so that huge sizes do not overflow) is within the limit, else -1 and an error with both. */
int formats_fits(const char *format, double bytes, size_t max_bytes, err_t *err);

/* Sets the error "out of memory for FORMAT" and returns NULL. */
void *formats_no_memory(const char *format, err_t *err);

/* Bytes of an offset that goes up to `largest`. */
size_t formats_offset_bytes(size_t largest);

#endif
