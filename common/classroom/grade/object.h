/*
 * object.h - a submission's object file, while the program `inspect` looks at it: inspect_object.c and inspect_code.c.
 *
 * The simulator counts the accesses of kernels and launchers by hooks: calls that the compiler inserts before every
 * access to memory.  So that no access is missed, a submission may only call, define and jump to names on a list.  Each
 * access that is not at a fixed position of the function's own frame has a second call before it, the witness
 * (weave.awk), which checks that the hook has reported it.  `inspect`, which build.sh calls, prints one line for each
 * violation.
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
    uint8_t *bytes; /* a copy, of code only */
    off_t place;    /* in the file */
} part_t;

typedef struct object {
    const char *name, *entry;
    int fd;
    Elf *elf;
    Elf_Data *symbols;
    size_t symbol_count, strings, section_names;
    part_t text, constants; /* student.ld makes them */
    GElf_Rela *relocation;  /* for each byte of the code the one that begins there, or r_info 0 */
    uint8_t *marks;         /* for each byte: HAS_JUMP, ... */
    regex_t allowed[MOST_PATTERNS];
    int patterns, said, found;
} object_t;

/* Prints it, if it is one of the first, and counts it. */
void refuse(object_t *o, const char *what, const char *word, const char *after);
const char *symbol_name(const object_t *o, const GElf_Sym *s);
bool relocation_symbol(const object_t *o, const GElf_Rela *r, GElf_Sym *s);

/* All code that can be reached.  -1 if it could not be tried. */
int look_at_code(object_t *o);

#endif
