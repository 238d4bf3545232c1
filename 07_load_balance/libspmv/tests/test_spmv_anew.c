/* test_spmv_anew.c - forms that are converted on the GPU. */
#include "anew.h"

static void check_same(const char *recipe, spmv_format_t format, spmv_part_t part, bool shuffled, bool transpose)
{
    char text[300];
    if (anew_is_wrong(recipe, format, part, shuffled, transpose, text, sizeof text)) fail_msg("%s", text);
}

/* Shares of one warp and of many, numbers of nonzeros that fill no share; rows of one, two and three digits. */
TEST(same_as_host)
{
    static const char *const MANY[] = {"dense:1,1", "dense:33,31", "even:3000,3000,9", "random:70000,66000,9000",
                                       "powerlaw:20000,20000,40001", "one_dense_row:3000"};
    for (size_t i = 0; i < sizeof MANY / sizeof *MANY; ++i)
        for (int format = SPMV_CSR; format <= SPMV_COO; ++format)
            for (int shuffled = 0; shuffled < 2; ++shuffled)
                for (int transpose = 0; transpose < 2; ++transpose)
                    check_same(MANY[i], (spmv_format_t)format, SPMV_ALL, shuffled, transpose);
    for (int format = SPMV_CSR; format <= SPMV_COO; ++format)
        for (int part = SPMV_LOWER; part <= SPMV_UPPER; ++part)
            check_same("even:3000,3000,9", (spmv_format_t)format, (spmv_part_t)part, format == SPMV_COO, false);
}

/* The GPU leaves invalid arrays to the host, which reports the error. */
TEST(bad_arrays)
{
    char text[300];
    if (bad_is_made(text, sizeof text)) fail_msg("%s", text);
}

int main(void)
{
    open_gpu();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
