// grade 4 2 exactly 80: *
// ELL as on the page, one thread per row; a macro defines the kernel for two types.
#include "chapter.h"
#define MAKE_KERNEL(name, type)                                                                                            \
    __global__ void name(unsigned rows, unsigned width, const int32_t *columns, const type *values, const type *x, type *y) \
    {                                                                                                                      \
        const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;                                                        \
        if (row >= rows) return;                                                                                           \
        type sum = 0;                                                                                                      \
        for (unsigned k = 0; k < width; ++k) {                                                                             \
            const int32_t c = columns[(size_t)k * rows + row];                                                             \
            if (c >= 0) sum += values[(size_t)k * rows + row] * x[c];                                                      \
        }                                                                                                                  \
        y[row] = sum;                                                                                                      \
    }
MAKE_KERNEL(ell_float, float)
MAKE_KERNEL(ell_double, double)
extern "C" cudaError_t spmv_scalar_student(SPMV_SCALAR_ARGS)
{
    const unsigned rows = (unsigned)A->rows, width = (unsigned)A->ell.width, blocks = (rows + 255) / 256;
    if (blocks == 0) return cudaSuccess;
    if (A->value_type == DTYPE_F64)
        ell_double<<<blocks, 256, 0, stream>>>(rows, width, A->ell.col_indices, (const double *)A->ell.values, (const double *)d_x, (double *)d_y);
    else
        ell_float<<<blocks, 256, 0, stream>>>(rows, width, A->ell.col_indices, (const float *)A->ell.values, (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}
