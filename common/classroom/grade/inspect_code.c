/*
 * inspect_code.c - checks the instructions of a submission.  See object.h
 *
 * A memory access is allowed if it is at a fixed position of the function's own frame, or if a call of the witness
 * (simt/check/witness.cpp), inserted by weave.awk, precedes it.  No program that made the object is trusted: if the
 * assembler or weave.awk was misled, the call is missing, and the object is refused.
 *
 * All reachable code is read: from the addresses at which a call may arrive, along jumps and past calls.  A call of the
 * witness and its access count as one instruction, so a jump between them reaches an access without the call.  For each
 * instruction the stack pointer's position is known: at the return address (OUTSIDE), or at least a number of bytes
 * below the frame pointer, and whether exactly that number.  So a function always returns to its caller.
 */
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"

enum { UNSEEN, OUTSIDE, INSIDE, MOST_DEEP = 1 << 24, PAGE = 4096 };

typedef struct code {
    object_t *o;
    csh disassembler;
    int *state;        /* for each byte: the state if an instruction begins there (UNSEEN, ...) */
    uint32_t *waiting; /* instructions that are not yet inspected, a ring buffer */
    uint64_t waits;
} code_t;

/* The relocation of an instruction, or NULL. */
static const GElf_Rela *relocation_of(const code_t *c, const cs_insn *in)
{
    for (unsigned i = 0; i < in->size; ++i)
        if (c->o->relocation[in->address + i].r_info) return &c->o->relocation[in->address + i];
    return NULL;
}

/* Whether these bytes are in the code and are not changed by the linker. */
static bool has_bytes(const code_t *c, uint64_t at, const uint8_t *bytes, size_t count)
{
    bool same = at + count <= c->o->text.size;
    for (size_t i = 0; i < count && same; ++i)
        same = c->o->text.bytes[at + i] == bytes[i] && !(c->o->marks[at + i] & LINKED);
    return same;
}

static int inside(int64_t depth, bool exact) { return INSIDE + (int)depth * 2 + exact; }
static int64_t depth_of(int state) { return (state - INSIDE) / 2; }
static bool is_exact(int state) { return (state - INSIDE) % 2; }

static const char *function_at(const code_t *c, uint64_t at)
{
    const char *name = "its code";
    for (size_t i = 1; i < c->o->symbol_count; ++i) {
        GElf_Sym s;
        if (gelf_getsym(c->o->symbols, (int)i, &s) && GELF_ST_TYPE(s.st_info) == STT_FUNC && s.st_value <= at &&
            at - s.st_value < s.st_size)
            name = symbol_name(c->o, &s);
    }
    return name;
}

static void refuse_at(code_t *c, uint64_t at, const char *what)
{
    char begin[200];
    snprintf(begin, sizeof begin, "%s in ", what);
    refuse(c->o, begin, function_at(c, at), ": a submission may not do this");
}

/* Records that the instruction at `at` is reached in that state. */
static void reach(code_t *c, uint64_t at, int state)
{
    if (at >= c->o->text.size) {
        refuse(c->o, "jumps to an address outside of its code", "", "");
        return;
    }
    int *known = &c->state[at], before = *known;
    if (before == UNSEEN) *known = state;
    else if ((before == OUTSIDE) != (state == OUTSIDE)) refuse_at(c, at, "has code outside of all functions");
    else if (before != state) {
        const int64_t a = depth_of(before), b = depth_of(state);
        *known = inside(a < b ? a : b, false);
    }
    if (*known == before || c->o->marks[at] & WAITS) return;
    c->o->marks[at] |= WAITS;
    c->waiting[c->waits++ % c->o->text.size] = (uint32_t)at;
}

/* The target of a jump or call in the code; false, and the symbol, if it is outside. */
static bool leads_inside(const code_t *c, const cs_insn *in, uint64_t *target, const char **outside)
{
    const GElf_Rela *r = relocation_of(c, in);
    GElf_Sym s;
    *outside = "";
    *target = (uint64_t)in->detail->x86.operands[0].imm;
    if (!r) return true;
    if (!relocation_symbol(c->o, r, &s)) return false;
    *target = s.st_shndx == c->o->text.index ? s.st_value + (uint64_t)(r->r_addend + 4) : UINT64_MAX;
    *outside = symbol_name(c->o, &s);
    return s.st_shndx != SHN_UNDEF;
}

