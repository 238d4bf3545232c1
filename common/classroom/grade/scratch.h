/*
 * scratch.h - the folder in which a submission is built: grade.XXXXXX/work in $TMPDIR, or in /tmp.
 *
 * Beside `work`, to which the compiler may write, is a file that its owner locks as long as it runs.  A grader that was
 * killed cannot clean up; the next grader removes the folders whose lock is free.
 */
#ifndef GRADE_SCRATCH_H
#define GRADE_SCRATCH_H

#include <stddef.h>
#include <sys/types.h>

#include "err.h"

/* Removes the folders of killed graders of this user, and makes a new one that `user` may write to (if run by root;
 * otherwise this user).  Stores its path in `path` and returns the descriptor of the lock; -1 and *err. */
int scratch_make(char *path, size_t size, uid_t user, err_t *err);

void scratch_remove(const char *path, int lock);

#endif
