/* fuzz.c - see fuzz.h */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mtx.h"
#include "plain.h"

/* Simulates a machine of 8 MiB, so that large allocations are refused instead of filled with zeros. */
long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
    return name == _SC_PHYS_PAGES ? (8 << 20) / __real_sysconf(_SC_PAGESIZE) : __real_sysconf(name);
}

void fuzz_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("FINDING: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0 && (fd = memfd_create("input", 0)) < 0) fuzz_fail("no memory file");
    if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size) fuzz_fail("no memory for the input");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

void fuzz_check(const csr_t *A, const err_t *err, const char *begins_with)
{
    err_t reason = {""};
    if (A && csr_check(A, &reason)) fuzz_fail("not a matrix: %s", reason.text);
    if (A) return;
    const size_t n = strlen(begins_with);
    if (strncmp(err->text, begins_with, n) || strlen(err->text) < n + 5) fuzz_fail("no reason: '%s'", err->text);
    if (!plain_is(err->text)) fuzz_fail("more than one line, or what steers a terminal: '%s'", err->text);
}

static int same(const csr_t *A, const csr_t *B)
{
    return A->rows == B->rows && A->cols == B->cols && A->nnz == B->nnz &&
           !memcmp(A->row_offsets, B->row_offsets, (A->rows + 1) * sizeof *A->row_offsets) &&
           !memcmp(A->col_indices, B->col_indices, A->nnz * sizeof *A->col_indices) &&
           !memcmp(A->values, B->values, A->nnz * sizeof *A->values);
}

int fuzz_matrix(const char *path)
{
    err_t err = {""}, err_listed = {""};
    csr_t *A = mtx_read(path, &err), *L = mtx_read_as_listed(path, &err_listed);
    const int read = A || L;
    fuzz_check(A, &err, path);
    fuzz_check(L, &err_listed, path);
    if (!L && strstr(err_listed.text, ": triplet ")) fuzz_fail("no line is to blame: '%s'", err_listed.text);
    if (A && (!L || !same(A, L))) fuzz_fail("as listed it is another matrix");
    csr_free(A);
    csr_free(L);
    return read;
}
