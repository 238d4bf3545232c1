/*
 * host_buffers.cpp - the sizes of host buffers, to detect copies past their ends.  (The driver of a GPU does not detect
 * them.)
 *
 * simtcc links programs with --wrap, so that malloc and new call this file; the sizes of variables are read from the
 * program's symbols.  The sizes of arrays on the stack are not known.
 */
#include <malloc.h>
#include <map>
#include <new>
#include "internal.hpp"

extern "C" {
extern char __data_start, _end;
/* The linker defines these if it gets --wrap. */
void *__real_malloc(size_t) __attribute__((weak));
void *__real_calloc(size_t, size_t) __attribute__((weak));
void *__real_realloc(void *, size_t) __attribute__((weak));
void __real_free(void *) __attribute__((weak));
void *__real__Znwm(size_t) __attribute__((weak));
void *__real__Znam(size_t) __attribute__((weak));
void __real__ZdlPv(void *) __attribute__((weak));
void __real__ZdaPv(void *) __attribute__((weak));
}

namespace simt {

enum { LEAST = 64 };                    /* bytes; smaller buffers are many, and seldom copied to a GPU */
typedef std::map<uintptr_t, size_t> Buffers;
static Buffers *buffers;                /* never deleted, because the program may free buffers until its very end */
static std::mutex lock;
static __thread bool inside;            /* the memory of the table itself is not entered in the table */

static void *keep(void *p, size_t bytes)
{
    if (!p || bytes < LEAST || inside)
        return p;
    inside = true;
    {
        std::lock_guard<std::mutex> hold(lock);
        if (!buffers)
            buffers = new Buffers;
        (*buffers)[(uintptr_t)p] = bytes;
    }
    inside = false;
    return p;
}

static void forget(void *p)
{
    if (!p || inside || malloc_usable_size(p) < LEAST)
        return;
    inside = true;
    {
        std::lock_guard<std::mutex> hold(lock);
        if (buffers)
            buffers->erase((uintptr_t)p);
    }
    inside = false;
}

bool host_buffer_from(const void *p, uintptr_t *base, size_t *size)
{
    const uintptr_t a = (uintptr_t)p;
    if (a >= (uintptr_t)&__data_start && a < (uintptr_t)&_end)
        return !variable_at(a, base, size).empty();
    std::lock_guard<std::mutex> hold(lock);
    if (!buffers)
        return false;
    const auto after = buffers->upper_bound(a);
    if (after == buffers->begin() || a - std::prev(after)->first >= std::prev(after)->second)
        return false;
    *base = std::prev(after)->first;
    *size = std::prev(after)->second;
    return true;
}

} // namespace simt

using namespace simt;

/* Weak, because a test of the course defines its own. */
#define WRAP extern "C" __attribute__((weak))
WRAP void *__wrap_malloc(size_t bytes) { return keep(__real_malloc(bytes), bytes); }
WRAP void *__wrap_calloc(size_t n, size_t bytes) { return keep(__real_calloc(n, bytes), n * bytes); }
WRAP void *__wrap_realloc(void *p, size_t bytes)
{
    forget(p);
    return keep(__real_realloc(p, bytes), bytes);
}
WRAP void __wrap_free(void *p)
{
    forget(p);
    __real_free(p);
}
WRAP void *__wrap__Znwm(size_t bytes) { return keep(__real__Znwm(bytes), bytes); }
WRAP void *__wrap__Znam(size_t bytes) { return keep(__real__Znam(bytes), bytes); }
WRAP void __wrap__ZdlPv(void *p)
{
    forget(p);
    __real__ZdlPv(p);
}
WRAP void __wrap__ZdaPv(void *p)
{
    forget(p);
    __real__ZdaPv(p);
}
WRAP void __wrap__ZdlPvm(void *p, size_t) { __wrap__ZdlPv(p); }
WRAP void __wrap__ZdaPvm(void *p, size_t) { __wrap__ZdaPv(p); }
