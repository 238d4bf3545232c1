/*
 * confine.h - the system calls that untrusted code may make (seccomp, by libseccomp).
 *
 * There are two lists.  The first is for everything in the sandbox, including compilers: it forbids calls that lead out
 * of the sandbox or hold memory that is not counted.  The second is for a submission: it allows only the calls that the
 * simulator needs.  The runner installs it just before it calls the submission.
 */
#ifndef GRADE_CONFINE_H
#define GRADE_CONFINE_H

#include <stdbool.h>

#include "err.h"

/* Returns the first list as a filter program in a file that bwrap --seccomp reads; the caller closes the descriptor.
 * GPU: also allows the calls that CUDA's library makes at its start.  -1 and *err. */
int confine_filter(bool gpu, err_t *err);

/* Installs the second list for this process and its threads.  -1 and *err. */
int confine(err_t *err);

#endif
