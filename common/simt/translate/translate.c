/*
 * translate.c - turns CUDA's own syntax into C++ that g++ reads: `translate <in.ii >out.ii`.
 *
 * Reads a translation unit behind the preprocessor (g++ -E -DSIMT_KEEP_WORDS), or a file as it is written, whose
 * includes and macros it then does not see.  Lines stay where they are, texts and comments what they are.
 */
#include <stdio.h>
#include <stdlib.h>

#include "rules.h"

/* All of f with a 0 behind it; NULL if it cannot be read. */
static char *read_all(FILE *f, size_t *size)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *size = 0;
    while (text) {
        *size += fread(text + *size, 1, room - *size - 1, f);
        if (*size < room - 1) break;
        char *larger = realloc(text, room *= 2);
        if (!larger) free(text);
        text = larger;
    }
    if (text && !ferror(f)) {
        text[*size] = 0;
        return text;
    }
    free(text);
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        fprintf(stderr, "usage: translate <FILE.ii >FILE.cpp: CUDA's syntax as C++ (common/simt/README.md)\n");
        return 64;
    }
    tokens_t t;
    size_t size;
    char *text = read_all(stdin, &size);
    if (!text || tokens_cut(&t, text, size)) {
        fprintf(stderr, "translate: cannot read it, or out of memory\n");
        return 74;
    }
    translate_launches(&t);
    translate_shared(&t);
    translate_variables(&t);
    translate_words(&t);
    const int failed = tokens_write(&t, stdout);
    if (failed) perror("translate");
    tokens_free(&t);
    return failed ? 74 : 0;
}