/* The section and offset of an address that is relative to the instruction. */
static size_t section_of(const code_t *c, const cs_insn *in, int64_t *place)
{
    const GElf_Rela *r = relocation_of(c, in);
    GElf_Sym s;
    if (!r || !relocation_symbol(c->o, r, &s)) return SHN_UNDEF;
    *place = (int64_t)s.st_value + r->r_addend + (int64_t)(in->address + in->size - r->r_offset);
    return s.st_shndx;
}

static const cs_x86_op *memory_operand(const cs_insn *in)
{
    const cs_x86 *x = &in->detail->x86;
    if (in->id == X86_INS_LEA || in->id == X86_INS_NOP || !strncmp(in->mnemonic, "prefetch", 8)) return NULL;
    for (int i = 0; i < x->op_count; ++i)
        if (x->operands[i].type == X86_OP_MEM) return &x->operands[i];
    return NULL;
}

static bool is_in_group(const cs_insn *in, unsigned group)
{
    return memchr(in->detail->groups, (int)group, in->detail->groups_count);
}

static bool is_r64(x86_reg r)
{
    return r == X86_REG_INVALID || r == X86_REG_RAX || r == X86_REG_RBX || r == X86_REG_RCX || r == X86_REG_RDX ||
           r == X86_REG_RSI || r == X86_REG_RDI || r == X86_REG_RBP || r == X86_REG_RSP ||
           (r >= X86_REG_R8 && r <= X86_REG_R15 && r != X86_REG_R11);
}

static bool is_one_of(const char *list, const char *mnemonic)
{
    char word[40];
    snprintf(word, sizeof word, " %.30s ", mnemonic);
    return strstr(list, word);
}

/* The description of an access for simt_look (witness.cpp): its size in bytes, plus 32 for a read, plus 64 for a write;
 * 0 if it is refused.  capstone does not always report that an instruction writes to its first operand. */
static unsigned kind_of(const cs_insn *in, const cs_x86_op *op)
{
    const bool first = op == &in->detail->x86.operands[0];
    const bool sse = is_in_group(in, X86_GRP_SSE1) || is_in_group(in, X86_GRP_SSE2);
    unsigned kind;
    if (!first || is_one_of(" cmp test push bt mul imul div idiv ", in->mnemonic)) kind = 32;
    else if (is_in_group(in, X86_GRP_FPU)) kind = is_one_of(" fst fstp fist fistp ", in->mnemonic) ? 64 : 32;
    else kind = !sse && op->access & CS_AC_READ ? 32 | 64 : 64;
    const x86_op_mem *m = &op->mem;
    const bool plain =
        m->segment == X86_REG_INVALID && (m->base == X86_REG_RIP || is_r64(m->base)) && is_r64(m->index);
    const bool far = first && in->mnemonic[0] == 'b' && in->detail->x86.operands[1].type == X86_OP_REG; /* bts */
    return plain && !far && op->size > 0 && (op->size <= 8 || op->size == 10 || op->size == 16) ? kind | op->size : 0;
}

/* Whether an access needs no witness: it is at a constant offset in its own frame, reads a constant of the compiler, or
 * probes a new stack page. */
static bool is_plain(const code_t *c, const cs_insn *in, const cs_x86_op *op, int state)
{
    const x86_op_mem *m = &op->mem;
    const cs_x86_op *last = &in->detail->x86.operands[in->detail->x86.op_count - 1];
    int64_t place = 0;
    if (state < INSIDE || m->segment != X86_REG_INVALID || m->index != X86_REG_INVALID) return false;
    if (m->base == X86_REG_RBP) return m->disp + (int64_t)op->size <= 0 && m->disp > -10000;
    if (m->base == X86_REG_RIP)
        return op != &in->detail->x86.operands[0] && section_of(c, in, &place) == c->o->constants.index && place >= 0 &&
               place + op->size <= (int64_t)c->o->constants.size;
    return m->base == X86_REG_RSP && m->disp == 0 && in->id == X86_INS_OR && last->type == X86_OP_IMM && last->imm == 0;
}

/* The instructions that a compiler generates for C++: no system calls, clocks, string instructions or newer instruction
 * sets. */
