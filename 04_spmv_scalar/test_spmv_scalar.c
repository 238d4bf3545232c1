/* test_spmv_scalar.c - every format on every awkward matrix, mutants that must be rejected, the lessons in counts. */
#include "tests/spmv_battery.h"

#include "formats.h"
#include "spmv_scalar.h"
#include "test_cpu.h"

#define MUTANT_ARGS SPMV_SCALAR_ARGS
#include "tests/mutants.h"

/* The CPU steps have tests of their own; the peers are tested where they live. */
static bool not_a_kernel(const step_t *s) { return s->kind != STEP_GPU && s->kind != STEP_GPU_PEER; }

/* Steps that multiply fillers, and the one that may choose such a format. */
static bool multiplies_fillers(const step_t *s)
{
    return strcmp(s->id, "v5") == 0 || strcmp(s->id, "v7") == 0 || strncmp(s->id, "v8", 2) == 0 ||
           strcmp(s->id, "v9") == 0;
}

/* Steps that add to y by atomics, in no fixed order. */
static bool not_deterministic(const step_t *s)
{
    return strcmp(s->id, "v2") == 0 || strcmp(s->id, "v3") == 0 || strcmp(s->id, "v6") == 0 || strcmp(s->id, "v9") == 0;
}

TEST(test_types_and_alignments)
{
    device_configure(false, 0); /* checked, not counted: twice as fast */
    check_types_and_alignments(&SPMV_SCALAR, not_a_kernel);
    device_configure(true, 0);
}

TEST(test_row_counts) { check_row_counts(&SPMV_SCALAR, not_a_kernel); }
TEST(test_infinite_x) { check_infinite_x(&SPMV_SCALAR, multiplies_fillers); }
TEST(test_deterministic) { check_deterministic(&SPMV_SCALAR, not_deterministic); }

TEST(test_64_bit_offsets)
{
    static const char *const SOME[] = {"empty:17,19", "dense:33,31", "empty_rows:100,7", "powerlaw:300,300,4000"};
    for (size_t i = 0; i < sizeof SOME / sizeof *SOME; ++i)
        for (int t = 0; t < 2; ++t)
            for (size_t m = 0; m < 2; ++m)
                check_recipe(&SPMV_SCALAR, SOME[i],
                             (spmv_spec_t){.dtype = t ? DTYPE_F64 : DTYPE_F32, .offset_bits = 64, .misalign = m},
                             not_a_kernel);
}

/* HYB has an ELL part only from 4096 rows on. */
static const char HYBRID[] = "random:13000,900,40000";

TEST(test_hyb_with_both_parts)
{
    err_t err;
    form_size_t s;
    csr_t *A = make_matrix(HYBRID);
    assert_int_equal(form_size(A, FORM_HYB, &s, &err), 0);
    assert_true(s.longest > 0 && hyb_width(A) * A->rows < s.slots); /* a width and a rest */
    csr_free(A);
    device_configure(false, 0);
    check_recipe(&SPMV_SCALAR, HYBRID, (spmv_spec_t){.dtype = DTYPE_F32, .exact = true}, not_a_kernel);
    check_recipe(&SPMV_SCALAR, HYBRID, (spmv_spec_t){.dtype = DTYPE_F64}, not_a_kernel);
    check_recipe(&SPMV_SCALAR, HYBRID, (spmv_spec_t){.dtype = DTYPE_F64, .misalign = 1}, not_a_kernel);
    device_configure(true, 0);
}

/* Both parts of HYB keep Inf in its rows. */
TEST(test_infinite_x_in_hyb)
{
    csr_t *A = make_matrix(HYBRID);
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32, .exact = true});
    device_configure(false, 0);
    check_infinite_in(step_named(&SPMV_SCALAR, "v6"), &p);
    device_configure(true, 0);
    spmv_problem_close(&p);
    csr_free(A);
}

/* DIA and BSR do not: what the page says of them is so.  No row that x[20] cannot reach is touched. */
TEST(test_infinite_x_spreads_over_fillers)
{
    static const char *const IDS[] = {"v5", "v7", "v8"};
    csr_t *A = make_matrix("random:200,50,900");
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32, .exact = true});
    for (int i = 0; i < 3; ++i) {
        float y[200];
        double right[200];
        size_t spread = 0;
        run_infinite(step_named(&SPMV_SCALAR, IDS[i]), &p, y, right);
        for (size_t r = 0; r < A->rows; ++r) {
            if (uses_column(A, r, 20)) assert_false(isfinite(y[r]));
            else if (isnan(y[r])) ++spread;
            else if ((double)y[r] != right[r]) fail_msg("%s: y[%zu] = %g", IDS[i], r, (double)y[r]);
        }
        assert_true(spread > 0);
    }
    spmv_problem_close(&p);
    csr_free(A);
}

