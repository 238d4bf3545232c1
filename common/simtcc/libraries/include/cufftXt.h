/* cufftXt.h - plans with long sizes and named types, on one card. */
#ifndef SIMT_CUFFT_XT_H
#define SIMT_CUFFT_XT_H
#define _CUFFTXT_H_

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* cufftMakePlanMany, of what to what by the types of the numbers: float and double, real and complex. */
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, cudaDataType in, long long *onembed, long long ostride,
                                long long odist, cudaDataType out, long long batch, size_t *work_bytes,
                                cudaDataType by);
/* Whatever the plan is for. */
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);

#ifdef __cplusplus
}
#endif

#endif