static bool is_known(const cs_insn *in)
{
    static const char PLAIN[] =
        " mov movabs movzx movsx movsxd lea add adc sub sbb and or xor not neg inc dec mul imul div idiv shl sal shr sar"
        " rol ror rcl rcr shld shrd cmp test bt bts btr btc bsf bsr bswap cdq cqo cdqe cwde cbw cwd xchg push pop leave"
        " nop endbr64 ud2 sahf lahf fnstcw fnstsw sete setne seta setae setb setbe setg setge setl setle sets setns setp"
        " setnp seto setno call ret ";
    static const uint8_t GROUPS[] = {X86_GRP_JUMP, X86_GRP_SSE1, X86_GRP_SSE2, X86_GRP_CMOV, X86_GRP_FPU};
    const bool fpu_registers = in->mnemonic[0] == 'f' && !memory_operand(in);
    bool known = fpu_registers || is_one_of(PLAIN, in->mnemonic);
    for (size_t i = 0; i < sizeof GROUPS; ++i) known = known || is_in_group(in, GROUPS[i]);
    return known && !is_one_of(" ljmp maskmovdqu clflush fnsave frstor fldenv fnstenv ", in->mnemonic);
}

static bool is_stack_pointer(unsigned r)
{
    return r == X86_REG_RSP || r == X86_REG_ESP || r == X86_REG_SP || r == X86_REG_SPL || r == X86_REG_RBP ||
           r == X86_REG_EBP || r == X86_REG_BP || r == X86_REG_BPL;
}

static bool writes_stack_pointers(const code_t *c, const cs_insn *in)
{
    const cs_x86_op *first = &in->detail->x86.operands[0];
    cs_regs read, written;
    uint8_t reads, count;
    bool writes = in->detail->x86.op_count > 0 && first->type == X86_OP_REG && is_stack_pointer(first->reg) &&
                  !is_one_of(" cmp test ", in->mnemonic);
    if (cs_regs_access(c->disassembler, in, read, &reads, written, &count)) return true;
    for (int i = 0; i < count; ++i) writes = writes || is_stack_pointer(written[i]);
    return writes;
}

/* The state after an instruction that moves the stack pointer or frame pointer; UNSEEN: forbidden. */
static int moved(const cs_insn *in, int state)
{
    const cs_x86_op *to = &in->detail->x86.operands[0], *from = &in->detail->x86.operands[1];
    if (state < INSIDE) return UNSEEN;
    int64_t depth = depth_of(state);
    bool exact = is_exact(state);
    const bool stack = in->detail->x86.op_count == 2 && to->type == X86_OP_REG && to->reg == X86_REG_RSP;
    const bool constant = stack && from->type == X86_OP_IMM;
    if (in->id == X86_INS_LEAVE) return OUTSIDE;
    if (in->id == X86_INS_PUSH && to->size == 8) depth += 8;
    else if (in->id == X86_INS_POP && to->type == X86_OP_REG && to->reg == X86_REG_RBP)
        return exact && depth == 0 ? OUTSIDE : UNSEEN;
    else if (in->id == X86_INS_POP && to->type == X86_OP_REG && to->size == 8 && to->reg != X86_REG_RSP) depth -= 8;
    else if (constant && in->id == X86_INS_SUB && from->imm <= PAGE) depth += from->imm; /* not past a guard page */
    else if (constant && in->id == X86_INS_ADD) depth -= from->imm;
    else if (constant && in->id == X86_INS_AND && from->imm < 0) exact = false;
    else if (stack && in->id == X86_INS_LEA && from->mem.base == X86_REG_RBP && from->mem.index == X86_REG_INVALID &&
             -from->mem.disp <= depth)
        depth = -from->mem.disp, exact = true;
    else return UNSEEN;
    return depth >= 0 && depth < MOST_DEEP ? inside(depth, exact) : UNSEEN;
}

static bool decode(const code_t *c, uint64_t at, cs_insn *in)
{
    const uint8_t *code = c->o->text.bytes + at;
    size_t left = at < c->o->text.size ? c->o->text.size - at : 0;
    if (!left || !cs_disasm_iter(c->disassembler, &code, &left, &at, in)) return false;
    /* The linker may write a whole address or a whole distance here. */
    const cs_x86_encoding *e = &in->detail->x86.encoding;
    unsigned linked = 0;
    for (unsigned i = 0; i < in->size; ++i) linked += (c->o->marks[in->address + i] & LINKED) != 0;
    return !linked || (linked == 4 && ((e->disp_offset && c->o->relocation[in->address + e->disp_offset].r_info) ||
                                       (e->imm_offset && c->o->relocation[in->address + e->imm_offset].r_info)));
}

