/*
 * practice.c - make practice, watch, hint, progress, solutions (docs/practice.md).
 *
 *     practice [-n CHAPTER] [-e EXERCISE] [--again] try | watch | hint | progress
 *     practice solutions FOLDER
 *
 * Runs at the top of the course.  Exits with 0 if the exercise is solved, 1 if not, 2 if something is missing.
 */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "attempt.h"
#include "progress.h"

enum { WIDTH = 100, SHOWN_LINES = 60 };

typedef struct session {
    exercise_t list[EXERCISE_MOST];
    progress_t progress;
    int count, chapter, number;
    bool again, seeded;
    uint64_t seed;
    const char *command, *folder;
} session_t;

/* ---- output ------------------------------------------------------------------------------------ */

/* Prints "  Idea   text ...", wrapped and indented. */
static void show_text(const char *label, const char *text)
{
    int column = printf("  %-6s", label);
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column + 1 + length > WIDTH) {
            printf("\n        ");
            column = 8;
        }
        column += printf(" %.*s", length, text);
        text += length + strspn(text + length, " ");
    }
    putchar('\n');
}

/* Prints "  Goal   ld_sectors <= 1251, lanes >= 31"; for predict and choose only the counts. */
static void show_goals(const exercise_t *e)
{
    char text[EXERCISE_TEXT] = "";
    for (int i = 0; i < e->goals; ++i) {
        const exercise_goal_t *g = &e->goal[i];
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", g->count);
        if (!exercise_asks(e))
            snprintf(text + strlen(text), sizeof text - strlen(text), " %s %g", g->relation, g->bound);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), "   (what is counted: docs/practice.md)");
    show_text(exercise_asks(e) ? "Counts" : "Goal", text);
}

static void show_exercise(const session_t *s, const exercise_t *e)
{
    int of = 0;
    for (int i = 0; i < s->count; ++i) of += s->list[i].chapter == e->chapter;
    printf("\n%s   %s   (%s, %d of %d in chapter %02d)\n", e->name, e->title, e->kind, e->number, of, e->chapter);
    show_text("Idea", e->idea);
    show_text("Task", e->task);
    show_goals(e);
    show_text("Page", e->page);
    show_text("Edit", e->copy);
}

static int save(const session_t *s)
{
    err_t err;
    if (progress_save(&s->progress, s->list, s->count, &err) == 0) return 0;
    err_say("practice: %s", err.text);
    return -1;
}

/* ---- the learner's file ------------------------------------------------------------------------ */

static int write_file(const char *path, const char *text, err_t *err)
{
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0) {
        err_set(err, "%s: %s", path, strerror(errno));
        if (f) fclose(f);
        return -1;
    }
    return fclose(f) ? err_set(err, "%s: %s", path, strerror(errno)) : 0;
}

/* Renames the learner's copy to the first free name of NAME.old, NAME.old2, ..., and says so. */
static int put_aside(const char *copy, err_t *err)
{
    char aside[96];
    int n = 1;
    do snprintf(aside, sizeof aside, n > 1 ? "%s.old%d" : "%s.old", copy, n);
    while (access(aside, F_OK) == 0 && ++n < 1000);
    if (rename(copy, aside)) return err_set(err, "%s: %s", aside, strerror(errno));
    printf("your file is now %s\n", aside);
    return 0;
}

/* Writes the learner's copy with random numbers, unless it exists.  --again puts an existing copy aside. */
static int give_copy(session_t *s, err_t *err)
{
    const exercise_t *e = &s->list[s->progress.current];
    progress_entry_t *p = &s->progress.entry[s->progress.current];
    char folder[80];
    if (s->again && access(e->copy, F_OK) == 0 && put_aside(e->copy, err)) return -1;
    if (s->again) p->done = false, p->hints = 0;
    if (access(e->copy, F_OK) == 0 && p->begun) return 0;
    const bool kept = access(e->copy, F_OK) == 0; /* the progress file was deleted, but the copy exists */
    p->begun = true;
    p->seed = s->seeded ? s->seed : (uint64_t)time(NULL) % 1000000 + 1;
    if (kept && !exercise_asks(e)) return 0;
    if (kept && put_aside(e->copy, err)) return -1;
    char *text = exercise_text(e, p->seed, err);
    mkdir("work", 0777);
    snprintf(folder, sizeof folder, "work/%02d", e->chapter);
    mkdir(folder, 0777);
    const int failed = text ? write_file(e->copy, text, err) : -1;
    free(text);
    s->again = false;
    return failed;
}

/* ---- solutions --------------------------------------------------------------------------------- */

