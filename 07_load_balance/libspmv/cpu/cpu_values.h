/*
 * cpu_values.h - how slices store values with the option `values`: in fewer bytes, but with the same bits when they are
 * read.  Bits are compared, not numbers: -0 is not 0.  Not installed.
 */
#ifndef SPMV_CPU_VALUES_H
#define SPMV_CPU_VALUES_H

#include <stdbool.h>

#include "spmv_sizes.h"

typedef enum cpu_stored {
    STORED_AS_IT_IS,
    STORED_NARROW, /* fp64 as fp32, or fp32 as fp16: no value loses a bit */
    STORED_FEW,    /* few values occur: places of 8 bits in a table that registers hold */
    STORED_8,      /* fp64, at most 256 values occur: places in a table in memory */
    STORED_16      /* fp64, at most 65536 values occur: the same */
} cpu_stored_t;

typedef struct cpu_values {
    cpu_stored_t stored;
    size_t size;      /* bytes of a stored value */
    uint32_t count;   /* entries of the table; the first is 0, for padding */
    void *table;      /* [count] of A's type; NULL without a table */
    uint32_t *places; /* hash table [PLACES] of index in the table + 1; 0 if empty */
} cpu_values_t;

/* Chooses how to store A's values; registers can hold a table of `few`.  Without `look` they are stored as they are.
 * Returns false if memory is short.  cpu_values_free() frees the choice. */
bool cpu_values_look(cpu_values_t *v, const spmv_csr_t *A, int few, bool look);
void cpu_values_free(cpu_values_t *v);
size_t cpu_values_bytes(const cpu_values_t *v);

/* Stores A's value k at index i. */
void cpu_values_store(const cpu_values_t *v, const spmv_csr_t *A, void *to, size_t i, int64_t k);

#endif
