/* check.hpp - checks of accesses, and the texts of reports. */
#ifndef SIMT_CHECK_HPP
#define SIMT_CHECK_HPP

#include "state.hpp"

namespace simt {

/* ---- checks.cpp ---- */
void keep_unread(const Block *b);               /* for simt_watch_unread, when the block has ended */

/* Checks one access of at most 16 bytes; does not return if it is a fault.  relaxed: volatile, no race with atomics. */
void check_global(Thread *t, Region &r, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
void check_shared(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
/* The same for the shared memory of b, a block of t's cluster. */
void check_cluster(Thread *t, Block *b, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
void check_exists(Thread *t, uintptr_t a, size_t bytes, uintptr_t pc);     /* checks only bounds, only in the heap */
void forget_hidden(Launch *l, uintptr_t a, size_t bytes);       /* drops the hidden writes to memory that is freed */
void mark_atomic(Thread *t, Region &r, uintptr_t a, unsigned size);
void initialise(const Thread *t, uintptr_t a, unsigned size);   /* for an access that reads and writes */

/* ---- faults.cpp ---- */
const char *verb(AccessKind k);                 /* "reads" */
std::string name_of(const Thread *t, uintptr_t a, unsigned size);      /* "d_in[17]", "shared s[3]" */
void fault_misaligned(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void fault_uninitialised(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void adds_to_unset(Thread *t, uintptr_t a, unsigned size, uintptr_t pc);    /* reports x += 1 on an unset x */
void fault_bounds(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
[[noreturn]] void fault_constant(Thread *t, unsigned size, uintptr_t pc);
void check_constant(Thread *t, uintptr_t a, unsigned size, uintptr_t pc);   /* faults if the variable has no value */
void constant_given(const void *variable, size_t bytes);    /* the host has copied there, or may do so */
[[noreturn]] void fault_outside(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void has_ended(Thread *t, unsigned size, AccessKind k, uintptr_t pc);   /* a fault: its function has returned */

/* ---- names.cpp ---- */
struct Allocation;
void name_allocation(Allocation *a);            /* names it after the source line that allocated it, if that is known */
/* heap_find(); in the course, if one parameter of the kernel points into the buffer, *out has the parameter's name and
   begins where the parameter points. */
bool heap_find_for(const Launch *l, uintptr_t a, Allocation *out);
/* Returns "d_in[17]", "d_in, on which cudaFree has been called", "memory beside d_in" or "a __device__ variable".  size
   is that of an element; 0: the index is in bytes. */
std::string place_in_memory(uintptr_t a, unsigned size);

/* ---- guard.cpp ---- */
/* Makes the pages of device memory accessible while a kernel runs; pairs with heap_close may nest. */
void heap_open();
void heap_look();                               /* the same for accesses that change nothing (repeats.cpp) */
void heap_close();
void heap_open_more(uintptr_t from, size_t bytes);     /* for a buffer allocated after the kernel began */
/* Opens two ranges while an object lives; ranges outside the heap have no effect. */
class copy_window {
public:
    copy_window(const void *a, size_t a_bytes, const void *b = nullptr, size_t b_bytes = 0);
    ~copy_window();
    copy_window(const copy_window &) = delete;
    copy_window &operator=(const copy_window &) = delete;

private:
    uintptr_t from[2];
    size_t size[2];
};
/* Called when host code is about to access device memory: stores the fault, makes the pages accessible, and returns. */
void host_access_fault(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
/* The same from a signal handler: `at` is the instruction, `does` "reads" or "writes".  Returns false if it is not
   device memory. */
bool host_signal(uintptr_t a, const char *does, void *at);
void heap_forget_fault();

/* ---- confine.cpp ---- */
extern const simt_confinement_t *confined;      /* NULL: code is trusted, as everywhere except in the grader */
/* Faults if the submission may not make this access.  frame: the frame pointer of the hook's caller. */
void confined_check(uintptr_t a, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc);
/* The same for an access that no hook has announced; returns false if a hook should have announced it. */
bool may_be_silent(Thread *t, uintptr_t a, size_t size, AccessKind k, uintptr_t stack, uintptr_t frame, uintptr_t pc);
size_t bytes_of_arguments(const void *args, size_t bytes);
/* Called by a hook: announces this access. */
void announce(Thread *t, uintptr_t a, size_t size, AccessKind k);
/* The same for the result that a CUDA call stores through a pointer. */
void check_result(const void *p, size_t size, uintptr_t frame, uintptr_t pc);
bool may_enter(const void *function);
bool leave_confined();          /* after a fault of host code; returns false if no confined code runs */

/* ---- report.cpp ---- */
/* Stores the first fault and stops the launch.  The caller calls leave_kernel(). */
void report_fault(Thread *t, cudaError_t error, uintptr_t pc, const std::string &what, const std::string &hint);
void report_host_fault(uintptr_t pc, const std::string &what, const std::string &hint);
void report_late(const std::string &report);    /* a fault detected after the access; the kernel is not stopped */
void report_launch(const char *kernel, cudaError_t error, const std::string &what);     /* names the program's line */
/* Reports and leaves the kernel.  The caller's frame is never unwound: hold no string across the call. */
[[noreturn]] void fault(Thread *t, cudaError_t error, uintptr_t pc, std::string what, std::string hint);
cudaError_t sticky_error();
std::string host_place_text(uintptr_t pc);
std::string place_text(Thread *t, uintptr_t pc);    /* a report's lines "in k, block ..." and "at file:line: ..." */

} // namespace simt

#endif
