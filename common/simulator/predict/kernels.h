/*
 * kernels.h - what nvcc makes of a kernel (static_table.py), for the replay: plots/data/kernels.tsv.
 */
#ifndef COURSE_KERNELS_H
#define COURSE_KERNELS_H

#include <stddef.h>

#include "err.h"
#include "simt.h"

/* What is known of one program point. */
typedef struct site_facts {
    double instructions;    /* that the warp issues for one such request */
    unsigned copies;        /* requests under way together, from nvcc's unrolling, at least 1 */
    int waits;              /* what it loads decides where its loop goes on */
    int returns;            /* an atomic whose old value is used; not known: a counter */
} site_facts_t;

typedef struct kernel_facts {
    int known;              /* 0: not in the table, all below is guessed */
    unsigned registers;     /* of a thread */
    unsigned length;        /* instructions of its code */
    site_facts_t *sites;    /* as many as the launch has */
} kernel_facts_t;

typedef struct kernel_table kernel_table_t;

/* Reads the table, path NULL: the one that comes with the course.  NULL and *err if it cannot be read.
 * The second takes NULL. */
kernel_table_t *kernels_read(const char *path, err_t *err);
kernel_table_t *kernels_free(kernel_table_t *t);

/* What is known of a launch's kernel and its sites; t may be NULL.  -1 and *err if out of memory.  The caller frees
 * facts->sites. */
int kernels_facts(const kernel_table_t *t, const simt_way_t *way, kernel_facts_t *facts, err_t *err);

/* For simt_set_resources; t may be NULL. */
simt_resources_t kernels_resources(const kernel_table_t *t, const char *symbol);

#endif
