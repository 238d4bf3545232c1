/*
 * hooks.cpp - the functions that compiled kernels call.
 *
 * Kernels are compiled with -fsanitize=thread, which calls __tsan_readN/__tsan_writeN
 * before each access to memory that others could see, and -fsanitize-coverage=trace-pc,
 * which calls __sanitizer_cov_trace_pc at the start of each basic block.  The sanitizers'
 * libraries are not linked; this file defines these functions.  The return address is the
 * program point.
 */
#include <cmath>
#include <cstring>
#include "check/glance.hpp"
#include "internal.hpp"

extern "C" char __data_start;
extern "C" { volatile char simt_round_mark; }

namespace simt {

/* Called when t->fuel is used up, every 4096 steps or fewer: leaves the kernel if another thread has failed or the step
   limit is reached. */
void out_of_fuel(Thread *t, uintptr_t pc)
{
    const uint32_t refill = 4096;
    Launch *l = t->block->launch;
    if (l->aborted.load(std::memory_order_relaxed))
        leave_kernel();
    if (unchecked()) {          /* the thread may be waiting for another one */
        t->fuel = refill / 8;
        return spin_here(t);
    }
    t->steps += refill;
    if (t->steps >= l->step_limit)
        fault(t, cudaErrorLaunchTimeout, pc,
              format("endless loop: the thread has done %llu steps", (unsigned long long)l->step_limit),
              "check the exit condition of the loop; simt_set_step_limit() raises the limit");
    t->fuel = refill;
    if (t->spin_yields == 0)    /* the thread did more than wait */
        l->progress.fetch_add(1, std::memory_order_relaxed);
    t->spin_yields = 0;
    if (t->steps % (64 * refill) == 0 && t->spin_next > 4)  /* may poll more addresses than t->spin holds */
        spin_here(t);
}

static inline void record(Thread *t, uintptr_t pc, uintptr_t a, unsigned size, AccessKind k, Space s, unsigned piece)
{
    if (t->n_events == t->room)
        make_room(t);
    t->events[t->n_events++] = {short_pc(pc), (uint8_t)size, k, s, (uint8_t)piece, a};
}

bool is_constant(uintptr_t a)
{
    return is_program_constant(a) || is_unset_constant(a) || is_module_constant(a);
}

/* Returns whether volatile accesses to shared memory may be flags that order other accesses: only with a fence. */
static inline bool may_be_flag(const Thread *t) { return t->block->fenced; }

/* Checks one access and returns the memory space that it accesses. */
static inline Space look(Thread *t, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc)
{
    if (heap.contains(a)) {
        check_global(t, heap, a, size, k, relaxed, pc);
        return GLOBAL;
    }
    if (t->block->cluster)
        if (Block *b = block_of_shared(t, a)) {
            check_cluster(t, b, a, size, k, relaxed, pc);
            return SHARED;
        }
    if (t->block->shared.contains(a)) {
        (relaxed && k != ATOMIC && may_be_flag(t) ? check_flag : check_shared)(t, a, size, k, pc);
        return SHARED;
    }
    if (a >= (uintptr_t)t->carrier->low && a < (uintptr_t)t->carrier->high)
        return NOT_COUNTED;
    if (is_constant(a)) {
        if (k != READ)
            fault_constant(t, size, pc);
        if (is_unset_constant(a))
            check_constant(t, a, size, pc);
        return NOT_COUNTED;
    }
    for (Region *r : {&program, &managed})
        if (r->contains(a)) {
            check_global(t, *r, a, size, k, relaxed, pc);
            return GLOBAL;
        }
    if (a >= (uintptr_t)&__executable_start && a < (uintptr_t)&__data_start && k == READ)
        return NOT_COUNTED;     /* a constant table of the program */
    if (is_pinned(a))
        return NOT_COUNTED;
    if (Region *r = module_region(a)) {
        check_global(t, *r, a, size, k, relaxed, pc);
        return GLOBAL;
    }
    if (k == READ && in_module(a))
        return NOT_COUNTED;     /* a constant table of a module */
    fault_outside(t, a, size, k, pc);
}

/* Checks an access by host code of a .cu file. */
static inline void host_access(uintptr_t a, size_t size, AccessKind k, uintptr_t pc)
{
    if (__builtin_expect(is_managed(a), 0))
        order_host_access(a, (unsigned)size, k, pc);
    else if (__builtin_expect(heap.contains(a) || program.contains(a), 0))
        host_access_fault(a, (unsigned)size, k, pc);
}

static Space access_marked(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t marks, uintptr_t pc)
{
    if (unchecked())
        return NOT_COUNTED;
    if (--t->fuel == 0)
        out_of_fuel(t, pc);
    t->block->wrote |= k != READ;
    Space space = look(t, a, size, k, marks & VOLATILE, pc);
    if (space != NOT_COUNTED && counting)
        record(t, pc, a | marks, size, k, space, size);
    return space;
}

Space access(Thread *t, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc)
{
    return access_marked(t, a, size, k, relaxed ? (uintptr_t)VOLATILE : 0, pc);
}

#define FRAME (*static_cast<const uintptr_t *>(__builtin_frame_address(0)))

/* The full check, for accesses that the quick check (glance) cannot settle, and for accesses of the host.  Hooks have
   no stack frame, so FRAME is the frame of the hook's caller.  (Built without optimisation, it is the hook's own frame,
   which lies below the caller's.) */
template <unsigned SIZE, AccessKind K>
static __attribute__((noinline)) void plain_slowly(uintptr_t a, uintptr_t marks, uintptr_t pc)
{
    if (unchecked())            /* another file of the program was compiled without hooks */
        return;
    if (confined)
        confined_check(a, SIZE, K, FRAME, pc);
    Thread *t = current;
    if (!t)
        return host_access(a, SIZE, K, pc);
    if (__builtin_expect(a < (uintptr_t)__builtin_frame_address(0) && a >= (uintptr_t)t->carrier->low, 0))
        has_ended(t, SIZE, K, pc);
    access_marked(t, a, SIZE, K, marks, pc);
}

/* Returns whether a host access needs no check: it is outside of all device memory, as almost all of them are. */
static inline __attribute__((always_inline)) bool is_the_hosts(uintptr_t a)
{ return !confined && !heap.contains(a) && !program.contains(a) && !managed.contains(a); }

template <unsigned SIZE, AccessKind K>
static __attribute__((noinline)) void plain_record(Thread *t, uintptr_t a, Space s, uintptr_t pc)
{
    record(t, pc, a, SIZE, K, s, SIZE);
}

/* Checks an access by a kernel's thread, or by the host (t is NULL) to memory that may be a kernel's.  The rare cases
   are tail calls, so that the common path has to save no registers. */
template <unsigned SIZE, AccessKind K>
static __attribute__((noinline)) void plain_in_kernel(Thread *t, uintptr_t a, uintptr_t marks, uintptr_t pc)
{
    Space space;
    if (__builtin_expect(!t || !t->block->quick || t->fuel <= 1 || !glance<SIZE>(t, a, K, pc, &space), 0))
        return plain_slowly<SIZE, K>(a, marks, pc);
    --t->fuel;
    if (__builtin_expect(counting, 0) && space != NOT_COUNTED)
        return plain_record<SIZE, K>(t, a | marks, space, pc);
}

/* Inlined, so that the hook returns without saving any register when host code accesses the host's own memory, which
   happens as often as accesses of kernels. */
template <unsigned SIZE, AccessKind K>
static inline __attribute__((always_inline)) void plain(uintptr_t a, uintptr_t pc, uintptr_t marks = 0)
{
    Thread *t = current;
    if (!t && is_the_hosts(a))
        return;
    plain_in_kernel<SIZE, K>(t, a, marks, pc);
}

/* Records that a loop that nvcc does not unroll (translate/loops.c) begins its next iteration. */
static void begin_round(uintptr_t pc)
{
    if (current && counting)
        record(current, pc, 0, 0, READ, GLOBAL, NEXT_ROUND);
}

/* Counts the reads of sin(double) on a GPU.  It evaluates one of two polynomials, and loads the coefficients from
   global memory, 16 bytes at a time.  (For arguments beyond 2^31 a GPU reads more; this is not counted.) */
static void read_table(Thread *t, double quarters, uintptr_t pc)
{
    static const struct alignas(128) { char numbers[2][64]; } table = {};
    const bool odd = std::fabs(std::remainder(quarters, 2)) > 0.5;
    record(t, pc, (uintptr_t)table.numbers[odd], 48, READ, GLOBAL, 16);
}

/* Handles a volatile access.  Between blocks it acts like a relaxed atomic; a volatile read in a loop may be a wait for
   another thread. */
template <unsigned SIZE> static void relaxed(void *p, AccessKind k, uintptr_t frame, uintptr_t pc)
{
    if (SIZE == 1 && p == &simt_round_mark)
        return begin_round((uintptr_t)pc);
    if (unchecked())
        return k == READ && current ? polled(current) : (void)0;
    if (confined)
        confined_check((uintptr_t)p, SIZE, k, frame, pc);
    Thread *t = current;
    if (!t && is_managed((uintptr_t)p))
        return order_host_polls((uintptr_t)p);
    if (!t)
        return host_access((uintptr_t)p, SIZE, k, pc);
    bool global = t->block->cluster || !t->block->shared.contains((uintptr_t)p);    /* other blocks may access it */
    const bool flag = !global && may_be_flag(t);
    if ((global || flag) && k == WRITE)
        release(t);
    Space space;
    if (!global && !flag && t->block->quick && t->fuel > 1 && glance<SIZE>(t, (uintptr_t)p, k, pc, &space)) {
        --t->fuel;              /* in shared memory a volatile access is an ordinary one */
        if (counting)
            record(t, pc, (uintptr_t)p | VOLATILE, SIZE, k, space, SIZE);
    } else {
        access(t, (uintptr_t)p, SIZE, k, true, pc);
    }
    if (k == READ) {
        uint64_t value = 0;
        memcpy(&value, p, SIZE < 8 ? SIZE : 8);
        note_polled_value(t, (uintptr_t)p, value, false, pc);
        if (global) {   /* the load itself follows after this hook */
            t->block->wrote = true;         /* another block may write; launch.cpp detects that all wait */
            t->block->acquire_pending.store(true, std::memory_order_relaxed);
            t->acquire_pending = true;
        }
        t->acquire_pending |= !global && may_be_flag(t);       /* other threads have run in between */
    }
}

/* Handles a load or store of a struct, which is moved in pieces of `piece` bytes; 0: the width follows from the
   size. */
static void move_struct(void *p, size_t size, size_t piece, AccessKind k, uintptr_t frame, uintptr_t pc)
{
    if (confined && size)
        confined_check((uintptr_t)p, size, k, frame, pc);
    Thread *t = current;
    if (size == 0 || unchecked())
        return;
    if (!t)
        return host_access((uintptr_t)p, size, k, pc);
    uintptr_t a = (uintptr_t)p;
    if (piece == 0) {
        piece = size & -size;
        if (piece > 16)
            piece = 16;
        if (piece == size && piece > 4)
            piece = 4;
    }
    while (a % piece)
        piece /= 2;
    Space space = NOT_COUNTED;
    t->block->wrote |= k != READ;
    const size_t step = size == 16 && a % 16 == 0 && piece == 8 ? size : piece;    /* checked as one access */
    t->moved = k == READ ? a : 0;
    t->moved_bytes = size;
    for (size_t i = 0; i < size; i += step)
        space = look(t, a + i, (unsigned)step, k, false, pc);
    t->moved = 0;
    if (--t->fuel == 0)
        out_of_fuel(t, pc);
    if (space != NOT_COUNTED && counting)
        for (size_t i = 0; i < size; i += 240)
            record(t, pc, a + i, (unsigned)(size - i < 240 ? size - i : 240), k, space, (unsigned)piece);
}

/*
 * The hook for structs reports the size only.  nvcc moves a struct in the widest pieces that
 * its alignment allows.  We do not know the alignment, so we take the widest power of two that
 * divides the size, and 4 bytes if the size is such a power itself: then g++ calls this hook
 * only because the alignment is smaller than the size.
 */
void range(void *p, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc) { move_struct(p, size, 0, k, frame, pc); }

/* Handles an access with its type, which g++'s hooks do not report (simtcc/types.cpp).  It is either one component of a
   vector with a larger alignment, or a struct, which is moved in pieces as wide as its alignment.  type: the alignment
   in the lower 8 bits; above them, the number of the pointer through which the access goes. */
template <AccessKind K>
static inline __attribute__((always_inline)) void typed(void *p, size_t size, size_t type, uintptr_t frame,
                                                        uintptr_t pc)
{
    const size_t align = type % 256;
    const uintptr_t a = (uintptr_t)p, in = align == 4 ? IN_4 : align == 8 ? IN_8 : align == 16 ? IN_16 : IN_NONE;
    const uintptr_t mark = in | (type / 256 * POINTER & POINTERS);
    switch (size < align ? size : 0) {
    case 1: return plain<1, K>(a, pc, mark);
    case 2: return plain<2, K>(a, pc, mark);
    case 4: return plain<4, K>(a, pc, mark);
    case 8: return plain<8, K>(a, pc, mark);
    default: return move_struct(p, size, std::min(align, size & -size), K, frame, pc);
    }
}

} // namespace simt

