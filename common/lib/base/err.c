/* err.c - see err.h */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

#include "plain.h"

static void make(err_t *err, const char *format, va_list args)
{
    vsnprintf(err->text, sizeof err->text, format, args);
    plain_line(err->text);
}

int err_set(err_t *err, const char *format, ...)
{
    if (!err) return -1;
    va_list args;
    va_start(args, format);
    make(err, format, args);
    va_end(args);
    return -1;
}

void err_say(const char *format, ...)
{
    err_t err;
    va_list args;
    va_start(args, format);
    make(&err, format, args);
    va_end(args);
    fprintf(stderr, "%s\n", err.text);
}
