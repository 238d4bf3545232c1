/*
 * witness.cpp - checks that a hook has reported each access of a submission.
 *
 * The counts come from hooks that the compiler inserts before accesses, and a submission may try to make accesses
 * without hooks.  So the grader inserts three instructions before each access of the compiled submission, unless it is
 * clearly an access to the function's own frame (common/classroom/grade/weave.awk):
 *
 *     lea  address, %r11
 *     call simt_look
 *     nop  of four bytes, of which the last says how many bytes are read or written
 *
 * and refuses an object in which they are missing anywhere (common/classroom/grade/inspect_code.c).  Before an
 * indirect call it inserts a call of simt_land.  Both preserve all registers and flags.  Each write of a submission is
 * checked here before it happens, so the submission cannot change the data of this file.
 *
 * Each byte that a hook announces may be touched once.
 */
#include <algorithm>
#include "internal.hpp"

namespace simt {

void announce(Thread *t, uintptr_t a, size_t size, AccessKind k)
{
    Announced *kept = &t->carrier->announced;
    const uint32_t bytes = (uint32_t)std::min<size_t>(size, UINT32_MAX);
    kept->entry[kept->next++ % Announced::KEPT] = {a, bytes, bytes, k != READ};
}

/* Uses up [a, a + size) of the announced bytes, the latest first.  The compiler may have merged several announced
   accesses into one. */
static bool take(Announced *kept, uintptr_t a, size_t size, bool written)
{
    while (size > 0) {
        size_t part = 0;
        for (unsigned i = 1; i <= Announced::KEPT && part == 0; ++i) {
            auto &e = kept->entry[(kept->next - i) % Announced::KEPT];
            if (e.written != written || a - e.a >= e.size)
                continue;
            part = std::min({size, (size_t)(e.a + e.size - a), (size_t)e.left});
            e.left -= (uint32_t)part;
        }
        if (part == 0)
            return false;
        a += part;
        size -= part;
    }
    return true;
}

static void look_at(uintptr_t a, size_t size, AccessKind k, uintptr_t stack, uintptr_t frame, uintptr_t pc)
{
    Thread *t = current;
    if (!confined || (t && take(&t->carrier->announced, a, size, k != READ)) ||
        may_be_silent(t, a, size, k, stack, frame, pc))
        return;
    if (!t)
        return host_access_fault(a, (unsigned)size, k, pc);
    fault(t, cudaErrorIllegalAddress, pc,
          format("the kernel %s %zu bytes at %p without the simulator's seeing it", k == READ ? "reads" : "writes",
                 size, (void *)a),
          "write the access as plain CUDA C++: it has to be counted");
}

} // namespace simt

using namespace simt;

extern "C" {
/* The assembly below calls this.  stack: the stack pointer of simt_look's caller; back: the return address in it. */
void simt_looked(uintptr_t a, uintptr_t stack, uintptr_t frame, const uint8_t *back)
{
    const unsigned kind = back[3], size = kind & 31;
    if (kind & 32)
        look_at(a, size, READ, stack, frame, (uintptr_t)back);
    if (kind & 64)
        look_at(a, size, WRITE, stack, frame, (uintptr_t)back);
}

/* The quick check, which decides most accesses; it returns false if simt_looked must decide.  It uses no vector
   registers, so these need not be saved. */
__attribute__((target("general-regs-only")))
int simt_glanced(uintptr_t a, uintptr_t stack, uintptr_t frame, unsigned kind)
{
    Thread *t = current;
    const unsigned size = kind & 31;
    if (!t)
        return false;
    if (a >= stack && a + size <= frame)        /* its own frame */
        return true;
    const bool written = kind & 64;
    const Launch *l = t->block->launch;
    const uintptr_t arguments = (uintptr_t)l->args;
    if (!written && a >= arguments && a - arguments < l->args_bytes && size <= l->args_bytes - (a - arguments))
        return true;
    Announced *kept = &t->carrier->announced;
    for (unsigned i = 1; i <= 4 && !(written && kind & 32); ++i) {
        auto &e = kept->entry[(kept->next - i) % Announced::KEPT];
        if (e.written == written && a - e.a < e.size && e.a + e.size - a >= size && e.left >= size) {
            e.left -= size;
            return true;
        }
    }
    return false;
}

void simt_landed(uintptr_t a, uintptr_t, uintptr_t, const uint8_t *back)
{
    if (may_enter((const void *)a))
        return;
    if (current)
        fault(current, cudaErrorInvalidDeviceFunction, (uintptr_t)back, "a call to an address that is not a function",
              "call functions of this file");
    report_host_fault((uintptr_t)back, "a call to an address that is not a function", "call functions of this file");
    leave_confined();
    abort();
}
}

#ifdef __x86_64__
#define EACH_INTEGER(x) x(rax) x(rcx) x(rdx) x(rsi) x(rdi) x(r8) x(r9) x(r10)
#define EACH_INTEGER_BACK(x) x(r10) x(r9) x(r8) x(rdi) x(rsi) x(rdx) x(rcx) x(rax)
#define EACH_VECTOR(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11) x(12) x(13) x(14) x(15)
#define PUSH(r) "push %" #r "\n"
#define POP(r) "pop %" #r "\n"
#define KEEP(n) "movups %xmm" #n ", 16*" #n "(%rsp)\n"
#define RESTORE(n) "movups 16*" #n "(%rsp), %xmm" #n "\n"
/* Preserves all registers and flags of the caller except r11, which the compiler does not use. */
#define KEEPS_ALL(name, does)                                                                       \
    asm(".text\n.globl " name "\n.type " name ", @function\n" name ":\n"                            \
        "push %rbp\npushfq\n" EACH_INTEGER(PUSH) "push %r11\n"                                      \
        "mov %r11, %rdi\nlea 96(%rsp), %rsi\nmov %rbp, %rdx\nmov 88(%rsp), %rcx\n"                  \
        "mov %rsp, %rbp\nsub $256, %rsp\nand $-16, %rsp\n" EACH_VECTOR(KEEP) "cld\ncall " does "\n" \
        EACH_VECTOR(RESTORE) "mov %rbp, %rsp\npop %r11\n" EACH_INTEGER_BACK(POP) "popfq\npop %rbp\nret\n" \
        ".size " name ", . - " name "\n")
KEEPS_ALL("simt_look_slowly", "simt_looked");
KEEPS_ALL("simt_land", "simt_landed");
/* rax was saved before lahf and seto stored the flags in ax. */
#define BACK EACH_INTEGER_BACK(POP) "add $127, %al\nsahf\npop %rax\n"
asm(".text\n.globl simt_look\n.type simt_look, @function\nsimt_look:\n"
    "push %rax\nlahf\nseto %al\n" EACH_INTEGER(PUSH) "push %r11\n"
    "mov %r11, %rdi\nlea 88(%rsp), %rsi\nmov %rbp, %rdx\nmov 80(%rsp), %rcx\nmovzbl 3(%rcx), %ecx\n"
    "cld\ncall simt_glanced\npop %r11\ntest %eax, %eax\nje 1f\n" BACK "ret\n1:\n" BACK "jmp simt_look_slowly\n"
    ".size simt_look, . - simt_look\n");
#endif
