/* peer_openblas.c - the library baseline on a CPU: OpenBLAS, if it is installed. */
#include "chapter.h"

#ifdef COURSE_OPENBLAS
#include <cblas.h>
#include <omp.h>

bool gemv_openblas_present(void) { return true; }

void gemv_openblas(GEMV_CPU_ARGS)
{
    const enum CBLAS_ORDER order = layout == GEMV_ROW ? CblasRowMajor : CblasColMajor;
    const int m = (int)rows, n = (int)cols, lda = layout == GEMV_ROW ? n : m;
    if (openblas_get_num_threads() != omp_get_max_threads()) openblas_set_num_threads(omp_get_max_threads());
    if (dtype == DTYPE_F64) cblas_dgemv(order, CblasNoTrans, m, n, 1, A, lda, x, 1, 0, y, 1);
    else cblas_sgemv(order, CblasNoTrans, m, n, 1, A, lda, x, 1, 0, y, 1);
}
#else
bool gemv_openblas_present(void) { return false; }
void gemv_openblas(GEMV_CPU_ARGS) { (void)dtype, (void)layout, (void)rows, (void)cols, (void)A, (void)x, (void)y; }
#endif
