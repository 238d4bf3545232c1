/* test_alloc_rows.c - what makes and writes rows when memory runs out (starve.h): problems, checks, times, reports,
 * summaries. */
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"
#include "spmv_peers.h"
#include "spmv_session.h"
#include "spmv_summary.h"
#include "starve.h"

static bool gpu; /* a GPU, or the simulator: a program built for a GPU may run where there is none */

/* ---- matrices and problems ---------------------------------------------------------------------- */

static int try_recipe(err_t *err)
{
    char name[SPMV_NAME];
    csr_t *B = spmv_matrix_open("band:10,2", 1, name, err);
    return csr_free(B), !B;
}

static int try_suite(err_t *err)
{
    char name[SPMV_NAME];
    csr_t *B = spmv_matrix_of_suite("ash219", 1, name, err);
    return csr_free(B), !B;
}

static int try_sample(err_t *err)
{
    char name[SPMV_NAME] = "a";
    const long left = countdown;
    countdown = -1;
    csr_t *B = csr_copy(A);
    countdown = left;
    B = spmv_matrix_sample(B, A->nnz / 4, name, err);
    return csr_free(B), !B;
}

static int try_upload(err_t *err)
{
    static const int NUMBERS[] = {1, 2, 3};
    void *d = device_upload(NUMBERS, sizeof NUMBERS, "numbers", err);
    return device_free(d), !d;
}

static int try_arrays(err_t *err)
{
    csr_arrays_t host, d = {0};
    int failed = csr_arrays_from(&host, A, DTYPE_F32, 32, err) || csr_arrays_upload(&d, &host, err);
    csr_arrays_free_device(&d);
    csr_arrays_free(&host);
    return failed;
}

static int open_problem(problem_t *p, dtype_t t, err_t *err)
{
    const spmv_spec_t spec = {.A = A, .name = "a", .dtype = t, .offset_bits = 32, .seed = 1, .cpu = true, .gpu = gpu};
    return spmv_problem_open(p, &spec, err);
}

static int try_problem(err_t *err)
{
    problem_t p;
    if (open_problem(&p, DTYPE_F64, err)) return 1;
    spmv_problem_close(&p);
    return 0;
}

TEST(problems)
{
    STARVE(recipe);
    STARVE(suite);
    STARVE(sample);
    STARVE(problem);
    if (!gpu) return;
    STARVE(upload);
    STARVE(arrays);
}

/* ---- a chapter of two steps ------------------------------------------------------------------------ */

static int run_step(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    (void)state;
    const spmv_data_t *data = p->data;
    if (s->kind == STEP_GPU) return device_ok(cudaMemcpy(out, data->y, p->out_bytes, cudaMemcpyHostToDevice), "y", err);
    dtype_from_double(p->dtype, out, data->y, data->A.rows);
    return 0;
}

static size_t depth(size_t length, const void *unused)
{
    (void)unused;
    return length;
}

static int check_step(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    (void)s;
    return spmv_judge(p, out, depth, NULL, err_over_tol, err);
}

static const step_ops_t OPS = {.run = run_step, .check = check_step};
static const step_t STEPS[] = {{"c1", STEP_CPU, "writes the right answer", &OPS, NULL},
                               {"v1", STEP_GPU, "copies it to the GPU", &OPS, NULL}};
static const step_t *steps(size_t i) { return i < 2 ? &STEPS[i] : NULL; }
static const chapter_t CHAPTER = {.name = "starved", .doc = "", .step = steps};

static problem_t problem; /* opened with all the memory it wants */

static int try_check(err_t *err)
{
    double err_over_tol;
    return harness_check(&STEPS[0], &problem, &err_over_tol, err) ||
           (gpu && harness_check(&STEPS[1], &problem, &err_over_tol, err));
}

/* A peer on the host and one step of it, where librsb was there to build with. */
static int try_peer(err_t *err)
{
    double err_over_tol;
    for (size_t i = 0; spmv_peer(i); ++i) {
        const step_t *peer = spmv_peer(i);
        if (peer->kind == STEP_CPU_PEER && !(peer->ops->skip)(peer, &problem))
            return harness_check(peer, &problem, &err_over_tol, err) != 0;
    }
    return try_check(err);
}

static int nothing(void *context, err_t *err)
{
    (void)context, (void)err;
    return 0;
}

static int try_bench(err_t *err)
{
    const bench_policy_t policy = bench_policy(3);
    bench_stats_t s;
    return bench_cpu(nothing, NULL, true, &policy, &s, err) || bench_cpu(nothing, NULL, false, &policy, &s, err);
}

TEST(steps_and_times)
{
    err_t err;
    assert_int_equal(open_problem(&problem, DTYPE_F64, &err), 0);
    STARVE(check);
    STARVE(peer);
    STARVE(bench);
    spmv_problem_close(&problem);
}

/* ---- reports ---------------------------------------------------------------------------------------- */

