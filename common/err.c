/* err.c - see err.h */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

#include "plain.h"

int err_set(err_t *err, const char *format, ...)
{
    if (!err) return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    plain_line(err->text);
    return -1;
}
