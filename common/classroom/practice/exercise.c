/* exercise.c - see exercise.h */
#include "exercise.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"

enum { LONGEST_FILE = 1 << 16 };

char *exercise_read(const char *path, err_t *err)
{
    FILE *f = fopen(path, "r");
    char *text = f ? malloc(LONGEST_FILE) : NULL;
    if (text) {
        text[fread(text, 1, LONGEST_FILE - 1, f)] = 0;
    } else err_set(err, "%s: %s", path, strerror(errno));
    if (f) fclose(f);
    return text;
}

bool exercise_asks(const exercise_t *e) { return !strcmp(e->kind, "predict") || !strcmp(e->kind, "choose"); }

/* Parses "ld_sectors <= 1251, lanes >= 31". */
static int parse_goals(exercise_t *e, const char *text, err_t *err)
{
    while (*text) {
        exercise_goal_t *g = &e->goal[e->goals];
        const int read = sscanf(text, " %23[a-z_] %3[<>=] %lf", g->count, g->relation, &g->bound);
        if (read != 3 && !(read == 1 && exercise_asks(e)))
            return err_set(err, "%s: \"%s\" is not a goal such as ld_sectors <= 1251", e->file, text);
        if (++e->goals == EXERCISE_GOALS) return err_set(err, "%s: too many goals", e->file);
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return 0;
}

/* The member for the text of a label; NULL if there is no such label. */
static char *field_of(exercise_t *e, const char *label, char *goals, size_t *size)
{
    *size = EXERCISE_TEXT;
    if (!strcmp(label, "Idea")) return e->idea;
    if (!strcmp(label, "Page")) return e->page;
    if (!strcmp(label, "Task")) return e->task;
    if (!strcmp(label, "Data")) return e->data;
    if (!strcmp(label, "Goal")) return goals;
    if (!strcmp(label, "Hint")) return e->hints < EXERCISE_HINTS ? e->hint[e->hints++] : NULL;
    *size = sizeof e->kind;
    if (!strcmp(label, "Kind")) return e->kind;
    *size = sizeof e->turns;
    return strcmp(label, "Turns") != 0 ? NULL : e->turns;
}

static int parse_head(exercise_t *e, const char *text, err_t *err)
{
    char goals[EXERCISE_TEXT] = "", *field = NULL;
    size_t size = 0;
    for (int number = 1; *text && strncmp(text, " */", 3) != 0; ++number) {
        const int length = (int)strcspn(text, "\n");
        char line[512], label[16];
        int at = 0;
        snprintf(line, sizeof line, "%.*s", length, text);
        if (number == 2) {
            const char *dash = strstr(line, " - ");
            if (dash) snprintf(e->title, sizeof e->title, "%s", dash + 3);
        } else if (isupper((unsigned char)line[3]) && sscanf(line, " * %15[A-Za-z] %n", label, &at) == 1 && at == 11) {
            field = field_of(e, label, goals, &size);
            if (!field) return err_set(err, "%s: no label: %s", e->file, line);
            snprintf(field, size, "%s", line + at);
        } else if (field && !strncmp(line, " *          ", 11)) {
            const size_t used = strlen(field);
            snprintf(field + used, size - used, " %s", line + 11 + strspn(line + 11, " "));
        }
        text += length + (text[length] == '\n');
    }
    if (!*e->title || !*e->kind || !*e->idea || !*e->page || !*e->task || !*e->data || e->hints != EXERCISE_HINTS)
        return err_set(err, "%s: its head needs a title, Kind, Idea, Page, Task, Data and three times Hint", e->file);
    return parse_goals(e, goals, err);
}

int exercise_list(exercise_t *list, err_t *err)
{
    glob_t found;
    int count = 0, failed = 0;
    if (glob("0?_*/practice/p?_*.cu", 0, NULL, &found))
        failed = err_set(err, "found no 0N_*/practice/p*.cu: run it at the top of the course");
    if (failed) return -1;
    for (; count < (int)found.gl_pathc && count < EXERCISE_MOST && !failed; ++count) {
        exercise_t *e = &list[count];
        memset(e, 0, sizeof *e);
        snprintf(e->file, sizeof e->file, "%s", found.gl_pathv[count]);
        const char *base = strrchr(e->file, '/') + 1;
        e->chapter = e->file[1] - '0';
        e->number = base[1] - '0';
        snprintf(e->name, sizeof e->name, "0%d/%.*s", e->chapter, (int)strlen(base) - 3, base);
        snprintf(e->copy, sizeof e->copy, "work/%s.cu", e->name);
        snprintf(e->solution, sizeof e->solution, "common/classroom/practice/solutions/0%d_%s.patch", e->chapter,
                 e->name + 3);
        char *text = exercise_read(e->file, err);
        failed = text ? parse_head(e, text, err) : -1;
        free(text);
    }
    globfree(&found);
    return failed ? -1 : count;
}

/* Copies one of the numbers of "DRAW(1, 2, 4)" to *out; returns the length of that text. */
static size_t draw(const char *text, rng_t *rng, bool first, char **out)
{
    const char *end = strchr(text, ')'), *at = text + strlen("DRAW(");
    int choices = 1;
    for (const char *c = at; c < end; ++c) choices += *c == ',';
    for (int pick = first ? 0 : (int)rng_below(rng, (uint64_t)choices); pick > 0; --pick) at = strchr(at, ',') + 1;
    at += strspn(at, " ");
    *out += sprintf(*out, "%.*s", (int)strcspn(at, ",)"), at);
    return (size_t)(end + 1 - text);
}

/* Replaces the hints in a head by a line that tells how to see them. */
static void drop_hints(char *text)
{
    static const char INSTEAD[] = " * Hints   make hint\n";
    char *hint = strstr(text, "\n * Hint "), *end = strstr(text, "\n */");
    if (!hint || !end || end < hint) return;
    ++hint, ++end;
    char *to = hint;
    bool dropping = true;
    for (const char *line = hint; line < end;) {
        const size_t length = strcspn(line, "\n") + 1;
        if (line[3] != ' ') dropping = !strncmp(line, " * Hint ", 8); /* a label; other lines continue the one before */
        if (!dropping) memmove(to, line, length), to += length;
        line += length;
    }
    const size_t before = strlen(INSTEAD);
    memmove(hint + before, hint, (size_t)(to - hint)); /* the hints are longer than the new line */
    memcpy(hint, INSTEAD, before);
    to += before;
    memmove(to, end, strlen(end) + 1);
}

char *exercise_text(const exercise_t *e, uint64_t seed, err_t *err)
{
    char *text = exercise_read(e->file, err);
    if (text) drop_hints(text);
    char *drawn = text ? malloc(strlen(text) + 1) : NULL, *to = drawn;
    rng_t rng = rng_stream(seed, 0, 10 * (uint64_t)e->chapter + (uint64_t)e->number);
    for (const char *at = text; drawn && *at;)
        if (!strncmp(at, "DRAW(", 5) && strchr(at, ')')) at += draw(at, &rng, seed == 0, &to);
        else *to++ = *at++;
    if (drawn) *to = 0;
    free(text);
    return drawn;
}
