/*
 * confine.h - which calls of the system what is not trusted may make (seccomp, by libseccomp).
 *
 * Two lists.  Everything in the sandbox, compilers too, may do all but what opens a way out of it or holds memory that
 * nobody counts.  A submission may do only what the simulator needs: the runner shuts the rest off just before it
 * calls it.
 */
#ifndef GRADE_CONFINE_H
#define GRADE_CONFINE_H

#include <stdbool.h>

#include "err.h"

/* The first list as a program of the kernel's, in a file that bwrap --seccomp reads; the descriptor is the caller's.
 * card: with what CUDA's library does at its start.  -1 and *err. */
int confine_filter(bool card, err_t *err);

/* From here on this process and its threads keep to the second list.  -1 and *err. */
int confine(err_t *err);

#endif
