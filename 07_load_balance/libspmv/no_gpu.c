/* no_gpu.c - replaces the GPU back end in a library built without CUDA: gpu_present() rejects every GPU plan. */
#include "gpu_engine.h"
#include "gpu_forms.h"
#include "texts.h"

spmv_status_t gpu_present(void) { return FAIL(SPMV_NO_GPU, "this libspmv was built without a GPU back end"); }

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define NO_GPU(name, ...) spmv_status_t name(__VA_ARGS__) { return SPMV_NO_GPU; }
NO_GPU(gpu_copy_in, void **d, const void *source, size_t bytes, spmv_memory_t memory, void *stream)
NO_GPU(gpu_copy_over, void *d, const void *source, size_t bytes, spmv_memory_t memory, void *stream)
NO_GPU(gpu_copy_out, void *host, const void *d, size_t bytes, void *stream)
NO_GPU(gpu_room, void **d, size_t bytes, void *stream)
NO_GPU(gpu_wait, void *stream)
NO_GPU(gpu_gather, void *d_values, const void *d_source, const void *d_places, const gpu_csr_t *A, void *stream)
NO_GPU(gpu_permute_x, const gpu_permute_t *p, const void *d_x, int64_t apart, void *stream)
NO_GPU(gpu_permute_y, const gpu_permute_t *p, double alpha, double beta, void *d_y, int64_t apart, void *stream)
NO_GPU(gpu_form_make, form_t *form, bool *is_made, const spmv_matrix_t *A, bool transpose, void *stream)
NO_GPU(gpu_engine_create, gpu_engine_t **engine, const gpu_csr_t *A, const spmv_options_t *options,
       gpu_variant_t variant, void *stream)
NO_GPU(gpu_engine_execute, const gpu_engine_t *engine, double alpha, const void *d_x, double beta, void *d_y,
       void *stream)
NO_GPU(gpu_engine_execute_many, const gpu_engine_t *engine, const gpu_many_t *call)
NO_GPU(gpu_engine_update, gpu_engine_t *engine, const void *d_values, void *stream)
void gpu_engine_describe(const gpu_engine_t *engine, char *text, size_t size) {}
size_t gpu_engine_bytes(const gpu_engine_t *engine) { return 0; }
void gpu_engine_destroy(gpu_engine_t *engine) {}
void gpu_free(void *d) {}
void gpu_trim(void) {}
const char *gpu_reason(void) { return ""; }
