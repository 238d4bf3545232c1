/*
 * formats_impl.h - functions that the formats_*.c share.
 */
#ifndef COURSE_FORMATS_IMPL_H
#define COURSE_FORMATS_IMPL_H

#include "formats.h"

/* Returns 0 if `bytes` (a double, so that huge sizes do not overflow) is within the limit, else -1 and an error. */
int formats_fits(const char *format, double bytes, size_t max_bytes, err_t *err);

/* Sets the error "out of memory for FORMAT" and returns NULL. */
void *formats_no_memory(const char *format, err_t *err);

/* Frees the arrays and M; returns NULL. */
void *formats_free(void *M, size_t count, void *const arrays[]);

/* X_free of formats.h for a format with these arrays, as FORMATS_FREE(coo, M->row_indices, ...). */
#define FORMATS_FREE(X, ...)                                                                          \
    X##_t *X##_free(X##_t *M)                                                                         \
    {                                                                                                 \
        if (!M) return NULL;                                                                          \
        void *const arrays[] = {__VA_ARGS__};                                                         \
        return formats_free(M, sizeof arrays / sizeof *arrays, arrays);                               \
    }

/* Returns the bytes of an offset: 4 if `largest` fits in an int32_t, else 8. */
size_t formats_offset_bytes(size_t largest);

#endif
