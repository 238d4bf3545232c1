/* spmv_mkl.c - see spmv_mkl.h.  The declarations are those of Intel's reference for C (oneMKL, Sparse BLAS). */
#include "spmv_mkl.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "spmv_peers_impl.h"

#ifndef MKL_PLACE
#define MKL_PLACE "libmkl_rt.so"
#endif

enum { MKL_LP64 = 0, MKL_GNU = 3, SPARSE_GENERAL = 20, SPARSE_NO_TRANSPOSE = 10, MKL_PRODUCTS = 1000 };

typedef struct descr {
    int type, mode, diag;
} descr_t;

typedef void *sparse_t;

/* The library's functions, for float and for double. */
typedef struct mkl {
    int (*create[2])(sparse_t *A, int base, int rows, int cols, const int *start, const int *end, const int *columns,
                     const void *values); /* the library only reads them */
    int (*hint)(sparse_t A, int operation, descr_t descr, int products);
    int (*optimize)(sparse_t A);
    int (*product_f32)(int operation, float alpha, sparse_t A, descr_t descr, const float *x, float beta, float *y);
    int (*product_f64)(int operation, double alpha, sparse_t A, descr_t descr, const double *x, double beta, double *y);
    int (*destroy)(sparse_t A);
    void (*set_threads)(int threads);
} mkl_t;

static const descr_t GENERAL = {SPARSE_GENERAL, 0, 0};

/* Converts a data pointer, as dlsym returns it, to a function pointer. */
static bool find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    *(void **)function = address;
    return address != NULL;
}

static void *open_library(void)
{
    /* the folder in which ./bootstrap mkl installs it, the loader's path, oneAPI's folder, and pip's folders */
    static const char *const FOLDERS[][2] = {{NULL, ""}, {"MKLROOT", "/lib/"}, {"MKLROOT", "/lib/intel64/"},
                                             {"VIRTUAL_ENV", "/lib/"}, {"CONDA_PREFIX", "/lib/"},
                                             {"HOME", "/.local/lib/"}, {NULL, "/usr/local/lib/"}};
    static const char *const NAMES[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so"};
    const char *asked = getenv("MKL_RT");
    void *library = dlopen(asked ? asked : MKL_PLACE, RTLD_NOW | RTLD_GLOBAL);
    for (size_t f = 0; !asked && f < sizeof FOLDERS / sizeof *FOLDERS; ++f)
        for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES && !library; ++n) {
            char path[4096];
            const char *root = FOLDERS[f][0] ? getenv(FOLDERS[f][0]) : "";
            if (!root || (FOLDERS[f][0] && !*root)) continue;
            snprintf(path, sizeof path, "%s%s%s", root, FOLDERS[f][1], NAMES[n]);
            library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        }
    return library;
}

/* Returns MKL's functions; NULL if MKL is not installed, or incomplete.  The library is opened once and never
 * closed. */
static const mkl_t *mkl(void)
{
    static mkl_t m;
    static int state; /* 0: not searched, 1: found, -1: not found */
    if (state) return state > 0 ? &m : NULL;
    state = -1;
    void *library = open_library();
    if (!library) return NULL;
    int (*layer)(int);
    int (*threading)(int);
    if (!find(library, "MKL_Set_Interface_Layer", &layer) || !find(library, "MKL_Set_Threading_Layer", &threading))
        return NULL;
    layer(MKL_LP64);
    threading(MKL_GNU); /* the same OpenMP as the course's: one pool of threads for all rows */
    if (!find(library, "mkl_sparse_s_create_csr", &m.create[0]) ||
        !find(library, "mkl_sparse_d_create_csr", &m.create[1]) || !find(library, "mkl_sparse_set_mv_hint", &m.hint) ||
        !find(library, "mkl_sparse_optimize", &m.optimize) || !find(library, "mkl_sparse_s_mv", &m.product_f32) ||
        !find(library, "mkl_sparse_d_mv", &m.product_f64) || !find(library, "mkl_sparse_destroy", &m.destroy) ||
        !find(library, "MKL_Set_Num_Threads", &m.set_threads))
        return NULL;
    state = 1;
    return &m;
}

static const char *skip(const step_t *s, const problem_t *p)
{
    const char *const reason = library_skip(p);
    (void)s;
    return reason || mkl() ? reason : "MKL is not installed (pip install mkl)";
}

static int mkl_ok(int status, const char *what, err_t *err)
{
    return status == 0 ? 0 : err_set(err, "%s: status %d", what, status);
}

typedef struct how {
    bool optimize;
} how_t;

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const spmv_data_t *data = p->data;
    const csr_arrays_t *A = &data->host;
    const how_t *how = s->how;
    const mkl_t *m = mkl();
    const int *offsets = A->row_offsets;
    sparse_t *matrix = calloc(1, sizeof *matrix);
    *state = matrix;
    if (!matrix) return err_set(err, "out of memory");
    m->set_threads(omp_get_max_threads());
    if (mkl_ok(m->create[p->dtype == DTYPE_F64](matrix, 0, (int)A->rows, (int)A->cols, offsets, offsets + 1,
                                                A->col_indices, A->values),
               "mkl_sparse_create_csr", err))
        return -1;
    if (!how->optimize) return 0;
    if (mkl_ok(m->hint(*matrix, SPARSE_NO_TRANSPOSE, GENERAL, MKL_PRODUCTS), "mkl_sparse_set_mv_hint", err)) return -1;
    return mkl_ok(m->optimize(*matrix), "mkl_sparse_optimize", err);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    const sparse_t *matrix = state;
    (void)s;
    return mkl_ok(p->dtype == DTYPE_F64
                      ? mkl()->product_f64(SPARSE_NO_TRANSPOSE, 1, *matrix, GENERAL, data->x, 0, out)
                      : mkl()->product_f32(SPARSE_NO_TRANSPOSE, 1, *matrix, GENERAL, data->x, 0, out),
                  "mkl_sparse_mv", err);
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    sparse_t *matrix = state;
    (void)s, (void)p;
    if (matrix && *matrix) mkl()->destroy(*matrix);
    free(matrix);
}

static const step_ops_t MKL = {.skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = library_check};

static const step_t ROWS[] = {
    {"mkl", STEP_CPU_PEER, "MKL, CSR as it is", &MKL, &(const how_t){false}},
    {"mkl_tuned", STEP_CPU_PEER, "MKL after mkl_sparse_optimize", &MKL, &(const how_t){true}},
};

const step_t *spmv_mkl(size_t i) { return i < sizeof ROWS / sizeof *ROWS ? &ROWS[i] : NULL; }
