/*
 * gpu_slices_build.cuh - shared by the files that build slices: the layout, by which gpu_slices_rows.cu gives the rows
 * of each slice to gpu_slices_build.cu; scans (gpu_slices_scan.cu).
 */
#ifndef SPMV_GPU_SLICES_BUILD_CUH
#define SPMV_GPU_SLICES_BUILD_CUH

#include "gpu_build.cuh"
#include "gpu_slices.cuh"

enum {
    CLASSES = 30,
    MOST_FILL = 4      // most places per nonzero, with empty ones
};

// A class: the rows (bundles) of a sorted matrix that have the same height and number of lanes, and their slices.
struct class_t {
    uint32_t first_slice, first_row, rows, width_log2, height;
    uint32_t kind;              // SLICE_EMPTY, SLICE_SHORT, or SLICE_32 for any other
    uint32_t per_slice, length; // rows per slice; length of a short row
};
struct layout_t {
    class_t classes[CLASSES];
    uint32_t class_count, slices, piece_slices;
    uint32_t one_kind, even_steps; // if not 0, the kind and the number of steps of all slices
    bool has_short;                // short rows have slices of their own
    const uint4 *pieces;
    const uint32_t *order;  // NULL if rows are consecutive
    // Bundles, while the plan is built: for the first row of a bundle the number of its rows (0 for its other rows),
    // the number of its columns, and these columns, in the place of the row's own.  NULL if the plan has no bundles.
    const unsigned char *heights;
    const uint32_t *lengths;
    const int32_t *columns;
    const uint32_t *codes; // codes of columns (gpu_hot.h), while the plan is built; NULL if columns keep their numbers
};

/* ---- scan (gpu_slices_scan.cu) -------------------------------------------------------------------- */

enum { SCAN_ITEMS = 8, SCAN_TILE = SCAN_ITEMS * BLOCK };

// Returns the sum of the values of all threads before this one; *total gets the sum of all.  warp_sums: shared memory,
// [WARPS].
static __device__ __forceinline__ uint32_t scan_block(uint32_t value, uint32_t *warp_sums, uint32_t *total)
{
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    uint32_t up_to = value;
#pragma unroll
    for (unsigned s = 1; s < LANES; s *= 2) {
        const uint32_t before = __shfl_up_sync(ALL_LANES, up_to, s);
        if (lane >= s) up_to += before;
    }
    if (lane == LANES - 1) warp_sums[warp] = up_to;
    __syncthreads();
    uint32_t before = 0, all = 0;
#pragma unroll
    for (unsigned w = 0; w < WARPS; ++w) {
        const uint32_t sum = warp_sums[w];
        before += w < warp ? sum : 0;
        all += sum;
    }
    __syncthreads();
    *total = all;
    return before + up_to - value;
}

// Replaces each of data[0..n-1] by the sum of all before it.  sums has room for blocks_for(n, SCAN_TILE) + 1 numbers;
// the last becomes the total.
cudaError_t slices_scan(uint32_t *data, size_t n, uint32_t *sums, cudaStream_t stream);

/* ---- rows (gpu_slices_rows.cu) -------------------------------------------------------------------- */

// Sorts rows into slices of rows of like length, in s->order, s->empty, s->pieces and *l.
cudaError_t slices_sort(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, uint32_t steps, layout_t *l,
                        scratch_t *scratch, cudaStream_t stream);

/* ---- bundles (gpu_slices_bundle.cu) ---------------------------------------------------------------- */

// Finds the bundles of rows that are alike; none has more than `most` columns.
cudaError_t slices_bundle(const gpu_csr_t *A, uint32_t most, layout_t *l, scratch_t *scratch, cudaStream_t stream);

#endif
