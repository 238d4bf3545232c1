/*
 * test_spmv_pairs.c - on a GPU a plan with the option `values` stores the pairs of a symmetric matrix once if they are
 * in diagonals; every y must have the bits of the plan without the option, for all values.
 */
#include "library.h"

#include <math.h>

#include "gpu_slices.h"
#include "gpu_table.h"

/* ---- matrices ------------------------------------------------------------------------------------- */

static const struct { const char *recipe; bool pairs; /* if symmetric, it has pairs */ } SHAPES[] = {
    {"poisson2d:20,30", true},
    {"poisson3d:11,7,5", true},
    {"stencil27:9,8,7", true},
    {"band:400,9", true},
    {"band:70,32", true}, /* the 32nd diagonal begins at a slice */
    {"band:33,1", true},
    {"band:20000,1", true}, /* more slices than warps run at once */
    {"band:2,1", false}, /* values are stored for whole warps */
    {"diagonal:100", false},
    {"one_dense_row:300", false},
    {"empty:0,0", false},
    {"empty:40,40", false},
    {"dense:1,40", false},
    {"dense:40,1", false},
    {"dense:1,1", false},
    {"near_and_far:300,300", true},
    {"near_and_far:300,300,1", true},
    {"near_and_far:300,410", true}, /* some values above the main diagonal have no mirror image */
    {"near_and_far:410,300", true}, /* the same below it */
    {"mixed", true}, /* slices of other kinds are between them */
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

/* ---- values --------------------------------------------------------------------------------------- */

typedef enum values {
    SYMMETRIC, UNLIKE, LAST_BIT, NEVER_ALIKE, ZEROS, SPECIAL, NARROW, SKEW, CHECKERED, VALUE_KINDS
} values_t;
static const struct {
    const char *name;
    enum { NONE, ANY, SOME } pairs; /* pairs of a matrix that can have some */
} KINDS[VALUE_KINDS] = {
    [SYMMETRIC] = {"symmetric", SOME},
    [UNLIKE] = {"not symmetric", NONE},
    [LAST_BIT] = {"symmetric but for one bit of one value", ANY},
    [NEVER_ALIKE] = {"symmetric but for the last bit of each", NONE},
    [ZEROS] = {"0 and -0 across from each other", NONE},
    [SPECIAL] = {"symmetric, with NaN, infinities, zeros of either sign", SOME},
    [NARROW] = {"symmetric, of half the bytes", ANY},
    [SKEW] = {"skew-symmetric", NONE},
    [CHECKERED] = {"every other row of slices symmetric", ANY},
};

static double drawn(uint64_t low, uint64_t high)
{
    const uint64_t z = ((high << 32 | low) + 1) * 0x9e3779b97f4a7c15u;
    return 0.5 + (double)((z ^ z >> 29) * 0xbf58476d1ce4e5b9u >> 11) * 0x1p-53;
}

/* Returns the bits of the value at (r, c), which has so many bytes. */
static uint64_t bits_of(values_t kind, size_t r, size_t c, size_t bytes)
{
    static const double SPECIALS[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 0x1p-1070, -1.5};
    const size_t low = r < c ? r : c, high = r < c ? c : r;
    double v = drawn(low, high);
    float f;
    uint32_t narrow;
    uint64_t bits;
    if (kind == UNLIKE || (kind == CHECKERED && r > c && r / 32 % 2)) v = drawn(r + 7, c);
    if (kind == ZEROS) v = r > c ? -0.0 : 0.0;
    if (kind == SPECIAL && (low + high) % 5 == 0) v = SPECIALS[(low * 3 + high) % 7];
    if (kind == NARROW) v = bytes == 8 ? (double)(float)v : (double)(int)(v * 1000);
    if (kind == SKEW && r > c) v = -v;
    f = (float)v;
    memcpy(&bits, &v, sizeof bits);
    memcpy(&narrow, &f, sizeof narrow);
    if (bytes == 4) bits = narrow;
    if (kind == NEVER_ALIKE && r > c) bits ^= 1;
    if (kind == LAST_BIT && high == low + 1 && low == 17 && r > c) bits ^= 1;
    return bits;
}

static void set_values(on_gpu_t *c, values_t kind)
{
    const csr_t *A = c->e.A;
    const size_t bytes = dtype_size(c->device.value_type);
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t k = A->row_offsets[r]; k < A->row_offsets[r + 1]; ++k) {
            const uint64_t bits = bits_of(kind, r, (size_t)A->col_indices[k], bytes);
            memcpy((char *)c->e.host.values + (size_t)k * bytes, &bits, bytes); /* little endian */
        }
    values_to_gpu(c);
}