/* Two rows in that format; what was printed is in *text (malloc'd) for the caller to look at. */
static int write_report(report_format_t format, const char *path, char **text, err_t *err)
{
    const long left = countdown;
    size_t size = 0;
    FILE *out = stdout;
    countdown = -1;
    stdout = open_memstream(text, &size);
    countdown = left;
    const report_row_t row = {.chapter = "c",
                              .step = "v1",
                              .kind = "gpu",
                              .case_name = "n=1",
                              .dtype = "fp32",
                              .status = REPORT_OK,
                              .idea = "an idea",
                              .cold_us = 1,
                              .warm_us = NAN,
                              .bytes = 8};
    report_t *r = report_open(format, path, err);
    int failed = !r;
    if (r) {
        report_meta(r, "seed", "%d", 42);
        report_meta(r, "gpu", "none");
        failed |= report_add(r, &row, err) || report_add(r, &row, err);
        report_close(r);
    }
    fclose(stdout);
    stdout = out;
    return failed;
}

static char *whole[3]; /* what is printed with all the memory there is */

/* A report that says it is well must be whole. */
static int try_report(report_format_t format, const char *path, err_t *err)
{
    char *text = NULL;
    const int failed = write_report(format, path, &text, err);
    const long left = countdown;
    countdown = -1;
    if (!failed && strcmp(text, whole[format])) fail_msg("a part is missing, and no message says so:\n%s", text);
    countdown = left;
    free(text);
    return failed;
}

static int try_table(err_t *err) { return try_report(REPORT_TABLE, NULL, err); }
static int try_tsv(err_t *err) { return try_report(REPORT_TSV, NULL, err); }
static int try_json(err_t *err) { return try_report(REPORT_JSON, NULL, err); }
static int try_record(err_t *err) { return try_report(REPORT_TABLE, file, err); }

static char *summary; /* with all the memory there is */

static int try_summary(err_t *err)
{
    char *text = NULL;
    size_t size = 0;
    const long left = countdown;
    countdown = -1;
    FILE *to = open_memstream(&text, &size);
    countdown = left;
    const int failed = summary_suite(file, to);
    fclose(to);
    if (failed) err_set(err, "told on standard error");
    if (!failed && summary && strcmp(text, summary)) fail_msg("a part is missing, and no message says so:\n%s", text);
    if (!summary && !failed) summary = text;
    else free(text);
    return failed;
}

TEST(reports)
{
    err_t err;
    for (int f = 0; f < 3; ++f) assert_int_equal(write_report((report_format_t)f, NULL, &whole[f], &err), 0);
    STARVE(table);
    STARVE(tsv);
    STARVE(json);
    STARVE(record);
    assert_int_equal(try_summary(&err), 0); /* of that record */
    assert_true(strlen(summary) > 100);
    STARVE(summary);
    for (int f = 0; f < 3; ++f) free(whole[f]);
    free(summary);
}

/* ---- what ends the program ---------------------------------------------------------------------------- */

/* A whole run, its k-th allocation failing. */
static int run_program(long k)
{
    static char name[] = "starved", only[] = "--only=v1", once[] = "--once";
    char *argv[] = {name, only, once, NULL};
    options_t o;
    problem_t p;
    err_t err;
    gpu = true;
    A = make_matrix("random:40,40,600");
    countdown = k;
    cli_parse(&o, 3, argv, CHAPTER.doc, NULL, NULL);
    harness_t *h = harness_open(&CHAPTER, &o);
    const int failed = open_problem(&p, DTYPE_F64, &err);
    if (!failed) {
        harness_run(h, &p);
        spmv_problem_close(&p);
    }
    const int status = harness_close(h) || failed;
    csr_free(A);
    return countdown > 0 ? 100 + status : status;
}

/* As a program of its own: 0, or 1 with a sentence, or 74 (output), never a signal; on a real GPU, which takes a while
 * to open, not for every k. */
TEST(programs)
{
    char self[PATH_MAX] = "";
    pid_t child;
    posix_spawn_file_actions_t silent;
    if (!gpu) skip();
    posix_spawn_file_actions_init(&silent);
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; ++fd)
        posix_spawn_file_actions_addopen(&silent, fd, "/dev/null", O_WRONLY, 0);
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0); /* under valgrind the file itself is valgrind */
    for (long k = 1;; k += strcmp(device_backend(), "cuda") ? 1 : 7) {
        int status;
        char number[32];
        snprintf(number, sizeof number, "%ld", k);
        assert_int_equal(posix_spawn(&child, self, &silent, NULL, (char *[]){self, number, NULL}, environ), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status)) fail_msg("allocation %ld fails: signal %d", k, WTERMSIG(status));
        if (WEXITSTATUS(status) == 100) break; /* untouched and well */
        if (WEXITSTATUS(status) > 1 && WEXITSTATUS(status) != 74)
            fail_msg("allocation %ld: exit %d", k, WEXITSTATUS(status));
        assert_true(k < 1000);
    }
    posix_spawn_file_actions_destroy(&silent);
}

FIXTURE(set_up)
{
    device_facts_t facts;
    gpu = device_open(&facts, NULL) == 0;
    return starve_set_up("random:40,40,600");
}

int main(int argc, char **argv)
{
    json_set_alloc_funcs(malloc, free); /* the wrapped ones: JSON starves, too */
    if (argc > 1) return run_program(atol(argv[1]));
    return cmocka_run_group_tests(tests, set_up, starve_tear_down);
}
