/* record.c - see record.h */
#include "record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int record_open(record_reader_t *r, const char *path)
{
    *r = (record_reader_t){.file = fopen(path, "r")};
    return r->file ? 0 : -1;
}

/* Splits line at its tabs; returns the number of fields. */
static int split(char *line, char *field[RECORD_FIELDS])
{
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *p = line; p && n < RECORD_FIELDS; ++n) {
        field[n] = p;
        p = strchr(p, '\t');
        if (p) *p++ = 0;
    }
    return n;
}

bool record_next(record_reader_t *r)
{
    while (getline(&r->line, &r->line_room, r->file) > 0) {
        if (r->line[0] == '#') continue;
        r->fields = split(r->line, r->field);
        if (r->head && strcmp(r->field[0], "chapter")) return true;
        free(r->head);
        memcpy(r->name, r->field, sizeof r->name);
        r->names = r->fields;
        r->head = r->line; /* the column names point into this line */
        r->line = NULL;
        r->line_room = 0;
    }
    return false;
}

const char *record_text(const record_reader_t *r, const char *column)
{
    for (int i = 0; i < r->names && i < r->fields; ++i)
        if (strcmp(r->name[i], column) == 0) return r->field[i];
    return "";
}

double record_number(const record_reader_t *r, const char *column)
{
    char *end;
    const char *text = record_text(r, column);
    const double v = strtod(text, &end);
    return end == text ? NAN : v;
}

int record_close(record_reader_t *r)
{
    const int failed = feof(r->file) ? 0 : errno ? errno : EIO; /* a folder, a broken disk, or no memory for a line */
    fclose(r->file);
    free(r->head);
    free(r->line);
    return failed;
}
