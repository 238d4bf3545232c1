/* gpu_choice.c - see gpu_choice.h */
#include "gpu_choice.h"

/* clang-format off */
const gpu_variant_facts_t GPU_VARIANTS[VARIANT_COUNT] = {
    /*                       name         family      slicing          size   as it is, plan */
    [VARIANT_ROWS_1]      = {"rows_1",    GPU_ROWS,   SLICES_IN_ORDER, 1,    true,  true},
    [VARIANT_ROWS_2]      = {"rows_2",    GPU_ROWS,   SLICES_IN_ORDER, 2,    true,  true},
    [VARIANT_ROWS_4]      = {"rows_4",    GPU_ROWS,   SLICES_IN_ORDER, 4,    true,  true},
    [VARIANT_SPANS_2]     = {"spans_2",   GPU_SPANS,  SLICES_IN_ORDER, 2,    true,  false},
    [VARIANT_SPANS_4]     = {"spans_4",   GPU_SPANS,  SLICES_IN_ORDER, 4,    true,  true},
    [VARIANT_GUIDED_4]    = {"guided_4",  GPU_GUIDED, SLICES_IN_ORDER, 4,    true,  false},
    [VARIANT_LONG_4]      = {"long_4",    GPU_LONG,   SLICES_IN_ORDER, 4,    true,  true},
    [VARIANT_MIXED_1]     = {"mixed_1",   GPU_MIXED,  SLICES_IN_ORDER, 1,    true,  false},
    [VARIANT_IN_ORDER]    = {"in_order",  GPU_SLICES, SLICES_IN_ORDER, 0,    false, true},
    [VARIANT_EVEN_4]      = {"even_4",    GPU_SLICES, SLICES_EVEN,     4,    false, true},
    [VARIANT_EVEN_8]      = {"even_8",    GPU_SLICES, SLICES_EVEN,     8,    false, true},
    [VARIANT_SORT_4]      = {"sort_4",    GPU_SLICES, SLICES_SORT,     4,    false, true},
    [VARIANT_SORT_8]      = {"sort_8",    GPU_SLICES, SLICES_SORT,     8,    false, true},
    [VARIANT_SORT_16]     = {"sort_16",   GPU_SLICES, SLICES_SORT,     16,   false, true},
    [VARIANT_SORT_32]     = {"sort_32",   GPU_SLICES, SLICES_SORT,     32,   false, true},
    [VARIANT_SORT_38]     = {"sort_38",   GPU_SLICES, SLICES_SORT,     38,   false, true},
    [VARIANT_SORT_64]     = {"sort_64",   GPU_SLICES, SLICES_SORT,     64,   false, true},
    [VARIANT_BUNDLE_4]    = {"bundle_4",  GPU_SLICES, SLICES_BUNDLE,   4,    false, true},
    [VARIANT_BUNDLE_8]    = {"bundle_8",  GPU_SLICES, SLICES_BUNDLE,   8,    false, true},
    [VARIANT_BUNDLE_16]   = {"bundle_16", GPU_SLICES, SLICES_BUNDLE,   16,   false, true},
    [VARIANT_BUNDLE_32]   = {"bundle_32", GPU_SLICES, SLICES_BUNDLE,   32,   false, true},
    [VARIANT_HOT_16]      = {"hot_16",    GPU_SLICES, SLICES_HOT,      16,   false, true},
    [VARIANT_HOT_32]      = {"hot_32",    GPU_SLICES, SLICES_HOT,      32,   false, true},
    [VARIANT_TILES]       = {"tiles",     GPU_TILES,  SLICES_IN_ORDER, 0,    false, true},
    [VARIANT_WIDE]        = {"wide",      GPU_WIDE,   SLICES_IN_ORDER, 0,    false, true},
    [VARIANT_GRANULES]    = {"granules",  GPU_GRANULES, SLICES_IN_ORDER, 0,  false, true},
};
/* clang-format on */

