/* kernels.c - see kernels.h */
#include "kernels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of the table: a kernel (with its symbol), or one of the kernel's source lines (symbol NULL). */
typedef struct entry {
    char *symbol, *kind, *file;
    int line, waits;
    unsigned registers, shared_bytes, length, copies;
    double instructions;
} entry_t;

struct kernel_table {
    char *text;
    entry_t *entries;
    size_t count;
};

enum { GUESSED_REGISTERS = 32, GUESSED_LENGTH = 150, GUESSED_COPIES = 4, GUESSED_INSTRUCTIONS = 6 };

static char *whole_file(const char *path)
{
    FILE *f = fopen(path, "r");
    long size = -1;
    char *text = NULL;
    if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && (text = malloc((size_t)size + 1))) {
        rewind(f);
        text[fread(text, 1, (size_t)size, f)] = 0;
    }
    if (f) fclose(f);
    return text;
}

/* Parses a line of the table into *e; *file is the source file of the current kernel's lines.  -1: it is no entry. */
static int read_entry(entry_t *e, char *line, char **file)
{
    char *rest = line, *field[6] = {NULL};
    int n = 0;
    while (n < 6 && (field[n] = strsep(&rest, "\t"))) ++n;
    *e = (entry_t){0};
    if (n == 2 && strcmp(field[0], "F") == 0) *file = field[1];
    if (n < 6) return -1;
    if (strcmp(field[0], "K") == 0) {
        e->symbol = field[1];
        e->registers = (unsigned)atoi(field[2]);
        e->shared_bytes = (unsigned)atoi(field[3]);
        e->length = (unsigned)atoi(field[5]);
        return 0;
    }
    *e = (entry_t){.kind = field[1], .file = *file, .line = atoi(field[2]), .copies = (unsigned)atoi(field[3]),
                   .instructions = atof(field[4]), .waits = atoi(field[5])};
    return 0;
}

kernel_table_t *kernels_read(const char *path, err_t *err)
{
    kernel_table_t *t = calloc(1, sizeof *t);
    if (!path) path = KERNEL_TABLE;
    if (t) t->text = whole_file(path);
    if (!t || !t->text) {
        err_set(err, "cannot read %s: %s", path, strerror(errno));
        return kernels_free(t);
    }
    size_t lines = 1;
    for (const char *p = t->text; *p; ++p) lines += *p == '\n';
    if (!(t->entries = calloc(lines, sizeof *t->entries))) {
        err_set(err, "out of memory for %s", path);
        return kernels_free(t);
    }
    char *rest = t->text, *line, *file = t->text;
    while ((line = strsep(&rest, "\n")))
        if (*line && *line != '#' && read_entry(&t->entries[t->count], line, &file) == 0) ++t->count;
    return t;
}

kernel_table_t *kernels_free(kernel_table_t *t)
{
    if (t) {
        free(t->entries);
        free(t->text);
        free(t);
    }
    return NULL;
}

/* The table's names of the kinds of steps, indexed by simt_step_kind_t. */
static const char *const KINDS[] = {"load", "store", "atomic", "shared_load", "shared_store", "shared_atomic",
                                    "barrier", "warp_op"};

/* Returns the entry of a kernel's line, which follows the kernel's entry; NULL if there is none. */
static const entry_t *find_line(const kernel_table_t *t, const entry_t *kernel, const char *kind, const simt_site_t *s)
{
    for (const entry_t *e = kernel + 1; e < t->entries + t->count && !e->symbol; ++e) {
        const size_t a = strlen(e->file), b = s->file ? strlen(s->file) : 0;
        const char *tail = b >= a ? s->file + (b - a) : "";
        const int here = b && (strcmp(tail, e->file) == 0 || strstr(e->file, s->file));
        if (here && e->line == s->line && strcmp(e->kind, kind) == 0) return e;
    }
    return NULL;
}

static const entry_t *find_kernel(const kernel_table_t *t, const char *symbol)
{
    for (const entry_t *e = t ? t->entries : NULL; e && e < t->entries + t->count; ++e)
        if (e->symbol && strcmp(e->symbol, symbol) == 0) return e;
    return NULL;
}

