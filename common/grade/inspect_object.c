/*
 * inspect_object.c - the object file of a submission.  See inspect.h
 *
 * What is looked at: sections and symbols, what relocations point to, and every instruction.  The file was compiled by
 * build.sh with flags that make the last possible: a frame pointer in every function, no jump tables, copies and
 * fills as calls, an ENDBR64 wherever an indirect call may land, a trap where an array's index is beyond its type.
 *
 * An access to memory is fine if it is to the function's own frame (rbp or rsp and a constant, within), through a
 * register that holds an address of a local array or of a variable of the file, whichever way control came there, or if
 * as many bytes have been announced by calls since the basic block began.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inspect.h"

enum { MOST_SAID = 3, MOST_PATTERNS = 64, LONGEST = 4096 };

typedef struct object {
    const char *name, *entry;
    Elf *elf;
    Elf_Data *symbols;
    size_t symbol_count, strings, section_names;
    regex_t allowed[MOST_PATTERNS];
    int patterns, said, found;
    csh disassembler;
} object_t;

static void refuse(object_t *o, const char *what, const char *word, const char *after)
{
    ++o->found;
    if (o->said++ < MOST_SAID) printf("%s: %s%s%s\n", o->name, what, word, after);
}

static bool is_allowed(const object_t *o, const char *symbol)
{
    for (int i = 0; i < o->patterns; ++i)
        if (!regexec(&o->allowed[i], symbol, 0, NULL, 0)) return true;
    return false;
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static bool begins_with_one_of(const char *text, const char *const *list)
{
    for (; *list; ++list)
        if (begins(text, *list)) return true;
    return false;
}

/* ---- sections and symbols ---------------------------------------------------------------------- */

/* The sanitizer's own constructor is the one entry of .init_array.00099; build.sh drops that section. */
static void look_at_sections(object_t *o)
{
    static const char *const FINE[] = {".text", ".rodata", ".data", ".bss", ".eh_frame", ".rela", ".debug_", ".comment",
                                       ".note.", ".symtab", ".strtab", ".shstrtab", ".group", "simt_device",
                                       "simt_constant", ".tm_clone_table", NULL};
    for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));) {
        GElf_Shdr h;
        if (!gelf_getshdr(s, &h)) continue;
        const char *name = elf_strptr(o->elf, o->section_names, h.sh_name);
        if (!name) name = "?";
        if (!strcmp(name, ".init_array.00099") && h.sh_size <= 8) continue;
        if (begins(name, ".init_array") || begins(name, ".fini_array") || begins(name, ".ctors") ||
            begins(name, ".dtors"))
            refuse(
                o,
                "has code that runs before or after main (a global object with a constructor?), which a submission may not",
                "", "");
        else if (h.sh_flags & SHF_TLS) refuse(o, "has a thread_local variable, which a submission may not", "", "");
        else if (*name && !begins_with_one_of(name, FINE))
            refuse(o, "has a section ", name, ", which a submission may not");
    }
}

static const char *symbol_name(const object_t *o, const GElf_Sym *s)
{
    const char *name = elf_strptr(o->elf, o->strings, s->st_name);
    return name ? name : "";
}

/* What is called must be on the list, whatever its binding; what is defined must not look like something of the list.
 */
static void look_at_symbols(object_t *o)
{
    bool entry = false;
    for (size_t i = 1; i < o->symbol_count; ++i) {
        GElf_Sym s;
        if (!gelf_getsym(o->symbols, (int)i, &s)) continue;
        const char *name = symbol_name(o, &s);
        const int type = GELF_ST_TYPE(s.st_info), binding = GELF_ST_BIND(s.st_info);
        if (s.st_shndx == SHN_UNDEF) {
            if (!*name) continue;
            if (binding != STB_GLOBAL) refuse(o, "has a weak reference to ", name, ", which a submission may not");
            else if (!is_allowed(o, name)) refuse(o, "calls ", name, ", which a submission may not");
            continue;
        }
        if (type == STT_FILE || type == STT_SECTION) continue;
        if (type == STT_GNU_IFUNC) refuse(o, "has an indirect function ", name, ", which a submission may not");
        else if (type == STT_TLS) refuse(o, "has a thread_local variable ", name, ", which a submission may not");
        else if (is_allowed(o, name) || begins(name, "simt_") || begins(name, "__tsan") || begins(name, "__sanitizer"))
            refuse(o, "defines ", name, ", which a submission may not");
        if (!strcmp(name, o->entry) && binding == STB_GLOBAL && type == STT_FUNC) entry = true;
    }
    if (!entry) refuse(o, "has no function ", o->entry, ": the last line of the skeleton makes it");
}