/* ---- the tests ------------------------------------------------------------------------------------ */

static gpu_engine_t *in_order(const on_gpu_t *c, bool values)
{
    return engine_of(&c->csr, (spmv_options_t){.exclusive = 1, .values = values}, VARIANT_IN_ORDER);
}

static void product(const gpu_engine_t *engine, const on_gpu_t *c, double alpha, double beta, void *d_y, char *y)
{
    const size_t bytes = c->e.A->rows * c->e.vector_bytes;
    assert_int_equal(cudaMemset(d_y, 0x40, bytes + 8), 0);
    if (c->e.A->rows)
        assert_int_equal(gpu_engine_execute(engine, alpha, alpha != 0 ? c->d_x : NULL, beta, d_y, NULL), 0);
    from_gpu(y, d_y, bytes + 8);
}

static void same_products(const gpu_engine_t *seen, const gpu_engine_t *plain, const on_gpu_t *c, const char *what)
{
    static const double ALPHA_BETA[][2] = {{1, 0}, {-2, 3}, {0, 2}};
    const size_t bytes = c->e.A->rows * c->e.vector_bytes + 8;
    char *a = malloc(bytes), *b = malloc(bytes);
    void *d_y = to_gpu(NULL, bytes);
    for (size_t i = 0; i < sizeof ALPHA_BETA / sizeof *ALPHA_BETA; ++i) {
        product(plain, c, ALPHA_BETA[i][0], ALPHA_BETA[i][1], d_y, a);
        product(seen, c, ALPHA_BETA[i][0], ALPHA_BETA[i][1], d_y, b);
        for (size_t r = 0; r < c->e.A->rows; ++r) {
            double y[2];
            dtype_to_double(c->e.vector, &y[0], a + r * c->e.vector_bytes, 1);
            dtype_to_double(c->e.vector, &y[1], b + r * c->e.vector_bytes, 1);
            if (isnan(y[0]) && isnan(y[1])) continue; /* the sign of a NaN depends on the order of the operands */
            if (memcmp(a + r * c->e.vector_bytes, b + r * c->e.vector_bytes, c->e.vector_bytes))
                fail_msg("%s, %s: other bits (product %zu): y[%zu] is %a, was %a\n%s", c->e.name, what, i, r, y[1],
                         y[0], text_of_engine(seen));
        }
        if (memcmp(a + bytes - 8, b + bytes - 8, 8))
            fail_msg("%s, %s: writes behind y (product %zu)", c->e.name, what, i);
    }
    device_free(d_y);
    free(a), free(b);
}

/* Checks that the description mentions pairs, and that they make the plan smaller. */
static void as_told(const gpu_engine_t *seen, const gpu_engine_t *plain, const on_gpu_t *c, size_t shape,
                    values_t kind)
{
    const char *text = text_of_engine(seen);
    const bool has = strstr(text, "pairs: ") != NULL;
    if ((KINDS[kind].pairs == NONE && has) || (!SHAPES[shape].pairs && has) ||
        (KINDS[kind].pairs == SOME && SHAPES[shape].pairs && !has))
        fail_msg("%s, %zu x %zu, %s: %s pairs\n%s", c->e.name, c->e.A->rows, c->e.A->cols, KINDS[kind].name,
                 has ? "has" : "no", text);
    if (has) assert_true(gpu_engine_bytes(seen) < gpu_engine_bytes(plain));
    if (KINDS[kind].pairs == NONE && kind != ZEROS) assert_int_equal(gpu_engine_bytes(seen), gpu_engine_bytes(plain));
}

