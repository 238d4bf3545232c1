/* first.c - libspmv as a whole program: y = A x for a matrix of three rows.
 *     cc first.c $(pkg-config --cflags --libs spmv) -o first            */
// region: program
#include <stdio.h>
#include <spmv.h>

int main(void)
{
    /*  4 -1  0   the rows of A */
    /* -1  4 -1 */
    /*  0 -1  4 */
    const int32_t offsets[] = {0, 2, 5, 7}, columns[] = {0, 1, 0, 1, 2, 1, 2};
    const double values[] = {4, -1, -1, 4, -1, -1, 4}, x[] = {1, 2, 3};
    double y[3];

    const spmv_csr_t A = {.rows = 3, .cols = 3, .nnz = 7, .value_type = SPMV_F64, .offset_bits = 32,
                          .row_offsets = offsets, .col_indices = columns, .values = values};
    spmv_plan_t *plan;
    if (spmv_create(&plan, &A, NULL, NULL) != SPMV_OK || spmv_execute(plan, 1, x, 0, y, NULL) != SPMV_OK) {
        fprintf(stderr, "%s\n", spmv_last_error());
        return 1;
    }
    spmv_destroy(plan);
    printf("y = %g %g %g\n", y[0], y[1], y[2]);
    return 0;
}
// end: program
