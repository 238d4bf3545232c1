/* attempt.c - see attempt.h */
#include "attempt.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plain.h"

enum { MOST_WORDS = 24 };
static const char KIT[] = "build/simt/practice", PROGRAM[] = "build/simt/practice/learner";
static const char ANSWER[] = "// answer:";

/* Runs a command and stores its output to descriptor `from` in text.  Returns its exit status or 128 + signal; -1 and
 * *err if it could not be run. */
static int run(char *const argv[], int from, char *text, size_t size, err_t *err)
{
    int ends[2], status;
    if (pipe(ends)) return err_set(err, "pipe: %s", strerror(errno));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (ends[1] != from && dup2(ends[1], from) < 0) _exit(127);
        if (ends[0] != from) close(ends[0]);
        if (ends[1] != from) close(ends[1]);
        execv(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    size_t used = 0;
    char rest[512];
    for (ssize_t got = 1; child > 0 && got > 0;) {
        got = used < size - 1 ? read(ends[0], text + used, size - 1 - used) : read(ends[0], rest, sizeof rest);
        if (got > 0 && used < size - 1) used += (size_t)got;
    }
    text[used] = 0;
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0) return err_set(err, "%s: %s", argv[0], strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void add(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

/* Reads the lines of runner.c. */
static void read_results(attempt_t *a, char *said)
{
    char *rest = NULL;
    for (char *line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        attempt_count_t c;
        if (!strncmp(line, "bad ", 4)) add(a->bad, sizeof a->bad, "%s\n", line + 4);
        else if (!strcmp(line, "end")) a->ran = true;
        else if (sscanf(line, "count %c %23s %lf", &c.launch, c.name, &c.value) == 3 && a->counts < ATTEMPT_COUNTS)
            a->count[a->counts++] = c;
    }
    plain_lines(a->bad);
}

int attempt_run(const exercise_t *e, const char *source, attempt_t *a, err_t *err)
{
    static char said[1 << 16];
    char data[EXERCISE_TEXT], *rest = NULL;
    memset(a, 0, sizeof *a);
    char *const build[] = {
        "/bin/sh", "common/classroom/practice/build.sh", (char *)KIT, (char *)source, (char *)e->copy, (char *)PROGRAM, NULL};
    const int built = run(build, STDOUT_FILENO, a->bad, sizeof a->bad, err);
    if (built < 0) return -1;
    plain_lines(a->bad);
    if (built > 0) {
        if (!*a->bad) add(a->bad, sizeof a->bad, "it could not be built, and the compiler gave no reason\n");
        return 0;
    }
    *a->bad = 0;
    char *argv[MOST_WORDS] = {(char *)PROGRAM, (char *)e->kind};
    int words = 2;
    snprintf(data, sizeof data, "%s", e->data);
    for (char *word = strtok_r(data, " ", &rest); word && words < MOST_WORDS - 2; word = strtok_r(NULL, " ", &rest)) {
        argv[words++] = word;
        if (words == 3) argv[words++] = *e->turns ? "turns" : "-"; /* `turns` follows the family */
    }
    const int status = run(argv, 3, said, sizeof said, err);
    if (status < 0) return -1;
    read_results(a, said);
    if (!a->ran && !*a->bad)
        add(a->bad, sizeof a->bad,
            status > 128 ? "the program was ended by signal %d: does host code use a pointer to GPU memory?\n"
                         : "the program ended with status %d\n",
            status > 128 ? status - 128 : status);
    return 0;
}

double attempt_count(const attempt_t *a, char launch, const char *name)
{
    for (int i = 0; i < a->counts; ++i)
        if (a->count[i].launch == launch && !strcmp(a->count[i].name, name)) return a->count[i].value;
    return NAN;
}

bool attempt_goals(const exercise_t *e, const attempt_t *a, char *report, size_t size)
{
    bool all = true;
    for (int i = 0; i < e->goals; ++i) {
        const exercise_goal_t *g = &e->goal[i];
        const double value = attempt_count(a, '-', g->count);
        const bool met = *g->relation == '<'   ? value <= g->bound
                         : *g->relation == '>' ? value >= g->bound
                                               : value == g->bound;
        add(report, size, "  %-14s %8.6g   goal %s %g%s\n", g->count, value, g->relation, g->bound,
            met ? "" : "   not yet");
        all = all && met;
    }
    return all;
}

/* Stores the text after "// answer: NAME =" without blanks; false if there is no such line. */
static bool find_answer(const char *text, const char *name, char *answer, size_t size)
{
    for (const char *at = text; (at = strstr(at, ANSWER)); ++at) {
        char line[128], found[32];
        int used = 0;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\r\n"), at);
        if (sscanf(line, "// answer: %31[a-z_] = %n", found, &used) != 1 || used == 0 || strcmp(found, name) != 0)
            continue;
        snprintf(answer, size, "%.*s", (int)strcspn(line + used, " "), line + used);
        return true;
    }
    return false;
}

/* predict: checks a number for each count. */
static bool judge_numbers(const exercise_t *e, const attempt_t *a, const char *text, char *report, size_t size)
{
    bool all = true;
    for (int i = 0; i < e->goals; ++i) {
        const char *name = e->goal[i].count;
        const double value = attempt_count(a, '-', name);
        char answer[40] = "", *end = answer;
        const char *verdict = "right";
        if (!find_answer(text, name, answer, sizeof answer)) verdict = "its line is missing";
        const double own = strtod(answer, &end);
        if (*end || end == answer) verdict = "write a number";
        else if (!(fabs(own - value) <= 0.005 * fabs(value)))
            verdict = own < value ? "the count is larger" : "the count is smaller";
        add(report, size, "  %-14s %8s   %s\n", name, *answer ? answer : "-", verdict);
        all = all && !strcmp(verdict, "right");
    }
    return all;
}

/* choose: checks the count in which the kernels differ most, and the kernel with less of it (of lanes: with more). */
static bool judge_choice(const exercise_t *e, const attempt_t *a, const char *text, char *report, size_t size)
{
    char winner[40] = "", count[40] = "";
    double largest = 0;
    const char *decides = "", *better = "";
    find_answer(text, "winner", winner, sizeof winner);
    find_answer(text, "count", count, sizeof count);
    for (int i = 0; i < e->goals; ++i) {
        const char *name = e->goal[i].count;
        const double of_a = attempt_count(a, 'a', name), of_b = attempt_count(a, 'b', name);
        const double ratio = fabs(log((of_a + 1) / (of_b + 1)));
        if (!(ratio > largest)) continue;
        largest = ratio;
        decides = name;
        better = (of_a < of_b) == (strcmp(name, "lanes") != 0) ? "a" : "b";
    }
    const bool right_winner = !strcmp(winner, better), right_count = !strcmp(count, decides);
    bool named = false;
    for (int i = 0; i < e->goals; ++i) named = named || !strcmp(count, e->goal[i].count);
    add(report, size, "  %-14s %8s   %s\n", "winner", winner,
        right_winner                       ? "right"
        : *winner == 'a' || *winner == 'b' ? "the other one"
                                           : "write a or b");
    add(report, size, "  %-14s %8s   %s\n", "count", count,
        right_count ? "right"
        : named     ? "the kernels differ more in another count"
                    : "write one of the counts above");
    if (!right_winner) return false;
    return right_count;
}

bool attempt_answers(const exercise_t *e, const attempt_t *a, const char *text, char *report, size_t size)
{
    return !strcmp(e->kind, "choose") ? judge_choice(e, a, text, report, size)
                                      : judge_numbers(e, a, text, report, size);
}

bool attempt_unchanged(const char *given, const char *text, char *report, size_t size)
{
    for (int line = 1; *given || *text; ++line) {
        const size_t a = strcspn(given, "\n"), b = strcspn(text, "\n");
        const size_t shown = b > 0 && text[b - 1] == '\r' ? b - 1 : b;
        const char *answer = strstr(given, ANSWER);
        const bool asked = answer && answer < given + a;
        if (!asked && (a != shown || strncmp(given, text, a) != 0)) {
            add(report, size, "  line %d was changed: in this exercise change only lines with \"%s\"\n", line,
                ANSWER);
            return false;
        }
        given += a + (given[a] == '\n');
        text += b + (text[b] == '\n');
    }
    return true;
}
