/*
 * translate.c - turns CUDA's own syntax into C++ that g++ reads: `translate <in.ii >out.ii`.
 *
 * Reads a translation unit behind the preprocessor (g++ -E -DSIMT_KEEP_WORDS), or a file as it is written, whose
 * includes and macros it then does not see.  Lines stay where they are, texts and comments what they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passes.h"
#include "refusals.h"
#include "rules.h"

/* Reads all of f and appends a 0; NULL if it cannot be read. */
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

/* Reads and cuts the named file; NULL names standard input. */
static int read_tokens(tokens_t *t, const char *name)
{
    size_t size = 0;
    FILE *f = name ? fopen(name, "r") : stdin;
    char *text = f ? read_all(f, &size) : NULL;
    if (f && name) fclose(f);
    if (text && !tokens_cut(t, text, size)) return 0;
    fprintf(stderr, "translate: cannot read %s, or out of memory\n", name ? name : "it");
    return -1;
}

/* Joins the host's pass with the GPU's parts of the other pass.  *allowed: nvcc would accept the file. */
static int read_passes(tokens_t *t, const char *host, const char *gpu, bool *allowed)
{
    tokens_t both = {0}, gpus = {0};
    char *text = NULL;
    size_t size = 0;
    int failed = read_tokens(&both, host) || read_tokens(&gpus, gpu);
    FILE *f = failed ? NULL : open_memstream(&text, &size);
    if (f) {
        *allowed = refusals_none(&gpus, true);
        *allowed = refusals_none(&both, false) && *allowed;
        passes_join(&both, &gpus);
        failed = tokens_write(&both, f);
        failed = fclose(f) || failed;
    }
    tokens_free(&both);
    tokens_free(&gpus);
    return failed || !f || tokens_cut(t, text, size) ? -1 : 0;
}

/* Applies the rules that programs of simtcc need in addition to those of the course's kernels.  The last two are
 * for checked programs only, because they concern counts and the time to compile. */
static void translate_program(tokens_t *t, bool module, bool unchecked)
{
    passes_refuse_vla(t);
    translate_heap(t);
    translate_angles(t);
    translate_unset(t);
    translate_cases(t);
    translate_dependent(t);
    translate_values(t);
    translate_clusters(t);
    translate_bounds(t);
    if (module) translate_module(t);
    if (!unchecked) translate_unroll(t);
    if (!unchecked) translate_apart(t);
}

int main(int argc, char **argv)
{
    const bool module = argc == 5 && strcmp(argv[4], "module") == 0;
    const bool unchecked = argc == 5 && strcmp(argv[4], "unchecked") == 0;
    if (argc != 1 && argc != 4 && !module && !unchecked) {
        fprintf(stderr, "usage: translate <FILE.ii >FILE.cpp: CUDA's syntax as C++ (common/simulator/simt/README.md)\n"
                        "       translate HOST.ii GPU.ii FILE.cpp [module | unchecked]: of two passes, without and with "
                        "__CUDA_ARCH__\n");
        return 64;
    }
    tokens_t t;
    bool allowed = true;
    if (argc == 1 ? read_tokens(&t, NULL) : read_passes(&t, argv[1], argv[2], &allowed)) return 74;
    FILE *to = argc >= 4 ? fopen(argv[3], "w") : stdout;
    if (!to) {
        perror(argv[3]);
        return 74;
    }
    const bool ptx = translate_ptx(&t);
    if (argc >= 4) translate_program(&t, module, unchecked);
    translate_loops(&t);
    translate_launches(&t, argc >= 4);
    translate_shared(&t);
    if (argc >= 4) translate_kept(&t);
    translate_variables(&t, module || argc < 4);
    translate_words(&t);
    int failed = tokens_write(&t, to);
    failed = fclose(to) || failed;
    if (failed) perror("translate");
    tokens_free(&t);
    return failed ? 74 : ptx && allowed ? 0 : 1;
}
