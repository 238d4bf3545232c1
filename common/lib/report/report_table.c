/* report_table.c - a report on the terminal: the table, and the progress line. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "report_impl.h"

/* Returns the width of the terminal at fd; 0 if fd is not a terminal or the width is unknown. */
static size_t terminal_width(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* ---- columns ----------------------------------------------------------------------------------- */

enum { STEP_WIDTH = 4, IDEA_WIDTH = 44, IDEA_LEAST = 20, KIND_WIDTH = 4, STATUS_WIDTH = 4, TABLE_WIDTH = 100 };

/* Returns the longest allowed line: TABLE_WIDTH, or less on a narrower terminal; with --wide any length. */
static size_t line_width(const report_t *r)
{
    const size_t terminal = terminal_width(STDOUT_FILENO);
    return r->wide ? SIZE_MAX : terminal && terminal < TABLE_WIDTH ? terminal : TABLE_WIDTH;
}

/* Only kernels have counts, so the table of counts has no column for the kind. */
static bool has_kind(const cell_t *columns) { return columns != REPORT_COUNTED && columns != REPORT_PREDICTED; }

/* Returns the width of the idea's column in a line of line_width; on a narrow terminal it may be 0.  With --wide only a
 * terminal shortens the idea. */
static size_t idea_width(const report_t *r, const cell_t *columns)
{
    const size_t terminal = terminal_width(STDOUT_FILENO);
    size_t others = STEP_WIDTH + 1 + (has_kind(columns) ? 1 + KIND_WIDTH : 0) + 1 + (r->wide ? 2 : STATUS_WIDTH);
    for (const cell_t *c = columns; c->head; ++c) others += 1 + (size_t)c->width;
    if (r->wide) {
        if (terminal == 0 || terminal >= others + IDEA_WIDTH) return IDEA_WIDTH;
        return terminal > others + IDEA_LEAST ? terminal - others : IDEA_LEAST;
    }
    const size_t width = line_width(r);
    return width <= others ? 0 : width - others < IDEA_WIDTH ? width - others : IDEA_WIDTH;
}

/* Appends s in exactly `width` columns, cut with an ellipsis or padded. */
static void put_column(text_t *t, const char *s, size_t width)
{
    if (width == 0) return;
    const size_t before = t->length;
    size_t n = text_put_utf8(t, s, " ", width + 1);
    if (n > width) {
        t->length = before;
        n = text_put_utf8(t, s, " ", width - 1) + 1;
        text_put(t, "\u2026");
    }
    text_put(t, "%*s", (int)(width - n), "");
}

/* Returns by how many characters the numbers of a row exceed their columns, for example a spread of 2.82e+03 %. */
static size_t too_long(const view_t *v, const cell_t *columns)
{
    size_t more = 0;
    for (const cell_t *c = columns; c->head; ++c) {
        const size_t length = strlen(report_number(v, c->style, c->offset).text), width = (size_t)c->width;
        more += length > width ? length - width : 0;
    }
    return more;
}

/* Appends step, idea and kind.  A long step name shortens the idea, and so do `more` characters of long numbers; if
 * that is not enough, the name is cut. */
static void put_names(text_t *t, const report_t *r, const cell_t *columns, size_t more, const char *step,
                      const char *idea, const char *kind)
{
    const size_t names = STEP_WIDTH + idea_width(r, columns), least = r->wide ? IDEA_LEAST / 2 : 0;
    const size_t room = names > STEP_WIDTH + more ? names - more : STEP_WIDTH, before = t->length;
    size_t used = text_put_utf8(t, step, " ", SIZE_MAX);
    if (!r->wide && used > room) {
        t->length = before;
        put_column(t, step, used = room);
    }
    for (; used < STEP_WIDTH; ++used) text_put(t, " ");
    text_put(t, " ");
    put_column(t, idea, used + least < room ? room - used : least);
    if (!has_kind(columns)) return;
    text_put(t, " ");
    put_column(t, kind, KIND_WIDTH);
}

/* ---- rows -------------------------------------------------------------------------------------- */

/* Makes the heading of a new case: name, type, compulsory bytes.  It is printed before the first line below it. */
static void new_heading(text_t *t, report_t *r, const view_t *v)
{
    static const char *const UNITS[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    text_t heading = {0};
    text_put_field(&heading, v->row.case_name, " ");
    text_put(&heading, "  ");
    text_put_field(&heading, v->row.dtype, " ");
    const size_t name = heading.length;
    if (isfinite(v->row.bytes)) {
        double bytes = v->row.bytes;
        size_t unit = 0;
        for (; bytes >= 999.5 && unit < 5; ++unit) bytes /= 1000;
        text_put(&heading, "  %.3g %s", bytes, UNITS[unit]);
    }
    t->failed |= heading.failed;
    if (heading.failed ||
        (r->heading.data && name == r->name_length && strncmp(r->heading.data, heading.data, name) == 0)) {
        text_free(&heading);
        return;
    }
    report_table_end(t, r);
    text_free(&r->heading);
    r->heading = heading;
    r->name_length = name;
    r->heading_shown = false;
    r->columns = NULL;
    memset(r->best, 0, sizeof r->best);
    memset(r->timed, 0, sizeof r->timed);
}

static void show_heading(text_t *t, report_t *r)
{
    if (!r->heading_shown) text_put(t, "\n%s\n", r->heading.data ? r->heading.data : "");
    r->heading_shown = true;
}

/* Stores a skipped row, which is printed at the end of its table. */
static void gather_skipped(text_t *t, report_t *r, const view_t *v)
{
    text_t reason = {0}, steps = {0};
    text_put_utf8(&reason, v->status.data ? v->status.data : "", " ", SIZE_MAX);
    const char *before = reason.data ? json_string_value(json_object_get(r->skipped, reason.data)) : NULL;
    text_put(&steps, "%s%s", before ? before : "", before ? ", " : "");
    text_put_field(&steps, v->row.step, " ");
    if (reason.failed || steps.failed || json_object_set_new(r->skipped, reason.data, json_string(steps.data)))
        t->failed = true;
    text_free(&reason);
    text_free(&steps);
}

/* ---- the best row of a case ---------------------------------------------------------------------- */

/* Compares a row with the best of its kind, except the parts of a run over several processes. */
static void compare(report_t *r, const view_t *v)
{
    const report_row_t *row = &v->row;
    const char *kind = row->kind ? row->kind : "";
    const best_t b = best_of_row(row->step ? row->step : "-", row->cold_us, row->predicted_us, row->predicted_low_us,
                                 row->predicted_high_us);
    if (row->status != REPORT_OK || !*b.step || row->ranks > 0) return;
    const int rivals = strcmp(kind, "gpu") == 0  ? KERNELS
                       : strcmp(kind, "cpu") == 0 ? CPU_CODE
                       : isfinite(row->pct_ceiling) ? GPU_LIBRARIES
                                                    : CPU_LIBRARIES;
    if (rivals == KERNELS && r->timed[KERNELS] < sizeof r->kernel_us / sizeof *r->kernel_us)
        r->kernel_us[r->timed[KERNELS]] = b.predicted ? b.us : INFINITY;
    ++r->timed[rivals];
    if (!best_better(&b, &r->best[rivals])) return;
    r->best[rivals] = b;
    if (rivals == KERNELS) snprintf(r->limiter, sizeof r->limiter, "%s", row->limiter ? row->limiter : "");
}

static void put_us(text_t *t, double us) { text_put(t, us < 10 ? "%.2f" : us < 1000 ? "%.1f" : "%.0f", us); }

/* Returns how many kernels are predicted within 5 % of the best, besides itself: too close to name a best one. */
static size_t count_equals(const report_t *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->timed[KERNELS] && i < sizeof r->kernel_us / sizeof *r->kernel_us; ++i)
        n += r->kernel_us[i] <= 1.05 * r->best[KERNELS].us;
    return n > 0 ? n - 1 : 0;
}

/* Appends "best: v7, 5.63 us, 2.86 times as fast as cub (16.1 us)", if there is a row to compare with; of predicted
 * times that are too close "no clear best: v1 and 3 more ...". */
static void put_best(text_t *t, const report_t *r, int ours, int library, const char *where)
{
    const best_t *b = &r->best[ours], *l = &r->best[library];
    if (!*b->step || r->timed[ours] + r->timed[library] < 2) return;
    const size_t equals = ours == KERNELS && b->predicted && !b->plan ? count_equals(r) : 0;
    text_put(t, "%s", !r->colour ? "" : equals ? "\033[36m" : "\033[1;32m");
    const size_t start = t->length;
    text_put(t, "%s%s: ", equals ? "no clear best" : "best", where);
    text_put_utf8(t, b->step, " ", SIZE_MAX);
    if (equals) text_put(t, " and %zu more are predicted within 5 %%, ", equals);
    else text_put(t, ", %s", b->predicted ? "predicted " : "");
    put_us(t, b->us);
    text_put(t, " us");
    if (b->predicted) {
        text_put(t, " (");
        put_us(t, b->low_us);
        text_put(t, " to ");
        put_us(t, b->high_us);
        text_put(t, ")");
        if (ours == KERNELS && *r->limiter) {
            const bool fits = t->length - start + strlen(r->limiter) + 2 <= line_width(r);
            text_put(t, fits ? "; " : ";\n      ");
            text_put_utf8(t, r->limiter, " ", SIZE_MAX);
        }
    }
    if (*l->step && !b->predicted) {
        text_put(t, ", %.2f times as fast as ", l->us / b->us);
        text_put_utf8(t, l->step, " ", SIZE_MAX);
        text_put(t, " (");
        put_us(t, l->us);
        text_put(t, " us)");
    }
    text_put(t, "%s\n", r->colour ? "\033[0m" : "");
}

/* Appends ": v1, v2, ..." to the line; if that is longer than `width`, in several lines. */
static void put_list(text_t *line, const char *list, size_t width)
{
    text_put(line, ":");
    for (size_t column = line->length; *list;) { /* the line begins with a line end, which takes no column */
        const size_t length = strcspn(list, " ");
        const bool breaks = column + length > width;
        text_put(line, "%s%.*s", breaks ? "\n    " : " ", (int)length, list);
        column = (breaks ? 4 : column) + 1 + length;
        list += length + strspn(list + length, " ");
    }
}

void report_table_end(text_t *t, report_t *r)
{
    const char *reason;
    json_t *steps;
    put_best(t, r, KERNELS, GPU_LIBRARIES, "");
    put_best(t, r, CPU_CODE, CPU_LIBRARIES, " on the CPU");
    json_object_foreach(r->skipped, reason, steps) {
        text_t line = {0};
        text_put(&line, "\n%s", reason);
        put_list(&line, json_string_value(steps), line_width(r));
        text_put(&line, "\n");
        if (line.failed) t->failed = true;
        else if (!r->said.data || !strstr(r->said.data, line.data)) {
            show_heading(t, r);
            text_put(t, "%s", line.data + 1);
            text_put(&r->said, "%s", line.data);
            t->failed |= r->said.failed;
        }
        text_free(&line);
    }
    json_object_clear(r->skipped);
    const char *about = json_string_value(json_object_get(r->meta, "predicted"));
    if (r->predicted && about && !(r->said.data && strstr(r->said.data, about))) { // only below the first table
        const char *more = r->wide ? "" : "\n--wide shows loads and stores apart, atomics and balance";
        text_put(t, "%s%s%s%s\n", r->colour ? "\033[36m" : "", about, more, r->colour ? "\033[0m" : "");
        text_put(&r->said, "\n%s\n", about);
        t->failed |= r->said.failed;
    }
    r->predicted = false;
}

/* Appends the status, in colour on a terminal.  The reason of a failure, or a remark, follows on separate lines. */
static void put_status(text_t *t, const report_t *r, const view_t *v)
{
    const bool failed = v->row.status == REPORT_FAIL;
    const char *name = report_status_name(v->row.status), *why = v->row.why ? v->row.why : "";
    if (r->colour) text_put(t, " \033[%dm%s\033[0m", failed ? 31 : 32, name);
    else text_put(t, " %s", name);
    if (r->wide && v->row.limiter && !failed)
        text_put(t, r->colour ? "  \033[36m%s\033[0m" : "  %s", v->row.limiter);
    why += strspn(why, ": ");
    if (*why) {
        text_put(t, "\n     ");
        text_put_utf8(t, why, "\n     ", SIZE_MAX);
    }
    text_put(t, "\n");
}

static const cell_t *columns_of(const report_t *r, const report_row_t *row)
{
    if (!row->counted) return r->wide ? REPORT_WIDE_TIMED : REPORT_TIMED;
    if (row->predicted_for) return r->wide ? REPORT_WIDE_PREDICTED : REPORT_PREDICTED;
    return r->wide ? REPORT_WIDE_COUNTED : REPORT_COUNTED;
}

void report_table_row(text_t *t, report_t *r, const view_t *v)
{
    const bool timed = isfinite(v->row.cold_us) || isfinite(v->row.warm_us);
    new_heading(t, r, v);
    if (v->row.status == REPORT_SKIP) {
        gather_skipped(t, r, v);
        return;
    }
    show_heading(t, r);
    const cell_t *columns = columns_of(r, &v->row);
    if (!v->row.counted && !timed && r->columns) columns = r->columns; /* a row without numbers: keep the columns */
    if (columns != r->columns) {
        put_names(t, r, columns, 0, "step", "idea", "kind");
        for (const cell_t *c = columns; c->head; ++c) text_put(t, " %*s", c->width, c->head);
        text_put(t, "\n");
    }
    r->columns = columns;
    put_names(t, r, columns, too_long(v, columns), v->row.step ? v->row.step : "-", v->row.idea,
              v->row.kind ? v->row.kind : "-");
    for (const cell_t *c = columns; c->head; ++c) {
        const bool guessed = r->colour && c->style == PREDICTED;
        text_put(t, "%s %*s%s", guessed ? "\033[36m" : "", c->width, report_number(v, c->style, c->offset).text,
                 guessed ? "\033[0m" : "");
    }
    put_status(t, r, v);
    compare(r, v);
    r->predicted = r->predicted || v->row.predicted_for;
}

void report_table_header(text_t *t, const report_t *r, const char *chapter)
{
    static const struct {
        const char *key, *before, *after;
    } SHOWN[] = {
        {"gpu", "  ", ""}, {"arch", "  ", ""}, {"driver", "  driver ", ""}, {"toolkit", "  CUDA ", ""},
        {"commit", "  commit ", ""}, {"seed", "  seed ", ""}, {"ceiling_copy_gbps", "\nceilings: copy ", " GB/s"},
        {"ceiling_read_gbps", "  read ", " GB/s"}, {"peak_gbps", "  data sheet ", " GB/s"},
        {"floor_us", "  launch floor ", " us"},
    };
    const size_t before = t->length;
    const char *name = json_string_value(json_object_get(r->meta, "chapter"));
    if (name || chapter) text_put_utf8(t, name ? name : chapter, " ", SIZE_MAX);
    for (size_t i = 0; i < sizeof SHOWN / sizeof SHOWN[0]; ++i) {
        const char *value = json_string_value(json_object_get(r->meta, SHOWN[i].key));
        if (!value || !*value || strcmp(value, "-") == 0) continue;
        const char *first = SHOWN[i].before;
        text_put(t, "%s", t->length > before ? first : first + strspn(first, " \n"));
        text_put_utf8(t, value, " ", SIZE_MAX);
        text_put(t, "%s", SHOWN[i].after);
    }
    if (t->length > before) text_put(t, "\n");
}

/* ---- progress ---------------------------------------------------------------------------------- */

void report_wipe_progress(report_t *r)
{
    if (!r->progress_shown) return;
    fputs("\r\033[K", stderr);
    r->progress_shown = false;
}

/* Appends "8 s", "2 min 5 s" or "1 h 3 min". */
static void put_duration(text_t *t, double seconds)
{
    const unsigned long whole = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 1000000000UL;
    if (whole < 60) text_put(t, "%lu s", whole);
    else if (whole < 3600) text_put(t, "%lu min %lu s", whole / 60, whole % 60);
    else text_put(t, "%lu h %lu min", whole / 3600, whole % 3600 / 60);
}

void report_progress(report_t *r, size_t done, size_t total, const char *format, ...)
{
    static const char FULL[] = "##########", EMPTY[] = "..........";
    enum { BAR = sizeof FULL - 1 };
    if (!isatty(STDERR_FILENO)) return;
    if (r->progress_start == 0 || done < r->progress_last || total != r->progress_total) {
        r->progress_start = clock_now();
        r->progress_total = total;
    }
    r->progress_last = done;

    text_t line = {0}, shown = {0};
    va_list args;
    const int full = done >= total ? BAR : (int)((double)done / (double)total * BAR);
    if (total > 0) text_put(&line, "[%.*s%.*s] %zu/%zu", full, FULL, BAR - full, EMPTY, done, total);
    else text_put(&line, "%zu", done);
    text_put(&line, " ");
    va_start(args, format);
    text_vput(&line, format, args);
    va_end(args);
    text_put(&line, "  ");
    const double elapsed = clock_now() - r->progress_start;
    put_duration(&line, elapsed);
    if (done > 0 && done < total) {
        text_put(&line, ", about ");
        put_duration(&line, elapsed * (double)(total - done) / (double)done);
        text_put(&line, " left");
    }

    const size_t width = terminal_width(STDERR_FILENO); /* a wrapped line could not be erased */
    const locale_t before = uselocale(r->plain);
    if (line.data) text_put_utf8(&shown, line.data, " ", width > 1 ? width - 1 : SIZE_MAX);
    uselocale(before);
    fprintf(stderr, "\r\033[K%s", shown.data ? shown.data : "");
    r->progress_shown = true;
    text_free(&line);
    text_free(&shown);
}
