/*
 * test_alloc.c - when memory runs out: for k = 1, 2, ... the k-th allocation fails; each
 * function must say so, and leak nothing.
 *
 * Linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc (and aligned_alloc, where
 * the Makefile says so), so that the library's own allocations come here.
 */
#include <stdio.h>
#include <unistd.h>

#include "battery.h"
#include "formats.h"
#include "mtx.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size) __attribute__((weak));
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static long countdown = -1; /* the allocation that counts it down to 0 fails; negative: none does */

static int fails(void) { return countdown > 0 && --countdown == 0; }

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *p, size_t size) { return fails() ? NULL : __real_realloc(p, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

static csr_t *A; /* what the functions below work on */
static char file[64];

/* Each runs one function and frees what it gave: 0 for success, 1 for failure. */
static int try_copy(err_t *err)
{
    csr_t *B = csr_copy(A);
    if (!B) err_set(err, "no copy");
    return csr_free(B), !B;
}

static int try_transpose(err_t *err)
{
    csr_t *B = csr_transpose(A);
    if (!B) err_set(err, "no transpose");
    return csr_free(B), !B;
}

static int try_arrays(err_t *err)
{
    csr_arrays_t a;
    int status = csr_arrays_from(&a, A, DTYPE_F32, 32, err);
    csr_arrays_free(&a);
    return status != 0;
}

static int try_read(err_t *err)
{
    csr_t *B = mtx_read(file, err);
    return csr_free(B), !B;
}

static int try_write(err_t *err) { return mtx_write(file, A, err) != 0; }

#define TRY_FORMAT(name, X, ...)                                                                            \
    static int try_##name(err_t *err)                                                                       \
    {                                                                                                       \
        X##_t *M = X##_from_csr(__VA_ARGS__, SIZE_MAX, err);                                                \
        csr_t *B = M ? csr_from_##X(M, err) : NULL;                                                         \
        X##_free(M);                                                                                        \
        return csr_free(B), !B;                                                                             \
    }
TRY_FORMAT(coo, coo, A)
TRY_FORMAT(csrl, csrl, A)
TRY_FORMAT(bcoo, bcoo, A, 8)
TRY_FORMAT(ell, ell, A)
TRY_FORMAT(hyb, hyb, A, 1)
TRY_FORMAT(dia, dia, A)
TRY_FORMAT(bsr, bsr, A, 3, true)
TRY_FORMAT(sell, sell, A, 4, 16)

#define TRY_RECIPE(name, recipe)                                                                            \
    static int try_##name(err_t *err)                                                                       \
    {                                                                                                       \
        csr_t *B = matgen(recipe, 1, err);                                                                  \
        return csr_free(B), !B;                                                                             \
    }
TRY_RECIPE(band, "band:10,2")
TRY_RECIPE(random, "random:10,10,30")
TRY_RECIPE(powerlaw, "powerlaw:10,10,30")
TRY_RECIPE(rmat, "rmat:4,3")
TRY_RECIPE(poisson, "poisson2d:4,4")
TRY_RECIPE(like, "like:ash219")

/* Fails the 1st, 2nd, ... allocation until the function gets through untouched. */
static void starve(const char *name, int (*try_it)(err_t *err))
{
    for (long k = 1;; k++) {
        err_t err = {""};
        assert_true(k < 1000);
        countdown = k;
        int failed = try_it(&err);
        int untouched = countdown > 0;
        countdown = -1;
        if (untouched) {
            if (failed) fail_msg("%s fails with all the memory it wants: %s", name, err.text);
            assert_true(k > 1); /* it did allocate something */
            return;
        }
        /* a library below may have found another way, but a failure must be told */
        if (failed && !err.text[0]) fail_msg("%s says nothing when allocation %ld fails", name, k);
    }
}

#define STARVE(name) starve(#name, try_##name)

static void matrices(void **state)
{
    (void)state;
    STARVE(copy);
    STARVE(transpose);
    if (__real_aligned_alloc) STARVE(arrays);
}

static void formats(void **state)
{
    (void)state;
    STARVE(coo);
    STARVE(csrl);
    STARVE(bcoo);
    STARVE(ell);
    STARVE(hyb);
    STARVE(dia);
    STARVE(bsr);
    STARVE(sell);
}

static void recipes(void **state)
{
    (void)state;
    STARVE(band);
    STARVE(random);
    STARVE(powerlaw);
    STARVE(rmat);
    STARVE(poisson);
    STARVE(like);
}

static void files(void **state)
{
    (void)state;
    STARVE(write);
    STARVE(read);
    FILE *f = fopen(file, "w");
    fputs("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 4\n3 1 5\n", f);
    fclose(f);
    STARVE(read);
    f = fopen(file, "w");
    fputs("%%MatrixMarket matrix array real general\n2 1\n1\n0\n", f);
    fclose(f);
    STARVE(read);
}

static int set_up(void **state)
{
    (void)state;
    A = make_matrix("random:20,20,60");
    strcpy(file, "/tmp/test_alloc.XXXXXX");
    int fd = mkstemp(file);
    if (fd >= 0) close(fd);
    return fd < 0;
}

static int tear_down(void **state)
{
    (void)state;
    A = csr_free(A);
    return unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices),
        cmocka_unit_test(formats),
        cmocka_unit_test(recipes),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