static bool calls(const code_t *c, const cs_insn *in, const char *name)
{
    uint64_t target;
    const char *outside;
    return in->id == X86_INS_CALL && in->detail->x86.operands[0].type == X86_OP_IMM &&
           !leads_inside(c, in, &target, &outside) && !strcmp(outside, name);
}

static bool same_place(const code_t *c, const cs_insn *a, const x86_op_mem *m, size_t section, int64_t place)
{
    const cs_x86_op *op = memory_operand(a);
    int64_t other = 0;
    if (!op || op->mem.base != m->base || op->mem.index != m->index || op->mem.scale != m->scale) return false;
    if (m->base != X86_REG_RIP) return op->mem.disp == m->disp;
    return section != SHN_UNDEF && section_of(c, a, &other) == section && other == place;
}

/* Handles lea PLACE, %r11; call simt_look; nop; access to PLACE: stores the description of the access in the nop,
 * and sets `in` to the access. */
static bool is_looked_at(code_t *c, cs_insn *in)
{
    const cs_x86 *x = &in->detail->x86;
    if (in->id != X86_INS_LEA || x->operands[0].reg != X86_REG_R11) return false;
    const x86_op_mem m = x->operands[1].mem;
    int64_t place = 0;
    const size_t section = m.base == X86_REG_RIP ? section_of(c, in, &place) : 0;
    const uint64_t lea = in->address, call = lea + in->size, nop = call + 5, access = nop + 4;
    static const uint8_t NOP[] = {0x0f, 0x1f, 0x40};
    if (decode(c, call, in) && in->size == 5 && calls(c, in, "simt_look") && has_bytes(c, nop, NOP, sizeof NOP) &&
        !(c->o->marks[nop + 3] & LINKED) && decode(c, access, in) && same_place(c, in, &m, section, place)) {
        c->o->text.bytes[nop + 3] = (uint8_t)kind_of(in, memory_operand(in));
        if (c->o->text.bytes[nop + 3]) return true;
        refuse_at(c, access, "has an access that cannot be counted");
    }
    decode(c, lea, in);
    return false;
}

/* Follows a jump, a call or a return.  False for other instructions. */
static bool follow(code_t *c, const cs_insn *in, int state)
{
    const uint64_t at = in->address, next = at + in->size;
    const bool call = in->id == X86_INS_CALL, jump = cs_insn_group(c->disassembler, in, X86_GRP_JUMP);
    uint64_t target;
    const char *outside;
    if (in->id == X86_INS_UD2) return true;
    if (in->id == X86_INS_RET) {
        if (state != OUTSIDE || in->detail->x86.op_count) refuse_at(c, at, "returns without freeing its stack frame");
        return true;
    }
    if (!call && !jump) return false;
    if (in->detail->x86.operands[0].type != X86_OP_IMM) {
        refuse_at(c, at, call ? "calls a function through a pointer" : "jumps through a pointer");
        return true;
    }
    if (leads_inside(c, in, &target, &outside)) reach(c, target, call ? OUTSIDE : state);
    else if (jump && state != OUTSIDE) refuse_at(c, at, "jumps out of a function");
    if (call && calls(c, in, "__sanitizer_cov_trace_pc")) c->o->marks[at] |= HAS_MARK;
    if (jump && in->id != X86_INS_JMP) c->o->marks[at] |= HAS_JUMP;
    if (in->id == X86_INS_JMP || calls(c, in, "abort") || calls(c, in, "__assert_fail")) return true;
    if (call && state < INSIDE) refuse_at(c, at, "calls a function without a stack frame");
    reach(c, next, state);
    return true;
}

/* Handles a call of simt_land, which call *%r11 must follow. */
static bool is_landing(code_t *c, cs_insn *in, int state)
{
    if (!calls(c, in, "simt_land") || state < INSIDE) return false;
    static const uint8_t CALL[] = {0x41, 0xff, 0xd3};
    const uint64_t next = in->address + in->size;
    if (!has_bytes(c, next, CALL, sizeof CALL)) return false;
    reach(c, next + sizeof CALL, state);
    return true;
}

