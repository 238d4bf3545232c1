/* example.c - libspmv in 40 lines: solves A u = f for A = tridiag(-1, 4, -1) by Jacobi's method.
 *     cc example.c $(pkg-config --cflags --libs spmv) -o example                                    */
#include <stdio.h>
#include <spmv.h>

enum { N = 1000, SWEEPS = 60 };

int main(void)
{
    static int32_t offsets[N + 1], columns[3 * N];
    static double values[3 * N], u[N], r[N];
    int32_t nnz = 0;
    for (int32_t row = 0; row < N; ++row) {
        for (int32_t column = row - 1; column <= row + 1; ++column) {
            if (column < 0 || column >= N) continue;
            columns[nnz] = column;
            values[nnz++] = column == row ? 4 : -1;
        }
        offsets[row + 1] = nnz;
    }

    const spmv_csr_t A = {.rows = N, .cols = N, .nnz = nnz, .value_type = SPMV_F64, .offset_bits = 32,
                          .row_offsets = offsets, .col_indices = columns, .values = values};
    spmv_plan_t *plan;
    if (spmv_create(&plan, &A, NULL, NULL) != SPMV_OK) {
        fprintf(stderr, "%s\n", spmv_last_error());
        return 1;
    }
    for (int sweep = 0; sweep < SWEEPS; ++sweep) { /* u += (f - A u) / 4, with f = 1 */
        for (int i = 0; i < N; ++i) r[i] = 1;
        spmv_execute(plan, -1, u, 1, r, NULL); /* r = f - A u */
        for (int i = 0; i < N; ++i) u[i] += r[i] / 4;
    }
    spmv_destroy(plan);
    printf("libspmv %s: u in the middle is %.6f, 1/2 expected\n", spmv_version(), u[N / 2]);
    return u[N / 2] > 0.499999 && u[N / 2] < 0.500001 ? 0 : 1;
}
