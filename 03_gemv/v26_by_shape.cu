/*
 * gemv v26 - chosen by shape
 *
 * From    v1
 * Was     v1 and the steps after it treat every shape in the same way: v12, v16, v20 and v25
 *         are each good for some shapes and poor for others.
 * Idea    Before the launch test the shape: many or short rows, or few long ones; for a
 *         column-major A many rows or few.  Then call the step that is best for it.
 * Moves   Same as the step it calls.
 * Expect  The time of the best step on every shape.
 * Still   BLAS also offers alpha, beta and strides.  And zeros are read like
 *         any other number: chapter 04 leaves them out.
 * Needs   Either layout.  Any rows, any cols.  d_words zero.
 * Launch  As the step it calls: gemv_v26_choice() returns which.
 * Source  Autotuned BLAS; three tests replace their search because the shapes are few.
 */
#include "chapter.h"

// The warps and threads that an SM needs to be busy, as measured.
enum { BLOCK = 512, ENOUGH_WARPS = 12, ENOUGH_THREADS = 1024 };

struct choice { gemv_gpu_fn step; const char *words; };

static choice choose(dtype_t dtype, gemv_layout_t layout, size_t rows, size_t cols, const void *A, const void *x,
                     const void *y)
{
    int gpu = 0, sms = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);

    // Loads per row (row-major) or column (column-major): of 16 bytes where alignment allows, else of one element.
    const size_t size = dtype == DTYPE_F64 ? 8 : 4, line_bytes = (layout == GEMV_ROW ? cols : rows) * size;
    const bool wide_loads = ((size_t)A | (size_t)(layout == GEMV_ROW ? x : y) | line_bytes) % 16 == 0;
    const size_t loads = line_bytes / (wide_loads ? 16 : size);
    // region: step
    if (layout == GEMV_COL) {
        if (loads >= (size_t)sms * ENOUGH_THREADS) return {gemv_v20, "v20, a thread to each 16 bytes of rows"};
        return {gemv_v25, "v25, the columns split between warps and blocks"};
    }
    // Blocks share rows if v16 then iterates at least four times (2 vectors per row for float, 4 for double), or if
    // there are too few rows to keep the warps busy.
    const bool long_rows = loads >= 4 * BLOCK * size / 2;
    const bool few_rows = rows < (size_t)sms * ENOUGH_WARPS && loads >= 2 * BLOCK;
    if (long_rows || few_rows) return {gemv_v16, "v16, the rows split between blocks"};
    return {gemv_v12, "v12, as many lanes as a row can use"};
    // end: step
}

extern "C" cudaError_t gemv_v26(GEMV_ARGS)
{
    if (rows == 0) return cudaSuccess;
    const gemv_gpu_fn step = choose(dtype, layout, rows, cols, d_A, d_x, d_y).step;
    return step(dtype, layout, rows, cols, d_A, d_x, d_y, d_sums, d_words, stream);
}

extern "C" const char *gemv_v26_choice(dtype_t dtype, gemv_layout_t layout, size_t rows, size_t cols, const void *d_A,
                                       const void *d_x, const void *d_y)
{
    return choose(dtype, layout, rows, cols, d_A, d_x, d_y).words;
}
