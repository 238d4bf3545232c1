/* anew.h - converts a matrix on the GPU and on the host, and compares the results. */
#ifndef SPMV_ANEW_H
#define SPMV_ANEW_H

#include "gpu_forms.h"
#include "lists.h"

/* Returns true, with the difference in `text`, if the GPU's conversion differs from the host's in any entry. */
static inline bool anew_is_wrong(const char *recipe, spmv_format_t format, spmv_part_t part, bool shuffled,
                                 bool transpose, char *text, size_t size)
{
    bool is_made = false;
    err_t err = {""};
    list_t l = list_of(recipe);
    keep(&l, part);
    if (shuffled) shuffle(&l);
    if (format != SPMV_COO) sort_lines(&l, format);
    const int bits = transpose ? 64 : 32;
    arrays_t host = arrays_of(&l, format, part, 1, bits, SPMV_F64, false),
             gpu = arrays_of(&l, format, part, 1, bits, SPMV_F64, true);
    form_t right, got;
    assert_true(form_make(&right, &host.M, transpose));
    const spmv_status_t status = gpu_form_make(&got, &is_made, &gpu.M, transpose, NULL);
    const char *other = device_sync(&err) || status != SPMV_OK ? err.text[0] ? err.text : spmv_last_error()
                        : !is_made                              ? "nothing"
                        : got.rows != right.rows || got.cols != right.cols || got.nnz != right.nnz || got.bits != 32
                            ? "sizes"
                            : NULL;
    const size_t bytes[] = {((size_t)right.rows + 1) * 4, (size_t)right.nnz * 4, (size_t)right.nnz * 4};
    const void *const rights[] = {right.offsets, right.columns, right.origin}, *gots[] = {got.offsets, got.columns,
                                                                                         got.origin};
    static const char *const NAMES[] = {"offsets", "columns", "places of the values"};
    for (size_t i = 0; i < 3 && !other; ++i) {
        void *copy = malloc(bytes[i]);
        assert_int_equal(cudaMemcpy(copy, gots[i], bytes[i], cudaMemcpyDeviceToHost), 0);
        if (memcmp(copy, rights[i], bytes[i]) != 0) other = NAMES[i];
        free(copy);
    }
    if (other)
        snprintf(text, size, "%s, format %d, part %d, shuffled %d, transpose %d: other %.150s", recipe, (int)format,
                 (int)part, shuffled, transpose, other);
    for (size_t i = 0; i < 3; ++i) gpu_free((void *)gots[i]);
    form_free(&right);
    arrays_free(&host);
    arrays_free(&gpu);
    list_free(&l);
    return other != NULL;
}

/* Returns true, with the input in `text`, if the GPU accepts invalid input: an index too large, decreasing offsets,
 * entries of the other triangle. */
static inline bool bad_is_made(char *text, size_t size)
{
    static const char *const WHAT[] = {"a column too large", "a row too large", "offsets that fall",
                                       "an offset that is not nnz", "the other triangle"};
    bool taken = false;
    for (int i = 0; i < 5 && !taken; ++i) {
        err_t err = {""};
        list_t l = list_of("even:3000,3000,9");
        arrays_t a = arrays_of(&l, i == 1 ? SPMV_COO : SPMV_CSR, SPMV_ALL, 0, 32, SPMV_F64, true);
        const int32_t large = 3000, falls = 30, more = (int32_t)l.nnz + 1;
        form_t f = {0};
        if (i == 0) cudaMemcpy((int32_t *)a.d_col + 77, &large, 4, cudaMemcpyHostToDevice);
        if (i == 1) cudaMemcpy((int32_t *)a.d_row + 77, &large, 4, cudaMemcpyHostToDevice);
        if (i == 2) cudaMemcpy((int32_t *)a.d_offsets + 7, &falls, 4, cudaMemcpyHostToDevice);
        if (i == 3) cudaMemcpy((int32_t *)a.d_offsets + 3000, &more, 4, cudaMemcpyHostToDevice);
        if (i == 4) a.M.part = SPMV_LOWER;
        gpu_form_make(&f, &taken, &a.M, i != 4, NULL);
        taken = device_sync(&err) || taken;
        if (taken) snprintf(text, size, "%s was taken", WHAT[i]);
        gpu_free(f.offsets), gpu_free(f.columns), gpu_free(f.origin);
        arrays_free(&a);
        list_free(&l);
    }
    return taken;
}

#endif
