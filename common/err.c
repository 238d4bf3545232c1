/* err.c - see err.h */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(err_t *err, const char *format, ...)
{
    if (!err) return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    for (char *c = err->text; *c; c++) /* a file or recipe may be called anything: the sentence stays one line */
        if ((unsigned char)*c < ' ' || *c == 0x7F) *c = '?';
    return -1;
}
