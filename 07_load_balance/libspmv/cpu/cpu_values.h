/*
 * cpu_values.h - how the values of slices are stored, where a plan looks at them (the option `values`): in fewer bytes,
 * and the same bits when they are read.  Bits, not numbers, are compared: -0 is not 0.
 * Not installed.
 */
#ifndef SPMV_CPU_VALUES_H
#define SPMV_CPU_VALUES_H

#include <stdbool.h>

#include "spmv_sizes.h"

typedef enum cpu_stored {
    STORED_AS_IT_IS,
    STORED_NARROW, /* fp64 as fp32, fp32 as fp16: all of them are such numbers */
    STORED_FEW,    /* one of a few values: its place, 8 bits, in a table that registers hold */
    STORED_8,      /* fp64: one of at most 256: in a table in memory */
    STORED_16,     /* fp64: one of at most 65536 */
    STORED_FORMS
} cpu_stored_t;

typedef struct cpu_values {
    cpu_stored_t stored;
    size_t size;      /* bytes of a stored value */
    uint32_t count;   /* of the table; its first is 0, which fills up rows */
    void *table;      /* [count] of A's type; NULL: there is none */
    uint32_t *places; /* [PLACES] hashed: place in the table + 1; 0: empty */
} cpu_values_t;

/* How A's values are best stored, where registers hold a table of `few`; with !look as they are.  False: no memory.
 * Ends with cpu_values_free. */
bool cpu_values_look(cpu_values_t *v, const spmv_csr_t *A, int few, bool look);
void cpu_values_free(cpu_values_t *v);
size_t cpu_values_bytes(const cpu_values_t *v);

/* A's value k, stored, to place i. */
void cpu_values_store(const cpu_values_t *v, const spmv_csr_t *A, void *to, size_t i, int64_t k);

#endif
