/*
 * heap.cpp - device memory: allocations with red zones and quarantine; pinned memory.
 *
 * One large range of addresses is reserved at the start and allocated upwards.  The addresses
 * of a freed buffer are not used again until the range is used up, so a use after free is
 * detected.  Addresses that are never touched cost no memory.
 */
#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <map>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <typeinfo>
#include <unistd.h>
#include "internal.hpp"

extern "C" char __start_simt_device __attribute__((weak)), __stop_simt_device __attribute__((weak));
extern "C" char __start_simt_managed __attribute__((weak)), __stop_simt_managed __attribute__((weak));
/* Both sections are aligned to words of the shadow, so that no host variable shares a word with them. */
__asm__(".pushsection simt_device, \"aw\"\n.balign 16\n.popsection\n"
        ".pushsection simt_managed, \"aw\"\n.balign 16\n.popsection");
extern "C" char __start_simt_constant __attribute__((weak)), __stop_simt_constant __attribute__((weak));
extern "C" char __start_simt_unset_constant __attribute__((weak)), __stop_simt_unset_constant __attribute__((weak));

namespace simt {

Region heap, program, managed;
uintptr_t managed_base, pinned_base = UINTPTR_MAX;

/* A buffer starts at a multiple of GRAIN plus ALIGN, so that no two share a page of memory or of shadow. */
static const size_t PAGE = 4096, GRAIN = 4 * PAGE, RED_ZONE = 64 << 10, ALIGN = 256;
static std::map<uintptr_t, Allocation> allocations;
static std::set<uintptr_t> places;              /* program points that have allocated */
struct Pinned { size_t bytes; bool registered; };
static std::map<uintptr_t, Pinned> pinned;
static std::mutex table_lock;
static uintptr_t next_base[3];                  /* indexed by MemoryKind */
static size_t in_use;
static int next_number;

static void *reserve_as(size_t bytes, int rights)
{
    void *p = mmap(nullptr, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return nullptr;
    madvise(p, bytes, MADV_DONTDUMP);
    return p;
}

void *reserve(size_t bytes) { return reserve_as(bytes, PROT_READ | PROT_WRITE); }

void give_up(const char *what)
{
    fflush(stdout);
    fprintf(stderr,
            "simt: no %s; it takes at least 8 GiB of address space, most of it never touched: see ulimit -v and -u\n",
            what);
    _exit(1);
}

/* The handler of uncaught exceptions prints one line if the system refuses memory or threads (to new or std::thread).
   Other exceptions end the program as usual. */
static std::terminate_handler usual_end;
static void uncaught()
{
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (type && (*type == typeid(std::bad_alloc) || *type == typeid(std::system_error)))
        give_up("memory or threads");
    usual_end();
}

/* The host must not access device memory, so it is protected; guard.cpp opens it while a kernel runs. */
static int heap_rights() { return unchecked() ? PROT_READ | PROT_WRITE : PROT_NONE; }

static void make_memory()
{
    /* If the address space is limited (ulimit -v), try with less. */
    for (size_t size = 64ull << 30; size >= 256 << 20; size /= 2) {
        void *p = reserve_as(size + GRAIN, heap_rights());
        Region r;
        if (p)
            region_make(r, ((uintptr_t)p + GRAIN - 1) & ~(GRAIN - 1), size);
        if (p && r.state && r.cells) {
            heap = r;
            break;
        }
        if (p) munmap(p, size + GRAIN);
        if (r.state) munmap(r.state, size / 4);
        if (r.cells) munmap(r.cells, size / 4 * sizeof(Cell));
    }
    if (!heap.size)
        give_up("address space for device memory");
    usual_end = std::set_terminate(uncaught);
    managed_base = heap.base + heap.size / 4 * 3;
    pinned_base = heap.base + heap.size / 8 * 7;
    next_base[DEVICE_MEMORY] = heap.base + RED_ZONE;
    next_base[MANAGED_MEMORY] = managed_base + RED_ZONE;
    next_base[PINNED_MEMORY] = pinned_base + RED_ZONE;
    make_variables(program, &__start_simt_device, &__stop_simt_device);
    make_variables(managed, &__start_simt_managed, &__stop_simt_managed);
}

/* Several host threads may call this first at the same time. */
void memory_init()
{
    static std::atomic<bool> made;
    static std::mutex first;
    if (made.load(std::memory_order_acquire))
        return;
    std::lock_guard<std::mutex> hold(first);
    if (!made.load(std::memory_order_relaxed))
        make_memory();
    made.store(true, std::memory_order_release);
}

/* SIMT_MEMORY_MB=64 in the environment simulates a GPU with little memory, to test what happens when it runs out. */
size_t heap_capacity()
{
    size_t ram = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    const char *wanted = getenv("SIMT_MEMORY_MB");
    size_t most = wanted && atol(wanted) > 0 ? (size_t)atol(wanted) << 20 : SIZE_MAX;
    /* A checked byte that is used needs seven bytes of shadow. */
    return std::min({heap.size / 2, ram / (unchecked() ? 2 : 8), most});
}

size_t heap_in_use() { return in_use; }

/* Returns the size of the gap after a buffer.  It is twice the buffer's size, so that an index with a wrong factor, or
   with rows and columns exchanged, does not hit the next buffer. */
static size_t red_zone(size_t bytes)
{ return std::max(RED_ZONE, std::min(2 * bytes, heap.size / 64)); }

/* Finds addresses for `bytes` that overlap no live buffer and, if possible, no freed one. */
static uintptr_t find_place(size_t bytes, MemoryKind kind)
{
    const size_t span = (ALIGN + bytes + red_zone(bytes) + GRAIN - 1) & ~(GRAIN - 1);
    auto after = [](const Allocation &a) { return (a.base + a.size + red_zone(a.size) + GRAIN - 1) & ~(GRAIN - 1); };
    const uintptr_t ends[] = {heap.base, managed_base, std::min(pinned_base, heap.base + heap.size),
                              heap.base + heap.size};
    const uintptr_t from = ends[kind], to = ends[kind + 1];
    uintptr_t &next = next_base[kind];
    if (next + span > to) {             /* used up: forget the freed buffers, start over */
        for (auto i = allocations.lower_bound(from); i != allocations.end() && i->first < to;)
            i = i->second.live ? std::next(i) : allocations.erase(i);
        next = from + RED_ZONE;
    }
    /* After starting over, live buffers may be in the way. */
    for (auto i = allocations.lower_bound(next); i != allocations.end() && i->first < next + span; ++i)
        if (i->second.live)
            next = after(i->second);
    if (next + span > to)
        return 0;
    uintptr_t base = next + ALIGN;      /* aligned only to 256 bytes, as on a GPU */
    next += span;
    return base;
}

/* Lets the system use 2 MiB pages for the large buffers of an unchecked program, which saves page faults.  With checks
   most memory is shadow with scattered accesses, and large pages would be slower. */
static void large_buffer(uintptr_t base, size_t bytes)
{
    const size_t least = 8 << 20;
    const uintptr_t page = 2 << 20, begin = (base + page - 1) & ~(page - 1), end = (base + bytes) & ~(page - 1);
    if (unchecked() && bytes >= least)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

static std::atomic<size_t> refused;     /* bytes of a buffer that did not fit */

std::string hint_at(const void *p, const std::string &otherwise)
{
    const size_t bytes = refused;
    if ((uintptr_t)p >= 65536 || bytes == 0)
        return otherwise;
    return format("cudaMalloc of %zu bytes was refused: the GPU has %zu MB, which is what SIMT_MEMORY_MB says, or at "
                  "most %s of this machine's memory", bytes, heap_capacity() >> 20, unchecked() ? "half" : "an eighth");
}

/* The host may write managed and pinned memory without a hook, so all of it counts as written. */
void *heap_allocate(size_t bytes, MemoryKind kind, uintptr_t pc)
{
    std::lock_guard<std::mutex> hold(table_lock);
    const bool open = kind != DEVICE_MEMORY;
    if (kind != PINNED_MEMORY && bytes > heap_capacity() - std::min(heap_capacity(), in_use)) {
        refused = bytes;
        return nullptr;
    }
    uintptr_t base = find_place(bytes, kind);
    if (!base)
        return nullptr;
    /* Forget the freed buffers that the new one overlaps. */
    for (auto i = allocations.lower_bound(base); i != allocations.end() && i->first < base + bytes;)
        i = allocations.erase(i);
    if (open && mprotect((void *)(base & ~(PAGE - 1)), (base & (PAGE - 1)) + bytes, PROT_READ | PROT_WRITE))
        return nullptr;
    large_buffer(base, bytes);
    set_state(base, bytes, 15, open ? 15 : 0);
    memory_touched(base, bytes);
    allocations[base] = {base, bytes, true, format("buffer %d", ++next_number)};
    allocations[base].pc = pc;
    places.insert(pc);
    if (kind != PINNED_MEMORY)
        in_use += bytes;
    return (void *)base;
}

static void drop(Allocation &a);
static uintptr_t first_page(const Allocation &a) { return a.base & ~(PAGE - 1); }
static size_t all_pages(const Allocation &a) { return (a.base - first_page(a) + a.size + PAGE - 1) & ~(PAGE - 1); }

/* Maps the file in place of the buffer's pages. */
static bool map_file(Allocation &a, int file)
{
    const int rights = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_FIXED;
    if (mmap((void *)first_page(a), all_pages(a), rights, flags, file, 0) == MAP_FAILED)
        return false;
    a.file = file;
    return true;
}

void heap_of_pool(void *p, uint64_t pool)
{
    std::lock_guard<std::mutex> hold(table_lock);
    const auto i = allocations.find((uintptr_t)p);
    if (i != allocations.end())
        i->second.pool = pool;
}

int heap_share(uintptr_t base)
{
    Allocation a;
    if (!heap_record(base, &a))
        return -1;
    copy_window open((const void *)a.base, a.size);
    std::lock_guard<std::mutex> hold(table_lock);
    const auto i = allocations.find(a.base);
    if (i == allocations.end() || !i->second.live || i->second.file >= 0)
        return i == allocations.end() || !i->second.live ? -1 : i->second.file;
    const int file = memfd_create("device memory", MFD_CLOEXEC);
    const off_t at = (off_t)(a.base - first_page(a));
    if (file >= 0 && ftruncate(file, (off_t)all_pages(a)) == 0 &&
        pwrite(file, (const void *)a.base, a.size, at) == (ssize_t)a.size && map_file(i->second, file))
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

void *heap_of_file(int file, size_t bytes, uintptr_t pc)
{
    void *p = heap_allocate(bytes, DEVICE_MEMORY, pc);
    if (!p)
        return nullptr;
    copy_window open(p, bytes);
    std::lock_guard<std::mutex> hold(table_lock);
    Allocation &a = allocations[(uintptr_t)p];
    if (!map_file(a, file)) {
        drop(a);
        return nullptr;
    }
    set_state(a.base, bytes, 15, 15);
    return p;
}

/* Returns the pages to the system.  They read as zero afterwards, which in the shadow means that no memory exists. */
static void drop(Allocation &a)
{
    a.live = false;
    if (a.base < pinned_base)
        in_use -= a.size;
    uintptr_t from = a.base & ~(GRAIN - 1), to = (a.base + a.size + GRAIN - 1) & ~(GRAIN - 1);
    if (is_managed(from))
        mprotect((void *)from, to - from, heap_rights());
    if (a.file >= 0) {
        close(a.file);
        mmap((void *)first_page(a), all_pages(a), heap_rights(),
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    madvise((void *)from, to - from, MADV_DONTNEED);
    madvise(state_of(from), (to - from) / 4, MADV_DONTNEED);
    madvise(&heap.cells[(from - heap.base) / 4], (to - from) / 4 * sizeof(Cell), MADV_DONTNEED);
}

bool heap_free(void *p)
{
    std::lock_guard<std::mutex> hold(table_lock);
    auto i = allocations.find((uintptr_t)p);
    if (i == allocations.end() || !i->second.live)
        return false;
    drop(i->second);
    /* Only the last 256 to 512 freed buffers keep their names for reports. */
    static std::vector<uintptr_t> history;
    history.push_back(i->first);
    if (history.size() > 512) {
        for (size_t k = 0; k < 256; ++k) {
            auto old = allocations.find(history[k]);
            if (old != allocations.end() && !old->second.live)
                allocations.erase(old);
        }
        history.erase(history.begin(), history.begin() + 256);
    }
    return true;
}

void heap_reset()
{
    std::lock_guard<std::mutex> hold(table_lock);
    for (auto &a : allocations)
        if (a.second.live)
            drop(a.second);
}

bool heap_record(uintptr_t a, Allocation *out)
{
    std::lock_guard<std::mutex> hold(table_lock);
    auto after = allocations.upper_bound(a);
    const Allocation *below = nullptr, *above = after == allocations.end() ? nullptr : &after->second;
    if (after != allocations.begin())
        below = &std::prev(after)->second;
    if (below && above && a >= below->base + below->size && above->base - a < a - (below->base + below->size))
        below = nullptr;
    const Allocation *found = below ? below : above;
    if (!found)
        return false;
    *out = *found;
    return true;
}

std::vector<uintptr_t> allocating_places()
{
    std::lock_guard<std::mutex> hold(table_lock);
    return {places.begin(), places.end()};
}

bool heap_find(uintptr_t a, Allocation *out)
{
    if (!heap_record(a, out))
        return false;
    name_allocation(out);
    return true;
}

bool heap_covers(const void *p, size_t bytes)
{
    std::lock_guard<std::mutex> hold(table_lock);
    auto after = allocations.upper_bound((uintptr_t)p);
    if (after == allocations.begin())
        return false;
    const Allocation &a = std::prev(after)->second;
    return a.live && (uintptr_t)p - a.base <= a.size && bytes <= a.size - ((uintptr_t)p - a.base);
}

std::vector<Allocation> heap_live()
{
    std::lock_guard<std::mutex> hold(table_lock);
    std::vector<Allocation> found;
    for (const auto &a : allocations)
        if (a.second.live)
            found.push_back(a.second);
    return found;
}

std::vector<Stretch> memory_stretches()
{
    std::vector<Stretch> all;
    {
        std::lock_guard<std::mutex> hold(table_lock);
        for (const auto &entry : allocations) {
            const Allocation &a = entry.second;
            if (a.live)
                all.push_back({(char *)a.base, a.size, unchecked() ? nullptr : state_of(a.base),
                               a.base >= pinned_base || a.file >= 0});
        }
        for (const auto &entry : pinned)
            if (entry.second.registered)
                all.push_back({(char *)entry.first, entry.second.bytes, nullptr, true});
    }
    auto add = [&](char *from, char *to) {
        if (from < to)
            all.push_back({from, (size_t)(to - from), nullptr, false});
    };
    add(&__start_simt_device, &__stop_simt_device);
    add(&__start_simt_managed, &__stop_simt_managed);
    add(&__start_simt_constant, &__stop_simt_constant);
    add(&__start_simt_unset_constant, &__stop_simt_unset_constant);
    module_stretches(&all);
    image_stretches(&all);
    return all;
}

void add_pinned(void *p, size_t bytes, bool registered)
{
    std::lock_guard<std::mutex> hold(table_lock);
    pinned[(uintptr_t)p] = {bytes, registered};
}

bool remove_pinned(void *p, bool registered)
{
    std::lock_guard<std::mutex> hold(table_lock);
    auto i = pinned.find((uintptr_t)p);
    if (i == pinned.end() || i->second.registered != registered)
        return false;
    pinned.erase(i);
    return true;
}

bool pinned_overlaps(const void *p, size_t bytes)
{
    std::lock_guard<std::mutex> hold(table_lock);
    auto after = pinned.lower_bound((uintptr_t)p + bytes);
    return after != pinned.begin() && std::prev(after)->first + std::prev(after)->second.bytes > (uintptr_t)p;
}

bool is_pinned(uintptr_t a)
{
    std::lock_guard<std::mutex> hold(table_lock);
    auto after = pinned.upper_bound(a);
    return after != pinned.begin() && a - std::prev(after)->first < std::prev(after)->second.bytes;
}

} // namespace simt

using namespace simt;

void simt_set_read_only(const void *d_ptr)
{
    std::lock_guard<std::mutex> hold(table_lock);
    auto after = allocations.upper_bound((uintptr_t)d_ptr);
    if (after != allocations.begin())
        std::prev(after)->second.read_only = true;
}

void simt_name_buffer(const void *d_ptr, const char *name)
{
    std::lock_guard<std::mutex> hold(table_lock);
    auto i = allocations.find((uintptr_t)d_ptr);
    if (i != allocations.end() && name) {
        i->second.name = name;
        i->second.pc = 0;
    }
}