/* Returns the first of a leaf's two variants, and stores the other in *second. */
static gpu_variant_t either(gpu_variant_t first, gpu_variant_t other, gpu_variant_t *second)
{
    *second = other == first ? VARIANT_COUNT : other;
    return first;
}

#include "gpu_rule.inc"

/* Returns the variant for a plan, where one with fewer steps is faster than the tree's: its slices are more, and so are
 * the warps that load at the same time. */
static gpu_variant_t with_fewer_steps(const gpu_features_t *f, gpu_variant_t variant)
{
    const bool even = f->longest <= GPU_EVEN_LONGEST;
    const bool few_long = f->longest * GPU_LONG_SHARE >= f->nnz && f->skew >= GPU_FEW_SKEW;
    if (variant == VARIANT_BUNDLE_16 && f->value_bytes == 4 && f->nnz < GPU_BUNDLE_8_BELOW && even)
        return VARIANT_BUNDLE_8;
    if ((variant == VARIANT_SORT_32 || variant == VARIANT_TILES) && f->nnz < GPU_SORT_16_BELOW && few_long)
        return VARIANT_SORT_16; /* tiles would be replaced by sort_32 there */
    return variant;
}

gpu_variant_t gpu_choose(const gpu_features_t *f, spmv_setup_t setup, gpu_variant_t *second)
{
    *second = VARIANT_COUNT;
    gpu_variant_t variant = setup == SPMV_SETUP_PLAN   ? rule_plan(f, second)
                            : setup == SPMV_SETUP_LOOK ? rule_look(f, second)
                                                       : rule_none(f, second);
    if (setup == SPMV_SETUP_PLAN) variant = with_fewer_steps(f, variant);
    const bool too_long = (setup == SPMV_SETUP_NONE ? f->cols : f->longest) > GPU_LONGEST_ROW;
    if (GPU_VARIANTS[variant].family == GPU_ROWS && too_long) variant = VARIANT_SPANS_4;
    /* On new shapes even a sure rule may be wrong, and CSR as it is costs nothing to build. */
    gpu_variant_t none;
    if (*second == VARIANT_COUNT && setup == SPMV_SETUP_PLAN && !GPU_VARIANTS[variant].as_it_is &&
        f->nnz >= GPU_TRY_ALWAYS)
        *second = rule_look(f, &none);
    const bool uneven = f->skew >= GPU_UNEVEN, straight = f->diagonals >= GPU_MOSTLY_DIAGONALS && !uneven;
    const bool other_built = *second != VARIANT_COUNT && !GPU_VARIANTS[*second].as_it_is;
    if ((*second == VARIANT_IN_ORDER && straight) || (variant == VARIANT_IN_ORDER && uneven && other_built)) {
        const gpu_variant_t first = *second;
        *second = variant;
        variant = first;
    }
    const bool all_straight = f->diagonals >= GPU_ALL_DIAGONALS && f->in_order_fill <= GPU_FULL &&
                              f->sectors >= GPU_OWN_X * f->value_bytes / 32;
    if (setup == SPMV_SETUP_PLAN && f->nnz >= GPU_TRY && all_straight && !uneven && !GPU_VARIANTS[variant].as_it_is &&
        variant != VARIANT_IN_ORDER) {
        *second = variant;
        variant = VARIANT_IN_ORDER;
    }
    const bool uneven_neighbours = f->near_fill >= GPU_UNEVEN_NEIGHBOURS && f->mean >= GPU_GRANULES_MEAN &&
                                   f->longest <= GPU_GRANULES_LONGEST && f->diagonals < 1 - GPU_ALL_DIAGONALS;
    if (setup == SPMV_SETUP_PLAN && f->value_bytes == 4 && f->nnz >= GPU_GRANULES_FROM &&
        f->nnz <= GPU_GRANULES_TO && uneven_neighbours) {
        *second = variant;
        variant = VARIANT_GRANULES;
    }
    if (*second == VARIANT_COUNT) return variant;
    if (f->nnz < GPU_TRY || (GPU_VARIANTS[*second].family == GPU_ROWS && too_long)) *second = VARIANT_COUNT;
    return variant;
}
