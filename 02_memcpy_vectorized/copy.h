/* copy.h - the host side of the chapter, for main.c and the tests. */
#ifndef COPY_H
#define COPY_H

#include "chapter.h"
#include "harness.h"

/* Bytes before the target that must not change; a multiple of all relevant alignments. */
enum { COPY_MARGIN = 512 };

/* The source and the target of the copy. */
typedef struct copy_data {
    char name[64];
    size_t bytes, unit_bytes;
    size_t target;              /* the target starts here in the output */
    void *memory, *d_memory;
    unsigned char *in, *d_in;   /* the source, host and GPU; may be misaligned within its memory */
} copy_data_t;

typedef struct copy_spec {
    const char *name;            /* the record's `case`; NULL: derived from the other fields */
    size_t bytes, unit_bytes;
    size_t misalign_from, misalign_to; /* bytes after a 512-byte boundary */
    uint64_t seed;
    bool cpu, gpu;               /* for which rows */
} copy_spec_t;

/* Makes the problem, on the GPU too if spec->gpu.  Owned by the caller: copy_close. */
int copy_open(problem_t *p, const copy_spec_t *spec, err_t *err);
void copy_close(problem_t *p);

extern const chapter_t MEMCPY;

#endif
