/* grid.c - see grid.h */
#include "grid.h"

/* A GPU reads this many bytes from its memory while one byte passes between GPUs: two H200s reach 4275 and 241 GB/s. */
enum { MEMORY_TO_LINK = 18 };

double grid_weight(const volumes_t *v, size_t element)
{
    return (double)v->nnz * (double)(element + sizeof(int32_t)) + MEMORY_TO_LINK * (double)v->moved * (double)element;
}

int grid_choose(grid_choice_t *c, const csr_t *A, int parts, const int64_t *first, size_t element, err_t *err)
{
    *c = (grid_choice_t){.across = 1};
    int failed = volumes_count_grid(&c->rows, A, parts, 1, first, err);
    for (int across = 2; across <= parts && across <= GRID_MOST_ACROSS && !failed; ++across) {
        volumes_t v;
        if (parts % across) continue;
        failed = volumes_count_grid(&v, A, parts, across, first, err);
        if (failed || (c->across > 1 && grid_weight(&v, element) >= grid_weight(&c->blocks, element))) continue;
        c->blocks = v;
        c->across = across;
    }
    c->taken = !failed && c->across > 1 && grid_weight(&c->blocks, element) < grid_weight(&c->rows, element);
    return failed;
}
