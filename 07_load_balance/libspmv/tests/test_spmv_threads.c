/*
 * test_spmv_threads.c - the threads of libspmv's CPU back end: several callers, threads and memory that the system
 * refuses, fork, threads that the program lends.  The program has no OpenMP and is linked with --wrap=pthread_create;
 * `make sanitize` runs it under the thread sanitizer, too.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit.h"
#include "spmv.h"

enum { ROWS = 6000, LENGTH = 9, LONG = 40000, NNZ = ROWS * LENGTH + LONG, THREADS = 4, SECONDS = 60, COLUMNS = 3 };

static int32_t offsets[ROWS + 1], columns[NNZ];
static double values[NNZ], x[LONG], right[ROWS];
static double by_rows[LONG * COLUMNS], by_columns[LONG * COLUMNS]; /* x, 2 x, 3 x */
static const spmv_csr_t A = {.rows = ROWS, .cols = LONG, .nnz = NNZ, .value_type = SPMV_F64, .offset_bits = 32,
                             .row_offsets = offsets, .col_indices = columns, .values = values};

/* The values are small integers, so that sums are exact in any order; row 3000 is long enough to be cut between
 * parts. */
FIXTURE(set_up)
{
    int k = 0;
    for (int c = 0; c < LONG; ++c) x[c] = c % 7 - 3;
    for (int i = 0; i < LONG * COLUMNS; ++i) by_rows[i] = x[i / COLUMNS] * (i % COLUMNS + 1);
    for (int i = 0; i < LONG * COLUMNS; ++i) by_columns[i] = x[i % LONG] * (i / LONG + 1);
    for (int r = 0; r < ROWS; ++r) {
        const int length = r == ROWS / 2 ? LENGTH + LONG : LENGTH;
        for (int i = 0; i < length; ++i, ++k) {
            columns[k] = length > LENGTH ? i % LONG : (r * 13 + i * 257) % LONG;
            values[k] = (r + i) % 5 - 2;
            right[r] += values[k] * x[columns[k]];
        }
        offsets[r + 1] = k;
    }
    return k == NNZ ? 0 : -1;
}

static bool columns_are_right(const spmv_plan_t *plan, double *y)
{
    bool same = spmv_execute_many(plan, COLUMNS, SPMV_ROW_MAJOR, 1, by_rows, COLUMNS, 0, y, COLUMNS, NULL) == SPMV_OK;
    for (int i = 0; i < ROWS * COLUMNS; ++i) same = same && y[i] == right[i / COLUMNS] * (i % COLUMNS + 1);
    same = spmv_execute_many(plan, COLUMNS, SPMV_COL_MAJOR, 1, by_columns, LONG, 0, y, ROWS, NULL) == SPMV_OK && same;
    for (int i = 0; i < ROWS * COLUMNS; ++i) same = same && y[i] == right[i % ROWS] * (i / ROWS + 1);
    return same;
}

static spmv_plan_t *plan_with(spmv_options_t options)
{
    spmv_plan_t *plan;
    assert_int_equal(spmv_create(&plan, &A, &options, NULL), SPMV_OK);
    return plan;
}

static bool product_is_right(const spmv_plan_t *plan)
{
    double *y = malloc(ROWS * COLUMNS * sizeof *y);
    if (!y) return false;
    memset(y, 0xff, ROWS * COLUMNS * sizeof *y);
    bool same = spmv_execute(plan, 1, x, 0, y, NULL) == SPMV_OK && memcmp(y, right, sizeof right) == 0;
    same = same && columns_are_right(plan, y);
    free(y);
    return same;
}

/* ---- refused resources --------------------------------------------------------------------------- */

static atomic_long thread_countdown = -1; /* number of threads until all are refused; negative: none is refused */
static atomic_int threads_made;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    const long left = atomic_load(&thread_countdown);
    if (left == 0) return EAGAIN;
    if (left > 0) atomic_fetch_sub(&thread_countdown, 1);
    atomic_fetch_add(&threads_made, 1);
    return __real_pthread_create(thread, attributes, start, argument);
}

static atomic_long memory_countdown = -1; /* the allocation that counts this down to 0 fails, in any thread */

#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
#define SANITIZED 1 /* sanitizers have their own malloc, and no threads after fork */
#else
#define SANITIZED 0
static bool starved(void)
{
    if (atomic_load(&memory_countdown) <= 0 || atomic_fetch_sub(&memory_countdown, 1) != 1) return false;
    errno = ENOMEM;
    return true;
}

/* Replaces the C library's functions, for all libraries. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size) { return starved() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return starved() ? NULL : __libc_calloc(count, size); }
void *realloc(void *p, size_t size) { return starved() ? NULL : __libc_realloc(p, size); }
void *aligned_alloc(size_t alignment, size_t size) { return starved() ? NULL : __libc_memalign(alignment, size); }
#endif

/* ---- a process of its own ------------------------------------------------------------------------- */

