/* topic.h - the host side of the chapter, for main.c and the tests. */
#ifndef TOPIC_H
#define TOPIC_H

#include "chapter.h"
#include "harness.h"

/* The numbers and the right answer. */
typedef struct topic_data {
    char name[64];
    size_t n;
    double *right, *tolerance; /* the result in double, and the allowed difference */
    float *d_x;                /* [n] */
} topic_data_t;

/* Makes the problem; the caller frees it with topic_close. */
int topic_open(problem_t *p, size_t n, uint64_t seed, err_t *err);
void topic_close(problem_t *p);

extern const chapter_t TOPIC;

#endif
