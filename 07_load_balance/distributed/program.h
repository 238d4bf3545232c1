/*
 * program.h - what spmv_mpi and spmv_nccl share: options, the table of variants, times, checks, the record.
 */
#ifndef DIST_PROGRAM_H
#define DIST_PROGRAM_H

#include "dist.h"

typedef struct program {
    const char *name;            /* "spmv_mpi" */
    const char *record_name;     /* the record's `chapter`: "07_mpi" */
    const char *doc;             /* for --help */
    dist_backend_t backend;
    const char *const *matrices; /* without --matrix; NULL-terminated */
} program_t;

/* The whole of main: MPI_Init to MPI_Finalize.  0, 1 (a wrong result, no GPU, no NCCL), 2 (a bad matrix), 64
 * (bad options) or 74 (the record cannot be written). */
int program_main(const program_t *p, int argc, char **argv);

#endif
