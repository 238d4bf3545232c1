/* test_pagerank.c - compares PageRank with the simplest loop and with known properties; mutants must fail. */

#include "pagerank_rows.h"
#include "places.h"
#include "spmv_problem.h"

/* ---- a ranking of pages ------------------------------------------------------------------------- */

/* Ranks `links` with a row of the program and stores x [pages]; loops of the test replace the program's if given.
 * Returns the same as pagerank_run. */
static int rank_pages(const char *place, const csr_t *links, dtype_t type, const method_options_t *o,
                      const pagerank_loops_t *loops, double *x, size_t *iterations, err_t *err)
{
    const size_t n = links->rows, bytes = n * sizeof(double) + 1;
    double *lost = malloc(bytes);
    void *dangling = malloc(bytes), *out = malloc(bytes);
    csr_t *P = pagerank_matrix(links, lost, err);
    assert_non_null(P);
    problem_t spmv;
    const spmv_spec_t spec = {.A = P, .name = "test", .dtype = type, .offset_bits = 32, .cpu = true, .gpu = true};
    if (spmv_problem_open(&spmv, &spec, err)) fail_msg("%s", err->text);
    product_t *product = app_row_open(step_named(&PAGERANK, place), &spmv, err);
    dtype_from_double(type, dangling, lost, n);
    method_t *r = product ? pagerank_open(product, (const void *const[2]){dangling}, o, err) : NULL;
    if (!r) fail_msg("%s: %s", place, err->text);
    if (loops) ((pagerank_t *)r)->loops = loops;

    void *target = product->on_gpu ? device_alloc(bytes, "x", err) : out;
    const int failed = pagerank_run(r, target, err);
    if (product->on_gpu) {
        assert_int_equal(cudaMemcpy(out, target, n * dtype_size(type), cudaMemcpyDeviceToHost), cudaSuccess);
        device_free(target);
    }
    dtype_to_double(type, x, out, n);
    if (iterations) *iterations = r->iterations;
    pagerank_close(r);
    product->close(product);
    spmv_problem_close(&spmv);
    csr_free(P);
    free(lost), free(dangling), free(out);
    return failed;
}

/* The simplest loop: every link of every page, until the ranks no longer change. */
static void reference(const csr_t *links, double damping, double *x)
{
    const size_t n = links->rows;
    double *next = malloc((n + 1) * sizeof *next);
    for (size_t i = 0; i < n; ++i) x[i] = 1 / (double)n;
    for (double change = 1; change > 1e-14;) {
        for (size_t j = 0; j < n; ++j) next[j] = (1 - damping) / (double)n;
        for (size_t i = 0; i < n; ++i) {
            const int64_t start = links->row_offsets[i], end = links->row_offsets[i + 1];
            for (int64_t nz = start; nz < end; ++nz)
                next[links->col_indices[nz]] += damping * x[i] / (double)(end - start);
            for (size_t j = 0; start == end && j < n; ++j) next[j] += damping * x[i] / (double)n;
        }
        change = 0;
        for (size_t i = 0; i < n; ++i) change += fabs(next[i] - x[i]), x[i] = next[i];
    }
    free(next);
}

static double distance(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += fabs(a[i] - b[i]);
    return sum;
}

/* The allowed difference: the tolerance times damping / (1 - damping), and rounding. */
static double allowed(dtype_t type, double damping)
{
    const method_options_t o = pagerank_defaults(NULL, type);
    return (o.tolerance + 200 * dtype_roundoff(type)) / (1 - damping);
}

static const char *const GRAPHS[] = {
    "dense:1,1", "empty:1,1", "empty:2,2", "dense:2,2", "identity:33", "random:33,33,100", "empty:33,33", "rmat:7,8",
    "powerlaw:300,300,2000", "empty_rows:1000,3", "random:1000,1000,4000", "one_dense_row:500",
};
enum { GRAPH_COUNT = sizeof GRAPHS / sizeof *GRAPHS };

