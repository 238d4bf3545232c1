/* test_spmv_rows.c - libspmv as rows of a chapter (lib_rows.h), tested with the harness and the chapters' battery. */
#include "tests/spmv_battery.h"

#include "lib_rows.h"

static const chapter_t ROWS = {.name = "lib_rows", .doc = "libspmv", .step = lib_row};

TEST(types_and_alignments) { check_types_and_alignments(&ROWS, NULL); }
TEST(row_counts) { check_row_counts(&ROWS, NULL); }
TEST(infinite_x) { check_infinite_x(&ROWS, NULL); }
/* libspmv_tuned may select another plan each time it is set up. */
static bool is_tuned(const step_t *s) { return strcmp(s->id, "libspmv_tuned") == 0; }
TEST(deterministic) { check_deterministic(&ROWS, is_tuned); }

TEST(narrow_values)
{
    check_battery(&ROWS, (spmv_spec_t){.dtype = DTYPE_F16, .exact = true}, NULL);
    check_battery(&ROWS, (spmv_spec_t){.dtype = DTYPE_BF16, .offset_bits = 64}, NULL);
    check_recipe(&ROWS, "random:20,30,100", (spmv_spec_t){.dtype = DTYPE_I8}, NULL); /* refused with a message */
}

TEST(table)
{
    size_t n = 0;
    for (const step_t *s; (s = lib_row(n)); ++n) assert_ptr_equal(s->ops, &LIB_ROW);
    assert_int_equal(n, 7);
}
CHAPTER_TEST_MAIN("lib_rows", NULL)