/* ---- relocations -------------------------------------------------------------------------------- */

/* Where a relocation points lies within what it names; functions from outside are only called. */
static void look_at_relocation(object_t *o, const GElf_Rela *r)
{
    GElf_Sym s;
    const unsigned type = (unsigned)GELF_R_TYPE(r->r_info);
    if (!gelf_getsym(o->symbols, (int)GELF_R_SYM(r->r_info), &s)) return;
    const int64_t addend = r->r_addend + (type == R_X86_64_PC32 || type == R_X86_64_PLT32 ? 4 : 0);
    if (s.st_shndx == SHN_UNDEF) {
        if (type != R_X86_64_PLT32 || addend != 0)
            refuse(o, "takes the address of ", symbol_name(o, &s), ", which a submission may not");
        return;
    }
    GElf_Shdr h;
    Elf_Scn *section = elf_getscn(o->elf, s.st_shndx);
    if (s.st_shndx >= SHN_LORESERVE || !section || !gelf_getshdr(section, &h)) return;
    const int64_t at = (int64_t)s.st_value + addend;
    /* An instruction's address is counted from its end, which may be 4 bytes behind an immediate. */
    if (at < -8 || at > (int64_t)h.sh_size + 8)
        refuse(o, "has the address of a place outside of its own variables", "", "");
}

static void look_at_relocations(object_t *o)
{
    for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));) {
        GElf_Shdr h, target;
        if (!gelf_getshdr(s, &h) || h.sh_type != SHT_RELA) continue;
        Elf_Scn *of = elf_getscn(o->elf, h.sh_info);
        if (!of || !gelf_getshdr(of, &target) || !(target.sh_flags & SHF_ALLOC)) continue; /* debug information */
        const char *name = elf_strptr(o->elf, o->section_names, target.sh_name);
        if (name && (begins(name, ".init_array.00099") || begins(name, ".eh_frame"))) continue;
        Elf_Data *d = elf_getdata(s, NULL);
        for (size_t i = 0; d && h.sh_entsize && i < h.sh_size / h.sh_entsize; ++i) {
            GElf_Rela r;
            if (gelf_getrela(d, (int)i, &r)) look_at_relocation(o, &r);
        }
    }
}

/* ---- instructions ------------------------------------------------------------------------------- */

/*
 * What is known in front of an instruction, whichever way led there: which registers and which 8-byte places of the
 * frame hold an address of this stack or of the file's own variables, and how many bytes have been announced since the
 * basic block began.
 */
typedef struct known {
    uint32_t own;   /* a bit for each of rax ... r15 */
    uint64_t slots; /* a bit for each of walk_t's slots */
    int announced;
} known_t;

enum { SLOTS = 64, RANGE = 1 << 20 };

typedef struct walk {
    object_t *o;
    const char *function;
    bool ours;         /* the stand-in's own launch: it reads the arguments, and calls the kernel */
    bool counts_blocks;
    int64_t frame;     /* bytes below the frame pointer */
    int64_t slot[SLOTS];
    int slots;
    cs_insn *in;
    size_t n;
    known_t *known;
    Elf_Data *relocations;
    size_t relocation_count;
} walk_t;

