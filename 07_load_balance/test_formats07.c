/* test_formats07.c - v18 to v44 where they differ from the other steps: 64-bit offsets, rows in pieces, empty rows, the
 * builders and what they share, the lessons in counts.  test_load_balance.c runs test_formats07(). */
#include "tests/spmv_battery.h"

#include "plan/plan.h"
#include "d_csr5/v21_calibrator_plan.h"
#include "formats.h"
#include "load_balance.h"

int test_formats07(void);
void peek_at_slices(const void *plan, size_t *steps, size_t *places,
                    const void *arrays[3]); /* test_peek.cu */

/* v18 to v44 with their variants, and without: what of the chapter's table is left out. */
static bool is_no_format(const step_t *s)
{
    int number;
    return sscanf(s->id, "v%d", &number) != 1 || number < 18;
}
static bool is_no_plain_format(const step_t *s) { return is_no_format(s) || is_variant(s); }

/* v28 to v32 leave a row to a lane, however long it is. */
static bool is_no_cut(const step_t *s)
{
    int number;
    return is_no_plain_format(s) || (sscanf(s->id, "v%d", &number) == 1 && number >= 28 && number <= 32);
}

/* Every step on a matrix that no recipe makes; A is taken. */
static void check_matrix(csr_t *A, const char *name, dtype_t dtype, int offset_bits, bool exact)
{
    const spmv_spec_t spec = {.A = A, .name = name, .dtype = dtype, .offset_bits = offset_bits, .seed = 3,
                              .exact = exact, .gpu = true};
    check_all(&LOAD_BALANCE, &spec, is_no_format);
    csr_free(A);
}

/* ---- correct ------------------------------------------------------------------------------------ */

TEST(test_64_bit_offsets)
{
    check_battery(&LOAD_BALANCE, (spmv_spec_t){.dtype = DTYPE_F32, .offset_bits = 64, .exact = true},
                  is_no_plain_format);
    check_battery(&LOAD_BALANCE, (spmv_spec_t){.dtype = DTYPE_F64, .offset_bits = 64, .misalign = 1},
                  is_no_plain_format);
}

/* rows x cols with nonzeros only in rows from..to-1, `each` of them. */
static csr_t *rows_in_the_middle(size_t rows, size_t cols, size_t from, size_t to, size_t each)
{
    csr_t *A = csr_alloc(rows, cols, (to - from) * each);
    assert_non_null(A);
    for (size_t r = 0; r <= rows; ++r)
        A->row_offsets[r] = (int64_t)(r <= from ? 0 : r < to ? (r - from) * each : A->nnz);
    for (size_t nz = 0; nz < A->nnz; ++nz) {
        A->col_indices[nz] = (int32_t)(nz % each * (cols / each));
        A->values[nz] = 1 + (double)(nz % 5);
    }
    return A;
}

TEST(test_empty_ends)
{
    device_configure(false, 0);
    for (int bits = 32; bits <= 64; bits += 32) {
        check_matrix(rows_in_the_middle(9001, 64, 4000, 4100, 5), "middle", DTYPE_F32, bits, true);
        check_matrix(rows_in_the_middle(9001, 64, 0, 1, 64), "first", DTYPE_F64, bits, true);
        check_matrix(rows_in_the_middle(9001, 64, 9000, 9001, 64), "last", DTYPE_F32, bits, true);
        check_matrix(rows_in_the_middle(4000, 70000, 2000, 2001, 3000), "one long row", DTYPE_F64, bits, false);
    }
    check_recipe(&LOAD_BALANCE, "random:70000,70000,3000", (spmv_spec_t){.dtype = DTYPE_F32}, is_no_plain_format);
    device_configure(true, 0);
}

/* More than 1024 pieces, tiles or blocks on a row: its pieces are added by a whole block. */
TEST(test_huge_rows)
{
    device_configure(false, 0);
    check_recipe(&LOAD_BALANCE, "dense:1,1100001", (spmv_spec_t){.dtype = DTYPE_F32, .exact = true}, is_no_cut);
    check_recipe(&LOAD_BALANCE, "one_dense_row:20000", (spmv_spec_t){.dtype = DTYPE_F64}, is_no_format);
    check_recipe(&LOAD_BALANCE, "one_dense_row:9000", (spmv_spec_t){.dtype = DTYPE_F32, .offset_bits = 64},
                 is_no_format);
    check_recipe(&LOAD_BALANCE, "dense:20,3000", (spmv_spec_t){.dtype = DTYPE_F32}, is_no_format);
    device_configure(true, 0);
}

