/* winners.c - the last lines of --formats: who was fastest, from the record. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spmv_scalar.h"

enum { FIELDS = 64, NAME = 32 };

/* The least of a column so far, and the row it stands in. */
typedef struct least {
    char step[NAME];
    double value; /* INFINITY: none yet */
} least_t;

typedef struct columns {
    int step, kind, case_name, dtype, cold_us, status, ld_sectors, st_sectors;
} columns_t;

typedef struct winners {
    least_t cpu, gpu, peer, sectors;
} winners_t;

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

/* A number, or INFINITY for "-". */
static double number(const char *text)
{
    char *end;
    const double v = strtod(text, &end);
    return end == text || !(v > 0) ? INFINITY : v;
}

static void keep(least_t *l, const char *step, double value)
{
    if (!(value < l->value)) return;
    l->value = value;
    snprintf(l->step, sizeof l->step, "%s", step);
}

static void print_one(FILE *to, const char *who, const least_t *l, const char *unit)
{
    if (isfinite(l->value)) fprintf(to, "   %s %s %.*f %s", who, l->step, unit[0] == 's' ? 0 : 2, l->value, unit);
}

static void print_line(FILE *to, const char *name, const winners_t *w)
{
    if (!*name) return;
    fprintf(to, "%-32s", name);
    print_one(to, "CPU:", &w->cpu, "us");
    print_one(to, "GPU:", &w->gpu, "us");
    print_one(to, "library:", &w->peer, "us");
    if (!isfinite(w->gpu.value)) print_one(to, "GPU, fewest sectors (no time without a card):", &w->sectors, "sectors");
    fputc('\n', to);
}

void winners_print(const char *path, FILE *to)
{
    static const winners_t NONE = {{"", INFINITY}, {"", INFINITY}, {"", INFINITY}, {"", INFINITY}};
    FILE *f = fopen(path, "r");
    char *line = NULL, name[256] = "", *field[FIELDS];
    size_t size = 0;
    columns_t at = {.step = -1};
    winners_t w = NONE;
    if (!f) return;
    while (getline(&line, &size, f) > 0) {
        if (line[0] == '#') continue;
        const int n = split(line, field);
        if (at.step < 0) {
            at = (columns_t){column(field, n, "step"),       column(field, n, "kind"),   column(field, n, "case"),
                             column(field, n, "dtype"),      column(field, n, "cold_us"), column(field, n, "status"),
                             column(field, n, "ld_sectors"), column(field, n, "st_sectors")};
            if (at.step < 0 || at.kind < 0 || at.case_name < 0 || at.dtype < 0 || at.cold_us < 0 || at.status < 0 ||
                at.ld_sectors < 0 || at.st_sectors < 0)
                break;
            continue;
        }
        if (n <= at.status || n <= at.cold_us || n <= at.st_sectors) continue;
        char now[256];
        snprintf(now, sizeof now, "%s %s", field[at.case_name], field[at.dtype]);
        if (strcmp(now, name)) { /* rows of one case and type stand together */
            print_line(to, name, &w);
            w = NONE;
            memcpy(name, now, sizeof name);
        }
        const char *step = field[at.step], *kind = field[at.kind];
        if (strcmp(field[at.status], "ok")) continue;
        keep(strcmp(kind, "cpu") == 0   ? &w.cpu
             : strcmp(kind, "gpu") == 0 ? &w.gpu
             : strncmp(step, "cusparse", 8) == 0 ? &w.peer
                                                 : &w.cpu, /* librsb and MKL run there */
             step, number(field[at.cold_us]));
        keep(&w.sectors, step, number(field[at.ld_sectors]) + number(field[at.st_sectors]));
    }
    print_line(to, name, &w);
    free(line);
    fclose(f);
}
