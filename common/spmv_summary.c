/* spmv_summary.c - see spmv_summary.h */
#include "spmv_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 64 };

typedef struct best {
    char step[32];
    double us; /* INFINITY: none yet */
} best_t;

typedef struct columns {
    int step, kind, case_name, dtype, cold_us, status;
} columns_t;

const char *summary_temporary(char *name)
{
    const int fd = mkstemp(name);
    if (fd < 0) return NULL;
    close(fd);
    return name;
}

/* Cuts line at its tabs; how many fields. */
static int split(char *line, char *field[FIELDS])
{
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *p = line; p && n < FIELDS; ++n) {
        field[n] = p;
        p = strchr(p, '\t');
        if (p) *p++ = 0;
    }
    return n;
}

static int column(char *const field[], int n, const char *name)
{
    for (int i = 0; i < n; ++i)
        if (strcmp(field[i], name) == 0) return i;
    return -1;
}

static void keep(best_t *b, const char *step, double us)
{
    if (!(us < b->us)) return;
    b->us = us;
    snprintf(b->step, sizeof b->step, "%s", step);
}

static void print_line(FILE *to, const char *name, const best_t *ours, const best_t *csr, const best_t *all)
{
    if (!isfinite(ours->us)) return;
    fprintf(to, "%-28s best step %-7s %9.2f us", name, ours->step, ours->us);
    if (isfinite(csr->us)) fprintf(to, "   cuSPARSE CSR as is %9.2f us, %.2fx", csr->us, csr->us / ours->us);
    if (isfinite(all->us)) fprintf(to, "   best of all %-21s %9.2f us, %.2fx", all->step, all->us, all->us / ours->us);
    fputc('\n', to);
}

/* The steps that run the kernels as the chapter means them, fixed lanes not counted. */
static int is_step(const char *step) { return step[0] == 'v' && !strchr(step, '/'); }

static int is_csr_as_is(const char *step)
{
    return strcmp(step, "cusparse_csr") == 0 || strcmp(step, "cusparse_csr_alg1") == 0 ||
           strcmp(step, "cusparse_csr_alg2") == 0;
}

void summary_print(const char *path, FILE *to)
{
    FILE *f = fopen(path, "r");
    char *line = NULL, name[256] = "", *field[FIELDS];
    size_t size = 0;
    columns_t at = {-1, -1, -1, -1, -1, -1};
    const best_t none = {"", INFINITY};
    best_t ours = none, csr = none, all = none;
    if (!f) return;
    while (getline(&line, &size, f) > 0) {
        if (line[0] == '#') continue;
        const int n = split(line, field);
        if (at.step < 0) {
            at = (columns_t){column(field, n, "step"),  column(field, n, "kind"),    column(field, n, "case"),
                             column(field, n, "dtype"), column(field, n, "cold_us"), column(field, n, "status")};
            if (at.step < 0 || at.case_name < 0 || at.dtype < 0 || at.cold_us < 0 || at.status < 0) break;
            continue;
        }
        if (n <= at.status || n <= at.cold_us) continue;
        char now[256];
        snprintf(now, sizeof now, "%s %s", field[at.case_name], field[at.dtype]);
        if (strcmp(now, name)) { /* rows of one case and type stand together */
            print_line(to, name, &ours, &csr, &all);
            ours = csr = all = none;
            memcpy(name, now, sizeof name);
        }
        char *end;
        const double us = strtod(field[at.cold_us], &end);
        if (end == field[at.cold_us] || !(us > 0) || strcmp(field[at.status], "ok")) continue;
        const char *step = field[at.step];
        if (is_step(step)) keep(&ours, step, us);
        if (is_csr_as_is(step)) keep(&csr, step, us);
        if (strncmp(step, "cusparse", 8) == 0) keep(&all, step, us);
    }
    print_line(to, name, &ours, &csr, &all);
    free(line);
    fclose(f);
}
