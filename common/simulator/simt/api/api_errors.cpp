/*
 * api_errors.cpp - the last error, and the names of errors.
 */
#include "internal.hpp"

using namespace simt;

static const struct { int value; const char *name, *text; } errors[] = {
#define SIMT_ERROR(name, value, text) {value, #name, text},
#include "simt_errors.def"
#undef SIMT_ERROR
};

cudaError_t cudaPeekAtLastError(void) { return sticky_error() != cudaSuccess ? sticky_error() : last_error; }

cudaError_t cudaGetLastError(void)
{
    cudaError_t e = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return e;
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (const auto &e : errors)
        if (e.value == (int)error)
            return e.name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (const auto &e : errors)
        if (e.value == (int)error)
            return e.text;
    return "unrecognized error code";
}