/* ---- the pieces on the host --------------------------------------------------------------------- */

/* Bytes of a form as formats.h builds it, slots too; 0 bytes if it refuses. */
static size_t built_bytes(const csr_t *A, form_t f, dtype_t type, size_t limit, err_t *err)
{
    size_t bytes = 0;
#define BUILT(x, build)                  \
    {                                    \
        x##_t *M = build;                \
        if (M) bytes = x##_bytes(M, type); \
        x##_free(M);                     \
        return M ? bytes + 1 : 0; /* an empty matrix has 0 bytes */ \
    }
    switch (f) {
    case FORM_COO: BUILT(coo, coo_from_csr(A, limit, err))
    case FORM_ELL: BUILT(ell, ell_from_csr(A, limit, err))
    case FORM_DIA: BUILT(dia, dia_from_csr(A, limit, err))
    case FORM_HYB: BUILT(hyb, hyb_from_csr(A, HYB_BY_RULE, limit, err))
    case FORM_BSR2:
    case FORM_BSR3:
    case FORM_BSR4: BUILT(bsr, bsr_from_csr(A, 2 + (size_t)(f - FORM_BSR2), false, limit, err))
    case FORM_CSRL: BUILT(csrl, csrl_from_csr(A, limit, err))
    case FORM_BCOO8: BUILT(bcoo, bcoo_from_csr(A, 8, limit, err))
    case FORM_BCOO16: BUILT(bcoo, bcoo_from_csr(A, 16, limit, err))
    case FORM_SELL32: BUILT(sell, sell_from_csr(A, 32, 1, limit, err))
    default: break;
    }
#undef BUILT
    const size_t offsets = A->nnz <= INT32_MAX ? 4 : 8;
    return A->nnz * (4 + dtype_size(type)) + (A->rows + 1) * offsets + 1;
}

/* Counting a format gives the size that building it has, and fails where building fails. */
TEST(test_sizes)
{
    for (size_t i = 0; i < BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i);
        for (form_t f = 0; f < FORM_COUNT; ++f) {
            enum { ALL = 64 << 20 };
            err_t err;
            form_size_t s;
            assert_int_equal(form_size(A, f, &s, &err), 0);
            if (s.host_bytes > ALL) continue;
            for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t) {
                const size_t built = built_bytes(A, f, t, SIZE_MAX, &err);
                if (built != form_bytes(&s, t) + 1)
                    fail_msg("%s of %s: counted %zu bytes, built %zu", form_name(f), BATTERY[i], form_bytes(&s, t),
                             built - 1);
            }
            if (f == FORM_CSR || f >= FORM_STEPS) continue;
            const size_t exactly = (size_t)ceil(s.host_bytes);
            for (size_t limit = exactly ? exactly - 1 : 0; limit <= exactly + 1; ++limit) {
                const char *refusal = form_refusal(A, f, limit);
                const bool built = built_bytes(A, f, DTYPE_F32, limit, &err) != 0;
                if (built != !refusal)
                    fail_msg("%s of %s, limit %zu: %s", form_name(f), BATTERY[i], limit,
                             refusal ? refusal : "not refused");
            }
        }
        csr_free(A);
    }
}

/* A format that is too large shows as a skipped row with the number. */
TEST(test_refusals)
{
    csr_t *A = make_matrix("one_dense_row:3000");
    const spmv_scalar_options_t small = {.max_format_bytes = 100000};
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32, .options = &small});
    static const struct { const char *id, *words[2]; } REFUSED[] = {
        {"v4", {"ELL of 3000 rows, 3000 wide, needs 0.108 GB", "limit is 0.000 GB"}},
        {"v5", {"DIA of 3000 diagonals", "needs"}},
        {"v8/4", {"BSR of 1499 blocks 4 x 4 needs", "limit"}},
    };
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; ++i) {
        const char *why = refusal(step_named(&SPMV_SCALAR, REFUSED[i].id), &p);
        for (int w = 0; w < 2; ++w)
            if (!why || !strstr(why, REFUSED[i].words[w])) fail_msg("%s: %s", REFUSED[i].id, why ? why : "not refused");
    }
    assert_null(refusal(step_named(&SPMV_SCALAR, "v1"), &p)); /* CSR is what we were given */
    assert_null(refusal(step_named(&SPMV_SCALAR, "v9"), &p)); /* there is always one that fits */
    spmv_problem_close(&p);
    csr_free(A);
}

