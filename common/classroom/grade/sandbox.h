/*
 * sandbox.h - runs a program that is not trusted: bubblewrap (bwrap) around it, and limits of the kernel.
 *
 * Inside there is no network, no other process, nothing to write but one scratch folder, and of the machine only
 * /usr and the folders named here, at their own paths, read-only.  Time, memory, processes, file sizes and output are
 * limited.  Started by root, the program runs as a user who owns nothing.  What would lead out of the limits (new
 * namespaces, memory that is no process's, sockets) the kernel refuses: see confine.h.
 *
 * Memory and processes are limited twice: by a control group of the kernel where one can be made (cgroup.h), and by
 * looking at all descendants 20 times per second, which stops them a little later.
 */
#ifndef GRADE_SANDBOX_H
#define GRADE_SANDBOX_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "err.h"

enum { SANDBOX_PATHS = 8, SANDBOX_OUTPUT = 16384 };

typedef struct sandbox {
    const char *read_only[SANDBOX_PATHS]; /* absolute; NULL ends the list */
    const char *scratch;                  /* absolute, the working folder; NULL: / and nothing to write */
    bool card;                            /* the GPU's devices are visible */
    bool unsandboxed;                     /* the limits only, no bubblewrap */
    unsigned seconds;                     /* of processor time; four times as many by the clock: machines are busy */
    bool counted;                         /* no control group even where one can be made: for tests */
    unsigned memory_mb;                   /* that all its processes may hold, files in memory among fds included */
    unsigned address_mb;                  /* of address space for each, 0: any (the simulator and CUDA reserve much) */
    unsigned file_mb;
    unsigned processes;                   /* half as many it may have, with their threads; then it is stopped */
    size_t output_bytes;                  /* of stdout and stderr together */
} sandbox_t;

typedef enum sandbox_end { SANDBOX_EXITED, SANDBOX_SIGNALLED, SANDBOX_STOPPED } sandbox_end_t;

typedef struct sandbox_result {
    sandbox_end_t end;
    int code;                    /* exit code, or the signal */
    char why[160];               /* in words: "exit code 3", "stopped: still running after 10 s of processor time" */
    char output[SANDBOX_OUTPUT]; /* what it printed, cut */
} sandbox_result_t;

/* Who the program runs as: this user; started by root, somebody who owns nothing, and another for each process that
 * grades (the kernel counts processes by user: one submission's fork bomb must not stop another's). */
unsigned sandbox_user(void);

/* Set by a signal handler: what runs is killed, and sandbox_run says so with -1. */
extern volatile sig_atomic_t sandbox_interrupted;

/* 0 if a sandbox can be made here; -1 and what to do about it. */
int sandbox_available(err_t *err);

/* Runs argv[0] (a path) there and waits until all it has started is gone.  The descriptors in fds (at most six) become
 * 3, 4, ... in it.  Every other child of this process counts as its own, and is ended.  What it printed is fit for a
 * terminal (plain.h).  -1 and *err if it could not be started at all. */
int sandbox_run(const sandbox_t *s, char *const argv[], const int *fds, int fd_count, sandbox_result_t *r, err_t *err);

#endif
