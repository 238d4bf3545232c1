/* test_cg.c - compares CG with CHOLMOD, with the textbook's loop and with theory; mutants must fail. */
#include <omp.h>

#include "cg_rows.h"
#include "direct.h"
#include "places.h"
#include "spmv_problem.h"

/* ---- systems ------------------------------------------------------------------------------------ */

/* Makes a symmetric, positive definite matrix: a few random couplings per row, and a diagonal above their sum, from 1
 * to 1000. */
static csr_t *make_system(size_t n, uint64_t seed)
{
    enum { COUPLINGS = 3 };
    err_t err;
    const size_t most = n + 2 * COUPLINGS * n;
    int32_t *row = malloc(most * sizeof *row), *col = malloc(most * sizeof *col);
    double *value = malloc(most * sizeof *value), *diagonal = calloc(n, sizeof *diagonal),
           *random = malloc(2 * most * sizeof *random);
    size_t nnz = 0;
    matgen_vector(random, 2 * most, seed, 0);
    for (size_t r = 0; r < n; ++r)
        for (size_t k = 0; k < COUPLINGS; ++k) {
            const size_t c = (size_t)((random[2 * (COUPLINGS * r + k)] + 1) / 2 * (double)n) % n;
            const double a = random[2 * (COUPLINGS * r + k) + 1];
            if (c == r) continue;
            row[nnz] = (int32_t)r, col[nnz] = (int32_t)c, value[nnz++] = a;
            row[nnz] = (int32_t)c, col[nnz] = (int32_t)r, value[nnz++] = a;
            diagonal[r] += fabs(a), diagonal[c] += fabs(a);
        }
    for (size_t r = 0; r < n; ++r) {
        row[nnz] = col[nnz] = (int32_t)r;
        value[nnz++] = diagonal[r] + pow(1000, (double)r / (double)n);
    }
    csr_t *A = csr_from_triplets(n, n, nnz, row, col, value, &err);
    if (!A) fail_msg("%s", err.text);
    free(row), free(col), free(value), free(diagonal), free(random);
    return A;
}

static csr_t *of_rows(size_t n, const double *dense)
{
    err_t err;
    int32_t row[64], col[64];
    double value[64];
    size_t nnz = 0;
    for (size_t i = 0; i < n * n; ++i)
        if (dense[i] != 0) row[nnz] = (int32_t)(i / n), col[nnz] = (int32_t)(i % n), value[nnz++] = dense[i];
    csr_t *A = csr_from_triplets(n, n, nnz, row, col, value, &err);
    assert_non_null(A);
    return A;
}

/* Solves like the programs: the harness checks twice.  0, or -1 and *err. */
static int solve(const step_t *row, const csr_t *A, dtype_t type, const method_options_t *o, err_t *err)
{
    problem_t p;
    double err_over_tol = 0;
    const app_spec_t spec = {.A = A, .name = "test", .dtype = type, .seed = 3, .cpu = true, .gpu = true,
                                    .options = o ? *o : (method_options_t){0}, .max_flops = 1e9};
    if (cg_problem_open(&p, &spec, err)) return -1;
    if (row->kind == STEP_GPU_PEER || refusal(row, &p)) {
        app_problem_close(&p);
        return 0;
    }
    const int failed = harness_check(row, &p, &err_over_tol, err);
    app_problem_close(&p);
    return failed;
}

TEST(test_sizes)
{
    static const size_t SIZES[] = {1, 2, 33, 1000};
    err_t err;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; ++i)
        for (size_t k = 0; k < PLACE_COUNT; ++k)
            for (dtype_t type = DTYPE_F32; type <= DTYPE_F64; ++type) {
                csr_t *A = make_system(SIZES[i], i);
                if (solve(step_named(&CG, PLACES[k]), A, type, NULL, &err))
                    fail_msg("%s, %zu unknowns, %s: %s", PLACES[k], SIZES[i], dtype_name(type), err.text);
                csr_free(A);
            }
}

TEST(test_nothing_to_solve)
{
    err_t err;
    csr_t *A = make_matrix("empty:0,0");
    for (size_t k = 0; k < PLACE_COUNT; ++k)
        assert_int_equal(solve(step_named(&CG, PLACES[k]), A, DTYPE_F64, NULL, &err), 0);
    csr_free(A);
}