/* Sets each kind of values after every other kind, in a plan with the option and in one without. */
TEST(every_kind_after_every_other)
{
    for (size_t i = 0; i < SHAPE_COUNT; ++i)
        for (int type = SPMV_F32; type <= SPMV_F32_F64; ++type) {
            if (type == SPMV_F16 || type == SPMV_BF16) continue;
            on_gpu_t c = gpu_from(SHAPES[i].recipe, (spmv_type_t)type, type == SPMV_F64 ? 64 : 32);
            set_values(&c, SYMMETRIC);
            gpu_engine_t *seen = in_order(&c, true), *plain = in_order(&c, false);
            for (int step = 0; step < VALUE_KINDS; ++step)
                for (int k = 0; k < VALUE_KINDS; ++k) {
                    const values_t kind = (values_t)((k * (step + 1) + step) % VALUE_KINDS);
                    if (step > 2 && i > 3) continue;
                    set_values(&c, kind);
                    assert_int_equal(gpu_engine_update(seen, c.device.values, NULL), 0);
                    assert_int_equal(gpu_engine_update(plain, c.device.values, NULL), 0);
                    same_products(seen, plain, &c, KINDS[kind].name);
                    as_told(seen, plain, &c, i, kind);
                }
            gpu_engine_destroy(seen), gpu_engine_destroy(plain);
            close_on_gpu(&c);
        }
}

/* A plan with pairs has half the values of a grid and half as many columns again: this leaves 0.62 of the bytes in
 * fp64, 0.70 in fp32. */
TEST(half_the_bytes)
{
    static const struct { spmv_type_t type; double most; } ASKED[] = {{SPMV_F64, 0.62}, {SPMV_F32, 0.70}};
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; ++i) {
        on_gpu_t c = gpu_from("stencil27:32,32,16", ASKED[i].type, 32);
        set_values(&c, SYMMETRIC);
        gpu_engine_t *seen = in_order(&c, true), *plain = in_order(&c, false);
        const double part = (double)gpu_engine_bytes(seen) / (double)gpu_engine_bytes(plain);
        if (part > ASKED[i].most) fail_msg("%.3f of the bytes", part);
        gpu_engine_destroy(seen), gpu_engine_destroy(plain);
        close_on_gpu(&c);
    }
}

/* A table is kept for a few values, small matrices stay as they are, and pairs that save too little are not stored. */
TEST(where_it_is_worth_it)
{
    static const struct { const char *recipe; spmv_type_t type; size_t pairs_least; bool table, pairs; } ASKED[] = {
        {"poisson2d:30,40", SPMV_F64, 0, true, false},
        {"poisson2d:30,40", SPMV_F64, (size_t)4 << 20, false, false},
        {"poisson2d:200,200", SPMV_F64, 1, false, true},
        {"poisson2d:200,200", SPMV_F32, 1, false, false},
        {"stencil27:30,30,30", SPMV_F32, 1, false, true},
    };
    const size_t least = gpu_table_least;
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; ++i) {
        on_gpu_t c = gpu_from(ASKED[i].recipe, ASKED[i].type, 32);
        gpu_table_least = ASKED[i].table ? 0 : least;
        gpu_pairs_least = ASKED[i].pairs_least;
        if (!ASKED[i].table) set_values(&c, SYMMETRIC); /* otherwise the values are a few integers */
        gpu_engine_t *seen = in_order(&c, true);
        const char *text = text_of_engine(seen);
        if ((strstr(text, "pairs: ") != NULL) != ASKED[i].pairs ||
            (strstr(text, "8-bit indices") != NULL) != ASKED[i].table)
            fail_msg("%s\n%s", ASKED[i].recipe, text);
        gpu_table_least = least, gpu_pairs_least = 0;
        gpu_engine_destroy(seen);
        close_on_gpu(&c);
    }
}

int main(void)
{
    open_gpu();
    gpu_pairs_least = 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