/* Differences of columns that just fit into 16 bits, just do not, and do not at all. */
TEST(test_escape)
{
    static const int32_t COLUMNS[] = {5, 65539, 131073, 196607, 262142, 900000, 900001};
    enum { EACH = sizeof COLUMNS / sizeof *COLUMNS, ROWS = 100 };
    for (int last = 1; last <= EACH; ++last) {
        csr_t *A = csr_alloc(ROWS, 1000000, (size_t)ROWS * (size_t)last);
        assert_non_null(A);
        for (int r = 0; r <= ROWS; ++r) A->row_offsets[r] = (int64_t)r * last;
        for (size_t nz = 0; nz < A->nnz; ++nz) {
            A->col_indices[nz] = COLUMNS[nz % (size_t)last];
            A->values[nz] = (double)nz;
        }
        check_matrix(A, "far columns", last % 2 ? DTYPE_F32 : DTYPE_F64, 32, true);
    }
}

/* ---- the builders ------------------------------------------------------------------------------- */

TEST(test_scan)
{
    static const size_t SIZES[] = {0, 1, 2047, 2048, 2049, 5000, 123457, 4200000};
    device_configure(false, 0);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; ++i) {
        const size_t n = SIZES[i];
        err_t err = {{0}};
        uint32_t *host = malloc((n + 1) * sizeof *host);
        uint32_t *d = device_alloc(plan_scan_words(n) * sizeof *d, "scanned", &err);
        uint32_t total = 7, sum = 0;
        for (size_t k = 0; k < n; ++k) host[k] = (uint32_t)(k * 2654435761u >> 23);
        assert_int_equal(cudaMemcpy(d, host, n * sizeof *d, cudaMemcpyHostToDevice), 0);
        assert_int_equal(plan_scan(d, n, &total, 0), 0);
        uint32_t *got = malloc((n + 1) * sizeof *got);
        assert_int_equal(cudaMemcpy(got, d, (n + 1) * sizeof *d, cudaMemcpyDeviceToHost), 0);
        for (size_t k = 0; k < n; ++k) {
            if (got[k] != sum) fail_msg("scan of %zu: element %zu is %u, not %u", n, k, got[k], sum);
            sum += host[k];
        }
        assert_int_equal(got[n], sum);
        assert_int_equal(total, sum);
        device_free(d);
        free(host);
        free(got);
    }
    device_configure(true, 0);
}

TEST(test_sort)
{
    static const size_t SIZES[] = {1, 31, 1024, 1025, 5000};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; ++i)
        for (int windows = 0; windows < 2; ++windows) {
            const size_t n = SIZES[i];
            err_t err = {{0}};
            uint32_t *host = malloc(n * sizeof *host), *order = malloc(n * sizeof *order);
            for (size_t k = 0; k < n; ++k) host[k] = (uint32_t)(k * 2654435761u >> 7) % (k % 3 ? 9 : PLAN_LONGEST + 1);
            uint32_t *d = device_upload(host, n * sizeof *d, "lengths", &err);
            uint32_t *d_order = device_alloc(n * sizeof *d, "order", &err);
            uint32_t *d_counts = device_alloc(plan_sort_words(n) * sizeof *d, "counts", &err);
            assert_int_equal(plan_sort(d, n, windows, d_counts, d_order, 0), 0);
            assert_int_equal(cudaMemcpy(order, d_order, n * sizeof *d, cudaMemcpyDeviceToHost), 0);
            bool *seen = calloc(n, sizeof *seen);
            for (size_t p = 0; p < n; ++p) {
                assert_true(order[p] < n && !seen[order[p]]);
                seen[order[p]] = true;
                if (windows) assert_int_equal(order[p] / PLAN_WINDOW, p / PLAN_WINDOW);
                if (p == 0 || (windows && p % PLAN_WINDOW == 0)) continue;
                const uint32_t before = host[order[p - 1]], here = host[order[p]];
                assert_true(before > here || (before == here && order[p - 1] < order[p])); /* stable */
            }
            device_free(d);
            device_free(d_order);
            device_free(d_counts);
            free(host);
            free(order);
            free(seen);
        }
}

/* An array of a plan, in host memory. */
static void *array_of(const void *d, size_t bytes)
{
    void *host = malloc(bytes + 1);
    assert_non_null(host);
    if (bytes) assert_int_equal(cudaMemcpy(host, d, bytes, cudaMemcpyDeviceToHost), 0);
    return host;
}

static const uint32_t *words_of(const uint32_t *d, size_t count) { return array_of(d, count * sizeof *d); }

