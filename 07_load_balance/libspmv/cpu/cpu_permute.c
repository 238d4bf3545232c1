/* cpu_permute.c - see cpu_permute.h.  Both functions gather elements; each thread takes a part of the rows. */
#include "cpu_permute.h"

typedef struct job {
    const cpu_permute_t *p;
    int parts;
    const void *x;
    double alpha, beta;
    void *y;
    int64_t apart;
} job_t;

#define GATHER_X(TYPE) \
    for (int64_t i = from; i < to; ++i) ((TYPE *)p->x)[i] = ((const TYPE *)job->x)[p->rows[i] * job->apart]

#define FINISH_Y(TYPE)                                                                             \
    for (int64_t row = from; row < to; ++row) {                                                    \
        TYPE *const out = (TYPE *)job->y + row * job->apart;                                       \
        const TYPE sum = (TYPE)job->alpha * ((const TYPE *)p->y)[p->places[row]];                  \
        *out = job->beta == 0 ? sum : sum + (TYPE)job->beta * *out;                                \
    }

static void gather_x(void *context, int part)
{
    const job_t *job = context;
    const cpu_permute_t *p = job->p;
    const int64_t from = p->n * part / job->parts, to = p->n * (part + 1) / job->parts;
    if (p->vector_bytes == sizeof(double)) GATHER_X(double);
    else GATHER_X(float);
}

static void finish_y(void *context, int part)
{
    const job_t *job = context;
    const cpu_permute_t *p = job->p;
    const int64_t from = p->n * part / job->parts, to = p->n * (part + 1) / job->parts;
    if (p->vector_bytes == sizeof(double)) FINISH_Y(double)
    else FINISH_Y(float)
}

void cpu_permute_x(const cpu_engine_t *engine, const cpu_permute_t *p, const void *x, int64_t apart)
{
    job_t job = {.p = p, .parts = cpu_engine_parts(engine), .x = x, .apart = apart};
    cpu_engine_run(engine, gather_x, &job);
}

void cpu_permute_y(const cpu_engine_t *engine, const cpu_permute_t *p, double alpha, double beta, void *y,
                   int64_t apart)
{
    job_t job = {.p = p, .parts = cpu_engine_parts(engine), .alpha = alpha, .beta = beta, .y = y, .apart = apart};
    cpu_engine_run(engine, finish_y, &job);
}
