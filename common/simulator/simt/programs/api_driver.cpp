/*
 * api_driver.cpp - the part of the driver API that the runtime API lacks: contexts, and memory whose addresses, pages
 * and access rights are requested separately.  cuda.h maps all other functions to calls of the runtime.
 */
#include <algorithm>
#include <map>
#include <set>
#include "internal.hpp"
#include "cuda.h"

/* A context only names a device: memory and streams of one context are visible in all
 * (common/simulator/simt/README.md). */
struct simt_context { int device; };

namespace simt {

static bool initialised;
static std::mutex lock;
static std::set<CUcontext> contexts;
static simt_context primary[64];
static thread_local std::vector<CUcontext> stack;

static CUresult make_current()
{ return stack.empty() || !stack.back() ? CUDA_SUCCESS : (CUresult)cudaSetDevice(stack.back()->device); }

static bool is_context(CUcontext c)
{
    std::lock_guard<std::mutex> hold(lock);
    return (c >= primary && c < primary + 64) || contexts.count(c) > 0;
}

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

CUresult cuInit(unsigned int flags)
{
    initialised = true;
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult simt_driver_ready(void)
{
    if (initialised || heap.size)       /* the runtime has already initialised everything */
        return CUDA_SUCCESS;
    complain(PC, "a call of the driver interface before cuInit(0)", "cuInit comes before all others");
    return CUDA_ERROR_NOT_INITIALIZED;
}

/* ---- contexts ---- */

static CUresult check_device(CUdevice device)
{
    int count = 0;
    if (CUresult e = simt_driver_ready())
        return e;
    cudaGetDeviceCount(&count);
    return device < 0 || device >= count ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult simt_create_context(CUcontext *context, unsigned int, CUdevice device)
{
    if (CUresult e = check_device(device))
        return e;
    *context = new simt_context{device};
    {
        std::lock_guard<std::mutex> hold(lock);
        contexts.insert(*context);
    }
    return cuCtxPushCurrent(*context);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    if (CUresult e = check_device(device))
        return e;
    primary[device].device = device;
    *context = &primary[device];
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext context)
{
    {
        std::lock_guard<std::mutex> hold(lock);
        if (!contexts.erase(context))
            return CUDA_ERROR_INVALID_CONTEXT;
    }
    stack.erase(std::remove(stack.begin(), stack.end(), context), stack.end());
    delete context;
    return make_current();
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    if (!is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.push_back(context);
    return make_current();
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    if (stack.empty())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
        *context = stack.back();
    stack.pop_back();
    return make_current();
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    if (context && !is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty())
        stack.pop_back();
    if (context)
        stack.push_back(context);
    return make_current();
}

/* A thread without a context has the runtime's, if the runtime is in use. */
CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = stack.empty() ? nullptr : stack.back();
    return stack.empty() && heap.size ? cuDevicePrimaryCtxRetain(context, device_current()) : CUDA_SUCCESS;
}

/* ---- addresses, pages, rights ---- */

/* The reservation already allocates a buffer, which holds the pages.  Its words do not exist for kernels and copies
 * before cuMemSetAccess.  So memory has one address and cannot be mapped twice at a time. */
struct Pages { size_t bytes; bool mapped, released; CUmemAllocationProp properties; };
static std::map<CUmemGenericAllocationHandle, Pages> pages;
static std::map<CUdeviceptr, CUmemGenericAllocationHandle> mapped;

static bool is_reserved(CUdeviceptr p, size_t bytes)
{ return heap.contains((uintptr_t)p) && heap_covers((const void *)(uintptr_t)p, bytes); }

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr ptr)
{
    Allocation a;
    if (!heap_covers((const void *)(uintptr_t)ptr, 1) || !heap_record((uintptr_t)ptr, &a))
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = a.base;
    if (bytes)
        *bytes = a.size;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t bytes, size_t, CUdeviceptr, unsigned long long)
{
    memory_init();
    const size_t page = 2 << 20;
    void *p = bytes && bytes % page == 0 ? heap_allocate(bytes, DEVICE_MEMORY, PC) : nullptr;
    *ptr = (CUdeviceptr)(uintptr_t)p;
    if (p)
        set_exists(p, bytes, false);
    return p ? CUDA_SUCCESS : bytes && bytes % page == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t)
{ return heap_free((void *)(uintptr_t)ptr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties,
                     unsigned long long)
{
    static CUmemGenericAllocationHandle next;
    std::lock_guard<std::mutex> hold(lock);
    if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE) {
        complain(PC, "cuMemCreate of memory with a handle for other processes, which the simulator does not have",
                 "ask for CU_MEM_HANDLE_TYPE_NONE; cudaIpcGetMemHandle and pools (cudaMemPoolExportToShareableHandle) "
                 "reach other processes here");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    if (!bytes || bytes % (2 << 20))
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes > heap_capacity())
        return CUDA_ERROR_OUT_OF_MEMORY;
    pages[*handle = ++next] = {bytes, false, false, *properties};
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    std::lock_guard<std::mutex> hold(lock);
    auto i = pages.find(handle);
    if (i == pages.end() || i->second.released)
        return CUDA_ERROR_INVALID_VALUE;
    i->second.released = true;
    if (!i->second.mapped)
        pages.erase(i);
    return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr ptr, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long)
{
    std::lock_guard<std::mutex> hold(lock);
    auto i = pages.find(handle);
    if (i == pages.end() || offset || bytes != i->second.bytes || !is_reserved(ptr, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (i->second.mapped)
        return CUDA_ERROR_NOT_SUPPORTED;
    i->second.mapped = true;
    mapped[ptr] = handle;
    return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr ptr, size_t bytes)
{
    std::lock_guard<std::mutex> hold(lock);
    const auto from = mapped.lower_bound(ptr), to = mapped.lower_bound(ptr + bytes);
    if (from == to || !is_reserved(ptr, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    for (auto i = from; i != to; ++i) {
        Pages &p = pages[i->second];
        p.mapped = false;
        if (p.released)
            pages.erase(i->second);
    }
    mapped.erase(from, to);
    set_exists((void *)(uintptr_t)ptr, bytes, false);
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t bytes, const CUmemAccessDesc *access, size_t n)
{
    std::lock_guard<std::mutex> hold(lock);
    size_t there = 0;
    for (auto i = mapped.lower_bound(ptr); i != mapped.end() && i->first < ptr + bytes; ++i)
        there += pages[i->second].bytes;
    if (there < bytes || n == 0)
        return CUDA_ERROR_INVALID_VALUE;        /* some of these addresses are not mapped */
    set_exists((void *)(uintptr_t)ptr, bytes, access[0].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle)
{
    std::lock_guard<std::mutex> hold(lock);
    auto i = pages.find(handle);
    if (i == pages.end())
        return CUDA_ERROR_INVALID_VALUE;
    *properties = i->second.properties;
    return CUDA_SUCCESS;
}
