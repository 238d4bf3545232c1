/*
 * sandbox.h - runs an untrusted program under bubblewrap (bwrap) and limits of the kernel.
 *
 * The program sees no network and no other process.  It can write to one scratch folder only, and read /usr and the
 * The program sees no network and no other process.  It can write to one scratch folder only, and read /usr and the
 * folders named here, at their own paths.  Time, memory, processes, file sizes and output are limited.  If root starts
 * the sandbox, the program runs as a user who owns no files.  The kernel refuses calls that evade the limits (new
 * namespaces, memory that outlives its process, sockets): see confine.h.
 *
 * Memory and processes are limited twice: by a control group of the kernel if possible (cgroup.h), and by counting
 * those of all descendants 20 times per second, which stops the program a little later.
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
    const char *scratch;                  /* absolute, the working folder; NULL: / and no writing */
    bool gpu;                            /* the GPU's devices are visible */
    bool unsandboxed;                     /* only the limits, no bubblewrap */
    unsigned seconds;                     /* of processor time; four times as many of wall time */
    bool counted;                         /* no control group even if possible, for tests */
    unsigned memory_mb;                   /* for all its processes, including files in memory among fds */
    unsigned address_mb;                  /* of address space, 0: unlimited (the simulator and CUDA reserve much) */
    unsigned file_mb;
    unsigned processes;                   /* it is stopped above half of this number, with threads */
    size_t output_bytes;                  /* of stdout and stderr together */
} sandbox_t;

typedef enum sandbox_end { SANDBOX_EXITED, SANDBOX_SIGNALLED, SANDBOX_STOPPED } sandbox_end_t;

typedef struct sandbox_result {
    sandbox_end_t end;
    int code;                    /* exit code, or the signal */
    char why[160];               /* "exit code 3", "stopped: still running after 10 s of processor time" */
    char output[SANDBOX_OUTPUT]; /* the beginning of its output */
} sandbox_result_t;

/* The user as whom the program runs: this user or, if root starts it, a user who owns no files.  Each grading process
 * has another such user: the kernel counts processes per user, and the fork bomb of one submission must not stop
 * another submission. */
unsigned sandbox_user(void);

/* A signal handler sets it: the running program is killed, and sandbox_run returns -1. */
extern volatile sig_atomic_t sandbox_interrupted;

/* Returns 0 if a sandbox is possible here; otherwise -1, and *err says what to do. */
int sandbox_available(err_t *err);

/* Runs argv[0] (a path) in the sandbox and waits until all its descendants have ended.  The descriptors in fds (at most
 * six) become 3, 4, ... in it.  Every other child of this process counts as the program's, and is killed.  Its output
 * has no control characters (plain.h).  -1 and *err if it could not be started. */
int sandbox_run(const sandbox_t *s, char *const argv[], const int *fds, int fd_count, sandbox_result_t *r, err_t *err);

#endif
