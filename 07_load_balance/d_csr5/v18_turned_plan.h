/* v18_turned_plan.h - the nonzeros in tiles of 32 lanes x 16, turned, as v18 reads them. */
#ifndef LOAD_BALANCE_V18_TURNED_PLAN_H
#define LOAD_BALANCE_V18_TURNED_PLAN_H

#include "../plan/plan.h"

enum { CSR5_SIGMA = 16, CSR5_TILE = 32 * CSR5_SIGMA };

typedef struct csr5 {
    plan_memory_t memory;
    size_t tiles;
    int32_t *columns; /* [512 tiles]  entry j of lane l of a tile at 32 j + l; -1 past the last */
    void *values;     /* [512 tiles] */
} csr5_t;

#ifdef __cplusplus
extern "C"
#endif
/* Transposes the tiles of A on the host: writes its nonzeros to columns and values, 512 slots per tile. */
void csr5_turn(const csr_t *A, size_t slots, int32_t *columns, double *values);

#endif
