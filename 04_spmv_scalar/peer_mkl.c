/*
 * peer_mkl.c - see peer_mkl.h.
 *
 * pip install mkl (or Debian's intel-mkl) installs libmkl_rt, which is not needed for the build.  The few functions are
 * declared here as in Intel's reference manual of the inspector-executor sparse BLAS (32-bit integers: LP64).
 */
#include "peer_mkl.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MKL_OK = 0, MKL_BASE_ZERO = 0, MKL_NOT_TRANSPOSED = 10, MKL_GENERAL = 20, MKL_UPPER = 41, MKL_NON_UNIT = 50,
       MKL_THREADS_OF_GNU = 3, CALLS_TO_COME = 1000 };

typedef struct mkl_descr {
    int type, fill, diagonal; /* the last two do not apply to a general matrix */
} mkl_descr_t;

typedef int (*mkl_create_fn)(void **matrix, int base, int rows, int cols, int *row_starts, int *row_ends,
                             int *col_indices, void *values);
typedef int (*mkl_mv_d_fn)(int operation, double alpha, void *matrix, mkl_descr_t descr, const double *x, double beta,
                           double *y);
typedef int (*mkl_mv_s_fn)(int operation, float alpha, void *matrix, mkl_descr_t descr, const float *x, float beta,
                           float *y);

static struct {
    bool tried;
    const char *missing; /* why it cannot be used */
    mkl_create_fn create_d, create_s;
    mkl_mv_d_fn mv_d;
    mkl_mv_s_fn mv_s;
    int (*hint)(void *matrix, int operation, mkl_descr_t descr, int calls);
    int (*optimize)(void *matrix);
    int (*destroy)(void *matrix);
    void (*set_threads)(int threads);
} mkl;

static void *open_library(void)
{
    /* the loader's path, oneAPI's folder, and pip's folder */
    static const char *const FOLDERS[][2] = {{NULL, ""}, {"MKLROOT", "/lib/"}, {"MKLROOT", "/lib/intel64/"},
                                             {"VIRTUAL_ENV", "/lib/"}, {"CONDA_PREFIX", "/lib/"},
                                             {"HOME", "/.local/lib/"}, {NULL, "/usr/local/lib/"}};
    static const char *const NAMES[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so"};
    for (size_t f = 0; f < sizeof FOLDERS / sizeof *FOLDERS; ++f)
        for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; ++n) {
            char path[4096];
            const char *root = FOLDERS[f][0] ? getenv(FOLDERS[f][0]) : "";
            if (!root || (FOLDERS[f][0] && !*root)) continue;
            snprintf(path, sizeof path, "%s%s%s", root, FOLDERS[f][1], NAMES[n]);
            void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (library) return library;
        }
    return NULL;
}

/* Converts the data pointer of dlsym to a function pointer. */
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    *(void **)function = symbol;
    return symbol != NULL;
}

const char *spmv_mkl_missing(void)
{
    if (mkl.tried) return mkl.missing;
    mkl.tried = true;
    void *library = open_library();
    int (*threads_of)(int) = NULL;
    if (!library) return mkl.missing = "MKL is not installed (pip install mkl)";
    if (!find(library, "mkl_sparse_d_create_csr", &mkl.create_d) || !find(library, "mkl_sparse_d_mv", &mkl.mv_d) ||
        !find(library, "mkl_sparse_s_create_csr", &mkl.create_s) || !find(library, "mkl_sparse_s_mv", &mkl.mv_s) ||
        !find(library, "mkl_sparse_set_mv_hint", &mkl.hint) || !find(library, "mkl_sparse_optimize", &mkl.optimize) ||
        !find(library, "mkl_sparse_destroy", &mkl.destroy) || !find(library, "MKL_Set_Num_Threads", &mkl.set_threads) ||
        !find(library, "MKL_Set_Threading_Layer", &threads_of))
        return mkl.missing = "this libmkl_rt has no inspector-executor sparse BLAS";
    threads_of(MKL_THREADS_OF_GNU); /* this program's OpenMP library; a second one would compete for the cores */
    return NULL;
}

typedef struct mkl_matrix {
    void *handle;
    dtype_t type;
} mkl_matrix_t;

static const mkl_descr_t DESCR = {MKL_GENERAL, MKL_UPPER, MKL_NON_UNIT};

static int ok(int status, const char *what, err_t *err)
{
    static const char *const TEXTS[] = {"success", "not initialized", "allocation failed", "invalid value",
                                        "execution failed", "internal error", "not supported"};
    if (status == MKL_OK) return 0;
    return err_set(err, "%s: %s", what, status > 0 && status <= 6 ? TEXTS[status] : "unknown error");
}

int spmv_mkl_setup(const csr_arrays_t *A, bool optimize, void **state, err_t *err)
{
    mkl_matrix_t *m = calloc(1, sizeof *m);
    if (!m) return err_set(err, "out of memory");
    *state = m;
    m->type = A->value_type;
    int *offsets = A->row_offsets;
    mkl.set_threads(omp_get_max_threads());
    const mkl_create_fn create = m->type == DTYPE_F64 ? mkl.create_d : mkl.create_s;
    const int status = create(&m->handle, MKL_BASE_ZERO, (int)A->rows, (int)A->cols, offsets, offsets + 1,
                              A->col_indices, A->values);
    if (ok(status, "mkl_sparse_create_csr", err)) return -1;
    if (!optimize) return 0;
    if (ok(mkl.hint(m->handle, MKL_NOT_TRANSPOSED, DESCR, CALLS_TO_COME), "mkl_sparse_set_mv_hint", err)) return -1;
    return ok(mkl.optimize(m->handle), "mkl_sparse_optimize", err);
}

int spmv_mkl_run(void *state, const void *x, void *y, err_t *err)
{
    const mkl_matrix_t *m = state;
    const int status = m->type == DTYPE_F64 ? mkl.mv_d(MKL_NOT_TRANSPOSED, 1, m->handle, DESCR, x, 0, y)
                                            : mkl.mv_s(MKL_NOT_TRANSPOSED, 1, m->handle, DESCR, x, 0, y);
    return ok(status, "mkl_sparse_mv", err);
}

void spmv_mkl_teardown(void *state)
{
    mkl_matrix_t *m = state;
    if (m && m->handle) mkl.destroy(m->handle);
    free(m);
}
