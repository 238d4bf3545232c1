/*
 * cgroup.h - a control group of the kernel around what runs in the sandbox, where the machine lets us make one.
 *
 * It counts what no look at single processes finds: files in memory, shared memory that nobody has mapped, processes in
 * namespaces of their own; and it never lets them have more.  Version 1 and 2 of the interface; root may make one, or
 * whoever a part of the tree was delegated to.  Elsewhere there is none, and what sandbox.c counts by itself has to do.
 */
#ifndef GRADE_CGROUP_H
#define GRADE_CGROUP_H

#include <stdbool.h>

enum { CGROUP_PATH = 512 };

typedef struct cgroup_part {
    char folder[CGROUP_PATH]; /* "": none */
    int lock;                 /* on the folder: its owner lives */
    bool v2;
} cgroup_part_t;

typedef struct cgroup {
    cgroup_part_t memory, tasks; /* in version 2 one folder for both, and it is memory's */
} cgroup_t;

/* Makes what can be made, and removes what a grader that was killed has left.  tasks: processes and their threads.
 * memory_mb 0: makes none. */
void cgroup_open(cgroup_t *g, unsigned memory_mb, unsigned tasks);

/* In a child: it and all it starts belong to the group. */
void cgroup_join(const cgroup_t *g);

/* Has the kernel refused a process, or killed one for its memory? */
bool cgroup_too_many(const cgroup_t *g);
bool cgroup_too_much(const cgroup_t *g);

/* Once all its processes are gone. */
void cgroup_close(cgroup_t *g);

#endif