/* Every nonzero of A has its slot, its flag where a row starts, and a row by counting flags; lists name the other rows.
 */
static void check_csr5(const csr_t *A, const csr5_t *p)
{
    const uint32_t *tile_row = words_of(p->tile_row, p->tiles), *word = words_of(p->descriptor, 32 * p->tiles);
    const uint32_t *list = words_of(p->empty_start, p->tiles);
    size_t listed = 0; /* starts of tiles with empty rows */
    for (size_t nz = 0; nz < A->nnz; ++nz)
        listed += tile_row[nz / CSR5_TILE] & CSR5_HAS_EMPTY && word[nz / CSR5_SIGMA] >> nz % CSR5_SIGMA & 1;
    const uint32_t *offset = words_of(p->empty_offset, listed);
    const uint32_t *empty = words_of(p->empty_rows, p->empties);
    const int32_t *columns = array_of(p->columns, CSR5_TILE * p->tiles * sizeof *columns);
    const double *values = array_of(p->values, CSR5_TILE * p->tiles * sizeof *values);
    const piece_run_t *run = array_of(p->run, p->runs * sizeof *run);
    size_t empties = 0, runs = 0, nz = 0;
    assert_int_equal(p->tiles, (A->nnz + CSR5_TILE - 1) / CSR5_TILE);
    for (size_t r = 0; r < A->rows; ++r) {
        const size_t start = (size_t)A->row_offsets[r], end = (size_t)A->row_offsets[r + 1];
        if (start == end) assert_int_equal(empty[empties++], r);
        for (; nz < end; ++nz) {
            const size_t tile = nz / CSR5_TILE, lane = nz / CSR5_SIGMA % 32, j = nz % CSR5_SIGMA;
            const size_t slot = tile * CSR5_TILE + 32 * j + lane;
            const uint32_t here = word[32 * tile + lane], first = tile_row[tile] & ~CSR5_HAS_EMPTY;
            assert_int_equal(columns[slot], A->col_indices[nz]);
            assert_true(values[slot] == A->values[nz]);
            assert_int_equal(here >> j & 1, nz == start);
            uint32_t starts = here >> 16;
            for (size_t k = 0; k < j; ++k) starts += here >> k & 1;
            if (nz == start)
                assert_int_equal(first + (tile_row[tile] & CSR5_HAS_EMPTY ? offset[list[tile] + starts] : starts), r);
        }
        if (end > start && (end - 1) / CSR5_TILE > start / CSR5_TILE) {
            assert_int_equal(run[runs].row, r);
            assert_int_equal(run[runs].first, start / CSR5_TILE + 1);
            assert_int_equal(run[runs].first + run[runs].count - 1, (end - 1) / CSR5_TILE);
            ++runs;
        }
    }
    assert_int_equal(empties, p->empties);
    assert_int_equal(runs, p->runs);
    for (; nz < CSR5_TILE * p->tiles; ++nz) {
        const size_t slot = nz / CSR5_TILE * CSR5_TILE + nz % CSR5_SIGMA * 32 + nz / CSR5_SIGMA % 32;
        assert_int_equal(columns[slot], -1);
        assert_int_equal(word[nz / CSR5_SIGMA] >> nz % CSR5_SIGMA & 1, 0);
    }
    const void *all[] = {tile_row, word, list, offset, empty, columns, values, run};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free((void *)all[i]);
}

/* v21's plan from the host is CSR5, and those from the GPU, in part or all, are too. */
TEST(test_csr5)
{
    static const load_balance_plan_ops_t *const PLANS[] = {&load_balance_v21_plan, &load_balance_v22_plan,
                                                           &load_balance_v23_plan, &load_balance_v24_plan};
    device_configure(false, 0);
    for (size_t i = 0; i < 4 * BATTERY_COUNT; ++i) {
        csr_t *A = battery_matrix(i / 4);
        problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F64, .offset_bits = i % 8 < 4 ? 32 : 64});
        const spmv_data_t *data = p.data;
        void *plan = NULL;
        assert_int_equal(PLANS[i % 4]->create(&data->device, &plan, 0), 0);
        check_csr5(&data->A, plan);
        PLANS[i % 4]->destroy(plan);
        spmv_problem_close(&p);
        csr_free(A);
    }
    device_configure(true, 0);
}