TEST(test_against_the_simplest_loop)
{
    static double x[1000], right[1000];
    err_t err;
    device_configure(false, 0);
    for (size_t g = 0; g < GRAPH_COUNT; ++g)
        for (double damping = 0.5; damping < 1; damping += 0.35) {
            csr_t *links = make_matrix(GRAPHS[g]);
            reference(links, damping, right);
            for (size_t k = 0; k < PLACE_COUNT; ++k)
                for (dtype_t type = DTYPE_F32; type <= DTYPE_F64; ++type) {
                    const method_options_t o = {.damping = damping};
                    if (rank_pages(PLACES[k], links, type, &o, NULL, x, NULL, &err))
                        fail_msg("%s: %s", GRAPHS[g], err.text);
                    const double off = distance(x, right, links->rows);
                    if (!(off <= allowed(type, damping)))
                        fail_msg("%s on %s, %s: off by %g", GRAPHS[g], PLACES[k], dtype_name(type), off);
                }
            csr_free(links);
        }
    device_configure(true, 0);
}

TEST(test_no_pages)
{
    double x[1];
    err_t err;
    csr_t *links = make_matrix("empty:0,0");
    for (size_t k = 0; k < PLACE_COUNT; ++k)
        assert_int_equal(rank_pages(PLACES[k], links, DTYPE_F64, NULL, NULL, x, NULL, &err), 0);
    csr_free(links);
}

/* A star: n - 1 pages link to page 0, which has no links.  With b the rank of page 0, a leaf has the
 * rank a = d b / n + (1 - d) / n, and (n - 1) a + b = 1, so a (1 + d (n - 1) / n) = 1 / n. */
TEST(test_a_star)
{
    enum { N = 40 };
    const double d = 0.85;
    double x[N], value[N];
    int32_t row[N], col[N] = {0};
    err_t err;
    for (int i = 1; i < N; ++i) row[i - 1] = i, value[i - 1] = 1;
    csr_t *links = csr_from_triplets(N, N, N - 1, row, col, value, &err);
    const double leaf = 1 / (double)N / (1 + d * (double)(N - 1) / (double)N), middle = 1 - (N - 1) * leaf;
    for (size_t k = 0; k < PLACE_COUNT; ++k) {
        assert_int_equal(rank_pages(PLACES[k], links, DTYPE_F64, NULL, NULL, x, NULL, &err), 0);
        assert_true(fabs(x[0] - middle) < 1e-9);
        for (int i = 1; i < N; ++i) assert_true(fabs(x[i] - leaf) < 1e-10);
    }
    csr_free(links);
}

/* Permuting the pages must permute the ranks. */
TEST(test_another_order)
{
    enum { N = 128 };
    double x[N], other[N];
    err_t err;
    csr_t *links = make_matrix("rmat:7,8");
    int32_t *row = malloc(links->nnz * sizeof *row), *col = malloc(links->nnz * sizeof *col), to[N];
    for (int32_t i = 0; i < N; ++i) to[i] = (i * 45 + 17) % N; /* 45 is odd: a permutation */
    for (size_t i = 0; i < N; ++i)
        for (int64_t nz = links->row_offsets[i]; nz < links->row_offsets[i + 1]; ++nz)
            row[nz] = to[i], col[nz] = to[links->col_indices[nz]];
    csr_t *moved = csr_from_triplets(N, N, links->nnz, row, col, links->values, &err);
    for (size_t k = 0; k < PLACE_COUNT; ++k) {
        assert_int_equal(rank_pages(PLACES[k], links, DTYPE_F64, NULL, NULL, x, NULL, &err), 0);
        assert_int_equal(rank_pages(PLACES[k], moved, DTYPE_F64, NULL, NULL, other, NULL, &err), 0);
        for (size_t i = 0; i < N; ++i) assert_true(fabs(other[to[i]] - x[i]) < 1e-11);
    }
    csr_free(links), csr_free(moved);
    free(row), free(col);
}

