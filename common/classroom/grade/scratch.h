/*
 * scratch.h - the folder that a submission is built in: grade.XXXXXX/work in $TMPDIR, or in /tmp.
 *
 * Beside `work`, which the compiler may write to, lies a file that its owner has locked for as long as it lives.  A
 * grader that was killed cannot clean up; the next one does, for whatever nobody holds the lock of.
 */
#ifndef GRADE_SCRATCH_H
#define GRADE_SCRATCH_H

#include <stddef.h>
#include <sys/types.h>

#include "err.h"

/* Removes what killed graders of this user have left, and makes a new one that `user` may write to (as root; else it is
 * this user's).  Its path goes to `path`; returns the descriptor of the lock, -1 and *err if there is none. */
int scratch_make(char *path, size_t size, uid_t user, err_t *err);

void scratch_remove(const char *path, int lock);

#endif