/* Writes the course's solution to `to`: the exercise with its patch. */
static int unpack(const exercise_t *e, const char *to, err_t *err)
{
    char base[140];
    snprintf(base, sizeof base, "%s.base", to);
    char *text = exercise_text(e, 0, err);
    int status = 0, failed = text ? write_file(base, text, err) : -1;
    free(text);
    if (failed) return -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execlp("patch", "patch", "-s", "-o", to, base, e->solution, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        failed = err_set(err, "%s: patch could not apply it (is patch installed?)", e->solution);
    unlink(base);
    return failed;
}

/* Prints the patch's first line and the lines that it adds. */
static void show_solution(const exercise_t *e)
{
    err_t err;
    char *text = exercise_read(e->solution, &err);
    if (!text) return;
    bool why = true;
    int shown = 0;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line && shown < SHOWN_LINES; line = strtok_r(NULL, "\n", &rest)) {
        if (!strncmp(line, "--- ", 4) || !strncmp(line, "+++ ", 4)) {
            why = false;
        } else if (why) {
            show_text("Why", line);
        } else if (*line == '+' && !exercise_asks(e)) {
            if (shown++ == 0) printf("  the course's solution writes:\n");
            printf("   %s\n", line + 1);
        }
    }
    free(text);
}

/* Prints the learner's counts beside those of the course's solution. */
static void compare(const exercise_t *e, const attempt_t *own)
{
    static attempt_t course;
    static const char TO[] = "build/simt/practice/solution.cu";
    err_t err;
    if (exercise_asks(e)) {
        for (int i = 0; i < own->counts && !strcmp(e->kind, "choose"); ++i) {
            const attempt_count_t *c = &own->count[i];
            for (int k = 0; k < e->goals && c->launch == 'a'; ++k)
                if (!strcmp(e->goal[k].count, c->name))
                    printf("  %-14s a %g, b %g\n", c->name, c->value, attempt_count(own, 'b', c->name));
        }
    } else if (unpack(e, TO, &err) == 0 && attempt_run(e, TO, &course, &err) == 0) {
        printf("  %-14s %8s %8s\n", "", "yours", "course's");
        for (int i = 0; i < own->counts; ++i) {
            const attempt_count_t *c = &own->count[i];
            const double other = attempt_count(&course, '-', c->name);
            if (c->value != 0 || other != 0) printf("  %-14s %8.6g %8.6g\n", c->name, c->value, other);
        }
    } else {
        printf("  the course's solution cannot be run: %s\n", err.text);
    }
    show_solution(e);
}

static int write_solutions(const session_t *s, const char *folder)
{
    err_t err;
    if (mkdir(folder, 0777) && errno != EEXIST) {
        err_say("practice: %s: %s", folder, strerror(errno));
        return 2;
    }
    for (int i = 0; i < s->count; ++i) {
        char path[1024];
        if (s->chapter && s->list[i].chapter != s->chapter) continue;
        snprintf(path, sizeof path, "%s/%02d_%s.cu", folder, s->list[i].chapter, s->list[i].name + 3);
        if (unpack(&s->list[i], path, &err)) {
            err_say("practice: %s", err.text);
            return 2;
        }
    }
    return 0;
}

/* ---- an attempt -------------------------------------------------------------------------------- */

/* FNV-1a; never 0. */
static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325;
    for (; *text; ++text) h = (h ^ (unsigned char)*text) * 0x100000001b3;
    return h ? h : 1;
}

/* Counts an attempt, unless the file is as given or as last tried. */
static void count_attempt(progress_entry_t *p, const char *given, const char *text)
{
    const uint64_t now = hash(text);
    if (now != p->tried && strcmp(given, text) != 0) ++p->attempts;
    p->tried = now;
}

/* Tries the file and prints the result; returns whether it is solved. */
static int try_file(session_t *s, const exercise_t *e, attempt_t *a, err_t *err)
{
    char report[2000] = "";
    progress_entry_t *p = &s->progress.entry[s->progress.current];
    char *text = exercise_read(e->copy, err);
    char *given = text ? exercise_text(e, p->seed, err) : NULL;
    bool solved = false;
    int failed = given ? attempt_run(e, e->copy, a, err) : -1;
    if (!failed) count_attempt(p, given, text);
    if (!failed && !a->ran) {
        printf("\n  not yet:\n");
        for (char *line = a->bad; *line;) { /* indents each line by two */
            const int length = (int)strcspn(line, "\n");
            printf("    %.*s\n", length, line);
            line += length + (line[length] == '\n');
        }
    } else if (!failed) {
        const bool asked = exercise_asks(e);
        solved = asked ? attempt_unchanged(given, text, report, sizeof report) &&
                             attempt_answers(e, a, text, report, sizeof report)
                       : attempt_goals(e, a, report, sizeof report);
        printf("\n  %s\n%s",
               solved  ? "solved"
               : asked ? "not yet:"
                       : "not yet: the answer is right, but a goal is not met",
               report);
    }
    free(text);
    free(given);
    return failed ? -1 : solved;
}

