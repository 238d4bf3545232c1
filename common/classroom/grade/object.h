/*
 * object.h - a submission's object file while the program `inspect` checks it (inspect_object.c, inspect_code.c).
 *
 * The simulator counts the accesses of kernels and launchers by hooks: calls that the compiler inserts before every
 * access to memory.  So that no access is missed, a submission may call, define and jump to names on a list only.  Each
 * access that is not at a fixed position of the function's own frame has a second call before it, the witness
 * (weave.awk), which checks that the hook has reported the access.  build.sh calls `inspect`, which prints one line for
 * each violation.
 */
#ifndef GRADE_OBJECT_H
#define GRADE_OBJECT_H

#include <gelf.h>
#include <libelf.h>
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MOST_PATTERNS = 64 };
enum { HAS_JUMP = 1,
       HAS_MARK = 2,
       LINKED = 4,
       WAITS = 8 }; /* of bytes of code; LINKED: the linker writes there */

typedef struct part {
    size_t index, size;
    uint8_t *bytes; /* a copy, only of code */
    off_t place;    /* in the file */
} part_t;

typedef struct object {
    const char *name, *entry;
    int fd;
    Elf *elf;
    Elf_Data *symbols;
    size_t symbol_count, strings, section_names;
    part_t text, constants; /* sections that student.ld makes */
    GElf_Rela *relocation;  /* for each byte of code, the relocation that begins there, or r_info 0 */
    uint8_t *marks;         /* for each byte: HAS_JUMP, ... */
    regex_t allowed[MOST_PATTERNS];
    int patterns, said, found;
} object_t;

/* Counts a violation, and prints it if it is one of the first. */
void refuse(object_t *o, const char *what, const char *word, const char *after);
const char *symbol_name(const object_t *o, const GElf_Sym *s);
bool relocation_symbol(const object_t *o, const GElf_Rela *r, GElf_Sym *s);

/* Checks all reachable code.  -1 if that was not possible. */
int look_at_code(object_t *o);

#endif