/* The plan of v39/paper holds what the host's builder makes (common/lib/matrix/formats.h). */
TEST(test_sell_is_sell)
{
    static const char *const SOME[] = {"powerlaw:3000,300,14000", "poisson2d:9,11", "empty_rows:100,7", "even:64,64,5"};
    for (size_t i = 0; i < sizeof SOME / sizeof *SOME; ++i) {
        err_t err = {{0}};
        csr_t *A = make_matrix(SOME[i]);
        problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F64});
        const spmv_data_t *data = p.data;
        sell_t *want = sell_from_csr(&data->A, 32, PLAN_WINDOW, SIZE_MAX, &err);
        assert_non_null(want);
        void *plan = NULL;
        assert_int_equal(load_balance_v39_paper_plan.create(&data->device, &plan, 0), 0);
        const size_t slots = want->slots;
        const void *d[3];
        size_t steps, places;
        peek_at_slices(plan, &steps, &places, d);
        assert_int_equal(32 * steps, slots);
        assert_int_equal(places, A->rows);
        const struct { const void *want; size_t bytes; } ARRAYS[] = {{want->col_indices, slots * sizeof(int32_t)},
                                                                     {want->values, slots * sizeof(double)},
                                                                     {want->row_order, A->rows * sizeof(uint32_t)}};
        for (int k = 0; k < 3; ++k) {
            void *got = array_of(d[k], ARRAYS[k].bytes);
            assert_memory_equal(got, ARRAYS[k].want, ARRAYS[k].bytes);
            free(got);
        }
        load_balance_v39_paper_plan.destroy(plan);
        sell_free(want);
        spmv_problem_close(&p);
        csr_free(A);
    }
}

/* Differences by hand: rows that end, steps back, and what just fits or does not. */
TEST(test_differences)
{
    static int32_t columns[3 * 32];
    static uint16_t differences[3 * 32];
    for (int lane = 0; lane < 32; ++lane) {
        columns[lane] = lane == 3 ? -1 : 100 * lane;
        columns[32 + lane] = lane == 3 ? -1 : 100 * lane + 7;
        columns[64 + lane] = lane == 3 || lane == 5 ? -1 : 100 * lane + 7 + 65534;
    }
    assert_true(sell_differences(columns, 3, differences));
    for (int lane = 0; lane < 32; ++lane) {
        assert_int_equal(differences[lane], lane == 3 ? 65535 : 0);
        assert_int_equal(differences[32 + lane], lane == 3 ? 65535 : 7);
        assert_int_equal(differences[64 + lane], lane == 3 || lane == 5 ? 65535 : 65534);
    }
    columns[64] = 7 + 65535;
    assert_false(sell_differences(columns, 3, differences));
    assert_true(sell_differences(columns, 2, differences));
    columns[33] = 99;
    assert_false(sell_differences(columns, 2, differences));
    assert_true(sell_differences(columns, 0, differences));
}

/* A plan says what it holds, and destroy takes NULL. */
TEST(test_plans)
{
    csr_t *A = make_matrix("band:3000,9");
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = DTYPE_F32});
    const csr_arrays_t *d = &((const spmv_data_t *)p.data)->device;
    static const load_balance_plan_ops_t *const PLANS[] = {&load_balance_v24_plan, &load_balance_v27_plan,
                                                           &load_balance_v39_plan, &load_balance_v44_plan};
    size_t bytes[4];
    for (size_t i = 0; i < 4; ++i) {
        void *plan = NULL;
        assert_int_equal(PLANS[i]->create(d, &plan, 0), 0);
        bytes[i] = PLANS[i]->bytes(plan);
        PLANS[i]->destroy(plan);
        PLANS[i]->destroy(NULL);
    }
    assert_true(bytes[0] >= 8 * A->nnz && bytes[0] < 9 * A->nnz + 8192); /* a copy of the matrix and a little more */
    assert_true(bytes[1] < A->nnz / 8);                                  /* next to nothing */
    assert_true(bytes[2] >= 8 * A->nnz);
    assert_true(bytes[3] < bytes[2] * 9 / 10);
    spmv_problem_close(&p);
    csr_free(A);
}

/* ---- the lessons, in counts --------------------------------------------------------------------- */

/* The counts of a run, without its set-up; A is taken. */
static report_row_t run_counts_of(const char *id, csr_t *A, dtype_t dtype)
{
    err_t err = {{0}};
    problem_t p = spmv_opened(A, (spmv_spec_t){.dtype = dtype});
    report_row_t row = {0};
    void *state = NULL;
    const step_t *s = step_named(&LOAD_BALANCE, id);
    void *d_y = device_alloc(p.out_bytes, "y", &err);
    assert_int_equal(s->ops->setup(s, &p, &state, &err), 0);
    device_count_begin();
    assert_int_equal(s->ops->run(s, &p, state, d_y, &err), 0);
    device_count_end(&row);
    s->ops->teardown(s, &p, state);
    device_free(d_y);
    spmv_problem_close(&p);
    csr_free(A);
    return row;
}

