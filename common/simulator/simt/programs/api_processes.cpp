/*
 * api_processes.cpp - memory and events of another process, for programs of simtcc.
 *
 * If a program requests the handle of a buffer, the buffer moves into an unnamed file (memfd_create) that is mapped at
 * the same address.  The handle names the process and the file; a process that opens it maps the file.  Work is done
 * when its call returns, so an event of another process has always happened.  The processes must order their work
 * themselves, and races between them are not detected.
 */
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "api/streams.hpp"

namespace simt {

struct MemoryHandle {
    char what[8];
    int process, file;
    uint64_t bytes, inode;          /* inode of the file, because its descriptor's number may have been reused */
    uint64_t pool;                  /* the inode of the pool; 0: not from a pool */
    bool operator<(const MemoryHandle &h) const { return inode < h.inode; }
};
struct EventHandle { char what[8]; };
static_assert(sizeof(MemoryHandle) <= sizeof(cudaIpcMemHandle_t), "a handle holds it");

static const char MEMORY[8] = "simt: m", EVENT[8] = "simt: e";
struct Opened { void *p; int times; };
static std::mutex lock;
static std::map<MemoryHandle, Opened> opened;

/* The handle of a buffer, written to *to. */
template <class H> static cudaError_t share(H *to, void *ptr, uint64_t pool, uintptr_t pc)
{
    Allocation a;
    struct stat is;
    static_assert(sizeof(MemoryHandle) <= sizeof(H), "it holds one");
    if (!heap_covers(ptr, 1) || is_managed((uintptr_t)ptr) || !heap_record((uintptr_t)ptr, &a)) {
        complain(pc, "cudaIpcGetMemHandle needs a buffer of cudaMalloc", "managed and pinned memory have no handle");
        return done(cudaErrorInvalidValue);
    }
    const int file = heap_share(a.base);
    if (file < 0 || fstat(file, &is) != 0)
        return done(cudaErrorMemoryAllocation);
    MemoryHandle h = {{}, getpid(), file, a.size, is.st_ino, pool};
    memcpy(h.what, MEMORY, sizeof MEMORY);
    memset(to, 0, sizeof *to);
    memcpy(to, &h, sizeof h);
    return done(cudaSuccess);
}

/* Opens the file of a handle; -1: the file no longer exists. */
static int file_of(const MemoryHandle &h)
{
    struct stat is;
    const int file = open(format("/proc/%d/fd/%d", h.process, h.file).c_str(), O_RDWR | O_CLOEXEC);
    if (file >= 0 && (fstat(file, &is) != 0 || is.st_ino != h.inode)) {
        close(file);
        return -1;
    }
    return file;
}

/* Makes a buffer of another process a buffer of this one. */
static cudaError_t map_handle(void **ptr, const MemoryHandle &h, uintptr_t pc)
{
    memory_init();
    const int file = file_of(h);
    if (file < 0) {
        complain(pc, "the memory of the other process no longer exists",
                 "the process that allocated it must run and keep it until every other process has closed it");
        return done(cudaErrorMapBufferObjectFailed);
    }
    *ptr = heap_of_file(file, h.bytes, pc);
    if (*ptr)
        return done(cudaSuccess);
    close(file);
    return done(cudaErrorMemoryAllocation);
}

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr)
{
    if (!handle)
        return done(cudaErrorInvalidValue);
    return share(handle, ptr, 0, PC);
}

cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int)
{
    MemoryHandle h;
    memcpy(&h, &handle, sizeof h);
    *ptr = nullptr;
    if (memcmp(h.what, MEMORY, sizeof MEMORY) != 0 || h.process == getpid()) {
        complain(PC, h.process == getpid() ? "cudaIpcOpenMemHandle in the process that owns the memory"
                                           : "cudaIpcOpenMemHandle needs a handle, and this is not one",
                 "open the handle of cudaIpcGetMemHandle in another process");
        return done(h.process == getpid() ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue);
    }
    std::lock_guard<std::mutex> hold(lock);
    const auto known = opened.find(h);
    if (known != opened.end()) {
        ++known->second.times;
        return *ptr = known->second.p, done(cudaSuccess);
    }
    const cudaError_t e = map_handle(ptr, h, PC);
    if (e == cudaSuccess)
        opened[h] = {*ptr, 1};
    return e;
}

cudaError_t cudaIpcCloseMemHandle(void *ptr)
{
    std::lock_guard<std::mutex> hold(lock);
    for (auto i = opened.begin(); i != opened.end(); ++i)
        if (i->second.p == ptr) {
            order_host_waits();
            if (--i->second.times == 0) {
                heap_free(ptr);
                opened.erase(i);
            }
            return done(cudaSuccess);
        }
    complain(PC, "cudaIpcCloseMemHandle of a pointer that cudaIpcOpenMemHandle did not return, or that is closed",
             "close each pointer once per opening");
    return done(cudaErrorInvalidValue);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    if (!handle || !event || !(event->flags & cudaEventInterprocess)) {
        complain(PC, "cudaIpcGetEventHandle of an event that is not for other processes",
                 "create it with cudaEventDisableTiming | cudaEventInterprocess");
        return done(cudaErrorInvalidResourceHandle);
    }
    memset(handle, 0, sizeof *handle);
    memcpy(handle, EVENT, sizeof EVENT);
    return done(cudaSuccess);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    if (memcmp(&handle, EVENT, sizeof EVENT) != 0)
        return done(cudaErrorInvalidValue);
    return cudaEventCreateWithFlags(event, cudaEventDisableTiming | cudaEventInterprocess);
}

/* ---- pools ---- */

/* An empty file identifies a pool; the caller passes its descriptor to the other process. */
void simt::pool_for_others(simt_pool *pool)
{
    struct stat is;
    pool->file = memfd_create("pool", MFD_CLOEXEC);
    if (pool->file >= 0 && fstat(pool->file, &is) == 0)
        pool->inode = is.st_ino;
}

cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                                               unsigned int)
{
    if (!handle || !pool || type != cudaMemHandleTypePosixFileDescriptor)
        return done(cudaErrorInvalidValue);
    if (pool->file < 0) {
        complain(PC, "export of a pool that was not made for other processes",
                 "set handleTypes of its cudaMemPoolProps to cudaMemHandleTypePosixFileDescriptor");
        return done(cudaErrorInvalidValue);
    }
    const int given = fcntl(pool->file, F_DUPFD_CLOEXEC, 0);
    if (given < 0)
        return done(cudaErrorOperatingSystem);
    memcpy(handle, &given, sizeof given);
    return done(cudaSuccess);
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle, cudaMemAllocationHandleType type,
                                                 unsigned int)
{
    struct stat is;
    if (!pool || type != cudaMemHandleTypePosixFileDescriptor || fstat((int)(intptr_t)handle, &is) != 0)
        return done(cudaErrorInvalidValue);
    *pool = new simt_pool;
    (*pool)->inode = is.st_ino;
    return done(cudaSuccess);
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *data, void *ptr)
{
    Allocation a;
    if (!data || !heap_covers(ptr, 1) || !heap_record((uintptr_t)ptr, &a) || !a.pool)
        return done(cudaErrorInvalidValue);
    return share(data, ptr, a.pool, PC);
}

cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t pool, cudaMemPoolPtrExportData *data)
{
    MemoryHandle h;
    *ptr = nullptr;
    memcpy(&h, data, sizeof h);
    if (memcmp(h.what, MEMORY, sizeof MEMORY) != 0 || !pool || h.pool != pool->inode || h.process == getpid())
        return done(cudaErrorInvalidValue);
    return map_handle(ptr, h, PC);
}