TEST(test_choice)
{
    static const struct { const char *recipe; form_t form; } RIGHT[] = {
        {"poisson3d:20,20,20", FORM_DIA}, {"band:5000,3", FORM_DIA},   {"even:20000,20000,8", FORM_ELL},
        {"like:cant", FORM_BSR3},         {"like:webbase-1M", FORM_HYB}, {"one_dense_row:3000", FORM_COO},
    };
    for (size_t i = 0; i < sizeof RIGHT / sizeof *RIGHT; ++i) {
        csr_t *A = make_matrix(RIGHT[i].recipe);
        const form_t f = form_choose(A, DTYPE_F32, form_limit(A, NULL));
        if (f != RIGHT[i].form) fail_msg("%s: %s", RIGHT[i].recipe, form_name(f));
        csr_free(A);
    }
    for (size_t i = 0; i < BATTERY_COUNT; ++i) { /* whatever the limit, what is chosen can be built */
        csr_t *A = battery_matrix(i);
        for (size_t limit = 1; limit < (size_t)1 << 30; limit *= 32)
            for (dtype_t t = DTYPE_F32; t <= DTYPE_F64; ++t)
                assert_null(form_refusal(A, form_choose(A, t, limit), limit));
        csr_free(A);
    }
}

/* The picture shows every nonzero once in each format, and every place once. */
TEST(test_picture)
{
    char *text = NULL, format[16];
    size_t size = 0, x, y, place, row, seen[6] = {0}, fillers[6] = {0};
    int kind, used;
    err_t err;
    static const char *const FORMATS[] = {"matrix", "CSR", "ELL", "HYB", "DIA", "BSR"};
    FILE *f = open_memstream(&text, &size);
    assert_int_equal(picture_write(f, &err), 0);
    fclose(f);
    const char *p = strchr(strchr(text, '\n') + 1, '\n');
    for (; sscanf(p, " %15s %zu %zu %zu %zu %d%n", format, &x, &y, &place, &row, &kind, &used) == 6; p += used)
        for (int i = 0; i < 6; ++i)
            if (strcmp(format, FORMATS[i]) == 0) ++*(kind ? &seen[i] : &fillers[i]);
    for (int i = 1; i < 6; ++i) assert_int_equal(seen[i], seen[0]);
    assert_true(seen[0] > 16 && fillers[0] == 0 && fillers[1] == 0);
    assert_true(fillers[3] < fillers[2] && fillers[4] > fillers[5]);
    free(text);
}

TEST(test_winners)
{
    static const char RECORD[] =
        "# gpu: x\n"
        "chapter\tstep\tkind\tcase\tdtype\tcold_us\tstatus\tpredicted_us\n"
        "c\tc1\tcpu\tA\tfp32\t50\tok\t-\n" "c\tc5\tcpu\tA\tfp32\t20\tok\t-\n"
        "c\tlibrsb\tpeer\tA\tfp32\t30\tok\t-\n"
        "c\tv1\tgpu\tA\tfp32\t9\tok\t-\n" "c\tv4\tgpu\tA\tfp32\t3\tFAIL: y[0]\t-\n"
        "c\tv5\tgpu\tA\tfp32\t-\tskip: no\t-\n"
        "c\tcusparse_csr\tpeer\tA\tfp32\t8\tok\t-\n"
        "c\tv1\tgpu\tB\tfp64\t-\tok\t12\n" "c\tv4\tgpu\tB\tfp64\t-\tok\t7\n";
    char path[] = "/tmp/04_winners.XXXXXX", *text = NULL;
    size_t size = 0;
    FILE *f = fdopen(mkstemp(path), "w"), *to = open_memstream(&text, &size);
    assert_non_null(f);
    fputs(RECORD, f);
    fclose(f);
    winners_print(path, to);
    fclose(to);
    remove(path);
    assert_non_null(strstr(text, "CPU: c5 20.00 us   GPU: v1 9.00 us   library: cusparse_csr 8.00 us"));
    assert_non_null(strstr(text, "GPU: v4 predicted 7.00 us"));
    assert_null(strstr(text, "3.00 us"));
    free(text);
}

/* ---- mutants ----------------------------------------------------------------------------------- */

static void open_case(problem_t *p, const char *on)
{
    spmv_mutant_open(p, on, (spmv_spec_t){.dtype = DTYPE_F32});
}

/* state: the matrix in the step's format, or NULL where that is CSR. */
static int run_mutant(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    const gpu_matrix_t *m = state;
    spmv_scalar_matrix_t csr;
    (void)s;
    if (!m) gpu_matrix_csr(&csr, data);
    return device_ok(mutant->run(m ? &m->matrix : &csr, data->d_x, out, 0), "mutant", err);
}

