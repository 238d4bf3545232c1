/*
 * confine.cpp - limits which memory untrusted code may access (simt.h, simt_call_confined), in addition to the rules
 * for all code.
 *
 * Every access of a submission arrives in the hooks, in host code, too.  Host code may use its own variables, its
 * stack, and memory that it was given to read.  It must not write saved registers and return addresses on any stack,
 * including those of kernel threads: each frame begins where the frame pointer of its callee points.
 *
 * A kernel can be launched and entered only at the beginning of a function that may be called by address, where the
 * compiler has put an ENDBR64.  Code that breaks a rule is left at once: control returns to simt_call_confined.
 */
#include <cstdarg>
#include <cstring>
#include <sys/mman.h>
#include <boost/context/detail/fcontext.hpp>
#include "internal.hpp"

extern "C" char __data_start;

namespace simt {

namespace fctx = boost::context::detail;

const simt_confinement_t *confined;
static fctx::fcontext_t outside;        /* where simt_call_confined waits */
static uintptr_t host_low, host_limit;  /* the stack of the confined host code; above the limit are our frames */

static bool holds(const simt_span_t &s, uintptr_t a, size_t size)
{
    const uintptr_t from = (uintptr_t)s.from;
    return a >= from && a - from <= s.size && size <= s.size - (a - from);
}

/*
 * Returns whether the caller may write [a, a + size) on its stack.  It must not write saved registers and return
 * addresses, nor memory above the frame of its first function.  `frame` is the caller's frame pointer.
 */
static bool may_write_stack(uintptr_t frame, uintptr_t limit, uintptr_t a, size_t size)
{
    const uintptr_t end = a + size;
    for (uintptr_t fp = frame;;) {
        if (fp <= (uintptr_t)__builtin_frame_address(0) || fp + 16 > limit || (fp & 7))
            return false;       /* not in a frame */
        if (a < fp + 16 && fp < end)
            return false;       /* saved frame pointer and return address */
        const uintptr_t next = *(const uintptr_t *)fp;
        if (next <= fp || next >= limit)
            return end <= fp;
        fp = next;
    }
}

/* After a fault of host code, whose report is stored: returns to simt_call_confined, never to the host code. */
[[noreturn]] static void leave_host()
{
    fctx::fcontext_t back = outside;
    outside = nullptr;
    fctx::jump_fcontext(back, nullptr);
    abort();
}

bool leave_confined()
{
    if (!confined || current || !outside)
        return false;
    leave_host();
}

static void host_fault(uintptr_t a, size_t size, AccessKind k, uintptr_t pc)
{
    report_host_fault(pc, format("host code %s memory that is not its own: %zu bytes at %p",
                                 k == READ ? "reads" : "writes", size, (void *)a),
                      "a launcher may use its arguments, its own variables and CUDA's calls");
}

static void host_check(uintptr_t a, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc)
{
    if (heap.contains(a) || program.contains(a))
        return;                 /* guard.cpp reports these */
    bool fine = false;
    if (a >= host_low && a < host_limit)
        fine = a + size <= host_limit && (k == READ || may_write_stack(frame, host_limit, a, size));
    for (const simt_span_t &s : confined->variables)
        fine = fine || holds(s, a, size);
    for (const simt_span_t &s : confined->readable)
        fine = fine || (k == READ && holds(s, a, size));
    if (fine)
        return;
    host_fault(a, size, k, pc);
    leave_host();
}

static void kernel_fault(Thread *t, AccessKind k, uintptr_t pc)
{
    fault(t, cudaErrorIllegalAddress, pc,
          format("not the thread's own: %s the stack outside of its variables", k == READ ? "reads" : "writes"),
          "an index beyond a local array, or a pointer that was one to a local variable");
}

static bool is_own_constant(uintptr_t a, size_t size)
{
    bool own = false;
    for (const simt_span_t &s : confined->readable)
        own = own || holds(s, a, size);
    return own;
}

void confined_check(uintptr_t a, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc)
{
    Thread *t = current;
    if (!t)
        return host_check(a, size, k, frame, pc);
    announce(t, a, size, k);
    if (a >= (uintptr_t)t->carrier->low && a < (uintptr_t)t->carrier->high) {
        if (a + size > t->carrier->limit || (k != READ && !may_write_stack(frame, t->carrier->limit, a, size)))
            kernel_fault(t, k, pc);
    } else if (a >= (uintptr_t)&__executable_start && a < (uintptr_t)&__data_start) {
        /* Of the program's memory a submission may only read its constants. */
        if (!(k == READ && is_own_constant(a, size)) && !is_constant(a))
            fault_outside(t, a, (unsigned)size, k, pc);
    }
}

/* Returns how many bytes of a launch's arguments its threads may read: all if the arguments are on the host code's
   stack, else none. */
size_t bytes_of_arguments(const void *args, size_t bytes)
{
    const uintptr_t a = (uintptr_t)args;
    return a >= host_low && a < host_limit && bytes <= host_limit - a ? bytes : 0;
}

/* Returns whether an access needs no hook.  Host code needs none for its memory, which is not counted; it is checked
   here.  A kernel's thread needs none for its stack, its constants, and the launch's arguments. */
bool may_be_silent(Thread *t, uintptr_t a, size_t size, AccessKind k, uintptr_t stack, uintptr_t frame, uintptr_t pc)
{
    if (!t) {
        host_check(a, size, k, frame, pc);
        return !heap.contains(a) && !program.contains(a);
    }
    if (a >= stack && a >= (uintptr_t)t->carrier->low && a + size <= t->carrier->limit)
        return k == READ || may_write_stack(frame, t->carrier->limit, a, size);
    const Launch *l = t->block->launch;
    const bool an_argument = holds({l->args, l->args_bytes}, a, size);
    return k == READ && (an_argument || is_constant(a) || is_own_constant(a, size));
}

/* Returns whether an indirect call of the submission may call this function. */
bool may_enter(const void *function)
{
    static const unsigned char landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
    return !confined || (holds(confined->code, (uintptr_t)function, sizeof landing) &&
                         (!SIMT_LANDINGS || memcmp(function, landing, sizeof landing) == 0));
}

void check_result(const void *p, size_t size, uintptr_t frame, uintptr_t pc)
{
    if (confined && !current)
        host_check((uintptr_t)p, size, WRITE, frame, pc);
}

} // namespace simt