/* The first two instructions of a function, which create its frame. */
static bool is_beginning(code_t *c, const cs_insn *in, int state)
{
    static const uint8_t MOVE[] = {0x48, 0x89, 0xe5};
    const uint64_t next = in->address + in->size;
    if (state != OUTSIDE || in->id != X86_INS_PUSH || in->detail->x86.operands[0].reg != X86_REG_RBP ||
        !has_bytes(c, next, MOVE, sizeof MOVE))
        return false;
    reach(c, next + sizeof MOVE, inside(0, true));
    return true;
}

static void look_at_instruction(code_t *c, cs_insn *in, uint64_t at, int state)
{
    if (!decode(c, at, in)) {
        refuse_at(c, at, "has machine code that the grader cannot decode");
        return;
    }
    const bool seen = is_looked_at(c, in);
    if (!is_known(in)) {
        char what[100];
        snprintf(what, sizeof what, "has the instruction %s", in->mnemonic);
        refuse_at(c, in->address, what);
        return;
    }
    if (is_beginning(c, in, state) || is_landing(c, in, state) || follow(c, in, state)) return;
    const cs_x86_op *op = memory_operand(in);
    if (op && !is_plain(c, in, op, state) && (!seen || state < INSIDE))
        refuse_at(c, in->address,
                  op->mem.base == X86_REG_INVALID && op->mem.index == X86_REG_INVALID
                      ? "uses a constant as an address"
                      : "reads or writes memory without the simulator's seeing it");
    if (writes_stack_pointers(c, in)) {
        state = moved(in, state);
        if (state == UNSEEN) {
            refuse_at(c, in->address, "has a stack frame of variable size (alloca, an array of variable length)");
            return;
        }
    }
    reach(c, in->address + in->size, state);
}

/* Refuses a function with jumps but without coverage calls: its endless loops would not be noticed. */
static void look_at_marks(code_t *c)
{
    for (size_t i = 1; i < c->o->symbol_count; ++i) {
        GElf_Sym s;
        if (!gelf_getsym(c->o->symbols, (int)i, &s) || GELF_ST_TYPE(s.st_info) != STT_FUNC) continue;
        const uint64_t end = s.st_shndx == c->o->text.index ? s.st_value + s.st_size : 0;
        unsigned marks = 0;
        for (uint64_t at = s.st_value; at < end && at < c->o->text.size; ++at) marks |= c->o->marks[at];
        if ((marks & (HAS_JUMP | HAS_MARK)) == HAS_JUMP)
            refuse_at(c, s.st_value, "has code that the simulator does not see");
    }
}

static void look_at_all(code_t *c)
{
    static const uint8_t LANDING[] = {0xf3, 0x0f, 0x1e, 0xfa}; /* ENDBR64: a target of indirect calls */
    cs_insn *in = cs_malloc(c->disassembler);
    for (uint64_t at = 0; at + sizeof LANDING <= c->o->text.size; ++at)
        if (!memcmp(c->o->text.bytes + at, LANDING, sizeof LANDING)) reach(c, at, OUTSIDE);
    for (uint64_t done = 0; done < c->waits && c->o->found < 100; ++done) {
        const uint64_t at = c->waiting[done % c->o->text.size];
        c->o->marks[at] &= (uint8_t)~WAITS;
        look_at_instruction(c, in, at, c->state[at]);
    }
    cs_free(in, 1);
    look_at_marks(c);
}

int look_at_code(object_t *o)
{
    code_t c = {.o = o};
    c.state = calloc(o->text.size + 1, sizeof *c.state);
    c.waiting = calloc(o->text.size + 1, sizeof *c.waiting);
    const bool ready = c.state && c.waiting && !cs_open(CS_ARCH_X86, CS_MODE_64, &c.disassembler) &&
                       !cs_option(c.disassembler, CS_OPT_DETAIL, CS_OPT_ON);
    if (ready) look_at_all(&c);
    if (c.disassembler) cs_close(&c.disassembler);
    free(c.state);
    free(c.waiting);
    return ready ? 0 : -1;
}
