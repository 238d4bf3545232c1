/*
 * fuzz.h - what the fuzz targets share: an input as a file, and what must hold of a matrix that was asked for.
 *
 * A target is a function that libFuzzer calls with bytes of its own making, millions of times; it keeps those that
 * reach new code and changes them further.  A target calls fuzz_fail() when the library breaks a promise; the
 * sanitizers see to memory, leaks and undefined behaviour.
 */
#ifndef COURSE_FUZZ_H
#define COURSE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "csr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run with a sentence (printf style): a finding. */
void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* The path of a file that holds these bytes; valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Reads path as a Matrix Market file: either a matrix that passes csr_check and comes back the same from
 * mtx_write and mtx_read, or NULL and one line that begins with the path and says something after it; as listed
 * (mtx_read_as_listed) the same one, or one more.  Whether it was read. */
int fuzz_matrix(const char *path);

/* The promises of csr_check and of a refusal (NULL and one line). */
void fuzz_check(const csr_t *A, const err_t *err, const char *begins_with);

#endif
