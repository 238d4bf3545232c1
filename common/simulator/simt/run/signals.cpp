/*
 * signals.cpp - turns the processor's signals into reports of faults that the hooks miss.
 */
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include "internal.hpp"

namespace simt {

/* A stack overflow faults on the guard page below the thread's stack, so the handler needs a separate stack.  before:
   the handlers that ours replaced. */
static struct sigaction before[NSIG];

/* Returns whether the faulting access was a read or a write, from the processor's error code where we can decode it. */
static const char *what_was_done(void *context)
{
#ifdef __x86_64__
    return static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2 ? "writes" : "reads";
#else
    return (void)context, "touches";
#endif
}

static void *place_of_signal(void *context)
{
#ifdef __x86_64__
    return (void *)static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (void *)static_cast<ucontext_t *>(context)->uc_mcontext.pc;
#else
    return (void)context, nullptr;
#endif
}

/* Reports a crash of an unchecked program: without hooks only the kernel's name is known.  Async-signal-safe. */
[[noreturn]] static void say_unchecked(int number, const Thread *t)
{
    static const char before[] = "simt: crash in ";
    static const char behind[] = ", of an unchecked program: build it without --unchecked, and a report says where\n";
    const char *const where = t ? t->block->launch->name : "host code";
    if (write(STDERR_FILENO, before, sizeof before - 1) >= 0 && write(STDERR_FILENO, where, strlen(where)) >= 0 &&
        write(STDERR_FILENO, behind, sizeof behind - 1) >= 0) {}
    signal(number, SIG_DFL);
    raise(number);
    _exit(128 + number);
}

/* Handles a division by zero in a kernel.  Returns true if the kernel continues after the division. */
static bool divides(Thread *t, uintptr_t pc, void *context)
{
    const char *what = "integer division by zero, or of the least integer by -1";
    const char *hint = "test the divisor: a GPU continues with a meaningless number";
    if (!unchecked() && !settings.lenient)
        fault(t, cudaErrorLaunchFailure, pc, what, hint);
    if (!unchecked() && !said_before(pc))
        pass(t, WARNING, pc, what, hint);
    return pass_over_division(context);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    Thread *t = current;
    if (unchecked() && number == SIGFPE && t && t->carrier && divides(t, 0, context))
        return;
    if (unchecked())
        say_unchecked(number, t);
    if (t && t->carrier) {
        uintptr_t a = (uintptr_t)info->si_addr;
        uintptr_t pc = t->n_events ? program_base() + t->events[t->n_events - 1].pc : 0;     /* 0 unless counting */
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, number);
        pthread_sigmask(SIG_UNBLOCK, &set, nullptr);    /* the handler does not return */
        if (number == SIGFPE && divides(t, a, context))
            return;
        if (a < (uintptr_t)t->carrier->low && a >= (uintptr_t)t->carrier->low - guard_bytes())
            fault(t, cudaErrorHardwareStackError, pc,
                  format("stack overflow: the thread's local variables and calls need more than %zu KiB",
                         (size_t)(t->carrier->high - t->carrier->low) >> 10),
                  "end the recursion, or move the large local array to shared or global memory");
        Allocation al;
        if (heap.contains(a) && heap_find_for(t->block->launch, a, &al) && al.read_only)
            fault(t, cudaErrorIllegalAddress, pc, "read-only memory: writes " + al.name,
                  "it is input: write to the output or to scratch memory");
        fault(t, cudaErrorIllegalAddress, pc, format("illegal address %p", (void *)a),
              "a wild pointer, in a place that is not checked");
    }
    if (number == SIGSEGV && !t &&
        host_signal((uintptr_t)info->si_addr, what_was_done(context), place_of_signal(context)))
        return;
    sigaction(number, &before[number], nullptr);        /* not a kernel's fault: the old handler gets it again */
}

void use_signal_stack(void)
{
    const size_t size = 256 << 10;
    stack_t s = {};
    s.ss_sp = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s.ss_sp == MAP_FAILED)
        give_up("memory for a signal's stack");
    s.ss_size = size;
    sigaltstack(&s, nullptr);
}

void catch_signals()
{
    struct sigaction sa = {};
    sa.sa_sigaction = on_signal;
    sa.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE}) {
        struct sigaction now;
        sigaction(number, nullptr, &now);
        if (now.sa_sigaction != on_signal) {
            before[number] = now;
            sigaction(number, &sa, nullptr);
        }
    }
}

} // namespace simt
