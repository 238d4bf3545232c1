/*
 * api_device.cpp - the properties of the simulated GPU, and its settings.
 *
 * Clocks, caches, buses and textures have the values of an H200.  A submission of the grader must not be able to see
 * that it runs on the simulator.
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include "internal.hpp"

namespace simt {

static thread_local int device_now;
static unsigned device_flags;
static size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};      /* by cudaLimit */
static cudaFuncCache cache_config;
static cudaSharedMemConfig shared_config;
static bool peers[64][64];                      /* [from][to]: peer access is on */

size_t limit_of(cudaLimit limit) { return limits[limit]; }

/* SIMT_DEVICES=n in the environment: n GPUs, which share one memory. */
int device_count()
{
    static const int n = [] {
        const char *wanted = getenv("SIMT_DEVICES");
        return wanted ? std::max(1, std::min(atoi(wanted), 64)) : 1;
    }();
    return n;
}

int device_current() { return device_now; }

static bool is_device(int device) { return device >= 0 && device < device_count(); }

static void describe_textures(cudaDeviceProp *p)
{
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->surfaceAlignment = 512;
    p->maxTexture1D = p->maxSurface1D = 131072;
    p->maxTexture1DMipmap = 32768;
    p->maxTexture1DLinear = 1 << 28;
    p->maxTexture2D[0] = p->maxSurface2D[0] = 131072;
    p->maxTexture2D[1] = p->maxSurface2D[1] = 65536;
    p->maxTexture2DMipmap[0] = p->maxTexture2DMipmap[1] = 32768;
    p->maxTexture2DLinear[0] = 131072;
    p->maxTexture2DLinear[1] = 65000;
    p->maxTexture2DLinear[2] = 2097120;
    p->maxTexture2DGather[0] = p->maxTexture2DGather[1] = 32768;
    for (int i = 0; i < 3; ++i) {
        p->maxTexture3D[i] = p->maxSurface3D[i] = 16384;
        p->maxTexture3DAlt[i] = i < 2 ? 8192 : 32768;
    }
    p->maxTextureCubemap = p->maxSurfaceCubemap = 32768;
    p->maxTexture1DLayered[0] = p->maxSurface1DLayered[0] = 32768;
    p->maxTexture1DLayered[1] = p->maxSurface1DLayered[1] = 2048;
    p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = 32768;
    p->maxSurface2DLayered[0] = p->maxSurface2DLayered[1] = 32768;
    p->maxTexture2DLayered[2] = p->maxSurface2DLayered[2] = 2048;
    p->maxTextureCubemapLayered[0] = p->maxSurfaceCubemapLayered[0] = 32768;
    p->maxTextureCubemapLayered[1] = p->maxSurfaceCubemapLayered[1] = 2046;
}

static void describe_memory(cudaDeviceProp *p)
{
    p->totalGlobalMem = heap_capacity();
    p->totalConstMem = 65536;
    p->memPitch = 0x7fffffff;
    p->memoryClockRate = 3201000;
    p->memoryBusWidth = 6144;
    p->l2CacheSize = 60 << 20;
    p->persistingL2CacheMaxSize = 45 << 20;     /* three quarters, as on a GPU; without effect here */
    p->accessPolicyMaxWindowSize = 128 << 20;
    p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->unifiedAddressing = p->canMapHostMemory = p->managedMemory = p->concurrentManagedAccess = 1;
    p->hostRegisterSupported = p->canUseHostPointerForRegisteredMem = p->memoryPoolsSupported = 1;
    p->memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
}

static void describe(cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof *p);
    strcpy(p->name, "simt");
    p->uuid.bytes[15] = (char)(device + 1);
    p->sharedMemPerBlock = SHARED_DEFAULT;
    p->sharedMemPerBlockOptin = SHARED_OPT_IN;
    p->sharedMemPerMultiprocessor = 228 << 10;
    p->reservedSharedMemPerBlock = 1024;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = WARP;
    p->maxThreadsPerBlock = MAX_THREADS;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->clockRate = CLOCK_KHZ;
    p->major = 9;
    p->multiProcessorCount = settings.sm_count;
    p->deviceOverlap = p->concurrentKernels = p->streamPrioritiesSupported = p->computePreemptionSupported = 1;
    p->asyncEngineCount = 3;
    p->singleToDoublePrecisionPerfRatio = 2;
    p->cooperativeLaunch = p->unifiedFunctionPointers = 1;
    p->pciBusID = 1 + device;
    describe_memory(p);
    describe_textures(p);
}