static void say_next(session_t *s)
{
    const int next = progress_next(&s->progress, s->count, s->progress.current);
    if (next < 0) {
        printf("\nAll %d exercises are solved.  The large ones: make exercise N=5 E=1, docs/exercises/README.md\n",
               s->count);
        return;
    }
    if (s->list[next].chapter != s->list[s->progress.current].chapter)
        printf("\nChapter %02d is solved.  Its large exercises: make exercise N=%d E=1\n",
               s->list[s->progress.current].chapter, s->list[s->progress.current].chapter);
    s->progress.current = next;
}

/* Prints how long an answer took, in wall time and in processor time (which other programs do not lengthen). */
static void say_time(const struct timespec *begin, const struct timespec *end)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    const double processor = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                             1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    const double clock = (double)(end->tv_sec - begin->tv_sec) + 1e-9 * (double)(end->tv_nsec - begin->tv_nsec);
    printf("  answered in %.2f s, %.2f s of processors\n", clock, processor);
}

/* Tries the current exercise: 1 solved, 0 not, -1 and *err. */
static int try_current(session_t *s, err_t *err)
{
    static attempt_t a;
    const exercise_t *e = &s->list[s->progress.current];
    progress_entry_t *p = &s->progress.entry[s->progress.current];
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const int solved = try_file(s, e, &a, err);
    if (solved < 0) return -1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (solved) {
        p->done = true;
        compare(e, &a);
        say_next(s);
    } else {
        printf("  %s: make hint\n", p->hints < EXERCISE_HINTS ? "for a hint" : "for the hints again");
        printf("  to start this exercise again: make practice AGAIN=yes\n");
    }
    if (getenv("PRACTICE_TIME")) say_time(&begin, &end);
    return solved;
}

/* Shows the current exercise and tries it if the learner has changed it.  always: also if it has just begun; the caller
 * continues with the next one. */
static int show_and_try(session_t *s, bool always, err_t *err)
{
    const exercise_t *e = &s->list[s->progress.current];
    const bool begun = access(e->copy, F_OK) == 0 && !s->again;
    if (give_copy(s, err)) return -1;
    show_exercise(s, e);
    int solved = 0;
    if (begun || always) solved = try_current(s, err);
    else printf("\n  Edit that file, then: make practice (or make watch, which tries it whenever you save it)\n");
    if (solved == 1 && !always && progress_next(&s->progress, s->count, -1) >= 0 &&
        !s->progress.entry[s->progress.current].done) {
        if (give_copy(s, err)) return -1;
        show_exercise(s, &s->list[s->progress.current]);
    }
    return solved < 0 || save(s) ? -1 : solved;
}

/* Waits until the file changes: with inotifywait if installed, otherwise by polling. */
static void wait_for_change(const char *path, const struct stat *before)
{
    char folder[80];
    struct stat now;
    bool watcher = true;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    while (stat(path, &now) ||
           (now.st_mtim.tv_sec == before->st_mtim.tv_sec && now.st_mtim.tv_nsec == before->st_mtim.tv_nsec &&
            now.st_size == before->st_size && now.st_ino == before->st_ino)) {
        int status = 127 << 8;
        const pid_t child = watcher ? fork() : -1;
        if (child == 0) {
            execlp("inotifywait", "inotifywait", "-qq", "-t", "1", "-e", "close_write,moved_to", folder, (char *)NULL);
            _exit(127);
        }
        if (child > 0) waitpid(child, &status, 0);
        watcher = watcher && WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2);
        if (!watcher) nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
}

static int watch(session_t *s, err_t *err)
{
    for (;;) {
        if (give_copy(s, err)) return -1;
        const char *path = s->list[s->progress.current].copy;
        struct stat before; /* taken before the attempt, so that a save during it counts as a change */
        if (stat(path, &before)) return err_set(err, "%s: %s", path, strerror(errno));
        const int solved = show_and_try(s, true, err);
        if (solved < 0) return -1;
        if (solved && progress_next(&s->progress, s->count, -1) < 0) return 0;
        if (solved) continue;
        printf("\n  watching %s: save it to run it again; Ctrl-C ends\n", path);
        fflush(stdout);
        wait_for_change(path, &before);
        if (progress_load(&s->progress, s->list, s->count, err)) return -1; /* make hint changes the file, too */
    }
}

/* ---- hint, progress ---------------------------------------------------------------------------- */

static int hint(session_t *s)
{
    const exercise_t *e = &s->list[s->progress.current];
    progress_entry_t *p = &s->progress.entry[s->progress.current];
    if (p->hints < EXERCISE_HINTS) ++p->hints;
    printf("%s   %s\n", e->name, e->title);
    for (int i = 0; i < p->hints; ++i) {
        char label[16];
        snprintf(label, sizeof label, "hint %d", i + 1);
        show_text(label, e->hint[i]);
    }
    if (p->hints == EXERCISE_HINTS) printf("  These are all the hints.\n");
    p->begun = p->begun || access(e->copy, F_OK) == 0;
    return save(s) ? 2 : 0;
}