enum { NOT_REACHED = 2 }; /* exit status */

/* Runs try_it in a child, in which no thread was ever created.  It must return true within a minute, or exit with
 * NOT_REACHED, which is then returned. */
static int in_child(const char *name, bool (*try_it)(long k), long k)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(try_it(k) ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status && (!WIFEXITED(status) || WEXITSTATUS(status) != NOT_REACHED))
        fail_msg("%s, %ld: wait status 0x%x", name, k, (unsigned)status);
    return WEXITSTATUS(status);
}

static bool plan_and_product(long threads)
{
    const spmv_options_t options = {.threads = (int)threads};
    spmv_plan_t *plan;
    const bool right_one = spmv_create(&plan, &A, &options, NULL) == SPMV_OK && product_is_right(plan) &&
                           spmv_update_values(plan, values, NULL) == SPMV_OK && product_is_right(plan);
    spmv_destroy(plan);
    return right_one;
}

static bool threads_refused(long k)
{
    atomic_store(&thread_countdown, k);
    atomic_store(&threads_made, 0);
    const bool fine = plan_and_product(THREADS) && atomic_load(&threads_made) == (k < THREADS - 1 ? k : THREADS - 1);
    atomic_store(&thread_countdown, -1);
    return fine && plan_and_product(THREADS) && atomic_load(&threads_made) == THREADS - 1; /* it tried again */
}

TEST(no_threads)
{
    if (SANITIZED) skip();
    for (long k = 0; k <= THREADS; ++k) in_child("threads refused", threads_refused, k);
}

/* The k-th allocation fails: of the library, of the C library for a thread, or of any other code. */
static bool memory_refused(long k)
{
    const spmv_options_t options = {.threads = THREADS};
    double *y = malloc(ROWS * sizeof *y);
    spmv_plan_t *plan;
    if (!y) return false;
    atomic_store(&memory_countdown, k);
    spmv_status_t status = spmv_create(&plan, &A, &options, NULL);
    if (status == SPMV_OK) status = spmv_execute(plan, 1, x, 0, y, NULL);
    const bool untouched = atomic_load(&memory_countdown) > 0;
    atomic_store(&memory_countdown, -1);
    const bool fine = status == SPMV_OK ? memcmp(y, right, sizeof right) == 0
                                        : status == SPMV_NO_MEMORY && !plan && strstr(spmv_last_error(), "memory");
    spmv_destroy(plan);
    free(y);
    if (untouched) _exit(fine ? NOT_REACHED : 1);
    return fine;
}

TEST(no_memory)
{
    if (SANITIZED) skip();
    long k = 1;
    while (in_child("allocation", memory_refused, k) != NOT_REACHED) assert_true(++k < 1000);
    assert_true(k > 10);
}

/* ---- fork ------------------------------------------------------------------------------------------- */

static spmv_plan_t *of_the_parent;

static bool child_of(long generation)
{
    if (!product_is_right(of_the_parent) || !plan_and_product(THREADS)) return false;
    if (generation > 0) in_child("a child's child", child_of, generation - 1);
    return product_is_right(of_the_parent);
}

/* A child can use its parent's plans, even while another thread of the parent multiplies. */
static void *multiply_until_told(void *stop)
{
    bool fine = true;
    while (!atomic_load((atomic_bool *)stop)) fine = product_is_right(of_the_parent) && fine;
    return fine ? of_the_parent : NULL;
}

TEST(forks)
{
    if (SANITIZED) skip();
    of_the_parent = plan_with((spmv_options_t){.threads = THREADS});
    assert_true(product_is_right(of_the_parent));
    in_child("a child", child_of, 1);
    assert_true(product_is_right(of_the_parent));

    pthread_t thread;
    atomic_bool stop = false;
    void *fine;
    assert_int_equal(pthread_create(&thread, NULL, multiply_until_told, &stop), 0);
    for (int i = 0; i < 20; ++i) in_child("a child of a busy parent", child_of, 0);
    atomic_store(&stop, true);
    assert_int_equal(pthread_join(thread, &fine), 0);
    assert_non_null(fine);
    spmv_destroy(of_the_parent);
}

/* ---- several callers ---------------------------------------------------------------------------------- */

enum { CALLERS = 12, ROUNDS = SANITIZED ? 8 : 20 }; /* more callers than slots; twice each number of threads */

