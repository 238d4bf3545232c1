/*
 * test_spmv_values.c - plans with the option `values`: every y must have the bits of the plan without it, for all
 * values and after updates, and the plan must be smaller if few values occur or all are narrow.
 */
#include "library.h"

#include "gpu_table.h"

/* A library without the GPU back end, as under the sanitizers, does not define it, and no test uses it. */
extern size_t gpu_table_least __attribute__((weak));

/* Values of a matrix, by their bits. */
typedef struct kind {
    const char *name;
    spmv_type_t type;
    uint64_t (*bits)(uint64_t k); /* the bits of the k-th nonzero */
    const char *told;             /* part of spmv_describe's text for a large matrix on the CPU; or NULL */
} kind_t;

static uint64_t of_double(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static uint64_t of_float(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static uint64_t mixed(uint64_t k) { return (k * 0x9e3779b97f4a7c15u) >> 17; }

static uint64_t one(uint64_t k) { return (void)k, of_double(0.1); }
static uint64_t some(uint64_t k) { return of_double((double)(mixed(k) % 7) * 0.1 - 0.3); }
static uint64_t zeros(uint64_t k) { return k % 3 ? k % 3 == 1 ? of_double(-0.0) : 0 : of_double(1.5); }
static uint64_t last_bit(uint64_t k) { return of_double(1.0) + k % 2; }
static uint64_t thirds(uint64_t k) { return of_double(1.0 / (1.0 + (double)k)); }
static uint64_t floats(uint64_t k) { return of_double((double)(float)(1.0 / (1.0 + (double)k))); }
static uint64_t one_is_wide(uint64_t k) { return k == 777 ? of_double(0.1) : floats(k); }
static uint64_t extremes(uint64_t k)
{
    static const uint64_t ALL[] = {
        0x7ff0000000000000u, 0xfff0000000000000u, /* infinities */
        0x0000000000000001u, 0x800fffffffffffffu, /* denormals of fp64 */
        0x36a0000000000000u, 0xb69ffffe00000000u, /* denormals of fp32, and a value just too small */
        0x47efffffe0000000u, 0x47effffff0000000u, /* the largest fp32, and a value just too large */
    };
    return ALL[mixed(k) % 8];
}
static uint64_t nans(uint64_t k) { return 0x7ff8000000000000u | (uint64_t)1 << (29 + k % 20) | (k % 2) << 63; }
static uint64_t n_values(uint64_t k, uint64_t n) { return of_double(0.1 * (1.0 + (double)(k < n ? k : mixed(k) % n))); }
static uint64_t values_255(uint64_t k) { return n_values(k, 255); }
static uint64_t values_256(uint64_t k) { return n_values(k, 256); }
static uint64_t values_257(uint64_t k) { return n_values(k, 257); }
static uint64_t values_65535(uint64_t k) { return n_values(k, 65535); }
static uint64_t values_65536(uint64_t k) { return n_values(k, 65536); }
static uint64_t values_65537(uint64_t k) { return n_values(k, 65537); }
static uint64_t f32_some(uint64_t k) { return of_float((float)(mixed(k) % 20) * 0.1f - 0.3f); }
static uint64_t f32_many(uint64_t k) { return of_float(1.0f / (1.0f + (float)(k % 100000))); }
/* Returns every fp16 number except NaN, as fp32. */
static uint64_t f32_halves(uint64_t k)
{
    const uint64_t h = k % 0xf802, m = h > 0x7c00 ? h - 0x7c01 : h;
    const uint64_t e = m >> 10, f = m & 0x3ff;
    const float v = e == 0 ? (float)f * 0x1p-24f : e == 31 ? INFINITY : ldexpf((float)(1024 + f), (int)e - 25);
    return of_float(h > 0x7c00 ? -v : v);
}
static uint64_t f32_near_halves(uint64_t k)
{
    static const uint32_t ALL[] = {0x33000000, 0x33800000, 0x387fc001, 0x3f800fff, 0x477ff000, 0x47800000, 0x80000000};
    return k < 63490 ? f32_halves(k) : ALL[k % 7];
}
static uint64_t f32_too_large(uint64_t k) { return k == 77 ? 0x47800000 : f32_halves(k); }

static const kind_t KINDS[] = {
    {"one value", SPMV_F64, one, NULL},
    {"some", SPMV_F64, some, NULL},
    {"0 and -0", SPMV_F64, zeros, " of 3\n"},
    {"the last bit", SPMV_F64, last_bit, NULL},
    {"all differ", SPMV_F64, thirds, "as they are"},
    {"fp32 numbers", SPMV_F64, floats, "half the bytes"},
    {"fp32 numbers but one", SPMV_F64, one_is_wide, "as they are"},
    {"infinities and denormals", SPMV_F64, extremes, NULL},
    {"NaN of many kinds", SPMV_F64, nans, "as they are"},
    {"255 values and 0", SPMV_F64, values_255, "8-bit indices into a table of 256"},
    {"256 values and 0", SPMV_F64, values_256, "16-bit indices into a table of 257"},
    {"257 values and 0", SPMV_F64, values_257, "16-bit indices into a table of 258"},
    {"65535 values and 0", SPMV_F64, values_65535, "16-bit indices into a table of 65536"},
    {"65536 values and 0", SPMV_F64, values_65536, "as they are"},
    {"65537 values and 0", SPMV_F64, values_65537, "as they are"},
    {"fp32, some", SPMV_F32, f32_some, NULL},
    {"fp32, all differ", SPMV_F32, f32_many, "as they are"},
    {"fp16 numbers", SPMV_F32, f32_halves, "half the bytes"},
    {"fp16 numbers, and 65536", SPMV_F32, f32_too_large, "as they are"},
    {"fp16 numbers, and nearly", SPMV_F32, f32_near_halves, "as they are"},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static void set_values(void *values, const kind_t *kind, int64_t nnz)
{
    for (int64_t k = 0; k < nnz; ++k)
        if (kind->type == SPMV_F64) ((uint64_t *)values)[k] = kind->bits((uint64_t)k);
        else ((uint32_t *)values)[k] = (uint32_t)kind->bits((uint64_t)k);
}

/* Compares the products of both plans, bit by bit; x may have a NaN. */
static void same_products(const spmv_plan_t *seen, const spmv_plan_t *plain, example_t *e, const char *what)
{
    const size_t bytes = e->A->rows * e->vector_bytes;
    char *a = calloc(bytes + 1, 1), *b = calloc(bytes + 1, 1);
    for (int i = 0; i < 3; ++i) {
        memset(a, 0, bytes), memset(b, 0, bytes);
        multiply(seen, e, i == 2 ? -2 : 1, i == 2 ? 3 : 0, a);
        multiply(plain, e, i == 2 ? -2 : 1, i == 2 ? 3 : 0, b);
        if (memcmp(a, b, bytes)) fail_msg("%s, %s: other bits (product %d)\n%s", e->name, what, i, text_of(seen));
    }
    free(a), free(b);
}

/* Gives the same values one after the other to a plan with the option and to one without. */
static void same_through_updates(spmv_options_t options, const char *recipe, const size_t *kinds, size_t count)
{
    const spmv_type_t type = KINDS[kinds[0]].type;
    example_t e = example_from(recipe, type, 32, false);
    spmv_plan_t *seen = NULL, *plain = NULL;
    for (size_t i = 0; i < count; ++i) {
        const kind_t *kind = &KINDS[kinds[i]];
        set_values(e.host.values, kind, (int64_t)e.A->nnz);
        if (i == 0) {
            options.values = 1;
            seen = plan_of(&e, options);
            options.values = 0;
            plain = plan_of(&e, options);
        } else {
            ok(spmv_update_values(seen, e.host.values, NULL));
            ok(spmv_update_values(plain, e.host.values, NULL));
        }
        same_products(seen, plain, &e, kind->name);
    }
    spmv_destroy(seen), spmv_destroy(plain);
    example_free(&e);
}

static const char *const RECIPES[] = {"powerlaw:300,300,4000", "poisson2d:20,30", "empty_rows:100,7", "band:400,9",
                                      "one_dense_row:900", "empty:7,7"};

TEST(every_kind_after_every_other)
{
    size_t order[4 * KIND_COUNT];
    for (int type = SPMV_F32; type <= SPMV_F64; ++type) {
        size_t n = 0;
        for (size_t step = 1; step < 4; ++step) /* in three orders */
            for (size_t i = 0; i < KIND_COUNT; ++i)
                if ((int)KINDS[i * step % KIND_COUNT].type == type) order[n++] = i * step % KIND_COUNT;
        for (size_t r = 0; r < sizeof RECIPES / sizeof *RECIPES; ++r)
            for (size_t s = 0; s < KERNELS_COUNT; ++s) {
                if (!take_kernels(KERNELS[s])) continue;
                same_through_updates((spmv_options_t){.backend = SPMV_BACKEND_CPU, .copy = s == 1}, RECIPES[r], order,
                                     n);
                unsetenv("SPMV_CPU");
            }
    }
}

TEST(on_the_gpu)
{
    if (!built(SPMV_BACKEND_GPU)) return;
    size_t order[KIND_COUNT];
    for (int type = SPMV_F32; type <= SPMV_F64; ++type) {
        size_t n = 0;
        for (size_t i = 0; i < KIND_COUNT; ++i)
            if ((int)KINDS[i].type == type) order[n++] = i;
        for (size_t r = 0; r < sizeof RECIPES / sizeof *RECIPES; ++r)
            for (int small = 0; small < 2; ++small)
                for (int exclusive = 0; exclusive < 2; ++exclusive) {
                    const size_t least = gpu_table_least;
                    gpu_table_least = small ? 0 : least; /* small matrices get tables, too */
                    same_through_updates((spmv_options_t){.backend = SPMV_BACKEND_GPU, .exclusive = exclusive},
                                         RECIPES[r], order, n);
                    gpu_table_least = least;
                }
    }
}

/* For values that exceed the cache, checks the form of each kind, and that the bits stay the same; also in a plan whose
 * values become one kind after the other. */
TEST(forms_of_large)
{
    example_t wide = example_from("band:30000,20", SPMV_F64, 32, false),
              narrow = example_from("band:30000,20", SPMV_F32, 32, false);
    spmv_plan_t *updated[2] = {NULL, NULL};
    for (size_t i = 0; i < KIND_COUNT; ++i) {
        example_t *e = KINDS[i].type == SPMV_F64 ? &wide : &narrow;
        if (!KINDS[i].told) continue;
        set_values(e->host.values, &KINDS[i], (int64_t)e->A->nnz);
        spmv_plan_t *seen = plan_of(e, (spmv_options_t){.backend = SPMV_BACKEND_CPU, .values = 1}),
                    *plain = plan_of(e, (spmv_options_t){.backend = SPMV_BACKEND_CPU});
        same_products(seen, plain, e, KINDS[i].name);
        spmv_plan_t **last = &updated[e == &narrow];
        if (*last) ok(spmv_update_values(*last, e->host.values, NULL));
        else *last = plan_of(e, (spmv_options_t){.backend = SPMV_BACKEND_CPU, .values = 1});
        same_products(*last, plain, e, KINDS[i].name);
        told(seen, KINDS[i].told);
        assert_null(strstr(text_of(plain), "values of slices"));
        spmv_destroy(seen), spmv_destroy(plain);
    }
    spmv_destroy(updated[0]), spmv_destroy(updated[1]);
    example_free(&wide), example_free(&narrow);
}

/* Checks the bytes that a product reads: those of the plan without its tables of places, which only updates use. */
TEST(fewer_bytes)
{
    enum { TABLES = (1 << 16) * 8 + (1 << 17) * 4 };
    static const struct { size_t kind; bool table; double most; } ASKED[] = {{9, true, 0.4}, {5, false, 0.65}};
    const char *recipe = "random:60000,60000,700000";
    example_t e = example_from(recipe, SPMV_F64, 32, false);
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; ++i) {
        set_values(e.host.values, &KINDS[ASKED[i].kind], (int64_t)e.A->nnz);
        spmv_plan_t *seen = plan_of(&e, (spmv_options_t){.backend = SPMV_BACKEND_CPU, .values = 1}),
                    *plain = plan_of(&e, (spmv_options_t){.backend = SPMV_BACKEND_CPU});
        const double ratio = (double)(spmv_bytes(seen) - (ASKED[i].table ? TABLES : 0)) / (double)spmv_bytes(plain);
        const double values = (double)(spmv_bytes(plain) - spmv_bytes(seen) + (ASKED[i].table ? TABLES : 0)) /
                              (double)e.A->nnz; /* bytes saved per nonzero, of 8 */
        if (values < (ASKED[i].table ? 6.9 : 3.9)) fail_msg("%s: %.2f bytes saved", KINDS[ASKED[i].kind].name, values);
        if (ratio > ASKED[i].most + 0.1) fail_msg("%s: %.2f of the bytes", KINDS[ASKED[i].kind].name, ratio);
        spmv_destroy(seen), spmv_destroy(plain);
    }
    example_free(&e);
}

int main(void)
{
    open_gpu();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
