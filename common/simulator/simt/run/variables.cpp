/*
 * variables.cpp - allocates __shared__ variables and static variables of functions when a thread first reaches them.
 */
#include <cstring>
#include <map>
#include "internal.hpp"

using namespace simt;

void *simt_dynamic_shared(void) { return (void *)current->block->shared_base; }

/* Marks the variable's bytes as existing and uninitialised. */
void simt::add_variable(Block *b, const SharedVariable &v)
{
    if (!unchecked()) {
        uint8_t *state = &b->shared.state[(v.address - b->shared.base) / 4];
        memset(state, 0xf0, v.size / 4);
        if (v.size % 4)
            state[v.size / 4] = (uint8_t)(0xf0 >> (4 - v.size % 4) & 0xf0);
    }
    b->shared_used = v.address + v.size - b->shared_base;
    b->shared_touched = b->shared_used + 4;
    b->variables.push_back(v);
}

/* Returns the block's copy of a __shared__ variable, which the first thread that gets here creates. */
void *simt_static_shared(const void *key, const char *name, size_t bytes, size_t align, size_t element)
{
    Thread *t = current;
    Block *b = t->block;
    for (const SharedVariable &v : b->variables)
        if (v.key == key)
            return (void *)v.address;
    /* The gap between variables is a red zone, which does not count as used shared memory. */
    const size_t gap = 256;
    size_t used = 0;
    for (const SharedVariable &v : b->variables)
        used += (v.size + align - 1) / align * align;
    const size_t total = used + bytes + b->launch->dynamic_bytes;
    if (total > b->launch->shared_limit || used + bytes > SHARED_DEFAULT)
        fault(t, cudaErrorInvalidConfiguration, (uintptr_t)__builtin_return_address(0),
              format("too much shared memory: with %s the block has %zu bytes, the limit is %zu", name, total,
                     used + bytes > SHARED_DEFAULT ? SHARED_DEFAULT : b->launch->shared_limit),
              "use a smaller array or several rounds");
    uintptr_t a = (b->shared_base + b->shared_used + gap + 127) & ~(uintptr_t)127;
    const uintptr_t end = b->variables.empty() ? 0 : b->variables.back().on_gpu + b->variables.back().size;
    const SharedVariable v = {key, name, a, bytes, element, (end + align - 1) / align * align};
    add_variable(b, v);
    if (b->cluster)
        cluster_variable(b, v);
    return (void *)a;
}

/* Memory for static variables of functions, in the section of __device__ variables.  A variable gets its memory when a
   kernel first reaches it. */
__attribute__((section("simt_device"), aligned(256))) static char kept_memory[64 << 10];
static struct {
    std::mutex lock;
    std::unordered_map<const void *, void *> place;     /* key: the address of its initial value */
    std::map<uintptr_t, std::pair<const char *, size_t>> name;
    size_t used;
} kept;

const char *simt::kept_at(uintptr_t a, uintptr_t *base, size_t *bytes)
{
    std::lock_guard<std::mutex> hold(kept.lock);
    const auto after = kept.name.upper_bound(a);
    if (after == kept.name.begin() || a - std::prev(after)->first >= std::prev(after)->second.second)
        return nullptr;
    *base = std::prev(after)->first;
    *bytes = std::prev(after)->second.second;
    return std::prev(after)->second.first;
}

/* Returns the memory of a static variable; NULL if no room is left. */
static void *place_of_kept(const void *first, const char *name, size_t bytes, size_t align)
{
    std::lock_guard<std::mutex> hold(kept.lock);
    void *&place = kept.place[first];
    const size_t from = (kept.used + align - 1) / align * align;
    if (place || from + bytes > sizeof kept_memory)
        return place;
    kept.used = from + bytes;
    kept.name[(uintptr_t)kept_memory + from] = {name, bytes};
    return place = memcpy(kept_memory + from, first, bytes);
}

/* Called by code that translate/shared.c writes. */
void *simt_kept_variable(void *first, const char *name, size_t bytes, size_t align)
{
    if (!current)
        return first;
    void *place = place_of_kept(first, name, bytes, align);
    if (!place)
        fault(current, cudaErrorMemoryAllocation, (uintptr_t)__builtin_return_address(0),
              format("no room for %s: static variables of functions have %zu bytes in all", name, sizeof kept_memory),
              "make it a __device__ variable of the file");
    return place;
}

/* Replaces the function that would register a static object's destructor (KEEPS_OBJECTS,
   common/workshop/build/config.mk), so that such objects are never destroyed. */
extern "C" int simt_never_destroyed(void (*)(void *), void *, void *) { return 0; }