static const x86_reg REGISTERS[][4] = {
    {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL},      {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL},
    {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL},      {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL},
    {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},     {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
    {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},     {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
    {X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B},     {X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B},
    {X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B}, {X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B},
    {X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B}, {X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B},
    {X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B}, {X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B}};

/* The bit of a register, whatever its width; 0 for none and for those of vectors. */
static uint32_t bit(x86_reg r)
{
    for (int i = 0; i < 16; ++i)
        for (int k = 0; k < 4; ++k)
            if (REGISTERS[i][k] == r) return 1u << i;
    if (r == X86_REG_AH) return bit(X86_REG_RAX);
    if (r == X86_REG_BH) return bit(X86_REG_RBX);
    if (r == X86_REG_CH) return bit(X86_REG_RCX);
    return r == X86_REG_DH ? bit(X86_REG_RDX) : 0;
}

/* What a call may change. */
static uint32_t lost_in_calls(void)
{
    return ~(bit(X86_REG_RBX) | bit(X86_REG_RBP) | bit(X86_REG_RSP) | bit(X86_REG_R12) | bit(X86_REG_R13) |
             bit(X86_REG_R14) | bit(X86_REG_R15));
}

static const char *symbol_at(const walk_t *w, const cs_insn *in)
{
    for (size_t i = 0; i < w->relocation_count; ++i) {
        GElf_Rela r;
        GElf_Sym s;
        if (gelf_getrela(w->relocations, (int)i, &r) && r.r_offset >= in->address &&
            r.r_offset < in->address + in->size && gelf_getsym(w->o->symbols, (int)GELF_R_SYM(r.r_info), &s))
            return symbol_name(w->o, &s);
    }
    return "";
}

/* How many bytes a call to it announces. */
static int announces(const char *hook)
{
    static const char *const HOOKS[] = {"__tsan_read",           "__tsan_write",
                                        "__tsan_unaligned_read", "__tsan_unaligned_write",
                                        "__tsan_volatile_read",  "__tsan_volatile_write"};
    for (size_t i = 0; i < sizeof HOOKS / sizeof *HOOKS; ++i)
        if (begins(hook, HOOKS[i])) return strstr(hook, "_range") ? RANGE : atoi(hook + strlen(HOOKS[i]));
    return 0;
}

/* The slot at that distance from the frame pointer, or -1; make: it becomes one if there is room. */
static int slot_of(walk_t *w, const x86_op_mem *m, bool make)
{
    if (m->base != X86_REG_RBP || m->index != X86_REG_INVALID) return -1;
    for (int i = 0; i < w->slots; ++i)
        if (w->slot[i] == m->disp) return i;
    if (!make || w->slots == SLOTS) return -1;
    w->slot[w->slots] = m->disp;
    return w->slots++;
}

/* Is the address that of something of the submission's own, held within by a trap on the index? */
static bool is_own(const known_t *k, const x86_op_mem *m)
{
    return m->base == X86_REG_RIP || (k->own & bit(m->base)) ||
           (m->index != X86_REG_INVALID && m->scale == 1 && (k->own & bit(m->index)));
}

/* Does the register, or the place in the frame, hold such an address? */
static bool holds_own(walk_t *w, const known_t *k, const cs_x86_op *op)
{
    if (op->type == X86_OP_REG) return k->own & bit(op->reg);
    const int slot = op->type == X86_OP_MEM ? slot_of(w, &op->mem, false) : -1;
    return slot >= 0 && (k->slots >> slot & 1);
}

/* What is known after the instruction. */
static known_t after(walk_t *w, const cs_insn *in, known_t k)
{
    const cs_x86 *x = &in->detail->x86;
    const x86_op_mem *from = x->op_count == 2 && x->operands[1].type == X86_OP_MEM ? &x->operands[1].mem : NULL;
    const x86_op_mem *to = x->op_count > 0 && x->operands[0].type == X86_OP_MEM ? &x->operands[0].mem : NULL;
    if (in->id == X86_INS_CALL) {
        const char *called = symbol_at(w, in);
        k.own &= ~lost_in_calls();
        if (!strcmp(called, "__sanitizer_cov_trace_pc")) {
            k.announced = 0;
            w->counts_blocks = true;
        }
        k.announced += announces(called);
        return k;
    }
    for (int i = 0; i < x->op_count; ++i) /* accesses use up what was announced */
        if (x->operands[i].type == X86_OP_MEM && in->id != X86_INS_LEA && in->id != X86_INS_NOP &&
            !is_own(&k, &x->operands[i].mem))
            k.announced -= k.announced < x->operands[i].size ? k.announced : x->operands[i].size;
    const bool wide = x->op_count > 0 && x->operands[0].size == 8;
    bool own = false; /* what the first operand holds now */
    if (wide && x->op_count == 2) {
        const bool first = holds_own(w, &k, &x->operands[0]), second = holds_own(w, &k, &x->operands[1]);
        switch (in->id) {
        case X86_INS_MOV: own = second; break;
        case X86_INS_LEA: own = from && is_own(&k, from); break;
        case X86_INS_ADD: own = first || second; break;
        case X86_INS_SUB: own = first; break;
        case X86_INS_AND: own = first && x->operands[1].type == X86_OP_IMM; break;
        default: break;
        }
    }
    if (in->id == X86_INS_CMP || in->id == X86_INS_TEST || in->id == X86_INS_PUSH) return k;
    if (to) {
        const int slot = slot_of(w, to, false);
        if (slot >= 0) k.slots = own ? k.slots | 1ull << slot : k.slots & ~(1ull << slot);
        return k;
    }
    cs_regs read, written;
    uint8_t reads, writes;
    if (!cs_regs_access(w->o->disassembler, in, read, &reads, written, &writes))
        for (int i = 0; i < writes; ++i) {
            const uint32_t r = bit((x86_reg)written[i]);
            if (r != bit(X86_REG_RSP) && r != bit(X86_REG_RBP)) k.own &= ~r;
        }
    if (own && x->operands[0].type == X86_OP_REG) k.own |= bit(x->operands[0].reg);
    return k;
}

/* One operand in memory: the frame, something of its own, or announced. */
static void look_at_operand(const walk_t *w, const cs_insn *in, const cs_x86_op *op, const known_t *k)
{
    const x86_op_mem *m = &op->mem;
    const bool written = op->access & CS_AC_WRITE;
    object_t *o = w->o;
    if (in->id == X86_INS_LEA || in->id == X86_INS_NOP || in->id == X86_INS_PREFETCHT0) return;
    if (m->segment == X86_REG_FS || m->segment == X86_REG_GS) {
        refuse(o, "uses memory of the thread's own in ", w->function, ", which a submission may not");
    } else if (m->base == X86_REG_RBP && m->index == X86_REG_INVALID) {
        const int64_t most = written ? 128 : 1024; /* above 16 are arguments that did not fit registers */
        if (m->disp >= 0 && (m->disp < 16 || m->disp > 16 + most))
            refuse(o, "uses the stack outside of its own frame in ", w->function, ", which a submission may not");
    } else if (m->base == X86_REG_RSP && m->index == X86_REG_INVALID) {
        if (m->disp < 0 || m->disp > w->frame)
            refuse(o, "uses the stack outside of its own frame in ", w->function, ", which a submission may not");
    } else if (!w->ours && !is_own(k, m) && k->announced < op->size) {
        refuse(o, "reads or writes memory without the stand-in's seeing it in ", w->function,
               ", which a submission may not");
    }
}

static void look_at_instruction(const walk_t *w, const cs_insn *in, const known_t *k)
{
    static const x86_insn NEVER[] = {X86_INS_SYSCALL, X86_INS_SYSENTER, X86_INS_INT, X86_INS_HLT, X86_INS_RDFSBASE,
                                     X86_INS_WRFSBASE, X86_INS_RDGSBASE, X86_INS_WRGSBASE, X86_INS_XRSTOR, X86_INS_LJMP,
                                     X86_INS_LCALL};
    object_t *o = w->o;
    const cs_x86 *x = &in->detail->x86;
    for (size_t i = 0; i < sizeof NEVER / sizeof *NEVER; ++i)
        if (in->id == NEVER[i]) refuse(o, "has an instruction that a submission may not have: ", in->mnemonic, "");
    const bool call = in->id == X86_INS_CALL, jump = cs_insn_group(o->disassembler, in, X86_GRP_JUMP);
    if ((call || jump) && x->operands[0].type != X86_OP_IMM && !(call && w->ours))
        refuse(o, call ? "calls a function by its address in " : "jumps to an address in ", w->function,
               ", which a submission may not");
    /* The stack pointer moves by constants only: no alloca, no arrays of any size. */
    if (x->op_count == 2 && x->operands[0].type == X86_OP_REG && x->operands[0].reg == X86_REG_RSP) {
        const bool constant = x->operands[1].type == X86_OP_IMM &&
                              (in->id == X86_INS_SUB || in->id == X86_INS_ADD || in->id == X86_INS_AND);
        const bool restored = in->id == X86_INS_LEA && x->operands[1].mem.base == X86_REG_RBP;
        const bool compared = in->id == X86_INS_CMP || in->id == X86_INS_TEST;
        if (!constant && !restored && !compared)
            refuse(
                o,
                "takes a number of bytes from the stack that is not known before (alloca, or an array without a constant size) in ",
                w->function, ", which a submission may not");
    }
    for (int i = 0; i < x->op_count && !call; ++i)
        if (x->operands[i].type == X86_OP_MEM) look_at_operand(w, in, &x->operands[i], k);
}

/* The most bytes that the function has below its frame pointer. */
static int64_t frame_size(const cs_insn *in, size_t n)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < n; ++i) {
        const cs_x86 *x = &in[i].detail->x86;
        const bool constant = x->op_count == 2 && x->operands[0].type == X86_OP_REG &&
                              x->operands[0].reg == X86_REG_RSP && x->operands[1].type == X86_OP_IMM;
        if (in[i].id == X86_INS_PUSH) bytes += 8;
        if (constant && in[i].id == X86_INS_SUB) bytes += x->operands[1].imm;
        if (constant && in[i].id == X86_INS_AND) bytes -= x->operands[1].imm;
    }
    return bytes;
}

