/* halves.cpp - conversions of 16-bit numbers for checked programs (cuda_fp16.h, cuda_bf16.h), which call them. */
#include "cuda_bf16.h"
#include "cuda_fp16.h"

extern "C" float simt_float_of_half(uint16_t bits) { return __half2float(__ushort_as_half(bits)); }
extern "C" uint16_t simt_half_of_float(float f) { return __half_as_ushort(__float2half(f)); }
extern "C" uint16_t simt_bfloat16_of_float(float f) { return __bfloat16_as_ushort(__float2bfloat16(f)); }
