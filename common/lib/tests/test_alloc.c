/* test_alloc.c - matrices, formats, recipes and files when memory runs out (starve.h). */
#include <stdio.h>

#include "formats.h"
#include "mtx.h"
#include "starve.h"

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

static int try_triplets(err_t *err)
{
    const int32_t rows[] = {2, 0, 2}, cols[] = {1, 1, 1};
    const double values[] = {1, 2, 3};
    csr_t *B = csr_from_triplets(3, 2, 3, rows, cols, values, err);
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

#define TRY_FORMAT(name, X, ...)                                                                            \
    static int try_##name(err_t *err)                                                                       \
    {                                                                                                       \
        X##_t *M = X##_from_csr(__VA_ARGS__, SIZE_MAX, err);                                                \
        return X##_free(M), !M;                                                                             \
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

TEST(matrices)
{
    STARVE(copy);
    STARVE(transpose);
    STARVE(triplets);
    STARVE(arrays);
}

TEST(formats)
{
    STARVE(coo);
    STARVE(csrl);
    STARVE(bcoo);
    STARVE(ell);
    STARVE(hyb);
    STARVE(dia);
    STARVE(bsr);
    STARVE(sell);
}

TEST(recipes)
{
    STARVE(band);
    STARVE(random);
    STARVE(powerlaw);
    STARVE(rmat);
    STARVE(poisson);
    STARVE(like);
}

TEST(files)
{
    static const char *const TEXTS[] = {
        "coordinate real general\n3 3 2\n1 1 4\n3 1 5\n",
        "coordinate real symmetric\n3 3 2\n1 1 4\n3 1 5\n",
        "array real general\n2 1\n1\n0\n",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; ++i) {
        FILE *f = fopen(file, "w");
        fprintf(f, "%%%%MatrixMarket matrix %s", TEXTS[i]);
        fclose(f);
        STARVE(read);
    }
}

FIXTURE(set_up)
{
    return starve_set_up("random:20,20,60");
}

int main(void) { return cmocka_run_group_tests(tests, set_up, starve_tear_down); }