/* The instruction at that address, or n. */
static size_t at_address(const walk_t *w, uint64_t address)
{
    size_t low = 0, high = w->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (w->in[middle].address < address) low = middle + 1;
        else high = middle;
    }
    return low < w->n && w->in[low].address == address ? low : w->n;
}

/* Makes known[i] what holds on every way to i; what was more is cut down.  true: it has changed. */
static bool meet(known_t *at, const known_t *k)
{
    const known_t before = *at;
    at->own &= k->own;
    at->slots &= k->slots;
    if (k->announced < at->announced) at->announced = k->announced;
    return before.own != at->own || before.slots != at->slots || before.announced != at->announced;
}

/* Follows control flow until nothing changes.  Jumps out of the function or into an instruction are refused. */
static void follow(walk_t *w)
{
    object_t *o = w->o;
    for (size_t i = 0; i < w->n; ++i) w->known[i] = (known_t){UINT32_MAX, UINT64_MAX, RANGE};
    for (size_t i = 0; i < w->n; ++i) {
        const cs_x86 *x = &w->in[i].detail->x86;
        if (w->in[i].id == X86_INS_MOV && x->operands[0].type == X86_OP_MEM && x->operands[0].size == 8)
            slot_of(w, &x->operands[0].mem, true);
    }
    if (w->n > 0) w->known[0] = (known_t){bit(X86_REG_RSP) | bit(X86_REG_RBP), 0, 0};
    for (bool changed = true, first = true; changed; first = false) {
        changed = false;
        for (size_t i = 0; i < w->n; ++i) {
            const cs_insn *in = &w->in[i];
            const known_t k = after(w, in, w->known[i]);
            if (cs_insn_group(o->disassembler, in, X86_GRP_JUMP) && in->detail->x86.operands[0].type == X86_OP_IMM) {
                const size_t target = at_address(w, (uint64_t)in->detail->x86.operands[0].imm);
                if (target < w->n) changed |= meet(&w->known[target], &k);
                else if (first) refuse(o, "jumps into the middle of something in ", w->function, "");
            }
            const bool ends = in->id == X86_INS_JMP || in->id == X86_INS_RET || in->id == X86_INS_UD2;
            if (!ends && i + 1 < w->n) changed |= meet(&w->known[i + 1], &k);
        }
    }
}

