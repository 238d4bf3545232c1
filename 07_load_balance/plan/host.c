/* host.c - for plans built on the host: copies the matrix to a csr_t, and manages the host memory. */
#include "plan.h"

#include <string.h>

void *host_take(host_memory_t *m, size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (p) m->taken[m->count++] = p;
    return p;
}

void host_drop(host_memory_t *m)
{
    while (m->count > 0) free(m->taken[--m->count]);
}

/* Widens numbers to 8 bytes in place, from the last to the first so that none is overwritten. */
static void widen_offsets(void *numbers, int bits, size_t count)
{
    for (size_t i = count; i-- > 0 && bits == 32;) {
        uint32_t narrow;
        memcpy(&narrow, (char *)numbers + i * sizeof narrow, sizeof narrow);
        const int64_t wide = narrow;
        memcpy((char *)numbers + i * sizeof wide, &wide, sizeof wide);
    }
}
static void widen_values(void *numbers, dtype_t type, size_t count)
{
    for (size_t i = count; i-- > 0 && type == DTYPE_F32;) {
        float narrow;
        memcpy(&narrow, (char *)numbers + i * sizeof narrow, sizeof narrow);
        const double wide = narrow;
        memcpy((char *)numbers + i * sizeof wide, &wide, sizeof wide);
    }
}

cudaError_t plan_download(const csr_arrays_t *A, bool only_offsets, csr_t **host, cudaStream_t stream)
{
    const size_t nnz = only_offsets ? 0 : A->nnz;
    csr_t *H = csr_alloc(A->rows, A->cols, nnz);
    if (!H) return cudaErrorMemoryAllocation;
    const size_t offset_bytes = (A->rows + 1) * (size_t)A->offset_bits / 8;
    cudaError_t status = cudaStreamSynchronize(stream);
    if (status == cudaSuccess)
        status = cudaMemcpy(H->row_offsets, A->row_offsets, offset_bytes, cudaMemcpyDeviceToHost);
    if (status == cudaSuccess && nnz) {
        status = cudaMemcpy(H->col_indices, A->col_indices, nnz * sizeof *H->col_indices, cudaMemcpyDeviceToHost);
        if (status == cudaSuccess)
            status = cudaMemcpy(H->values, A->values, nnz * dtype_size(A->value_type), cudaMemcpyDeviceToHost);
    }
    if (status != cudaSuccess) {
        csr_free(H);
        return status;
    }
    widen_offsets(H->row_offsets, A->offset_bits, A->rows + 1);
    widen_values(H->values, A->value_type, nnz);
    H->nnz = A->nnz;
    *host = H;
    return cudaSuccess;
}
