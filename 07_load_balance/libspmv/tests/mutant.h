/* mutant.h - mutant() returns the number of the mutant that the patched kernels of test_spmv_mutants run; 0 for
 * none. */
#ifdef __cplusplus
extern "C"
#endif
int mutant(void);

#ifdef __cplusplus
/* Only the kernels that the test runs are compiled: values are floats, which the engine may narrow, and offsets have
 * 32 bits. */
#include "gpu_common.cuh"
#undef BY_TYPE
#define BY_TYPE(type, f, ...)                               \
    ((type) == SPMV_F32    ? f<float, float>(__VA_ARGS__)   \
     : (type) == SPMV_F16  ? f<fp16, float>(__VA_ARGS__)    \
     : (type) == SPMV_BF16 ? f<bf16, float>(__VA_ARGS__)    \
                           : cudaErrorInvalidValue)
#undef BY_TYPE_AND_OFFSETS
#define BY_TYPE_AND_OFFSETS(A, f, ...)                                       \
    ((A)->offset_bits == 64         ? cudaErrorInvalidValue                  \
     : (A)->value_type == SPMV_F32  ? f<float, uint32_t, float>(__VA_ARGS__) \
     : (A)->value_type == SPMV_F16  ? f<fp16, uint32_t, float>(__VA_ARGS__)  \
     : (A)->value_type == SPMV_BF16 ? f<bf16, uint32_t, float>(__VA_ARGS__)  \
                                    : cudaErrorInvalidValue)
#endif
