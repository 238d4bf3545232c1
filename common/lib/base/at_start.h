/*
 * at_start.h - checks, before any library starts, that a program gets the threads and the stack that it needs.
 *
 * If a thread cannot be created, OpenMP's library ends the program and OpenBLAS's sends it SIGINT, both before main.  A
 * program that links this checks earlier (at_start.c), and prints one line about what is wrong.  It exits with 64
 * unless OMP_NUM_THREADS is a number from 1 to MOST_THREADS or a list of them; with 1 if the stack has less than 1 MiB
 * or too few threads can be created.  A file that grows beyond ulimit -f then is an error of write(), not a signal.
 */
#ifndef COURSE_AT_START_H
#define COURSE_AT_START_H

#include "err.h"

enum { MOST_THREADS = 1024 };

/* Creates this number of threads at once, each with the stack size of OpenMP's threads, and ends them.  -1 and *err if
 * that fails. */
int try_threads(int threads, err_t *err);

#endif
