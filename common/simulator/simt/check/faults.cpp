/*
 * faults.cpp - reports accesses that are wrong whatever other threads do: misaligned, out of bounds, reads of
 * uninitialised memory, writes to constants, outside of device memory.
 */
#include <algorithm>
#include "glance.hpp"
#include "internal.hpp"

extern "C" char __data_start, _end;     /* the variables of the program are between these */

namespace simt {

const char *verb(AccessKind k) { return k == READ ? "reads" : k == WRITE ? "writes" : "updates (atomic)"; }

/* Names an address: "d_in[17]", "shared s[3]". */
std::string name_of(const Thread *t, uintptr_t a, unsigned size)
{
    if (const Block *b = block_of_shared(t, a)) {
        const char *other = b == t->block ? "" : " of another block of the cluster";
        for (const SharedVariable &v : b->variables)
            if (a - v.address < v.size)
                return v.size == v.element ? format("shared %s%s", v.name, other)
                                           : format("shared %s[%zu]%s", v.name, (a - v.address) / v.element, other);
        return format("shared dynamic memory[%zu]%s", (size_t)(a - b->shared_base) / size, other);
    }
    Allocation al;
    if (heap.contains(a) && heap_find_for(t->block->launch, a, &al))
        return format("%s[%lld]", al.name.c_str(), (long long)(a - al.base) / (long long)size);
    return place_in_memory(a, size);
}

/* fault() never returns, so the frame that calls it is never unwound, and a string in it would never be freed.
   Therefore functions that return make the texts. */
static std::string misaligned_text(Thread *t, uintptr_t a, unsigned size, AccessKind k)
{
    return format("misaligned access: %s %u bytes at an address that is a multiple of %u only (%s)", verb(k), size,
                  (unsigned)(a & -a), name_of(t, a, 4).c_str());
}

__attribute__((noinline))
void fault_misaligned(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    fault(t, cudaErrorMisalignedAddress, pc, misaligned_text(t, a, size, k),
          "take the elements before the first aligned address one at a time");
}

static std::string uninitialised_text(Thread *t, uintptr_t a, unsigned size, AccessKind k)
{
    return format("uninitialised memory: %s %s, which was never written", verb(k), name_of(t, a, size).c_str());
}

__attribute__((noinline))
void fault_uninitialised(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    const char *hint = block_of_shared(t, a)
                           ? "shared memory starts with garbage in every block: write it first, then __syncthreads()"
                       : "cudaMalloc does not clear memory: write y = sum instead of y += sum, or clear it with "
                         "cudaMemset first";
    if (!settings.lenient)
        fault(t, cudaErrorLaunchFailure, pc, uninitialised_text(t, a, size, k), hint);
    if (!said_before(pc))
        pass(t, k == ATOMIC ? ERROR : WARNING, pc, uninitialised_text(t, a, size, k), hint);
    enum { MOST_UNSET = 4096 };
    Launch *l = t->block->launch;
    std::lock_guard<std::mutex> hold(l->release_lock);
    t->read_unset = a;
    t->read_unset_pc = pc;
    t->block->quick = false;    /* full checks, to detect the write of a += */
    if (l->read_unset.size() < MOST_UNSET)
        l->read_unset.insert({block_of_shared(t, a) ? t->block->linear + 1 : 0, a & ~(uintptr_t)3});
}

/* Reports a write by the source line that has just read the same uninitialised word, as += does. */
__attribute__((noinline))
void adds_to_unset(Thread *t, uintptr_t a, unsigned size, uintptr_t pc)
{
    const uintptr_t before = t->read_unset_pc;
    t->read_unset = 0;
    if (settings.lenient && !said_before(pc) && at_line(short_pc(before)) == at_line(short_pc(pc)))
        pass(t, ERROR, pc, "uninitialised memory: adds to " + name_of(t, a, size) + ", which was never written",
             "an addition needs a first value: write 0 before the first addition");
}

static void report_bounds(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    std::string what;
    const char *hint = "compare the index with the size before the access";
    if (const Block *b = block_of_shared(t, a)) {
        /* Find the nearest variable. */
        const char *name = "dynamic memory";
        uintptr_t base = b->shared_base;
        size_t bytes = b->launch->dynamic_bytes, element = size;
        uintptr_t best = bytes || b->variables.empty() ? (a < base ? base - a : a - (base + bytes)) : UINTPTR_MAX;
        for (const SharedVariable &v : b->variables) {
            uintptr_t far = a < v.address ? v.address - a : a - (v.address + v.size);
            if (far < best || (far == best && a >= v.address)) {
                best = far;
                name = v.name;
                base = v.address;
                bytes = v.size;
                element = v.element;
            }
        }
        long long index =
            ((long long)a - (long long)base - (a < base ? (long long)element - 1 : 0)) / (long long)element;
        what = format("out of bounds: %s shared %s[%lld], but it has %zu elements of %zu bytes", verb(k), name, index,
                      bytes / element, element);
        if (bytes == 0)
            hint = "was the third launch parameter (bytes of dynamic shared memory) forgotten?";
    } else {
        Allocation al;
        if (!heap_find_for(t->block->launch, a, &al)) {
            what = format("out of bounds: %s %u bytes at %p, far from any buffer", verb(k), size, (void *)a);
        } else {
            long long index =
                ((long long)a - (long long)al.base - (a < al.base ? (long long)size - 1 : 0)) / (long long)size;
            bool inside = a - al.base < al.size;
            uintptr_t away = a < al.base ? al.base - a : inside ? 0 : a - (al.base + al.size);
            if (!al.live && inside) {
                what = format("use after free: %s %s[%lld], but cudaFree has been called on it", verb(k),
                              al.name.c_str(), index);
                hint = "free a buffer only after the last kernel that uses it";
            } else if (inside && al.base == device_heap()) {
                what = format("out of bounds: %s %u bytes of the kernels' heap, where nothing is, or nothing any more",
                              verb(k), size);
                hint = "is the index below what malloc or new was asked for?  has it been freed?";
            } else if (away > 65536 && (a < al.base || away > 2 * al.size)) {
                what = format("out of bounds: %s %u bytes, %llu bytes away from the nearest buffer (%s)", verb(k), size,
                              (unsigned long long)away, al.name.c_str());
            } else {
                what = format("out of bounds: %s %s[%lld], but it has %zu elements of %u bytes", verb(k),
                              al.name.c_str(), index, al.size / size, size);
                if (al.size % size)
                    what += format(" and %zu bytes", al.size % size);
            }
        }
    }
    report_fault(t, cudaErrorIllegalAddress, pc, what, hint);
}

__attribute__((noinline))
void fault_bounds(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    report_bounds(t, a, size, k, pc);
    leave_kernel();
}

/* One flag per word of the __constant__ variables without an initial value: whether the host has written the word. */
static std::vector<bool> &given_constants()
{
    static auto &words = *new std::vector<bool>((&__stop_simt_unset_constant - &__start_simt_unset_constant) / 4 + 1);
    return words;
}

void constant_given(const void *variable, size_t bytes)
{
    const uintptr_t a = (uintptr_t)variable - (uintptr_t)&__start_simt_unset_constant;
    if (is_unset_constant((uintptr_t)variable))
        for (size_t word = a / 4; word < std::min((a + bytes + 3) / 4, given_constants().size()); ++word)
            given_constants()[word] = true;
}

/* Such a variable begins as 0.  If a kernel reads 0 and the host has written nothing, the program has probably
   forgotten the copy. */
void check_constant(Thread *t, uintptr_t a, unsigned size, uintptr_t pc)
{
    if (given_constants()[(a - (uintptr_t)&__start_simt_unset_constant) / 4] || said_before(pc))
        return;
    const char *bytes = (const char *)a;
    if (std::all_of(bytes, bytes + size, [](char c) { return c == 0; }))
        pass(t, HINT, pc, format("reads %s, a __constant__ variable that was never written: it is 0",
                                 place_in_memory(a, size).c_str()),
             "cudaMemcpyToSymbol before the launch, with as many bytes as the kernel reads: n * sizeof(T)");
}

void fault_constant(Thread *t, unsigned size, uintptr_t pc)
{
    fault(t, cudaErrorIllegalAddress, pc, format("constant memory: writes %u bytes of a __constant__ variable", size),
          "a kernel only reads it; the host writes it, with cudaMemcpyToSymbol");
}

static std::string null_text(uintptr_t a, unsigned size, AccessKind k)
{
    const long long index = (long long)a / (long long)size;
    return format("null pointer: %s %u bytes at %p", verb(k), size, (void *)a) +
           (index ? format(", index %lld", index) : "");
}

void fault_outside(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    if (a < 65536 || -a <= 65536)
        fault(t, cudaErrorIllegalAddress, pc, null_text(a, size, k),
              a >= 65536 ? "is the buffer empty?  cudaMalloc of 0 bytes gives NULL" :
              hint_at((void *)a, "check what cudaMalloc returned, and which pointer the launch passes"));
    const Block *b = t->block;
    for (uint32_t id = 0; id < b->n_threads; ++id) {
        const Carrier *c = b->threads[id].carrier;
        if (c && a >= (uintptr_t)c->low && a < (uintptr_t)c->high)
            fault(t, cudaErrorIllegalAddress, pc, format("%s %u bytes of a local variable of %s", verb(k), size,
                                                         thread_name(b, id).c_str()),
                  "local variables have an address for their own thread alone: use __shared__, or a shuffle");
    }
    fault(t, cudaErrorIllegalAddress, pc, format("not device memory: %s %u bytes at %p", verb(k), size, (void *)a),
          std::string("a kernel can use memory from cudaMalloc, __shared__ and __device__ variables, not the host's") +
              (a >= (uintptr_t)&__data_start && a < (uintptr_t)&_end
                   ? "; a variable template is the host's here, whatever stands before it" : ""));
}

void has_ended(Thread *t, unsigned size, AccessKind k, uintptr_t pc)
{
    const char *hint = "a local variable exists until its function returns: do not use its address after that";
    if (settings.lenient && said_before(pc))
        return;
    const std::string what =
        format("%s %u bytes of a local variable whose function or thread has ended", verb(k), size);
    if (settings.lenient)
        return pass(t, ERROR, pc, what, hint);
    fault(t, cudaErrorIllegalAddress, pc, what, hint);
}

} // namespace simt
