/*
 * division.cpp - integer division by zero: a GPU continues with a meaningless number, an x86 CPU raises SIGFPE.
 *
 * The signal handler skips the division and sets its registers to what a GPU computes: all bits of the quotient are 1,
 * and the remainder is the dividend.  The least integer divided by -1 gives itself, with remainder 0.  Intel's manual,
 * volume 2: the opcodes of DIV and IDIV are F6 and F7, with 6 or 7 in the middle bits of the next byte; prefixes come
 * before the opcode, the address of the divisor after it.
 */
#include "internal.hpp"
#ifdef __x86_64__
#include <ucontext.h>
#endif

namespace simt {

#ifdef __x86_64__

static bool is_prefix(uint8_t byte)
{ return byte == 0x66 || (byte & 0xf0) == 0x40 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 ||
         byte == 0x64 || byte == 0x65; }

/* Returns the address of the instruction after the division whose opcode is at p. */
static const uint8_t *after_operand(const uint8_t *p)
{
    const unsigned mode = p[1] >> 6, where = p[1] & 7;
    const bool index = mode != 3 && where == 4;
    const bool absolute = mode == 0 && (index ? (p[2] & 7) == 5 : where == 5);
    return p + 2 + index + (mode == 1 ? 1 : mode == 2 || absolute ? 4 : 0);
}

bool pass_over_division(void *context)
{
    greg_t *regs = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    const uint8_t *p = (const uint8_t *)regs[REG_RIP];
    unsigned bits = 32;
    for (; is_prefix(*p); ++p)
        bits = (*p & 0xf8) == 0x48 ? 64 : *p == 0x66 ? 16 : bits;
    if ((*p & 0xfe) != 0xf6 || (p[1] >> 3 & 6) != 6)
        return false;
    if (*p == 0xf6)
        bits = 8;
    const bool is_signed = p[1] >> 3 & 1;
    const uint64_t all = bits == 64 ? UINT64_MAX : (1ull << bits) - 1, least = 1ull << (bits - 1);
    uint64_t a = (uint64_t)regs[REG_RAX], d = (uint64_t)regs[REG_RDX];
    const uint64_t high = bits == 8 ? a >> 8 & 0xff : d & all, low = a & all;
    const bool overflows = is_signed && low == least && high == all;
    const uint64_t quotient = overflows ? least : all, remainder = overflows ? 0 : low;
    if (bits == 8) {
        a = (a & ~0xffffull) | remainder << 8 | quotient;
    } else if (bits == 16) {
        a = (a & ~0xffffull) | quotient;
        d = (d & ~0xffffull) | remainder;
    } else {
        a = quotient;
        d = remainder;
    }
    regs[REG_RAX] = (greg_t)a;
    regs[REG_RDX] = (greg_t)d;
    regs[REG_RIP] = (greg_t)after_operand(p);
    return true;
}

#else

bool pass_over_division(void *) { return false; }

#endif

} // namespace simt