/* The stand-in's own launch.  The names are those of simt_launch.h, and a submission may not say simt; the kernel, or
 * what calls it where its template arguments are deduced, is no part of these functions. */
static bool is_a_launch(const char *function)
{
    return begins(function, "_ZN4simt17configured_kernelI") ||
           (begins(function, "_ZN4simt15configured_callI") && strstr(function, "3runI"));
}

/* One function: code[0..size) at `address` in its section. */
static void look_at_function(object_t *o, const char *function, const uint8_t *code, uint64_t size, uint64_t address,
                             Elf_Data *relocations, size_t relocation_count)
{
    walk_t w = {.o = o, .function = function, .ours = is_a_launch(function),
                .relocations = relocations, .relocation_count = relocation_count};
    w.n = cs_disasm(o->disassembler, code, size, address, 0, &w.in);
    w.known = malloc((w.n + 1) * sizeof *w.known);
    if (!w.known) exit(2);
    if (w.n == 0 || w.in[w.n - 1].address + w.in[w.n - 1].size != address + size) {
        refuse(o, "has code that cannot be read in ", function, "");
    } else {
        w.frame = frame_size(w.in, w.n);
        follow(&w);
        for (size_t i = 0; i < w.n; ++i) look_at_instruction(&w, &w.in[i], &w.known[i]);
        if (!w.ours && !w.counts_blocks && !begins(function, "_sub_I_00099"))
            refuse(o, "has code that the stand-in does not see in ", function, ", which a submission may not");
    }
    free(w.known);
    cs_free(w.in, w.n);
}