using namespace simt;

static __attribute__((noinline)) void basic_block(Thread *t, uintptr_t pc)
{
    if (--t->fuel == 0)
        out_of_fuel(t, pc);
    if (counting)
        record(t, pc, 0, 0, READ, GLOBAL, BASIC_BLOCK);
}

#define PC ((uintptr_t)__builtin_return_address(0))
#define HOOKS(n)                                                            \
    void __tsan_read##n(void *p) { plain<n, READ>((uintptr_t)p, PC); }                 \
    void __tsan_write##n(void *p) { plain<n, WRITE>((uintptr_t)p, PC); }               \
    void __tsan_unaligned_read##n(void *p) { plain<n, READ>((uintptr_t)p, PC); }       \
    void __tsan_unaligned_write##n(void *p) { plain<n, WRITE>((uintptr_t)p, PC); }     \
    void __tsan_volatile_read##n(void *p) { relaxed<n>(p, READ, FRAME, PC); }      \
    void __tsan_volatile_write##n(void *p) { relaxed<n>(p, WRITE, FRAME, PC); }

void simt_angle(double quarters)
{
    if (current && counting && !unchecked())
        read_table(current, quarters, PC);
}

extern "C" {
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
void simt_typed_read(void *p, unsigned long size, unsigned long type) { typed<READ>(p, size, type, FRAME, PC); }
void simt_typed_write(void *p, unsigned long size, unsigned long type) { typed<WRITE>(p, size, type, FRAME, PC); }
void simt_branch(void)
{
    if (__builtin_expect(counting, 0) && current && !unchecked())
        record(current, PC, 0, 0, READ, GLOBAL, BRANCH);
}
void __tsan_read_range(void *p, unsigned long size) { range(p, size, READ, FRAME, PC); }
void __tsan_write_range(void *p, unsigned long size) { range(p, size, WRITE, FRAME, PC); }
/* Called instead of a write's hook when a constructor writes the object's pointer to its virtual functions. */
void __tsan_vptr_update(void **p, void *) { plain<8, WRITE>((uintptr_t)p, PC); }
void __tsan_vptr_read(void **) {}
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}

void __sanitizer_cov_trace_pc(void)
{
    Thread *t = current;
    if (!t)
        return;
    if (__builtin_expect(t->fuel == 1 || counting, 0))
        return basic_block(t, PC);
    --t->fuel;
}
}