/* Runs every step of chapters 04 to 07 that is possible here. */
TEST(test_every_spmv)
{
    err_t err;
    const step_t *s;
    csr_t *A = make_matrix("poisson3d:4,4,3");
    size_t count = 0;
    device_configure(false, 0);
    for (size_t i = 0; (s = CG.step(i)); ++i) {
        if (app_row_is_ranks(s) || strcmp(s->id, "07/librsb_tuned") == 0) continue;
        if (solve(s, A, DTYPE_F64, NULL, &err)) fail_msg("%s: %s", s->id, err.text);
        ++count;
    }
    device_configure(true, 0);
    assert_true(count > 80);
    csr_free(A);
}

/* ---- compared with the textbook ---------------------------------------------------------------- */

typedef struct trial {
    problem_t spmv;
    product_t *product;
    cg_t *cg;
    double *b, *inverse;
    void *x; /* where cg_solve writes */
    double *host_x;
} trial_t;

static void trial_open(trial_t *s, const char *place, const csr_t *A, const method_options_t *o)
{
    err_t err;
    const size_t n = A->rows;
    const spmv_spec_t spec = {.A = A, .name = "test", .dtype = DTYPE_F64, .offset_bits = 32, .cpu = true, .gpu = true};
    s->b = malloc((n + 1) * sizeof(double));
    s->inverse = malloc((n + 1) * sizeof(double));
    s->host_x = calloc(n + 1, sizeof(double));
    matgen_vector(s->b, n, 5, 0);
    for (size_t r = 0; r < n; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            if (A->col_indices[nz] == (int32_t)r) s->inverse[r] = 1 / A->values[nz];
    if (spmv_problem_open(&s->spmv, &spec, &err)) fail_msg("%s", err.text);
    s->product = app_row_open(step_named(&CG, place), &s->spmv, &err);
    s->cg = s->product ? (cg_t *)cg_open(s->product, (const void *const[]){s->b, s->inverse}, o, &err) : NULL;
    if (!s->cg) fail_msg("%s: %s", place, err.text);
    s->x = s->product->on_gpu ? device_alloc(n * sizeof(double) + 1, "x", &err) : s->host_x;
}

static int trial_run(trial_t *s, err_t *err)
{
    const int failed = cg_solve(&s->cg->method, s->x, err);
    if (s->product->on_gpu)
        assert_int_equal(cudaMemcpy(s->host_x, s->x, s->product->n * sizeof(double), cudaMemcpyDeviceToHost),
                         cudaSuccess);
    return failed;
}

static void trial_close(trial_t *s)
{
    if (s->product->on_gpu) device_free(s->x);
    cg_close(&s->cg->method);
    s->product->close(s->product);
    spmv_problem_close(&s->spmv);
    free(s->b), free(s->inverse), free(s->host_x);
}

/* |r| before each of the first `steps` steps, by the textbook's loop: z is stored, and sums are sequential. */
static void textbook(const csr_t *A, const double *b, const double *inverse, size_t steps, double *norms)
{
    const size_t n = A->rows;
    double *r = malloc(n * sizeof *r), *z = malloc(n * sizeof *z), *p = malloc(n * sizeof *p),
           *ap = malloc(n * sizeof *ap);
    double *sizes = malloc(n * sizeof *sizes), rz = 0;
    for (size_t i = 0; i < n; ++i) r[i] = b[i], z[i] = p[i] = inverse[i] * r[i], rz += r[i] * z[i];
    for (size_t k = 0; k < steps; ++k) {
        double rr = 0, pap = 0, rz_now = 0;
        for (size_t i = 0; i < n; ++i) rr += r[i] * r[i];
        norms[k] = sqrt(rr);
        reference_spmv(A, p, ap, sizes);
        for (size_t i = 0; i < n; ++i) pap += p[i] * ap[i];
        for (size_t i = 0; i < n; ++i) r[i] -= rz / pap * ap[i];
        for (size_t i = 0; i < n; ++i) z[i] = inverse[i] * r[i];
        for (size_t i = 0; i < n; ++i) rz_now += r[i] * z[i];
        for (size_t i = 0; i < n; ++i) p[i] = z[i] + rz_now / rz * p[i];
        rz = rz_now;
    }
    free(r), free(z), free(p), free(ap), free(sizes);
}

enum { COMPARED = 12 };

/* Whether the residuals of these loops agree with the textbook's, step by step, and the number of steps, too. */
static bool as_the_textbook(const char *place, const csr_t *A, const cg_loops_t *loops)
{
    trial_t s;
    err_t err;
    double norms[COMPARED];
    trial_open(&s, place, A, NULL);
    if (loops) s.cg->loops = loops;
    const int failed = trial_run(&s, &err);
    textbook(A, s.b, s.inverse, COMPARED, norms);
    bool same = !failed && s.cg->method.iterations >= COMPARED;
    const cg_step_t *h = s.cg->method.history;
    for (size_t k = 0; k < COMPARED && same; ++k) same = fabs(sqrt(h[k].rr) - norms[k]) <= 1e-9 * norms[k];
    trial_close(&s);
    return same;
}

/* Jacobi solves a diagonal matrix in one step if the preconditioner is used everywhere. */
static bool diagonal_in_one_step(const char *place, const cg_loops_t *loops)
{
    trial_t s;
    err_t err;
    csr_t *A = make_matrix("identity:50");
    for (size_t i = 0; i < A->nnz; ++i) A->values[i] = 1 + (double)i;
    trial_open(&s, place, A, NULL);
    if (loops) s.cg->loops = loops;
    const bool one = trial_run(&s, &err) == 0 && s.cg->method.iterations == 1;
    trial_close(&s);
    csr_free(A);
    return one;
}

/* The error in A's norm must fall by at least (sqrt(kappa) - 1) / (sqrt(kappa) + 1) per step (Saad, 6.11.3).  Poisson's
 * matrix on n^3 points has the eigenvalues 4 (sin^2 + sin^2 + sin^2), so kappa is known; |r| may be sqrt(kappa) times
 * larger. */
static bool steps_of_theory(const char *place, const cg_loops_t *loops)
{
    enum { N = 8 };
    trial_t s;
    err_t err;
    csr_t *A = make_matrix("poisson3d:8,8,8");
    const double angle = acos(-1) / (2 * (N + 1)), kappa = 1 / (tan(angle) * tan(angle));
    const double factor = (sqrt(kappa) - 1) / (sqrt(kappa) + 1);
    const double most = log(1e-10 / (2 * sqrt(kappa))) / log(factor);
    trial_open(&s, place, A, NULL);
    if (loops) s.cg->loops = loops;
    const bool enough = trial_run(&s, &err) == 0 && (double)s.cg->method.iterations <= most;
    trial_close(&s);
    csr_free(A);
    return enough;
}

static bool accepted(const char *place, const cg_loops_t *loops)
{
    csr_t *A = make_system(300, 1);
    const bool same = as_the_textbook(place, A, loops);
    csr_free(A);
    return same && diagonal_in_one_step(place, loops) && steps_of_theory(place, loops);
}

TEST(test_textbook_and_theory)
{
    for (size_t k = 0; k < PLACE_COUNT; ++k) {
        csr_t *A = make_system(300, 1);
        assert_true(as_the_textbook(PLACES[k], A, NULL));
        assert_true(diagonal_in_one_step(PLACES[k], NULL));
        assert_true(steps_of_theory(PLACES[k], NULL));
        csr_free(A);
    }
}

/* ---- mutants ------------------------------------------------------------------------------------ */

/* Each calls the right loop and then makes one mistake. */

static void set_direction(const cg_vectors_t *v, const double *inverse, double beta)
{
    double *p = v->p;
    const double *r = v->r;
    for (size_t i = 0; i < v->rows; ++i) p[i] = (inverse ? inverse[i] : 1) * r[i] + beta * p[i];
}

#define DIRECTION(name, inverse, beta)                               \
    static int name(const cg_vectors_t *v, size_t k, err_t *err)     \
    {                                                                \
        (void)k, (void)err;                                          \
        set_direction(v, inverse, beta);                             \
        return 0;                                                    \
    }
DIRECTION(beta_upside_down, v->inverse, v->steps[k].rz / v->steps[k + 1].rz)
DIRECTION(beta_without_preconditioner, v->inverse, v->steps[k + 1].rr / v->steps[k].rr)
DIRECTION(beta_forgotten, v->inverse, 0) /* steepest descent: converges, but slowly */
DIRECTION(direction_without_preconditioner, NULL, v->steps[k + 1].rz / v->steps[k].rz)

static int update_without_preconditioner(const cg_vectors_t *v, size_t k, err_t *err)
{
    if (CG_CPU.update(v, k, err)) return -1;
    v->steps[k + 1].rz = v->steps[k + 1].rr;
    return 0;
}

static int residual_off(const cg_vectors_t *v, size_t k, err_t *err) /* changes one row after it was summed */
{
    if (CG_CPU.update(v, k, err)) return -1;
    ((double *)v->r)[0] *= 1.001;
    return 0;
}

static int half_a_dot(const cg_vectors_t *v, size_t k, err_t *err)
{
    if (CG_CPU.dot(v, k, err)) return -1;
    v->steps[k].pap -= ((double *)v->p)[v->rows - 1] * ((double *)v->ap)[v->rows - 1];
    return 0;
}

static int start_without_preconditioner(const cg_vectors_t *v, size_t k, err_t *err)
{
    if (CG_CPU.start(v, k, err)) return -1;
    memcpy(v->p, v->b, v->rows * sizeof(double));
    return 0;
}

TEST(test_mutants_are_rejected)
{
    static const struct {
        const char *name;
        cg_loops_t change; /* NULL: unchanged */
    } MUTANTS[] = {
        {"beta upside down", {.direction = beta_upside_down}},
        {"beta without the preconditioner", {.direction = beta_without_preconditioner}},
        {"beta forgotten", {.direction = beta_forgotten}},
        {"direction without the preconditioner", {.direction = direction_without_preconditioner}},
        {"r' M^-1 r without the preconditioner", {.update = update_without_preconditioner}},
        {"a residual that is not b - A x", {.update = residual_off}},
        {"the last row left out of p' A p", {.dot = half_a_dot}},
        {"start without the preconditioner", {.start = start_without_preconditioner}},
    };
    assert_true(accepted("cpu", &CG_CPU));
    for (size_t i = 0; i < sizeof MUTANTS / sizeof *MUTANTS; ++i) {
        cg_loops_t loops = CG_CPU;
        if (MUTANTS[i].change.start) loops.start = MUTANTS[i].change.start;
        if (MUTANTS[i].change.dot) loops.dot = MUTANTS[i].change.dot;
        if (MUTANTS[i].change.update) loops.update = MUTANTS[i].change.update;
        if (MUTANTS[i].change.direction) loops.direction = MUTANTS[i].change.direction;
        if (accepted("cpu", &loops)) fail_msg("not noticed: %s", MUTANTS[i].name);
    }
}

/* The program's check must refuse an x that is slightly wrong, and one that was never written. */
TEST(test_wrong_answers_are_rejected)
{
    enum { N = 60 };
    err_t err = {{0}};
    problem_t p;
    double x[N], unused, inverse_norm, b[N];
    csr_t *A = make_system(N, 2);
    const app_spec_t spec = {
        .A = A, .name = "test", .dtype = DTYPE_F64, .seed = 3, .cpu = true, .max_flops = 1e9};
    assert_int_equal(cg_problem_open(&p, &spec, &err), 0);
    matgen_vector(b, N, spec.seed + 1, 0);
    assert_int_equal(direct_solve(A, b, 1e9, x, &inverse_norm, &err), 0);
    const step_t *cpu = step_named(&CG, "cpu");
    assert_int_equal(cpu->ops->check(cpu, &p, x, &unused, &err), 0);
    for (size_t i = 0; i < N; i += 59) {
        const double right = x[i];
        x[i] = right + 1e-6 * fabs(right);
        assert_int_equal(cpu->ops->check(cpu, &p, x, &unused, &err), -1);
        x[i] = NAN;
        assert_int_equal(cpu->ops->check(cpu, &p, x, &unused, &err), -1);
        x[i] = right;
    }
    app_problem_close(&p);
    csr_free(A);
}

/* ---- on the GPU the host checks rarely --------------------------------------------------------- */

TEST(test_looking_changes_nothing)
{
    static const size_t EVERY[] = {1, 7, 1000};
    double first[200];
    size_t steps = 0;
    csr_t *A = make_system(200, 4);
    for (size_t i = 0; i < 3; ++i) {
        trial_t s;
        err_t err;
        trial_open(&s, "gpu", A, &(method_options_t){.look_every = EVERY[i], .max_iterations = 60});
        if (trial_run(&s, &err)) fail_msg("%s", err.text);
        if (i == 0) memcpy(first, s.host_x, sizeof first), steps = s.cg->method.iterations;
        assert_int_equal(s.cg->method.iterations, steps);
        assert_memory_equal(s.host_x, first, sizeof first);
        trial_close(&s);
    }
    csr_free(A);
}

TEST(test_threads_change_nothing)
{
    enum { N = 20000 };
    static double first[N];
    csr_t *A = make_system(N, 4);
    const int before = omp_get_max_threads();
    for (int threads = 1; threads <= 3; ++threads) {
        trial_t s;
        err_t err;
        omp_set_num_threads(threads);
        trial_open(&s, "cpu", A, NULL);
        if (trial_run(&s, &err)) fail_msg("%s", err.text);
        if (threads == 1) memcpy(first, s.host_x, sizeof first);
        assert_memory_equal(s.host_x, first, sizeof first);
        trial_close(&s);
    }
    omp_set_num_threads(before);
    csr_free(A);
}

/* ---- systems that cannot be solved -------------------------------------------------------------- */

static void refused(size_t n, const double *dense, const char *sentence)
{
    err_t err;
    csr_t *A = of_rows(n, dense);
    for (size_t k = 0; k < PLACE_COUNT; ++k) {
        if (solve(step_named(&CG, PLACES[k]), A, DTYPE_F64, NULL, &err) == 0) fail_msg("%s: solved", sentence);
        if (!strstr(err.text, sentence)) fail_msg("expected \"%s\", got \"%s\"", sentence, err.text);
    }
    csr_free(A);
}

TEST(test_what_cannot_be_solved)
{
    static const double INDEFINITE[] = {1, 2, 2, 1}, NO_DIAGONAL[] = {1, 2, 2, 0}, NEGATIVE[] = {-1, 0, 0, 2},
                        LOPSIDED[] = {2, 1, -1, 2}, ONE_SIDED[] = {2, 1, 0, 2}, SINGULAR[] = {1, -1, -1, 1};
    err_t err;
    refused(2, INDEFINITE, "A is not positive definite");
    refused(2, NO_DIAGONAL, "row 2: the diagonal is 0");
    refused(2, NEGATIVE, "row 1: the diagonal is -1");
    refused(2, LOPSIDED, "the entry in row 1 and column 2 is 1, its mirror image -1");
    refused(2, ONE_SIDED, "not symmetric");
    refused(2, SINGULAR, "");
    csr_t *A = make_matrix("dense:3,2");
    assert_int_equal(solve(step_named(&CG, "cpu"), A, DTYPE_F64, NULL, &err), -1);
    assert_non_null(strstr(err.text, "not square"));
    csr_free(A);
    A = make_matrix("poisson2d:5,5");
    assert_int_equal(solve(step_named(&CG, "cpu"), A, DTYPE_F16, NULL, &err), -1);
    assert_non_null(strstr(err.text, "fp32 and fp64 only"));
    csr_free(A);
}

/* Numbers whose squares are Inf; a right-hand side of zeros; too few steps. */
TEST(test_edges_of_a_solve)
{
    csr_t *A = make_system(50, 1);
    for (size_t k = 0; k < PLACE_COUNT; ++k) {
        trial_t s;
        err_t err;
        double large[50], zero[50] = {0};
        for (int i = 0; i < 50; ++i) large[i] = 1e200;

        trial_open(&s, PLACES[k], A, NULL);
        assert_int_equal(s.product->scatter(s.product, large, (void *)s.cg->v.b, &err), 0);
        assert_int_equal(trial_run(&s, &err), 1);
        assert_non_null(strstr(err.text, "r' r is inf"));

        assert_int_equal(s.product->scatter(s.product, zero, (void *)s.cg->v.b, &err), 0);
        assert_int_equal(trial_run(&s, &err), 0);
        assert_int_equal(s.cg->method.iterations, 0);
        assert_memory_equal(s.host_x, zero, sizeof zero);
        trial_close(&s);

        trial_open(&s, PLACES[k], A, &(method_options_t){.max_iterations = 3});
        assert_int_equal(trial_run(&s, &err), 1);
        assert_non_null(strstr(err.text, "no convergence in 3 steps"));
        assert_int_equal(s.cg->method.iterations, 3);
        trial_close(&s);
    }
    csr_free(A);
}

TEST(test_direct_solve_refuses_too_much)
{
    enum { N = 512 };
    err_t err;
    double b[N], x[N], norm;
    csr_t *A = make_matrix("poisson3d:8,8,8");
    matgen_vector(b, N, 1, 0);
    assert_int_equal(direct_solve(A, b, 10, x, &norm, &err), 1);
    assert_non_null(strstr(err.text, "more than the limit of 10"));
    assert_int_equal(direct_solve(A, b, 1e9, x, &norm, &err), 0);
    assert_true(direct_residual(A, b, x) < 1e-10);
    static const double INDEFINITE[] = {1, 2, 2, 1};
    csr_t *B = of_rows(2, INDEFINITE);
    double y[2], unused;
    assert_int_equal(direct_solve(B, b, 1e9, y, &unused, &err), -1);
    assert_non_null(strstr(err.text, "not positive definite"));
    csr_free(B);
    const double angle = acos(-1) / 18; /* the smallest eigenvalue is 12 sin^2 */
    assert_true(fabs(norm * 12 * sin(angle) * sin(angle) - 1) < 0.05);
    csr_free(A);
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