/* Every function of every section of code. */
static void look_at_code(object_t *o)
{
    for (size_t i = 1; i < o->symbol_count; ++i) {
        GElf_Sym s;
        GElf_Shdr h;
        if (!gelf_getsym(o->symbols, (int)i, &s) || GELF_ST_TYPE(s.st_info) != STT_FUNC || s.st_shndx == SHN_UNDEF)
            continue;
        Elf_Scn *section = elf_getscn(o->elf, s.st_shndx);
        Elf_Data *code = section ? elf_getdata(section, NULL) : NULL, *relocations = NULL;
        size_t count = 0;
        if (!code || !gelf_getshdr(section, &h) || s.st_value + s.st_size > code->d_size) continue;
        for (Elf_Scn *r = NULL; (r = elf_nextscn(o->elf, r));)
            if (gelf_getshdr(r, &h) && h.sh_type == SHT_RELA && h.sh_info == s.st_shndx && h.sh_entsize) {
                relocations = elf_getdata(r, NULL);
                count = h.sh_size / h.sh_entsize;
            }
        look_at_function(o, symbol_name(o, &s), (const uint8_t *)code->d_buf + s.st_value, s.st_size, s.st_value,
                         relocations, count);
    }
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static int read_allowed(object_t *o, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[LONGEST], pattern[LONGEST + 8];
    while (f && fgets(line, sizeof line, f) && o->patterns < MOST_PATTERNS) {
        line[strcspn(line, "\n")] = 0;
        snprintf(pattern, sizeof pattern, "^(%s)$", line);
        if (regcomp(&o->allowed[o->patterns++], pattern, REG_EXTENDED | REG_NOSUB)) return -1;
    }
    if (f) fclose(f);
    return o->patterns > 0 ? 0 : -1;
}

static int open_object(object_t *o, int fd)
{
    elf_version(EV_CURRENT);
    o->elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (!o->elf || elf_kind(o->elf) != ELF_K_ELF || elf_getshdrstrndx(o->elf, &o->section_names)) return -1;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));) {
        GElf_Shdr h;
        if (!gelf_getshdr(s, &h) || h.sh_type != SHT_SYMTAB || !h.sh_entsize) continue;
        o->symbols = elf_getdata(s, NULL);
        o->symbol_count = h.sh_size / h.sh_entsize;
        o->strings = h.sh_link;
    }
    return o->symbols ? 0 : -1;
}

int inspect_object(const char *path, const char *allowed, const char *entry, const char *name)
{
    object_t o = {.name = name, .entry = entry};
    const int fd = open(path, O_RDONLY);
    if (open_object(&o, fd) || read_allowed(&o, allowed)) {
        fprintf(stderr, "inspect: %s or %s cannot be read\n", path, allowed);
        return -1;
    }
    look_at_sections(&o);
    look_at_symbols(&o);
#ifdef __x86_64__
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &o.disassembler) || cs_option(o.disassembler, CS_OPT_DETAIL, CS_OPT_ON))
        return -1;
    look_at_relocations(&o);
    look_at_code(&o);
    cs_close(&o.disassembler);
#endif
    for (int i = 0; i < o.patterns; ++i) regfree(&o.allowed[i]);
    elf_end(o.elf);
    close(fd);
    return o.found;
}