using namespace simt;

static void (*host_function)(void *);
static void *host_argument;

/* The first function on the host code's stack. */
static void host_main(fctx::transfer_t from)
{
    outside = from.fctx;
    host_limit = (uintptr_t)__builtin_frame_address(0);
    host_function(host_argument);
    leave_host();
}

void simt_call_confined(const simt_confinement_t *c, void (*f)(void *), void *argument)
{
    const size_t size = 1 << 20, guard = 64 << 10;
    static char *stack;
    if (!stack) {
        stack = static_cast<char *>(mmap(nullptr, guard + size, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        if (stack == MAP_FAILED || mprotect(stack, guard, PROT_NONE) != 0)
            give_up("memory for the stack of the host code");
    }
    host_low = (uintptr_t)stack + guard;
    host_function = f;
    host_argument = argument;
    confined = c;
    fctx::jump_fcontext(fctx::make_fcontext(stack + guard + size, size, host_main), nullptr);
    confined = nullptr;
}

/* ---- the functions that a submission calls instead of those of the C library ------------------------------- */

#define PC ((uintptr_t)__builtin_return_address(0))
#define FRAME (*static_cast<const uintptr_t *>(__builtin_frame_address(0)))

extern "C" {
void *simt_memcpy(void *to, const void *from, size_t size)
{
    range(const_cast<void *>(from), size, READ, FRAME, PC);
    range(to, size, WRITE, FRAME, PC);
    return memcpy(to, from, size);
}

void *simt_memmove(void *to, const void *from, size_t size)
{
    range(const_cast<void *>(from), size, READ, FRAME, PC);
    range(to, size, WRITE, FRAME, PC);
    return memmove(to, from, size);
}

void *simt_memset(void *to, int value, size_t size)
{
    range(to, size, WRITE, FRAME, PC);
    return memset(to, value, size);
}

/* Refuses %n, which writes through a pointer without a hook.  Returns 0 and not the number of characters, which would
   reveal contents of memory. */
int simt_vprintf(const char *format, va_list arguments)
{
    for (const char *at = format; (at = strchr(at, '%')); ++at) {
        at += 1 + strspn(at + 1, "0123456789$*.'+-# Ihljztq");
        if (*at == 'n' && current)
            fault(current, cudaErrorNotSupported, PC, "printf with %n", "a GPU's printf has none");
        if (*at == 'n') {
            report_host_fault(PC, "printf with %n", "leave it out: it writes through a pointer");
            leave_confined();
            abort();
        }
        if (!*at)
            break;
    }
    vprintf(format, arguments);
    return 0;
}

int simt_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    simt_vprintf(format, arguments);
    va_end(arguments);
    return 0;
}

/* Each thread calls this before the kernel. */
void simt_enter(const void *kernel)
{
    if (!may_enter(kernel))
        fault(current, cudaErrorInvalidDeviceFunction, PC,
              "not a kernel: the launched address is not a function of this file",
              "launch a __global__ function by its name");
}

/* CUDA calls that a launcher may make and a kernel may not, because their writes to memory have no hooks.  The same
   list is in common/classroom/grade/redirected. */
#define HOST_CALL(name, parameters, arguments)                                                                      \
    cudaError_t simt_host_##name parameters                                                                         \
    {                                                                                                               \
        if (current)                                                                                                \
            fault(current, cudaErrorNotSupported, PC, "a kernel calls " #name, "call it in the launcher"); \
        return name arguments;                                                                                      \
    }
HOST_CALL(cudaGetLastError, (void), ())
HOST_CALL(cudaPeekAtLastError, (void), ())
HOST_CALL(cudaGetDevice, (int *device), (device))
HOST_CALL(cudaDeviceGetAttribute, (int *value, cudaDeviceAttr a, int device), (value, a, device))
HOST_CALL(cudaMemsetAsync, (void *to, int value, size_t n, cudaStream_t stream), (to, value, n, stream))
HOST_CALL(cudaFuncSetAttribute, (const void *f, cudaFuncAttribute a, int value), (f, a, value))
HOST_CALL(cudaFuncSetCacheConfig, (const void *f, cudaFuncCache config), (f, config))
HOST_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, const void *f, int block_size, size_t bytes),
          (blocks, f, block_size, bytes))
}