/* The change must fall at least by the damping in each step. */
TEST(test_convergence)
{
    double x[128];
    err_t err;
    csr_t *links = make_matrix("rmat:7,8");
    for (double damping = 0.3; damping < 0.95; damping += 0.3) {
        size_t steps = 0;
        const method_options_t o = {.damping = damping, .look_every = 3};
        assert_int_equal(rank_pages("gpu", links, DTYPE_F64, &o, NULL, x, &steps, &err), 0);
        assert_true((double)steps <= ceil(log(1e-10 / 2) / log(damping)) + 1);
        size_t same = 0;
        assert_int_equal(rank_pages("cpu", links, DTYPE_F64, &o, NULL, x, &same, &err), 0);
        assert_int_equal(same, steps);
    }
    const method_options_t few = {.max_iterations = 3};
    assert_int_equal(rank_pages("cpu", links, DTYPE_F64, &few, NULL, x, NULL, &err), 1);
    assert_non_null(strstr(err.text, "no convergence in 3 steps"));
    csr_free(links);
}

TEST(test_looking_changes_nothing)
{
    static const size_t EVERY[] = {1, 4, 1000};
    double x[3][128];
    size_t steps[3];
    err_t err;
    csr_t *links = make_matrix("rmat:7,8");
    for (size_t i = 0; i < 3; ++i) {
        const method_options_t o = {.look_every = EVERY[i], .max_iterations = 50};
        assert_int_equal(rank_pages("gpu", links, DTYPE_F64, &o, NULL, x[i], &steps[i], &err), 0);
        assert_int_equal(steps[i], steps[0]);
        assert_memory_equal(x[i], x[0], sizeof x[0]);
    }
    csr_free(links);
}

/* Runs every step of chapters 04 to 07 that is possible here, with the program's check. */
TEST(test_every_spmv)
{
    err_t err;
    problem_t p;
    const step_t *s;
    size_t count = 0;
    csr_t *links = make_matrix("rmat:6,4");
    const app_spec_t spec = {.A = links, .name = "test", .dtype = DTYPE_F64, .cpu = true, .gpu = true,
                                          .options = {.tolerance = 1e-6}};
    assert_int_equal(pagerank_problem_open(&p, &spec, &err), 0);
    device_configure(false, 0);
    for (size_t i = 0; (s = PAGERANK.step(i)); ++i) {
        double unused;
        if (app_row_is_ranks(s) || s->kind == STEP_GPU_PEER || strcmp(s->id, "07/librsb_tuned") == 0) continue;
        if (refusal(s, &p)) continue;
        if (harness_check(s, &p, &unused, &err)) fail_msg("%s: %s", s->id, err.text);
        ++count;
    }
    device_configure(true, 0);
    assert_true(count > 60);
    app_problem_close(&p);
    csr_free(links);
}

/* ---- mutants ------------------------------------------------------------------------------------ */

/* Computes x from P x with damping d and any numerator of what every page gets; the sums are unchanged. */
static int step_with(const pagerank_vectors_t *v, size_t k, double d, double numerator)
{
    double *x = v->x;
    const double *px = v->px, *dangling = v->dangling;
    pagerank_step_t *to = &v->steps[k + 1];
    to->dangling = to->change = 0;
    for (size_t i = 0; i < v->rows; ++i) {
        const double before = x[i];
        x[i] = d * px[i] + numerator / (double)v->pages;
        to->dangling += dangling[i] * x[i];
        to->change += fabs(x[i] - before);
    }
    return 0;
}

#define STEP(name, damped, numerator)                                     \
    static int name(const pagerank_vectors_t *v, size_t k, err_t *err)    \
    {                                                                     \
        (void)err;                                                        \
        const double d = damped;                                          \
        return step_with(v, k, d, numerator);                             \
    }
STEP(right_step, v->damping, d * v->steps[k].dangling + 1 - d)
STEP(dangling_dropped, v->damping, 1 - d)
STEP(dangling_undamped, v->damping, v->steps[k].dangling + 1 - d)
STEP(dangling_of_the_start, v->damping, d * v->steps[0].dangling + 1 - d)
STEP(no_teleport, v->damping, d * v->steps[k].dangling)
STEP(teleport_not_shared, v->damping, d * v->steps[k].dangling + (1 - d) * (double)v->pages)
STEP(other_damping, 0.999 * v->damping, d * v->steps[k].dangling + 1 - d)

