/* installed.c - install.sh builds it against the installed header and library only. */
#include <spmv.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("installed.c:%d: %s (%s)\n", __LINE__, #condition, spmv_last_error()); \
            return 1;                                                          \
        }                                                                      \
    } while (0)

int main(void)
{
    /* ( 1 2 0 )
     * ( 0 0 0 )
     * ( 0 3 4 ) in all types; 1, 2, 3, 4 as half and bfloat16 */
    static const int32_t offsets[] = {0, 2, 2, 4}, columns[] = {0, 1, 1, 2};
    static const int64_t long_offsets[] = {0, 2, 2, 4};
    static const float floats[] = {1, 2, 3, 4};
    static const double doubles[] = {1, 2, 3, 4}, doubled[] = {2, 4, 6, 8};
    static const uint16_t halves[] = {0x3c00, 0x4000, 0x4200, 0x4400}, bfloats[] = {0x3f80, 0x4000, 0x4040, 0x4080};
    const void *values[] = {floats, doubles, halves, bfloats};
    int type, bits;
    for (type = SPMV_F32; type <= SPMV_BF16; ++type)
        for (bits = 32; bits <= 64; bits += 32) {
            const double x[] = {10, 100, 1000};
            const float x_float[] = {10, 100, 1000};
            double y[] = {1, 1, 1};
            float y_float[] = {1, 1, 1};
            const int is_double = type == SPMV_F64;
            char text[500];
            spmv_csr_t A;
            spmv_plan_t *plan;
            memset(&A, 0, sizeof A);
            A.rows = A.cols = 3;
            A.nnz = 4;
            A.value_type = (spmv_type_t)type;
            A.offset_bits = bits;
            A.row_offsets = bits == 64 ? (const void *)long_offsets : offsets;
            A.col_indices = columns;
            A.values = values[type];
            CHECK(spmv_create(&plan, &A, NULL, NULL) == SPMV_OK);
            CHECK(spmv_backend_of(plan) == SPMV_BACKEND_CPU);
            CHECK(spmv_execute(plan, 2, is_double ? (const void *)x : x_float, 3, is_double ? (void *)y : y_float,
                               NULL) == SPMV_OK);
            if (is_double) CHECK(y[0] == 423 && y[1] == 3 && y[2] == 8603);
            else CHECK(y_float[0] == 423 && y_float[1] == 3 && y_float[2] == 8603);
            if (is_double) {
                CHECK(spmv_update_values(plan, doubled, NULL) == SPMV_OK);
                CHECK(spmv_execute(plan, 1, x, 0, y, NULL) == SPMV_OK);
                CHECK(y[0] == 420 && y[1] == 0 && y[2] == 8600);
            }
            CHECK(spmv_describe(plan, text, sizeof text) == SPMV_OK && strstr(text, "CPU"));
            CHECK(spmv_bytes(plan) > 0);
            A.offset_bits = 16;
            spmv_destroy(plan);
            CHECK(spmv_create(&plan, &A, NULL, NULL) == SPMV_BAD_ARGUMENT && plan == NULL);
            CHECK(strstr(spmv_last_error(), "offset_bits"));
#ifdef EXPECT_NO_GPU
            {
                spmv_options_t options;
                memset(&options, 0, sizeof options);
                options.backend = SPMV_BACKEND_GPU;
                A.offset_bits = bits;
                CHECK(spmv_create(&plan, &A, &options, NULL) == SPMV_NO_GPU &&
                      strstr(spmv_last_error(), "without a GPU"));
            }
#endif
        }
    CHECK(strcmp(spmv_status_text(SPMV_OK), "no error") == 0);
    CHECK(spmv_version()[0] == '0' + SPMV_VERSION_MAJOR);
    return 0;
}
