/*
 * cufft_gpus.cpp - transforms over several GPUs: one allocation, in natural order, of which each GPU has a part.
 */
#include <algorithm>
#include <map>
#include <mutex>
#include <vector>
#include "cufft.hpp"
#include "cufftXt.h"

using namespace simt_library;

static std::mutex lock;
static std::map<cufftHandle, std::vector<int>> gpus;

cufftResult cufftXtSetGPUs(cufftHandle plan, int n, int *which)
{
    int there = 0;
    size_t numbers, element;
    if (n < 1 || n > 64 || !which)
        return CUFFT_INVALID_VALUE;
    if (shape_of(plan, &numbers, &element))     /* only before the plan is made */
        return CUFFT_INVALID_PLAN;
    cudaGetDeviceCount(&there);
    if (std::any_of(which, which + n, [=](int gpu) { return gpu < 0 || gpu >= there; }))
        return CUFFT_INVALID_DEVICE;
    std::lock_guard<std::mutex> hold(lock);
    gpus[plan] = std::vector<int>(which, which + n);
    return CUFFT_SUCCESS;
}

cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **memory, cufftXtSubFormat format)
{
    size_t numbers, element;
    if (!memory || !shape_of(plan, &numbers, &element))
        return CUFFT_INVALID_PLAN;
    std::lock_guard<std::mutex> hold(lock);
    const std::vector<int> on = gpus.count(plan) ? gpus[plan] : std::vector<int>{0};
    char *at = nullptr;
    if (cudaMalloc(&at, numbers * element) != cudaSuccess)
        return CUFFT_ALLOC_FAILED;
    cudaXtDesc *d = new cudaXtDesc();
    d->nGPUs = (int)on.size();
    size_t first = 0;
    for (size_t i = 0; i < on.size(); ++i) {
        const size_t end = numbers * (i + 1) / on.size();
        d->GPUs[i] = on[i];
        d->data[i] = at + first * element;
        d->size[i] = (end - first) * element;
        first = end;
    }
    *memory = new cudaLibXtDesc{0, d, 0, format, nullptr};
    return CUFFT_SUCCESS;
}

cufftResult cufftXtFree(cudaLibXtDesc *memory)
{
    if (!memory)
        return CUFFT_INVALID_VALUE;
    const cudaError_t e = cudaFree(memory->descriptor->data[0]);
    delete memory->descriptor;
    delete memory;
    return e == cudaSuccess ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

cufftResult cufftXtMemcpy(cufftHandle plan, void *to, void *from, cufftXtCopyType type)
{
    size_t numbers, element;
    if (!to || !from || !shape_of(plan, &numbers, &element))
        return CUFFT_INVALID_VALUE;
    const bool up = type == CUFFT_COPY_HOST_TO_DEVICE, down = type == CUFFT_COPY_DEVICE_TO_HOST;
    if (!up && !down && type != CUFFT_COPY_DEVICE_TO_DEVICE)
        return CUFFT_INVALID_VALUE;
    void *into = down ? to : static_cast<cudaLibXtDesc *>(to)->descriptor->data[0];
    const void *out_of = up ? from : static_cast<cudaLibXtDesc *>(from)->descriptor->data[0];
    const cudaError_t e = cudaMemcpy(into, out_of, numbers * element, up     ? cudaMemcpyHostToDevice
                                                                      : down ? cudaMemcpyDeviceToHost
                                                                             : cudaMemcpyDeviceToDevice);
    return e == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

/* Executes a plan of its own type.  A plan of real numbers has no memory on several GPUs here. */
#define EXECUTE(name, does, T)                                                                                         \
    cufftResult name(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction)                           \
    {                                                                                                                  \
        return in && out ? does(plan, (T *)in->descriptor->data[0], (T *)out->descriptor->data[0], direction)          \
                         : CUFFT_INVALID_VALUE;                                                                        \
    }
EXECUTE(cufftXtExecDescriptor, cufftXtExec, void)
EXECUTE(cufftXtExecDescriptorC2C, cufftExecC2C, cufftComplex)
EXECUTE(cufftXtExecDescriptorZ2Z, cufftExecZ2Z, cufftDoubleComplex)
