/* sizes.c - prints sizes and offsets of the structures that python/spmv/_library.py repeats; python.sh compares
 * them. */
#include <spmv.h>
#include <stddef.h>
#include <stdio.h>

#define AT(type, field) printf(" %zu", offsetof(type, field))
#define M(field) AT(spmv_matrix_t, field)
#define O(field) AT(spmv_options_t, field)

int main(void)
{
    printf("matrix %zu", sizeof(spmv_matrix_t));
    M(format), M(part), M(index_base), M(rows), M(cols), M(nnz), M(value_type), M(offset_bits), M(memory), M(offsets);
    M(row_indices), M(col_indices), M(values), M(reserved);
    printf("\noptions %zu", sizeof(spmv_options_t));
    O(backend), O(setup), O(copy), O(deterministic), O(check), O(exclusive), O(tune), O(threads), O(run);
    O(run_context), O(many), O(transpose), O(values), O(reorder), O(beside), O(reserved);
    puts("");
    return 0;
}
