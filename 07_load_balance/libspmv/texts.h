/* texts.h - sets the line of spmv_last_error(), and appends to the text of spmv_describe().  Not installed. */
#ifndef SPMV_TEXTS_H
#define SPMV_TEXTS_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "spmv.h"

enum { WHY = 256 };
extern __thread char libspmv_error[WHY];

/* Sets the line of spmv_last_error(); the value of the expression is the status. */
#define FAIL(status, ...) (snprintf(libspmv_error, sizeof libspmv_error, __VA_ARGS__), (status))

/* Appends to the text, which is cut at `size`. */
__attribute__((format(printf, 3, 4))) static inline void tell(char *text, size_t size, const char *format, ...)
{
    const size_t n = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + n, size - n, format, arguments);
    va_end(arguments);
}

#endif