static void show_progress(const session_t *s)
{
    int done = 0;
    for (int i = 0; i < s->count; ++i) {
        const progress_entry_t *p = &s->progress.entry[i];
        if (i == 0 || s->list[i].chapter != s->list[i - 1].chapter) printf("chapter %02d\n", s->list[i].chapter);
        printf("  %c %d  %-8s %-52s",
               p->done                    ? 'x'
               : i == s->progress.current ? '>'
                                          : '.',
               s->list[i].number, s->list[i].kind, s->list[i].title);
        if (p->attempts > 0)
            printf(" %d tr%s, %d hint%s", p->attempts, p->attempts == 1 ? "y" : "ies", p->hints,
                   p->hints == 1 ? "" : "s");
        putchar('\n');
        done += p->done;
    }
    printf("%d of %d exercises are solved (x); > is the current one.  make practice N=5 E=1 chooses another.\n", done,
           s->count);
}

/* ---- the command ------------------------------------------------------------------------------- */

static error_t parse(int key, char *argument, struct argp_state *state)
{
    session_t *s = state->input;
    char *end = NULL;
    switch (key) {
    case 'n':
    case 'e': {
        const long number = strtol(argument, &end, 10);
        if (end == argument || *end || number < 1 || number > 9)
            argp_error(state, "not a number from 1 to 9: %s", argument);
        if (key == 'n') s->chapter = (int)number;
        else s->number = (int)number;
        return 0;
    }
    case 'a': s->again = true; return 0;
    case 's':
        s->seed = strtoull(argument, &end, 10);
        if (end == argument || *end) argp_error(state, "not a seed: %s", argument);
        s->seeded = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0) s->command = argument;
        else if (state->arg_num == 1) s->folder = argument;
        else return ARGP_ERR_UNKNOWN;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_usage(state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Selects the exercise of -n and -e. */
static int choose_exercise(session_t *s, err_t *err)
{
    if (!s->chapter) return s->number ? err_set(err, "E=%d needs the chapter, too: add N=1", s->number) : 0;
    int found = -1;
    for (int i = s->count - 1; i >= 0; --i) { /* the first one that is not done, or the first */
        const exercise_t *e = &s->list[i];
        if (e->chapter != s->chapter || (s->number && e->number != s->number)) continue;
        if (s->number || found < 0 || !s->progress.entry[i].done || s->progress.entry[found].done) found = i;
    }
    if (found < 0)
        return err_set(err, "there is no exercise %d in chapter %d; make progress lists them", s->number, s->chapter);
    s->progress.current = found;
    return 0;
}

static int command(session_t *s, err_t *err)
{
    if (!strcmp(s->command, "solutions")) {
        if (s->folder) return write_solutions(s, s->folder);
        return err_set(err, "name the folder for the solutions: make solutions TO=FOLDER");
    }
    if (choose_exercise(s, err)) return -1;
    if (!strcmp(s->command, "hint")) return hint(s);
    if (!strcmp(s->command, "progress")) return show_progress(s), 0;
    if (!strcmp(s->command, "watch")) return watch(s, err);
    if (strcmp(s->command, "try") != 0) return err_set(err, "there is no command %s", s->command);
    const int solved = show_and_try(s, false, err);
    return solved < 0 ? -1 : !solved;
}

int main(int argc, char **argv)
{
    static const struct argp_option OPTIONS[] = {
        {"chapter", 'n', "N", 0, "choose from this chapter", 0},
        {"exercise", 'e', "E", 0, "choose this exercise of the chapter", 0},
        {"again", 'a', NULL, 0, "start the exercise again with new numbers; your file is kept as .old, .old2, ...", 0},
        {"seed", 's', "SEED", 0, "seed of the exercise's random numbers (0: the first choice of each)", 0},
        {0},
    };
    static const struct argp ARGP = {OPTIONS,
                                     parse,
                                     "try|watch|hint|progress|solutions [FOLDER]",
                                     "Small exercises on the simulator (docs/practice.md).",
                                     NULL,
                                     NULL,
                                     NULL};
    static session_t s;
    err_t err = {{0}};
    if (argp_parse(&ARGP, argc, argv, 0, NULL, &s)) return 64;
    s.count = exercise_list(s.list, &err);
    int status = s.count < 0 || progress_load(&s.progress, s.list, s.count, &err) ? -1 : command(&s, &err);
    if (status < 0) err_say("practice: %s", err.text);
    return status < 0 ? 2 : status;
}
