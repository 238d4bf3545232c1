/* progress.c - see progress.h */
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char PATH[] = "work/progress";

static int find(const exercise_t *list, int count, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (!strcmp(list[i].name, name)) return i;
    return -1;
}

int progress_load(progress_t *p, const exercise_t *list, int count, err_t *err)
{
    memset(p, 0, sizeof *p);
    FILE *f = fopen(PATH, "r");
    if (!f) return errno == ENOENT ? 0 : err_set(err, "%s: %s", PATH, strerror(errno));
    char line[256], name[64], state[16];
    int current = -1;
    while (fgets(line, sizeof line, f)) {
        progress_entry_t e = {.begun = true};
        if (sscanf(line, "current %63s", name) == 1) {
            current = find(list, count, name);
        } else if (sscanf(line, "%63s %15s %d %d %" SCNu64 " %" SCNu64, name, state, &e.attempts, &e.hints, &e.seed,
                          &e.tried) >= 5) {
            const int i = find(list, count, name);
            e.done = !strcmp(state, "done");
            if (i >= 0) p->entry[i] = e;
        }
    }
    fclose(f);
    const int next = progress_next(p, count, -1);
    p->current = current >= 0 ? current : next >= 0 ? next : 0;
    return 0;
}

int progress_save(const progress_t *p, const exercise_t *list, int count, err_t *err)
{
    mkdir("work", 0777);
    FILE *f = fopen("work/progress.new", "w");
    if (!f) return err_set(err, "work/progress.new: %s", strerror(errno));
    fprintf(f, "# state of make practice: exercise, open or done, attempts, hints shown, seed of its numbers, "
               "the file tried last\n");
    fprintf(f, "current %s\n", list[p->current].name);
    for (int i = 0; i < count; ++i) {
        const progress_entry_t *e = &p->entry[i];
        if (e->begun)
            fprintf(f, "%s %s %d %d %" PRIu64 " %" PRIu64 "\n", list[i].name, e->done ? "done" : "open", e->attempts,
                    e->hints, e->seed, e->tried);
    }
    if (fclose(f) || rename("work/progress.new", PATH)) return err_set(err, "%s: %s", PATH, strerror(errno));
    return 0;
}

int progress_next(const progress_t *p, int count, int from)
{
    for (int i = from + 1; i < count; ++i)
        if (!p->entry[i].done) return i;
    for (int i = 0; i < count; ++i)
        if (!p->entry[i].done) return i;
    return -1;
}
