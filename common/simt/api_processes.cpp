/*
 * api_processes.cpp - memory and events of another process, for programs of simtcc.
 *
 * A buffer whose handle is asked for moves into a file without a name (memfd_create), which stays where it is in this
 * process; a handle says which process and which file, and who opens it maps that.  Work is done when its call
 * returns, so that an event of another process has always happened: what orders the processes is up to them, and races
 * between them are not seen.
 */
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include "streams.hpp"

namespace simt {

struct MemoryHandle {
    char what[8];
    int process, file;
    uint64_t bytes, inode;          /* of the file: its number may be another one's by now */
    bool operator<(const MemoryHandle &h) const { return inode < h.inode; }
};
struct EventHandle { char what[8]; };
static_assert(sizeof(MemoryHandle) <= sizeof(cudaIpcMemHandle_t), "a handle holds it");

static const char MEMORY[8] = "simt: m", EVENT[8] = "simt: e";
struct Opened { void *p; int times; };
static std::mutex lock;
static std::map<MemoryHandle, Opened> opened;

static bool refused(uintptr_t pc)
{
    if (!settings.program)
        complain(pc, "cudaIpc*: memory and events are not shared between processes here", "copy through the host");
    return !settings.program;
}

/* The file of a handle, opened; -1: it is not there any more. */
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

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr)
{
    Allocation a;
    struct stat is;
    if (refused(PC))
        return done(cudaErrorNotSupported);
    if (!handle || !heap_covers(ptr, 1) || is_managed((uintptr_t)ptr) || !heap_record((uintptr_t)ptr, &a)) {
        complain(PC, "cudaIpcGetMemHandle of what is no buffer of cudaMalloc's", "managed and pinned memory have no handle");
        return done(cudaErrorInvalidValue);
    }
    const int file = heap_share(a.base);
    if (file < 0 || fstat(file, &is) != 0)
        return done(cudaErrorMemoryAllocation);
    MemoryHandle h = {{}, getpid(), file, a.size, is.st_ino};
    memcpy(h.what, MEMORY, sizeof MEMORY);
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &h, sizeof h);
    return done(cudaSuccess);
}

cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int)
{
    MemoryHandle h;
    if (refused(PC))
        return done(cudaErrorNotSupported);
    memcpy(&h, &handle, sizeof h);
    *ptr = nullptr;
    if (memcmp(h.what, MEMORY, sizeof MEMORY) != 0 || h.process == getpid()) {
        complain(PC, h.process == getpid() ? "cudaIpcOpenMemHandle in the process whose memory it is"
                                           : "cudaIpcOpenMemHandle of what is no handle",
                 "cudaIpcGetMemHandle makes one, for another process");
        return done(h.process == getpid() ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue);
    }
    std::lock_guard<std::mutex> hold(lock);
    const auto known = opened.find(h);
    if (known != opened.end()) {
        ++known->second.times;
        return *ptr = known->second.p, done(cudaSuccess);
    }
    memory_init();
    const int file = file_of(h);
    if (file < 0) {
        complain(PC, "cudaIpcOpenMemHandle: that memory is not there any more",
                 "the process that has allocated it has to live, and not to free it, until all have closed it");
        return done(cudaErrorMapBufferObjectFailed);
    }
    *ptr = heap_of_file(file, h.bytes, PC);
    if (!*ptr) {
        close(file);
        return done(cudaErrorMemoryAllocation);
    }
    opened[h] = {*ptr, 1};
    return done(cudaSuccess);
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
    complain(PC, "cudaIpcCloseMemHandle of what cudaIpcOpenMemHandle has not given", "close each once for each opening");
    return done(cudaErrorInvalidValue);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    if (refused(PC))
        return done(cudaErrorNotSupported);
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
    if (refused(PC))
        return done(cudaErrorNotSupported);
    if (memcmp(&handle, EVENT, sizeof EVENT) != 0)
        return done(cudaErrorInvalidValue);
    return cudaEventCreateWithFlags(event, cudaEventDisableTiming | cudaEventInterprocess);
}
