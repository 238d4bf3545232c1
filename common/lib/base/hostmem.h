/*
 * hostmem.h - tests whether there is enough memory, before a large allocation.
 */
#ifndef COURSE_HOSTMEM_H
#define COURSE_HOSTMEM_H

#include <stddef.h>

#include "err.h"

/* Returns the bytes of memory that the kernel reports as available, at most the limit of this container. */
size_t hostmem_bytes(void);

/* Returns the bytes of a csr_t of this shape, as a double, so that absurd sizes do not wrap around. */
double hostmem_csr(double rows, double nnz);

/* Returns 0 if `bytes` is at most hostmem_bytes(), else -1 and "WHAT needs 120.0 GB, this machine has 25.2 GB free". */
int hostmem_fits(double bytes, const char *what, err_t *err);

#endif
