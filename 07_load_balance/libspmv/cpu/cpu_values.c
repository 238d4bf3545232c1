/* cpu_values.c - see cpu_values.h */
#include "cpu_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "narrow.h"

enum {
    PLACES_LOG2 = 17,
    PLACES = 1 << PLACES_LOG2,
    MOST_8 = 1 << 8,
    MOST_16 = 1 << 16,
    WORTH_A_TABLE = 8,      /* a table of 16-bit codes needs so many nonzeros per value */
    OUT_OF_CACHE = 4 << 20  /* bytes of values; for fewer bytes look-ups cost more than loads */
};

static uint64_t bits_of(const spmv_csr_t *A, int64_t k)
{
    return A->value_type == SPMV_F64 ? ((const uint64_t *)A->values)[k] : ((const uint32_t *)A->values)[k];
}

static uint64_t bits_in(const cpu_values_t *v, spmv_type_t type, uint32_t place)
{
    return type == SPMV_F64 ? ((const uint64_t *)v->table)[place] : ((const uint32_t *)v->table)[place];
}

/* The index of a value in v->places, or of the empty place for it. */
static uint32_t place_of(const cpu_values_t *v, spmv_type_t type, uint64_t bits)
{
    uint32_t at = (uint32_t)((bits * 0x9e3779b97f4a7c15u) >> (64 - PLACES_LOG2));
    while (v->places[at] && bits_in(v, type, v->places[at] - 1) != bits) at = (at + 1) % PLACES;
    return at;
}

static bool is_narrow(const spmv_csr_t *A, int64_t k)
{
    uint16_t half;
    float narrow;
    return A->value_type == SPMV_F32 ? half_of(((const uint32_t *)A->values)[k], &half)
                                     : float_of(((const double *)A->values)[k], &narrow);
}

/* The sum of two NaNs is one of the two, and the compiler decides which; so a matrix with a NaN is stored as it is. */
static bool is_nan(const spmv_csr_t *A, int64_t k)
{
    return A->value_type == SPMV_F64 ? isnan(((const double *)A->values)[k]) : isnan(((const float *)A->values)[k]);
}

/* Adds a value unless the table has it; returns false if the table is full. */
static bool add_value(cpu_values_t *v, spmv_type_t type, uint64_t bits)
{
    const uint32_t at = place_of(v, type, bits);
    if (v->places[at]) return true;
    if (v->count == MOST_16) return false;
    if (type == SPMV_F64) ((uint64_t *)v->table)[v->count] = bits;
    else ((uint32_t *)v->table)[v->count] = (uint32_t)bits;
    v->places[at] = ++v->count;
    return true;
}

static void drop_table(cpu_values_t *v)
{
    free(v->table);
    free(v->places);
    v->table = NULL, v->places = NULL;
}

bool cpu_values_look(cpu_values_t *v, const spmv_csr_t *A, int few, bool look)
{
    const size_t size = value_size(A->value_type);
    *v = (cpu_values_t){STORED_AS_IT_IS, size, 0, NULL, NULL};
    if (!look || A->nnz == 0 || (A->value_type != SPMV_F32 && A->value_type != SPMV_F64)) return true;
    v->table = calloc(MOST_16, size);
    v->places = calloc(PLACES, sizeof *v->places);
    if (!v->table || !v->places) {
        drop_table(v);
        return false;
    }
    bool table = add_value(v, A->value_type, 0), narrow = true;
    for (int64_t k = 0; k < A->nnz && (table || narrow); ++k) {
        if (is_nan(A, k)) table = narrow = false;
        table = table && add_value(v, A->value_type, bits_of(A, k));
        narrow = narrow && is_narrow(A, k);
    }
    const bool large = A->value_type == SPMV_F64 && (size_t)A->nnz * size >= OUT_OF_CACHE;
    if (table && v->count <= (uint32_t)few) v->stored = STORED_FEW, v->size = 1;
    else if (table && large && v->count <= MOST_8) v->stored = STORED_8, v->size = 1;
    else if (narrow) v->stored = STORED_NARROW, v->size = size / 2;
    else if (table && large && A->nnz / WORTH_A_TABLE >= v->count) v->stored = STORED_16, v->size = 2;
    if (v->stored == STORED_AS_IT_IS || v->stored == STORED_NARROW) drop_table(v);
    return true;
}

void cpu_values_free(cpu_values_t *v) { drop_table(v); }

size_t cpu_values_bytes(const cpu_values_t *v)
{
    return v->table ? MOST_16 * sizeof(double) + PLACES * sizeof *v->places : 0;
}

void cpu_values_store(const cpu_values_t *v, const spmv_csr_t *A, void *to, size_t i, int64_t k)
{
    switch (v->stored) {
    case STORED_NARROW:
        if (A->value_type == SPMV_F64) ((float *)to)[i] = (float)((const double *)A->values)[k];
        else half_of(((const uint32_t *)A->values)[k], (uint16_t *)to + i);
        return;
    case STORED_FEW:
    case STORED_8: ((uint8_t *)to)[i] = (uint8_t)(v->places[place_of(v, A->value_type, bits_of(A, k))] - 1); return;
    case STORED_16: ((uint16_t *)to)[i] = (uint16_t)(v->places[place_of(v, A->value_type, bits_of(A, k))] - 1); return;
    default: break;
    }
    switch (v->size) {
    case 8: ((uint64_t *)to)[i] = ((const uint64_t *)A->values)[k]; break;
    case 4: ((uint32_t *)to)[i] = ((const uint32_t *)A->values)[k]; break;
    default: ((uint16_t *)to)[i] = ((const uint16_t *)A->values)[k]; break;
    }
}
