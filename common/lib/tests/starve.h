/*
 * starve.h - memory that runs out: for k = 1, 2, ... the k-th allocation of a function fails; it must say so or find
 * another way, and leak nothing (make sanitize looks for that).
 *
 * A test that includes this is linked with --wrap for the functions below (Makefile), so that the library's allocations
 * come here.
 */
#ifndef COURSE_STARVE_H
#define COURSE_STARVE_H

#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "battery.h"

static csr_t *A; /* what the functions under test work on */
static char file[] = "/tmp/test_alloc.XXXXXX";

static int starve_set_up(const char *recipe)
{
    A = make_matrix(recipe);
    const int fd = mkstemp(file);
    return fd < 0 ? -1 : close(fd);
}

FIXTURE(starve_tear_down)
{
    A = csr_free(A);
    return unlink(file);
}

static long countdown = -1; /* the allocation that counts it down to 0 fails; negative: none does */

static int fails(void) { return countdown > 0 && --countdown == 0; }

#define WRAP(type, name, parameters, arguments)     \
    type __real_##name parameters;                  \
    type __wrap_##name parameters;                  \
    type __wrap_##name parameters { return fails() ? NULL : __real_##name arguments; }
WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, realloc, (void *p, size_t size), (p, size))
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WRAP(char *, strdup, (const char *s), (s))
WRAP(char *, strndup, (const char *s, size_t n), (s, n))
#undef WRAP

int __real_vasprintf(char **text, const char *format, va_list args);
int __wrap_vasprintf(char **text, const char *format, va_list args);
int __wrap_vasprintf(char **text, const char *format, va_list args)
{
    return fails() ? -1 : __real_vasprintf(text, format, args);
}

int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = __wrap_vasprintf(text, format, args);
    va_end(args);
    return length;
}

cudaError_t __real_cudaMalloc(void **p, size_t bytes);
cudaError_t __wrap_cudaMalloc(void **p, size_t bytes);
cudaError_t __wrap_cudaMalloc(void **p, size_t bytes)
{
    return fails() ? cudaErrorMemoryAllocation : __real_cudaMalloc(p, bytes);
}

/* Fails the 1st, 2nd, ... allocation of try_it until it gets through untouched.  try_it runs one function and frees
 * what it gave: 0 for success, 1 for failure. */
static void starve(const char *name, int (*try_it)(err_t *err))
{
    for (long k = 1;; ++k) {
        err_t err = {""};
        assert_true(k < 1000);
        countdown = k;
        int failed = try_it(&err);
        int untouched = countdown > 0;
        countdown = -1;
        if (untouched) {
            if (failed) fail_msg("%s fails with all the memory it wants: %s", name, err.text);
            assert_true(k > 1); /* it did allocate something */
            return;
        }
        /* a library below may have found another way, but a failure must be told */
        if (failed && !err.text[0]) fail_msg("%s says nothing when allocation %ld fails", name, k);
    }
}

#define STARVE(name) starve(#name, try_##name)

#endif
