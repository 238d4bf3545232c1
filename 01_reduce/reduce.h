/* reduce.h - the host side of the chapter, for main.c and the tests. */
#ifndef REDUCE_H
#define REDUCE_H

#include "chapter.h"
#include "harness.h"

/* The numbers to sum and the correct result. */
typedef struct reduce_data {
    char name[64];
    size_t n;
    bool exact;          /* small integers: results are compared with == */
    double sum, abs_sum; /* reference, in double */
    void *memory, *in;   /* host; `in` may be misaligned within memory */
    void *d_memory, *d_in, *d_sums;
    unsigned long long *d_words;
} reduce_data_t;

typedef struct reduce_spec {
    size_t n;
    dtype_t dtype;   /* fp32 or fp64 */
    uint64_t seed;
    bool exact;
    size_t misalign; /* elements after a 256-byte boundary */
    bool cpu, gpu;   /* for which rows */
} reduce_spec_t;

/* Makes the problem, on the GPU too if spec->gpu.  Owned by the caller: reduce_close. */
int reduce_open(problem_t *p, const reduce_spec_t *spec, err_t *err);
void reduce_close(problem_t *p);

extern const chapter_t REDUCE;

#endif
