/* cufftXt.h - plans with long sizes and type arguments; callbacks; transforms over several GPUs, which here share one
 * memory and have a part of the numbers each. */
#ifndef SIMT_CUFFT_XT_H
#define SIMT_CUFFT_XT_H
#define _CUFFTXT_H_

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Like cufftMakePlanMany, but with the types of input and output: float and double, real and complex. */
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, cudaDataType in, long long *onembed, long long ostride,
                                long long odist, cudaDataType out, long long batch, size_t *work_bytes,
                                cudaDataType by);
/* Executes a plan of any type. */
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);

/* ---- callbacks: a device function loads or stores each number ---- */

typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL, CUFFT_CB_LD_REAL_DOUBLE,
    CUFFT_CB_ST_COMPLEX, CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE, CUFFT_CB_UNDEFINED
} cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void *in, size_t offset, void *info, void *shared);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void *in, size_t offset, void *info, void *shared);
typedef cufftReal (*cufftCallbackLoadR)(void *in, size_t offset, void *info, void *shared);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void *in, size_t offset, void *info, void *shared);
typedef void (*cufftCallbackStoreC)(void *out, size_t offset, cufftComplex x, void *info, void *shared);
typedef void (*cufftCallbackStoreZ)(void *out, size_t offset, cufftDoubleComplex x, void *info, void *shared);
typedef void (*cufftCallbackStoreR)(void *out, size_t offset, cufftReal x, void *info, void *shared);
typedef void (*cufftCallbackStoreD)(void *out, size_t offset, cufftDoubleReal x, void *info, void *shared);

/* Calls the callback for all n numbers, in a kernel. */
typedef void (*simt_fft_caller)(void *callback, void *data, void *info, void *numbers, size_t n);
cufftResult simt_cufft_set_callback(cufftHandle plan, void *callback, void *info, cufftXtCallbackType type,
                                    simt_fft_caller caller);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
/* Sets the size of a callback's shared memory, which is ignored here. */
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t bytes);

/* ---- several GPUs, for complex transforms ---- */

typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_INPLACE_SHUFFLED,
    CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED, CUFFT_XT_FORMAT_DISTRIBUTED_INPUT, CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
    CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE, CUFFT_COPY_UNDEFINED
} cufftXtCopyType;
typedef struct cudaXtDesc_t {
    int version, nGPUs, GPUs[64];
    void *data[64];
    size_t size[64];
    void *cudaXtState;
} cudaXtDesc;
typedef struct cudaLibXtDesc_t {
    int version;
    cudaXtDesc *descriptor;
    int library, subFormat;
    void *libDescriptor;
} cudaLibXtDesc;
cufftResult cufftXtSetGPUs(cufftHandle plan, int n, int *which);
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **memory, cufftXtSubFormat format);
cufftResult cufftXtFree(cudaLibXtDesc *memory);
/* Copies to or from a descriptor, or from one to another. */
cufftResult cufftXtMemcpy(cufftHandle plan, void *to, void *from, cufftXtCopyType type);
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);

#ifdef __cplusplus
}
#endif

#if defined __cplusplus && defined __CUDACC__
#include "simt_libraries.h"

template <class T>
__global__ void simt_fft_load(T (*f)(void *, size_t, void *, void *), void *in, void *info, T *numbers, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        simt_library_wrote(&numbers[i], sizeof(T)); /* g++ puts no hook on a number that a call returns into memory */
        numbers[i] = f(in, i, info, nullptr);
    }
}
template <class T>
__global__ void simt_fft_store(void (*f)(void *, size_t, T, void *, void *), void *out, void *info, const T *numbers,
                               size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        f(out, i, numbers[i], info, nullptr);
}
template <class T> void simt_fft_loads(void *callback, void *in, void *info, void *numbers, size_t n)
{
    simt_library_begin();
    simt_fft_load<T><<<(unsigned)((n + 127) / 128), 128>>>((T (*)(void *, size_t, void *, void *))callback, in, info,
                                                           (T *)numbers, n);
    simt_library_end();
}
template <class T> void simt_fft_stores(void *callback, void *out, void *info, void *numbers, size_t n)
{
    simt_library_begin();
    simt_fft_store<T><<<(unsigned)((n + 127) / 128), 128>>>((void (*)(void *, size_t, T, void *, void *))callback, out,
                                                            info, (const T *)numbers, n);
    simt_library_end();
}

/* info: one pointer per GPU, which its callback gets. */
static inline cufftResult cufftXtSetCallback(cufftHandle plan, void **callback, cufftXtCallbackType type, void **info)
{
    static const simt_fft_caller callers[] = {
        simt_fft_loads<cufftComplex>, simt_fft_loads<cufftDoubleComplex>, simt_fft_loads<cufftReal>,
        simt_fft_loads<cufftDoubleReal>, simt_fft_stores<cufftComplex>, simt_fft_stores<cufftDoubleComplex>,
        simt_fft_stores<cufftReal>, simt_fft_stores<cufftDoubleReal>};
    if (!callback || (unsigned)type >= CUFFT_CB_UNDEFINED)
        return CUFFT_INVALID_VALUE;
    return simt_cufft_set_callback(plan, *callback, info ? *info : nullptr, type, callers[type]);
}
#endif

#endif
