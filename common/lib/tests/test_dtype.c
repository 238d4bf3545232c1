/* test_dtype.c - names, sizes and, above all, rounding. */
#include <math.h>
#include <string.h>

#include "tests/unit.h"
#include "dtype.h"
#include "rng.h"

TEST(names_go_both_ways)
{
    for (int i = 0; i < DTYPE_COUNT; ++i) {
        dtype_t t = DTYPE_COUNT;
        assert_int_equal(dtype_parse(dtype_name((dtype_t)i), &t, NULL), 0);
        assert_int_equal(t, i);
    }
    dtype_t t;
    assert_int_equal(dtype_parse("float", &t, NULL), 0);
    assert_int_equal(t, DTYPE_F32);
    assert_int_equal(dtype_parse("F64", &t, NULL), 0);
    assert_int_equal(t, DTYPE_F64);
    assert_int_equal(dtype_parse("half", &t, NULL), 0);
    assert_int_equal(t, DTYPE_F16);
}

TEST(unknown_name_lists_the_known)
{
    dtype_t t;
    err_t err = {""};
    assert_int_equal(dtype_parse("fp8", &t, &err), -1);
    assert_non_null(strstr(err.text, "'fp8'"));
    for (int i = 0; i < DTYPE_COUNT; ++i) assert_non_null(strstr(err.text, dtype_name((dtype_t)i)));
    assert_int_equal(dtype_parse(NULL, &t, &err), -1);
    assert_int_equal(dtype_parse("", &t, NULL), -1);
}

TEST(sizes_and_companions)
{
    assert_int_equal(dtype_size(DTYPE_F32), 4);
    assert_int_equal(dtype_size(DTYPE_F64), 8);
    assert_int_equal(dtype_size(DTYPE_F16), 2);
    assert_int_equal(dtype_size(DTYPE_BF16), 2);
    assert_int_equal(dtype_size(DTYPE_I8), 1);
    for (int i = 0; i < DTYPE_COUNT; ++i)
        assert_int_equal(dtype_vector((dtype_t)i), i == DTYPE_F64 ? DTYPE_F64 : DTYPE_F32);
}

/* u is the distance from 1 to the next value, halved. */
TEST(roundoff_is_half_a_step)
{
    for (int i = 0; i < DTYPE_I8; ++i) {
        dtype_t t = (dtype_t)i;
        double u = dtype_roundoff(t);
        assert_true(dtype_round(t, 1 + 2 * u) == 1 + 2 * u);
        assert_true(dtype_round(t, 1 + u) == 1);
        if (t != DTYPE_F64) assert_true(dtype_round(t, 1 + 1.01 * u) == 1 + 2 * u);
    }
    assert_true(dtype_roundoff(DTYPE_I8) == 0);
}

TEST(ties_go_to_even_and_large_to_infinity)
{
    assert_true(dtype_round(DTYPE_F16, 2049) == 2048);
    assert_true(dtype_round(DTYPE_F16, 2051) == 2052);
    assert_true(dtype_round(DTYPE_F16, 65519) == 65504);
    assert_true(dtype_round(DTYPE_F16, 65520) == INFINITY);
    assert_true(dtype_round(DTYPE_F16, -70000) == -INFINITY);
    assert_true(dtype_round(DTYPE_F16, 0x1p-24) == 0x1p-24); /* smallest subnormal */
    assert_true(dtype_round(DTYPE_F16, 0x1p-25) == 0);       /* half of it: tie to even */
    assert_true(dtype_round(DTYPE_F16, 0x1.8p-25) == 0x1p-24);
    assert_true(signbit(dtype_round(DTYPE_F16, -0x1p-30)));
    assert_true(dtype_round(DTYPE_BF16, 257) == 256);
    assert_true(dtype_round(DTYPE_BF16, 259) == 260);
    assert_true(dtype_round(DTYPE_BF16, 3.4e38) == INFINITY);
    assert_true(dtype_round(DTYPE_BF16, 0x1.fep127) == 0x1.fep127);
    assert_true(dtype_round(DTYPE_BF16, 0x1p-133) == 0x1p-133);
    /* through float this would be 1 (a tie after the first rounding); straight it is not */
    assert_true(dtype_round(DTYPE_BF16, 1 + 0x1p-8 + 0x1p-40) == 1 + 0x1p-7);
    assert_true(dtype_round(DTYPE_F16, 1 + 0x1p-11 + 0x1p-40) == 1 + 0x1p-10);
    assert_true(isnan(dtype_round(DTYPE_F16, NAN)) && isnan(dtype_round(DTYPE_BF16, NAN)));
}

TEST(int8_clamps)
{
    const double in[] = {0.5, 1.5, -0.5, -2.5, 127.4, 127.6, 1e30, -1e30, INFINITY, -INFINITY, NAN};
    const double out[] = {0, 2, 0, -2, 127, 127, 127, -128, 127, -128, 0};
    for (size_t i = 0; i < sizeof in / sizeof *in; ++i) {
        int8_t stored;
        assert_true(dtype_round(DTYPE_I8, in[i]) == out[i]);
        dtype_from_double(DTYPE_I8, &stored, &in[i], 1);
        assert_true(stored == out[i]);
    }
}

/* Every bit pattern of the 16-bit types survives the way to double and back. */
TEST(sixteen_bits_survive)
{
    for (dtype_t t = DTYPE_F16; t <= DTYPE_BF16; ++t) {
        for (uint32_t bits = 0; bits < 65536; ++bits) {
            uint16_t in = (uint16_t)bits, out;
            double v;
            dtype_to_double(t, &v, &in, 1);
            dtype_from_double(t, &out, &v, 1);
            if (isnan(v)) continue;
            assert_true(dtype_round(t, v) == v);
            assert_int_equal(in, out);
        }
    }
    const double nan = NAN;
    uint16_t bits;
    double back;
    for (dtype_t t = DTYPE_F16; t <= DTYPE_BF16; ++t) {
        dtype_from_double(t, &bits, &nan, 1);
        dtype_to_double(t, &back, &bits, 1);
        assert_true(isnan(back));
    }
}

/* The stored value is dtype_round() of the given one, and no representable value is nearer. */
TEST(storing_is_rounding)
{
    enum { N = 20000 };
    static double in[N], back[N];
    static char stored[N * 8];
    rng_t rng = rng_stream(1, 2, 3);
    for (int i = 0; i < N; ++i) in[i] = ldexp(rng_value(&rng), (int)rng_below(&rng, 60) - 40);
    for (int k = 0; k < DTYPE_COUNT; ++k) {
        dtype_t t = (dtype_t)k;
        dtype_from_double(t, stored, in, N);
        dtype_to_double(t, back, stored, N);
        for (int i = 0; i < N; ++i) {
            assert_true(back[i] == dtype_round(t, in[i]));
            if (t == DTYPE_I8 || !isfinite(back[i]) || fabs(in[i]) < 0x1p-14) continue;
            assert_true(fabs(back[i] - in[i]) <= dtype_roundoff(t) * fabs(in[i]));
        }
    }
    dtype_from_double(DTYPE_F32, NULL, NULL, 0); /* nothing is fine */
    dtype_to_double(DTYPE_F16, NULL, NULL, 0);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
