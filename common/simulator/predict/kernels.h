/*
 * kernels.h - facts about nvcc's code of a kernel, for the replay; reads plots/data/kernels.tsv (see static_table.py).
 */
#ifndef COURSE_KERNELS_H
#define COURSE_KERNELS_H

#include <stddef.h>

#include "err.h"
#include "simt.h"

/* Facts about one program point. */
typedef struct site_facts {
    double instructions;    /* instructions that the warp issues per request */
    unsigned copies;        /* requests in flight together because nvcc unrolled the loop, at least 1 */
    int waits;              /* the loaded value decides how its loop continues */
    int returns;            /* an atomic whose old value is used */
} site_facts_t;

typedef struct kernel_facts {
    int known;              /* 0: not in the table, the members below are guessed */
    unsigned registers;     /* per thread */
    unsigned length;        /* number of instructions of its code */
    site_facts_t *sites;    /* [n_sites of the launch] */
} kernel_facts_t;

typedef struct kernel_table kernel_table_t;

/* Reads the table at path, or, if path is NULL, the one of the course.  NULL and *err if it cannot be read.
 * kernels_free accepts NULL. */
kernel_table_t *kernels_read(const char *path, err_t *err);
kernel_table_t *kernels_free(kernel_table_t *t);

/* Sets the facts about a launch's kernel and its sites; t may be NULL.  -1 and *err if memory is short.  The caller
 * frees facts->sites. */
int kernels_facts(const kernel_table_t *t, const simt_way_t *way, kernel_facts_t *facts, err_t *err);

/* Returns the resources of a kernel, for simt_set_resources; t may be NULL. */
simt_resources_t kernels_resources(const kernel_table_t *t, const char *symbol);

#endif
