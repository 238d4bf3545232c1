/*
 * formats_impl.h - what the formats_*.c share.
 */
#ifndef COURSE_FORMATS_IMPL_H
#define COURSE_FORMATS_IMPL_H

#include "formats.h"

/* 0 if `bytes` (a double: it may be absurd) is within the limit, else -1 and a sentence with both. */
int formats_fits(const char *format, double bytes, size_t max_bytes, err_t *err);

/* NULL and "out of memory for FORMAT". */
void *formats_no_memory(const char *format, err_t *err);

/* Bytes of an offset that goes up to `largest`. */
size_t formats_offset_bytes(size_t largest);

#endif