static void *call(void *shared)
{
    spmv_plan_t *own;
    for (int i = 0; i < ROUNDS; ++i) {
        const spmv_options_t options = {.threads = 2 + i % THREADS, .setup = i % 2 ? SPMV_SETUP_NONE : SPMV_SETUP_PLAN};
        if (!product_is_right(shared) || spmv_create(&own, &A, &options, NULL) != SPMV_OK) return NULL;
        const bool fine = product_is_right(own) && product_is_right(shared);
        spmv_destroy(own);
        if (!fine) return NULL;
        /* The last error belongs to this thread. */
        if (spmv_execute(NULL, 1, x, 0, NULL, NULL) == SPMV_OK || !strstr(spmv_last_error(), "plan")) return NULL;
    }
    return shared;
}

TEST(callers)
{
    spmv_plan_t *shared = plan_with((spmv_options_t){.threads = THREADS});
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; ++i) assert_int_equal(pthread_create(&threads[i], NULL, call, shared), 0);
    for (int i = 0; i < CALLERS; ++i) {
        void *fine;
        assert_int_equal(pthread_join(threads[i], &fine), 0);
        assert_ptr_equal(fine, shared);
    }
    spmv_destroy(shared);
}

/* Jobs that begin while threads poll, and while they sleep. */
TEST(pauses)
{
    spmv_plan_t *plan = plan_with((spmv_options_t){.threads = THREADS});
    for (int i = 0; i < (SANITIZED ? 60 : 200); ++i) {
        assert_true(product_is_right(plan));
        usleep((useconds_t)(i * 37 % 2000));
    }
    spmv_destroy(plan);
}

/* ---- threads that are lent ---------------------------------------------------------------------------- */

typedef struct lent {
    int calls, parts;
} lent_t;

static void backwards(void *lent, int parts, void (*work)(void *context, int part), void *context)
{
    lent_t *l = lent;
    ++l->calls;
    l->parts = parts;
    while (parts > 0) work(context, --parts);
}

TEST(lent_threads)
{
    lent_t l = {0, 0};
    atomic_store(&threads_made, 0);
    spmv_plan_t *plan = plan_with((spmv_options_t){.threads = THREADS, .run = backwards, .run_context = &l});
    assert_int_equal(l.calls, 1);
    assert_int_equal(l.parts, THREADS);
    assert_true(product_is_right(plan));
    assert_int_equal(l.calls, 4); /* one vector, and columns in both orders */
    assert_int_equal(spmv_update_values(plan, values, NULL), SPMV_OK);
    assert_int_equal(l.calls, 5);
    assert_true(product_is_right(plan));
    assert_int_equal(atomic_load(&threads_made), 0);
    spmv_destroy(plan);
}

/* A small matrix has one part below 4096 nonzeros (a row counts as two), then one for each 512, up to 16. */
TEST(number_of_parts)
{
    static const struct {
        int rows, threads, parts;
    } cases[] = {{372, 64, 1}, {373, 64, 8}, {744, 64, 15}, {800, 64, 16}, {2900, 64, 16}, {ROWS, 64, 25}, {373, 3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        lent_t l = {0, 0};
        spmv_csr_t first = A;
        first.rows = cases[i].rows;
        first.nnz = offsets[first.rows];
        const spmv_options_t options = {.threads = cases[i].threads, .run = backwards, .run_context = &l};
        spmv_plan_t *plan;
        double y[ROWS];
        assert_int_equal(spmv_create(&plan, &first, &options, NULL), SPMV_OK);
        assert_int_equal(spmv_execute(plan, 1, x, 0, y, NULL), SPMV_OK);
        assert_int_equal(l.calls ? l.parts : 1, cases[i].parts);
        assert_memory_equal(y, right, first.rows * sizeof *y);
        spmv_destroy(plan);
    }
}

/* Without OpenMP the number of threads is that of OMP_NUM_THREADS. */
TEST(number_of_threads)
{
    char text[1000];
    const char *const told[][2] = {{"3", " 3 parts"}, {"1", " 1 parts"}, {"2,7", " 2 parts"}};
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i) {
        setenv("OMP_NUM_THREADS", told[i][0], 1);
        spmv_plan_t *plan = plan_with((spmv_options_t){0});
        assert_int_equal(spmv_describe(plan, text, sizeof text), SPMV_OK);
        assert_non_null(strstr(text, told[i][1]));
        assert_true(product_is_right(plan));
        spmv_destroy(plan);
    }
    const char *const absurd[] = {"0", "-3", "many", "", "100000", "99999999999999999999"};
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; ++i) {
        setenv("OMP_NUM_THREADS", absurd[i], 1);
        assert_true(plan_and_product(0));
    }
    unsetenv("OMP_NUM_THREADS");
    assert_true(plan_and_product(100000));
}

int main(void)
{
    /* Children run first, because in them no thread may exist. */
    return cmocka_run_group_tests(tests, set_up, NULL);
}
