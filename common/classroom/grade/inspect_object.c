/*
 * inspect_object.c - checks the sections, symbols and relocations of a submission.  See object.h
 *
 * inspect FILE ALLOWED ENTRY NAME: checks the object FILE, linked by student.ld but not yet with other objects.
 * ALLOWED has one extended regular expression per line; every function that FILE calls must match one.  ENTRY is the
 * function that FILE must define, NAME its name in messages.  It prints what it refuses, at most three lines, and exits
 * with 10, or with 2 if it could not check FILE.  It changes FILE: it stores a description of the access in each call
 * of the witness.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "object.h"

enum { MOST_SAID = 3,
       LONGEST = 4096 };

void refuse(object_t *o, const char *what, const char *word, const char *after)
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

static void keep_part(part_t *p, Elf_Scn *s, const GElf_Shdr *h)
{
    *p = (part_t){.index = elf_ndxscn(s), .size = h->sh_size, .place = (off_t)h->sh_offset};
}

/* build.sh has removed the sanitizer's own constructor. */
static void look_at_sections(object_t *o)
{
    static const char *const FINE[] = {"student_text", "student_constants", "student_variables",
                                       ".eh_frame",    ".rela",             ".debug_",
                                       ".comment",     ".note.",            ".symtab",
                                       ".strtab",      ".shstrtab",         ".group",
                                       "simt_device",  "simt_constant",     "simt_unset_constant",
                                       ".tm_clone_table", NULL};
    for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));) {
        GElf_Shdr h;
        if (!gelf_getshdr(s, &h)) continue;
        const char *name = elf_strptr(o->elf, o->section_names, h.sh_name);
        if (!name) name = "?";
        const bool code = h.sh_flags & SHF_EXECINSTR, own = !strcmp(name, "student_text");
        if (own) keep_part(&o->text, s, &h);
        if (!strcmp(name, "student_constants")) keep_part(&o->constants, s, &h);
        if (begins(name, ".init_array") || begins(name, ".fini_array") || begins(name, ".ctors") ||
            begins(name, ".dtors"))
            refuse(o, "has code that runs before or after main (a global constructor?)", "",
                   ": a submission may not do this");
        else if (h.sh_flags & SHF_TLS) refuse(o, "has a thread_local variable: a submission may not do this", "", "");
        else if (code != own || (code && (h.sh_flags & SHF_WRITE)) || (*name && !begins_with_one_of(name, FINE)))
            refuse(o, "has a section ", name, ": a submission may not do this");
    }
}

const char *symbol_name(const object_t *o, const GElf_Sym *s)
{
    const char *name = elf_strptr(o->elf, o->strings, s->st_name);
    return name ? name : "";
}

/* A called symbol must be on the list, whatever its binding; a defined symbol must not be on it. */
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
            if (binding != STB_GLOBAL) refuse(o, "has a weak reference to ", name, ": a submission may not do this");
            else if (!is_allowed(o, name)) refuse(o, "calls ", name, ": a submission may not do this");
            continue;
        }
        if (type == STT_FILE || type == STT_SECTION) continue;
        if (type == STT_GNU_IFUNC) refuse(o, "has an indirect function ", name, ": a submission may not do this");
        else if (type == STT_TLS) refuse(o, "has a thread_local variable ", name, ": a submission may not do this");
        else if (is_allowed(o, name) || begins(name, "simt_") || begins(name, "__tsan") || begins(name, "__sanitizer"))
            refuse(o, "defines ", name, ": a submission may not do this");
        if (!strcmp(name, o->entry) && binding == STB_GLOBAL && type == STT_FUNC) entry = true;
    }
    if (!entry) refuse(o, "has no function ", o->entry, ": copy the last line of the skeleton, which defines it");
}

/* ---- relocations -------------------------------------------------------------------------------- */

bool relocation_symbol(const object_t *o, const GElf_Rela *r, GElf_Sym *s)
{
    return gelf_getsym(o->symbols, (int)GELF_R_SYM(r->r_info), s);
}

/* Whether the relocation's target is outside its section.  An instruction's address is relative to its end, which moves
 * the target by up to 16 bytes. */