/* Sets the kind of step of each site, -1 for a site without steps. */
static void kinds_of_sites(const simt_way_t *way, int *kind)
{
    for (size_t i = 0; i < way->n_sites; ++i) kind[i] = -1;
    for (uint64_t w = 0; w < way->blocks * way->warps; ++w)
        for (size_t i = 0; i < way->warp[w].n_steps; ++i) {
            const simt_step_t *s = &way->warp[w].steps[i];
            if (s->site < way->n_sites) kind[s->site] = s->kind;
        }
}

/* Sets counter[i] if all steps of site i are atomics on one sector.  Without nvcc's table such a site is taken for a
 * counter, whose old value is used. */
static void find_counters(const simt_way_t *way, const int *kind, int *counter)
{
    uint32_t one = 0;
    for (size_t i = 0; i < way->n_sites; ++i) {
        int seen = 0, same = kind[i] == SIMT_ATOMIC;
        for (uint64_t w = 0; w < way->blocks * way->warps && same; ++w) {
            const uint32_t *sector = way->warp[w].sectors;
            const simt_step_t *s = way->warp[w].steps, *end = s + way->warp[w].n_steps;
            for (; s < end; sector += s->kind <= SIMT_ATOMIC ? s->units : 0, ++s) {
                if (s->site != i || s->kind != SIMT_ATOMIC) continue;
                same = same && s->units == 1 && (!seen || *sector == one);
                one = *sector;
                seen = 1;
            }
        }
        counter[i] = same && seen;
    }
}

/* Returns the number of sites with the line and kind of this one: g++'s copies of it, itself included. */
static unsigned count_copies(const simt_way_t *way, const int *kind, size_t site)
{
    unsigned n = 0;
    for (size_t i = 0; i < way->n_sites; ++i)
        n += kind[i] == kind[site] && way->sites[i].line == way->sites[site].line &&
             strcmp(way->sites[i].file, way->sites[site].file) == 0;
    return n ? n : 1;
}

int kernels_facts(const kernel_table_t *t, const simt_way_t *way, kernel_facts_t *facts, err_t *err)
{
    const entry_t *kernel = find_kernel(t, way->symbol);
    int *kind = malloc(2 * (way->n_sites + 1) * sizeof *kind), *counter = kind ? kind + way->n_sites + 1 : NULL;
    *facts = (kernel_facts_t){.known = kernel != NULL, .registers = kernel ? kernel->registers : GUESSED_REGISTERS,
                              .length = kernel ? kernel->length : GUESSED_LENGTH,
                              .sites = calloc(way->n_sites + 1, sizeof *facts->sites)};
    if (!kind || !facts->sites) {
        free(kind);
        free(facts->sites);
        return err_set(err, "out of memory for the sites of %s", way->kernel);
    }
    kinds_of_sites(way, kind);
    if (!kernel) find_counters(way, kind, counter);
    for (size_t i = 0; i < way->n_sites; ++i) {
        site_facts_t *f = &facts->sites[i];
        *f = (site_facts_t){.instructions = GUESSED_INSTRUCTIONS, .copies = kernel ? 1 : GUESSED_COPIES,
                            .returns = !kernel && counter[i]};
        if (!kernel || kind[i] < 0) continue;
        const entry_t *e = find_line(t, kernel, KINDS[kind[i]], &way->sites[i]);
        if (!e && kind[i] == SIMT_ATOMIC) e = find_line(t, kernel, "red", &way->sites[i]);
        if (!e) continue;
        const unsigned n = count_copies(way, kind, i);
        f->instructions = e->instructions;
        f->copies = e->copies > n ? (e->copies + n - 1) / n : 1;
        f->waits = e->waits;
        f->returns = strcmp(e->kind, "atomic") == 0;
    }
    free(kind);
    return 0;
}

simt_resources_t kernels_resources(const kernel_table_t *t, const char *symbol)
{
    const entry_t *kernel = find_kernel(t, symbol);
    return kernel ? (simt_resources_t){kernel->registers, kernel->shared_bytes} : (simt_resources_t){0, 0};
}