/* NOLINTNEXTLINE(readability-function-size): a table */
static int attribute(const cudaDeviceProp &properties, int attr)
{
    const struct : cudaDeviceProp { int other; } p = {properties, confined ? 1 : 0};
    switch (attr) {
#define SIMT_ATTRIBUTE(name, driver_name, number, field) case number: return (int)p.field;
#include "simt_attributes.def"
    default: return p.other;
    }
}

} // namespace simt

using namespace simt;

/* A runtime call also initialises the driver API, which otherwise needs cuInit (api_driver.cpp). */
static void set_up()
{
    memory_init();
}

cudaError_t cudaGetDeviceCount(int *count)
{
    set_up();
    *count = device_count();
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    RESULT(device);
    *device = device_now;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    set_up();
    if (!is_device(device))
        return done(cudaErrorInvalidDevice);
    device_now = device;
    return done(cudaSuccess);
}

cudaError_t cudaSetValidDevices(int *, int) { return done(cudaSuccess); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned)
{ return done(is_device(device) ? cudaSuccess : cudaErrorInvalidDevice); }

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *)
{
    *device = 0;
    return done(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    if (!is_device(device))
        return done(cudaErrorInvalidDevice);
    memory_init();
    describe(p, device);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    RESULT(value);
    cudaDeviceProp p;
    if (attr == cudaDevAttrMultiProcessorCount)
        way_gpu_asked();
    if (cudaGetDeviceProperties(&p, device) != cudaSuccess)
        return cudaErrorInvalidDevice;
    if ((int)attr <= 0 || attr >= cudaDevAttrMax)
        return done(cudaErrorInvalidValue);
    *value = attribute(p, attr);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    if (const cudaError_t e = disturbs_captures(WAITS_FOR_ALL))
        return e;
    order_host_waits();
    return done(cudaSuccess);
}

cudaError_t cudaDeviceReset(void)
{
    order_host_waits();
    heap_reset();
    memset(peers, 0, sizeof peers);
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    if (flags & ~(unsigned)cudaDeviceMask)
        return done(cudaErrorInvalidValue);
    device_flags = flags;
    return done(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    *flags = device_flags | cudaDeviceMapHost;
    return done(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        return done(cudaErrorUnsupportedLimit);
    limits[limit] = value;
    return done(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        return done(cudaErrorUnsupportedLimit);
    *value = limits[limit];
    return done(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) { return cache_config = config, done(cudaSuccess); }
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) { return *config = cache_config, done(cudaSuccess); }
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    shared_config = config;
    return done(cudaSuccess);
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    *config = cudaSharedMemBankSizeFourByte;    /* as on every GPU since Maxwell */
    return done(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    if (!is_device(device) || length < 13)
        return done(is_device(device) ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    snprintf(id, (size_t)length, "0000:%02x:00.0", 1 + device);
    return done(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    unsigned domain = 0, bus = 0;
    if (sscanf(id, "%x:%x", &domain, &bus) != 2 || domain || !is_device((int)bus - 1))
        return done(cudaErrorInvalidDevice);
    *device = (int)bus - 1;
    return done(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return done(cudaSuccess);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!is_device(device) || !is_device(peer))
        return done(cudaErrorInvalidDevice);
    *can = device != peer;
    return done(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    if (!is_device(peer) || peer == device_now)
        return done(cudaErrorInvalidDevice);
    if (flags)
        return done(cudaErrorInvalidValue);
    bool &on = peers[device_now][peer];
    const bool was = on;
    on = true;
    return done(was ? cudaErrorPeerAccessAlreadyEnabled : cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    if (!is_device(peer))
        return done(cudaErrorInvalidDevice);
    bool &on = peers[device_now][peer];
    const bool was = on;
    on = false;
    return done(was ? cudaSuccess : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int from, int to)
{
    if (!is_device(from) || !is_device(to) || from == to)
        return done(cudaErrorInvalidDevice);
    *value = attr != cudaDevP2PAttrPerformanceRank;
    return done(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return done(cudaSuccess); }

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