static bool leads_astray(const object_t *o, const GElf_Rela *r, const GElf_Sym *s)
{
    GElf_Shdr h;
    const int64_t at = (int64_t)s->st_value + r->r_addend;
    if (s->st_shndx == SHN_UNDEF) return false;
    Elf_Scn *section = s->st_shndx < SHN_LORESERVE ? elf_getscn(o->elf, s->st_shndx) : NULL;
    return !section || !gelf_getshdr(section, &h) || at < -16 || at > (int64_t)h.sh_size + 16;
}

/* For code: the four bytes of an address relative to the instruction.  -1 for other kinds of relocation. */
static int keep_relocation(object_t *o, const GElf_Rela *r)
{
    const unsigned type = (unsigned)GELF_R_TYPE(r->r_info);
    if ((type != R_X86_64_PC32 && type != R_X86_64_PLT32) || r->r_offset + 4 > o->text.size) return -1;
    for (int i = 0; i < 4; ++i) {
        if (o->marks[r->r_offset + i] & LINKED) return -1;
        o->marks[r->r_offset + i] |= LINKED;
    }
    o->relocation[r->r_offset] = *r;
    return 0;
}

/* External functions may only be called; their addresses must not be used otherwise. */
static void look_at_relocations(object_t *o)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(o->elf, section));) {
        GElf_Shdr h, target;
        if (!gelf_getshdr(section, &h) || h.sh_type != SHT_RELA || !h.sh_entsize) continue;
        Elf_Scn *of = elf_getscn(o->elf, h.sh_info);
        if (!of || !gelf_getshdr(of, &target) || !(target.sh_flags & SHF_ALLOC)) continue; /* debug information */
        const char *name = elf_strptr(o->elf, o->section_names, target.sh_name);
        Elf_Data *d = elf_getdata(section, NULL);
        for (size_t i = 0; d && i < h.sh_size / h.sh_entsize; ++i) {
            GElf_Rela r;
            GElf_Sym s;
            if (!gelf_getrela(d, (int)i, &r) || !relocation_symbol(o, &r, &s)) continue;
            const bool call = GELF_R_TYPE(r.r_info) == R_X86_64_PLT32 && r.r_addend == -4;
            if (s.st_shndx == SHN_UNDEF && !call && !begins(name, ".eh_frame"))
                refuse(o, "takes the address of ", symbol_name(o, &s), ": a submission may not do this");
            if (leads_astray(o, &r, &s)) refuse(o, "contains an address outside of its own variables", "", "");
            if (elf_ndxscn(of) == o->text.index && keep_relocation(o, &r))
                refuse(o, "has code that the linker would change", "", "");
        }
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

/* Reads the code and allocates the marks of its bytes. */
static int open_code(object_t *o)
{
    part_t *t = &o->text;
    t->bytes = malloc(t->size + 1);
    o->relocation = calloc(t->size + 1, sizeof *o->relocation);
    o->marks = calloc(t->size + 1, 1);
    if (!t->bytes || !o->relocation || !o->marks) return -1;
    return pread(o->fd, t->bytes, t->size, t->place) == (ssize_t)t->size ? 0 : -1;
}

/* Writes the descriptions of the accesses into the witness calls of the file, if `whole`. */
static int close_code(object_t *o, bool whole)
{
    const part_t *t = &o->text;
    const bool failed = !whole || pwrite(o->fd, t->bytes, t->size, t->place) != (ssize_t)t->size;
    free(t->bytes);
    free(o->relocation);
    free(o->marks);
    return failed ? -1 : 0;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: inspect FILE ALLOWED ENTRY NAME   (grade calls it)\n");
        return 64;
    }
    object_t o = {.entry = argv[3], .name = argv[4], .fd = open(argv[1], O_RDWR)};
    if (open_object(&o, o.fd) || read_allowed(&o, argv[2])) {
        fprintf(stderr, "inspect: %s or %s cannot be read\n", argv[1], argv[2]);
        return 2;
    }
    look_at_sections(&o);
    look_at_symbols(&o);
#ifdef __x86_64__
    const bool ready = open_code(&o) == 0;
    if (ready) look_at_relocations(&o);
    if (close_code(&o, ready && look_at_code(&o) == 0)) return 2;
#endif
    for (int i = 0; i < o.patterns; ++i) regfree(&o.allowed[i]);
    elf_end(o.elf);
    return o.found ? 10 : 0;
}