TEST(test_mutants)
{
    static const mutant_ops_t OPS = {open_case, spmv_mutant_close, {.run = run_mutant}};
    check_mutants(&SPMV_SCALAR, &OPS, NULL);
}
TEST(test_mutant_of_every_step) { check_mutant_of_every_step(&SPMV_SCALAR); }

/* ---- the lessons, in counts --------------------------------------------------------------------- */

static report_row_t counts(const char *id, const char *recipe, dtype_t dtype)
{
    return counts_of(&SPMV_SCALAR, id, recipe, dtype, NULL);
}

/* Rows of 16: v1's k-th columns lie 64 bytes apart, a sector for each lane; v4's side by side.  x is gathered alike. */
TEST(test_lesson_columns_side_by_side)
{
    if (on_gpu()) skip();
    enum { WARPS = 1024 / 32, LENGTH = 16, OFFSETS = 4 + 5 }; /* row + 1 begins 4 bytes behind a sector's border */
    const report_row_t csr = counts("v1", "even:1024,500,16", DTYPE_F32);
    const report_row_t ell = counts("v4", "even:1024,500,16", DTYPE_F32);
    assert_int_equal(csr.ld_requests, WARPS * (2 + 3 * LENGTH));
    assert_int_equal(ell.ld_requests, WARPS * 3 * LENGTH);
    assert_int_equal(csr.ld_sectors - ell.ld_sectors, WARPS * (OFFSETS + LENGTH * 2 * (32 - 4)));
}

/* COO: 3 coalesced loads and a gather for 32 nonzeros, whatever the rows. */
TEST(test_lesson_coo)
{
    if (on_gpu()) skip();
    const report_row_t even = counts("v2", "even:1024,500,16", DTYPE_F32);
    const report_row_t skewed = counts("v2", "one_dense_row:8193", DTYPE_F32);
    assert_int_equal(even.ld_requests, 1024 * 16 / 32 * 4);
    assert_int_equal(skewed.ld_requests, (8193 + 8192 + 31) / 32 * 4);
    const report_row_t summed = counts("v3", "even:1024,500,16", DTYPE_F32);
    assert_int_equal(summed.ld_requests, even.ld_requests);
    assert_int_equal(summed.ld_sectors, even.ld_sectors);
    assert_true(summed.active_lanes < even.active_lanes); /* of the atomics: 2 lanes instead of 32 */
}

/* DIA on a full band: no columns, and x in a straight line.  Each warp: an offset, a value, an x for each diagonal. */
TEST(test_lesson_diagonals)
{
    if (on_gpu()) skip();
    const report_row_t ell = counts("v4", "band:4096,4", DTYPE_F32), dia = counts("v5", "band:4096,4", DTYPE_F32);
    assert_int_equal(dia.ld_requests, 4096 / 32 * 3 * 9);
    assert_true(dia.ld_sectors * 10 < ell.ld_sectors * 8);
}

/* One long row: ELL walks its width in every row, HYB does not. */
TEST(test_lesson_padding)
{
    if (on_gpu()) skip();
    const report_row_t ell = counts("v4", "one_dense_row:500", DTYPE_F32);
    const report_row_t hyb = counts("v6", "one_dense_row:500", DTYPE_F32);
    assert_true(hyb.ld_requests * 50 < ell.ld_requests);
}

/* Full blocks: fewer sectors than CSR; and a warp on a block row fewer than a thread on a row. */
TEST(test_lesson_blocks)
{
    if (on_gpu()) skip();
    const report_row_t csr = counts("v1", "dense:96,96", DTYPE_F32), bsr = counts("v7", "dense:96,96", DTYPE_F32);
    const report_row_t warp = counts("v8", "dense:96,96", DTYPE_F32);
    assert_true(bsr.ld_sectors * 2 < csr.ld_sectors);
    assert_true(warp.ld_sectors * 3 < bsr.ld_sectors * 2);
}

#ifdef __SIMT__
static simt_counts_t detail(const char *id, const char *recipe)
{
    simt_counts_t c;
    counts(id, recipe, DTYPE_F32);
    simt_counts_get(&c);
    return c;
}

/* A long row is one thread's work in v1 and everybody's in v3. */
TEST(test_lesson_long_row)
{
    const simt_counts_t v1 = detail("v1", "one_dense_row:4000"), v3 = detail("v3", "one_dense_row:4000");
    assert_true(v1.warp_work_max > 3 * 4000);
    assert_true(v3.warp_work_max < 10);
}
#endif
CHAPTER_TESTS_MAIN("04_spmv_scalar", NULL, test_cpu())