static int ends_at_once(const pagerank_vectors_t *v, size_t k, err_t *err)
{
    if (right_step(v, k, err)) return -1;
    v->steps[k + 1].change = 0;
    return 0;
}

/* The program's own check has no reference: it tests whether one more step changes the ranks. */
static bool accepted(const csr_t *links, const pagerank_loops_t *loops)
{
    err_t err;
    problem_t p;
    double x[512], unused;
    const app_spec_t spec = {.A = links, .name = "test", .dtype = DTYPE_F64, .cpu = true};
    if (pagerank_problem_open(&p, &spec, &err)) fail_msg("%s", err.text);
    const step_t *cpu = step_named(&PAGERANK, "cpu");
    const bool right = rank_pages("cpu", links, DTYPE_F64, NULL, loops, x, NULL, &err) == 0 &&
                       cpu->ops->check(cpu, &p, x, &unused, &err) == 0;
    app_problem_close(&p);
    return right;
}

TEST(test_mutants_are_rejected)
{
    static const struct {
        const char *name;
        int (*step)(const pagerank_vectors_t *, size_t, err_t *);
    } MUTANTS[] = {
        {"dangling pages dropped", dangling_dropped}, {"dangling pages not damped", dangling_undamped},
        {"dangling pages of the start", dangling_of_the_start}, {"no random jumps", no_teleport},
        {"random jumps not divided by the pages", teleport_not_shared}, {"a thousandth less damping", other_damping},
        {"ends after one step", ends_at_once},
    };
    csr_t *links = make_matrix("rmat:9,8");
    assert_true(accepted(links, NULL));
    assert_true(accepted(links, &(pagerank_loops_t){PAGERANK_CPU.start, right_step}));
    for (size_t i = 0; i < sizeof MUTANTS / sizeof *MUTANTS; ++i)
        if (accepted(links, &(pagerank_loops_t){PAGERANK_CPU.start, MUTANTS[i].step}))
            fail_msg("not noticed: %s", MUTANTS[i].name);
    csr_free(links);
}

TEST(test_wrong_answers_are_rejected)
{
    err_t err;
    problem_t p;
    double x[128], unused;
    csr_t *links = make_matrix("rmat:7,8");
    const app_spec_t spec = {.A = links, .name = "test", .dtype = DTYPE_F64, .cpu = true};
    assert_int_equal(pagerank_problem_open(&p, &spec, &err), 0);
    assert_int_equal(rank_pages("cpu", links, DTYPE_F64, NULL, NULL, x, NULL, &err), 0);
    const step_t *cpu = step_named(&PAGERANK, "cpu");
    assert_int_equal(cpu->ops->check(cpu, &p, x, &unused, &err), 0);
    const double first = x[0], last = x[127];
    x[0] = NAN;
    assert_int_equal(cpu->ops->check(cpu, &p, x, &unused, &err), -1);
    x[0] = first + 1e-8;
    assert_int_equal(cpu->ops->check(cpu, &p, x, &unused, &err), -1);
    x[0] = last, x[127] = first; /* the sum is still 1 */
    assert_int_equal(cpu->ops->check(cpu, &p, x, &unused, &err), -1);
    for (int i = 0; i < 128; ++i) x[i] = 0;
    assert_int_equal(cpu->ops->check(cpu, &p, x, &unused, &err), -1);
    app_problem_close(&p);
    csr_free(links);
}

TEST(test_bad_input)
{
    err_t err;
    problem_t p;
    csr_t *links = make_matrix("dense:3,2");
    app_spec_t spec = {.A = links, .name = "test", .dtype = DTYPE_F64, .cpu = true};
    assert_int_equal(pagerank_problem_open(&p, &spec, &err), -1);
    assert_non_null(strstr(err.text, "3 x 2, not square"));
    csr_free(links);
    spec.A = links = make_matrix("dense:3,3");
    spec.dtype = DTYPE_I8;
    assert_int_equal(pagerank_problem_open(&p, &spec, &err), -1);
    assert_non_null(strstr(err.text, "fp32 and fp64 only"));
    csr_free(links);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
