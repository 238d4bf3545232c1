/*
 * at_start.h - threads and stack that a program of the course needs, asked for before a library wants them.
 *
 * OpenMP's library ends a program that gets no thread, OpenBLAS's sends it SIGINT, and both do so before main.  So what
 * links this looks earlier (at_start.c): OMP_NUM_THREADS is a number from 1 to MOST_THREADS or a list of such (else
 * exit status 64), the stack has 1 MiB, and as many threads can be made as the libraries will want (else 1); a line
 * says what is wrong.  And a file that grows beyond ulimit -f is an error of write(), no signal.
 */
#ifndef COURSE_AT_START_H
#define COURSE_AT_START_H

#include "err.h"

enum { MOST_THREADS = 1024 };

/* Makes so many threads at once, beside the calling one and each with the stack that OpenMP's get, and ends them.
 * -1 and *err if they are not to be had. */
int try_threads(int threads, err_t *err);

#endif