static report_row_t run_counts(const char *id, const char *recipe, dtype_t dtype)
{
    return run_counts_of(id, make_matrix(recipe), dtype);
}

/* v24 needs no shared memory but for the rows that cross tiles; v27 does. */
TEST(test_lesson_shared)
{
    if (on_gpu()) skip();
    const report_row_t v24 = run_counts("v24", "even:2000,2000,16", DTYPE_F32); /* 16 divides a tile: no row crosses */
    const report_row_t v27 = run_counts("v27", "even:2000,2000,16", DTYPE_F32);
    assert_int_equal(v24.sh_ld_wavefronts, 0);
    assert_true(v27.sh_ld_wavefronts > 2000 * 16 / 32);
}

/* 3000 rows of five, but for every `gap`-th, which is empty. */
static csr_t *with_empty_rows(size_t gap)
{
    enum { ROWS = 3000, EACH = 5 };
    csr_t *A = csr_alloc(ROWS, ROWS, ROWS * EACH);
    assert_non_null(A);
    A->nnz = 0;
    for (size_t r = 0; r < ROWS; ++r) {
        for (size_t k = 0; k < EACH && r % gap != gap - 1; ++k) {
            A->col_indices[A->nnz] = (int32_t)((r / 2 + 100 * k) % ROWS);
            A->values[A->nnz++] = 1;
        }
        A->row_offsets[r + 1] = (int64_t)A->nnz;
    }
    return A;
}

/* A guess that holds writes each row once.  An empty row in every block: all rows again, now side by side. */
TEST(test_lesson_guess)
{
    if (on_gpu()) skip();
    const report_row_t right = run_counts_of("v27", with_empty_rows(10000), DTYPE_F32);
    const report_row_t wrong = run_counts_of("v27", with_empty_rows(200), DTYPE_F32);
    const int64_t again = wrong.st_requests - right.st_requests;
    assert_true(again > 3000 / 32 * 8 / 10 && again < 3000 / 32 * 3 / 2);
}

/* Even rows: every load is contiguous, so columns and values take their bytes in sectors and no more. */
TEST(test_lesson_contiguous)
{
    if (on_gpu()) skip();
    const report_row_t v39 = run_counts("v39", "diagonal:32000", DTYPE_F32);
    assert_int_equal(v39.ld_sectors, 1000 * (1 + 4 + 4 + 4)); /* the slice's record, columns, values, x */
    assert_int_equal(v39.st_sectors, 1000 * 4);
}

/* Narrow columns: fewer sectors, in both types, on a band; none saved where slices escape. */
TEST(test_lesson_narrow)
{
    if (on_gpu()) skip();
    for (int t = 0; t < 2; ++t) {
        const dtype_t dtype = t ? DTYPE_F64 : DTYPE_F32;
        const report_row_t v39 = run_counts("v39", "band:4000,40", dtype),
                           v44 = run_counts("v44", "band:4000,40", dtype);
        const int64_t saved = v39.ld_sectors - v44.ld_sectors, nnz = 4000 * 81;
        assert_true(saved > nnz * 2 / 32 * 8 / 10 && saved < nnz * 2 / 32 * 12 / 10); /* two bytes per nonzero */
    }
    const report_row_t v39 = run_counts("v39", "random:400,4000000,9000", DTYPE_F32);
    const report_row_t v44 = run_counts("v44", "random:400,4000000,9000", DTYPE_F32);
    assert_int_equal(v39.ld_sectors, v44.ld_sectors);
}

#ifdef __SIMT__
static simt_counts_t detail(const char *id, const char *recipe)
{
    simt_counts_t c;
    run_counts(id, recipe, DTYPE_F32);
    simt_counts_get(&c);
    return c;
}

/* One dense row: no warp of v24, v39 and v44 has more to do than a few times the mean. */
TEST(test_lesson_balance)
{
    static const char *const STEP[] = {"v24", "v27", "v39", "v44"};
    for (int i = 0; i < 4; ++i) {
        const simt_counts_t even = detail(STEP[i], "even:20000,20000,3");
        const simt_counts_t skewed = detail(STEP[i], "one_dense_row:20000");
        assert_true(skewed.warp_work_max < 12 * even.warp_work_max);
    }
}
#endif

int test_formats07(void) { return cmocka_run_group_tests_name("07_load_balance: formats", tests, NULL, NULL); }
