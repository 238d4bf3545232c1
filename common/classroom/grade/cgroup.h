/*
 * cgroup.h - a control group of the kernel around the programs in the sandbox, if the machine allows one.
 *
 * It enforces limits also on memory and processes that sandbox.c cannot see: files in memory, shared memory that no
 * process has mapped, processes in namespaces of their own.  It supports versions 1 and 2 of the interface.  Root can
 * make a group, and so can a user to whom a part of the tree was delegated.  On other machines there is no group, and
 * sandbox.c alone counts.
 */
#ifndef GRADE_CGROUP_H
#define GRADE_CGROUP_H

#include <stdbool.h>

enum { CGROUP_PATH = 512 };

typedef struct cgroup_part {
    char folder[CGROUP_PATH]; /* "": none */
    int lock;                 /* a lock on the folder, held by its owner */
    bool v2;
} cgroup_part_t;

typedef struct cgroup {
    cgroup_part_t memory, tasks; /* version 2 has one folder for both, in memory */
} cgroup_t;

/* Makes the groups that are possible, and removes those of graders that were killed.  tasks: the limit of processes and
 * threads.  memory_mb 0: makes no group. */
void cgroup_open(cgroup_t *g, unsigned memory_mb, unsigned tasks);

/* Call it in a child: it moves the child and its descendants into the group. */
void cgroup_join(const cgroup_t *g);

/* Whether the kernel has refused a process, or killed one because of its memory. */
bool cgroup_too_many(const cgroup_t *g);
bool cgroup_too_much(const cgroup_t *g);

/* Removes the group, once all its processes have ended. */
void cgroup_close(cgroup_t *g);

#endif
