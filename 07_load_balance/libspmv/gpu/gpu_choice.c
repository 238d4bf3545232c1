/* gpu_choice.c - see gpu_choice.h */
#include "gpu_choice.h"

/* clang-format off */
const gpu_way_facts_t GPU_WAYS[WAY_COUNT] = {
    /*                   name         family      slicing          size   as it is, plan */
    [WAY_ROWS_1]      = {"rows_1",    GPU_ROWS,   SLICES_IN_ORDER, 1,    true,  true},
    [WAY_ROWS_2]      = {"rows_2",    GPU_ROWS,   SLICES_IN_ORDER, 2,    true,  true},
    [WAY_ROWS_4]      = {"rows_4",    GPU_ROWS,   SLICES_IN_ORDER, 4,    true,  true},
    [WAY_SPANS_2]     = {"spans_2",   GPU_SPANS,  SLICES_IN_ORDER, 2,    true,  false},
    [WAY_SPANS_4]     = {"spans_4",   GPU_SPANS,  SLICES_IN_ORDER, 4,    true,  true},
    [WAY_GUIDED_4]    = {"guided_4",  GPU_GUIDED, SLICES_IN_ORDER, 4,    true,  false},
    [WAY_LONG_4]      = {"long_4",    GPU_LONG,   SLICES_IN_ORDER, 4,    true,  true},
    [WAY_MIXED_1]     = {"mixed_1",   GPU_MIXED,  SLICES_IN_ORDER, 1,    true,  false},
    [WAY_IN_ORDER]    = {"in_order",  GPU_SLICES, SLICES_IN_ORDER, 0,    false, true},
    [WAY_EVEN_4]      = {"even_4",    GPU_SLICES, SLICES_EVEN,     4,    false, true},
    [WAY_EVEN_8]      = {"even_8",    GPU_SLICES, SLICES_EVEN,     8,    false, true},
    [WAY_SORT_4]      = {"sort_4",    GPU_SLICES, SLICES_SORT,     4,    false, true},
    [WAY_SORT_8]      = {"sort_8",    GPU_SLICES, SLICES_SORT,     8,    false, true},
    [WAY_SORT_16]     = {"sort_16",   GPU_SLICES, SLICES_SORT,     16,   false, true},
    [WAY_SORT_32]     = {"sort_32",   GPU_SLICES, SLICES_SORT,     32,   false, true},
    [WAY_SORT_38]     = {"sort_38",   GPU_SLICES, SLICES_SORT,     38,   false, true},
    [WAY_SORT_64]     = {"sort_64",   GPU_SLICES, SLICES_SORT,     64,   false, true},
    [WAY_BUNDLE_4]    = {"bundle_4",  GPU_SLICES, SLICES_BUNDLE,   4,    false, true},
    [WAY_BUNDLE_8]    = {"bundle_8",  GPU_SLICES, SLICES_BUNDLE,   8,    false, true},
    [WAY_BUNDLE_16]   = {"bundle_16", GPU_SLICES, SLICES_BUNDLE,   16,   false, true},
    [WAY_BUNDLE_32]   = {"bundle_32", GPU_SLICES, SLICES_BUNDLE,   32,   false, true},
    [WAY_HOT_16]      = {"hot_16",    GPU_SLICES, SLICES_HOT,      16,   false, true},
    [WAY_HOT_32]      = {"hot_32",    GPU_SLICES, SLICES_HOT,      32,   false, true},
    [WAY_TILES]       = {"tiles",     GPU_TILES,  SLICES_IN_ORDER, 0,    false, true},
    [WAY_WIDE]        = {"wide",      GPU_WIDE,   SLICES_IN_ORDER, 0,    false, true},
    [WAY_GRANULES]    = {"granules",  GPU_GRANULES, SLICES_IN_ORDER, 0,  false, true},
};
/* clang-format on */

/* Two ways of a leaf. */
static gpu_way_t either(gpu_way_t first, gpu_way_t other, gpu_way_t *second)
{
    *second = other == first ? WAY_COUNT : other;
    return first;
}

#include "gpu_rule.inc"

gpu_way_t gpu_choose(const gpu_features_t *f, spmv_setup_t setup, gpu_way_t *second)
{
    *second = WAY_COUNT;
    gpu_way_t way = setup == SPMV_SETUP_PLAN   ? rule_plan(f, second)
                    : setup == SPMV_SETUP_LOOK ? rule_look(f, second)
                                               : rule_none(f, second);
    const bool too_long = (setup == SPMV_SETUP_NONE ? f->cols : f->longest) > GPU_LONGEST_ROW;
    if (GPU_WAYS[way].family == GPU_ROWS && too_long) way = WAY_SPANS_4;
    /* On shapes that it has not seen the rule is wrong where it is sure, too; CSR as it is costs nothing to build. */
    gpu_way_t none;
    if (*second == WAY_COUNT && setup == SPMV_SETUP_PLAN && !GPU_WAYS[way].as_it_is && f->nnz >= GPU_TRY_ALWAYS)
        *second = rule_look(f, &none);
    const bool uneven = f->skew >= GPU_UNEVEN, straight = f->diagonals >= GPU_MOSTLY_DIAGONALS && !uneven;
    const bool other_built = *second != WAY_COUNT && !GPU_WAYS[*second].as_it_is;
    if ((*second == WAY_IN_ORDER && straight) || (way == WAY_IN_ORDER && uneven && other_built)) {
        const gpu_way_t first = *second;
        *second = way;
        way = first;
    }
    const bool all_straight = f->diagonals >= GPU_ALL_DIAGONALS && f->in_order_fill <= GPU_FULL &&
                              f->sectors >= GPU_OWN_X * f->value_bytes / 32;
    if (setup == SPMV_SETUP_PLAN && f->nnz >= GPU_TRY && all_straight && !uneven && !GPU_WAYS[way].as_it_is &&
        way != WAY_IN_ORDER) {
        *second = way;
        way = WAY_IN_ORDER;
    }
    const bool uneven_neighbours = f->near_fill >= GPU_UNEVEN_NEIGHBOURS && f->mean >= GPU_GRANULES_MEAN &&
                                   f->longest <= GPU_GRANULES_LONGEST && f->diagonals < 1 - GPU_ALL_DIAGONALS;
    if (setup == SPMV_SETUP_PLAN && f->value_bytes == 4 && f->nnz >= GPU_GRANULES_FROM &&
        f->nnz <= GPU_GRANULES_TO && uneven_neighbours) {
        *second = way;
        way = WAY_GRANULES;
    }
    if (*second == WAY_COUNT) return way;
    if (f->nnz < GPU_TRY || (GPU_WAYS[*second].family == GPU_ROWS && too_long)) *second = WAY_COUNT;
    return way;
}
