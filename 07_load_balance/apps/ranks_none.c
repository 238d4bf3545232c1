/* ranks_none.c - implements ranks.h without MPI; the Makefile uses it instead of ranks.c. */
#include "ranks.h"

bool ranks_serve(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return false;
}

int ranks_count(void) { return 1; }

const char *ranks_missing(void) { return "built without MPI (./bootstrap installs openmpi-bin and libopenmpi-dev)"; }

void ranks_finish(void) {}
void ranks_give(const ranks_order_t *order) { (void)order; }
ranks_order_t ranks_take(void) { return (ranks_order_t){.what = RANKS_END}; }

product_t *product_of_ranks(ranks_place_t place, dtype_t type, const csr_t *A, err_t *err)
{
    (void)place, (void)type, (void)A;
    return err_null(err, "%s", ranks_missing());
}

void ranks_end_all(const product_t *p, const err_t *err) { (void)p, (void)err; }
void ranks_note(const product_t *p, report_row_t *row) { (void)p, (void)row; }
