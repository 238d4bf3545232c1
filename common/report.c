/* report.c - see report.h */
#include "report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

enum { NUMBER = 32 }; /* room for one formatted number */

typedef enum layout { LAYOUT_NONE, LAYOUT_TIMED, LAYOUT_COUNTED } layout_t;

/* A growing string.  Out of memory is remembered and reported once, by whoever uses the text. */
typedef struct text {
    char *data;
    size_t length, room;
    bool failed;
} text_t;

typedef struct meta {
    char *key, *value;
} meta_t;

struct report {
    report_format_t format;
    char *path, *temporary, *folder; /* of the record; NULL without one */
    locale_t plain;                  /* numbers with a point, whatever the program's locale */
    meta_t *meta;
    size_t metas;
    bool json_record;   /* the record is JSON, not TSV */
    bool out_of_memory; /* a header line was lost */
    bool started;       /* the header has been printed */
    size_t rows, failures;
    text_t body;      /* the record's rows so far */
    text_t case_name; /* case and dtype of the heading in force */
    layout_t layout;  /* columns in force */
    bool colour;
    bool progress_shown;
    double progress_start; /* when the work now counted began ... */
    size_t progress_first, progress_last, progress_total; /* ... and at which count */
};

/* ---- text ------------------------------------------------------------------------------------ */

static void put_bytes(text_t *t, const char *bytes, size_t n)
{
    if (t->failed) return;
    if (t->length + n + 1 > t->room) {
        size_t room = 2 * (t->length + n + 1);
        char *data = realloc(t->data, room);
        if (!data) {
            t->failed = true;
            return;
        }
        t->data = data;
        t->room = room;
    }
    memcpy(t->data + t->length, bytes, n);
    t->length += n;
    t->data[t->length] = '\0';
}

static void put(text_t *t, const char *s)
{
    put_bytes(t, s, strlen(s));
}

static void put_spaces(text_t *t, size_t n)
{
    while (n-- > 0) put_bytes(t, " ", 1);
}

static void text_free(text_t *t)
{
    free(t->data);
    *t = (text_t){0};
}

static const char REPLACEMENT[] = "\xEF\xBF\xBD"; /* U+FFFD, for what is no UTF-8 */

/* Bytes of the UTF-8 character at s (1..4), 0 if it is none.  *code: its code point. */
static size_t utf8(const char *s, unsigned long *code)
{
    static const unsigned long LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *u = (const unsigned char *)s;
    size_t n = u[0] < 0x80 ? 1 : u[0] >> 5 == 6 ? 2 : u[0] >> 4 == 14 ? 3 : u[0] >> 3 == 30 ? 4 : 0;
    if (n == 0) return 0;
    *code = n == 1 ? u[0] : u[0] & (0x7FU >> n);
    for (size_t i = 1; i < n; i++) {
        if (u[i] >> 6 != 2) return 0; /* the closing NUL ends here too */
        *code = *code << 6 | (u[i] & 0x3F);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < LEAST[n] || surrogate || *code > 0x10FFFF ? 0 : n;
}

static bool is_control(unsigned long code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/* At most `most` characters of s on one line: `newline` for line ends (those at the end of s are dropped),
 * a space for every other control character. */
static void put_line(text_t *t, const char *s, const char *newline, size_t most)
{
    for (size_t step; *s && most > 0; s += step, most--) {
        unsigned long code = 0;
        step = utf8(s, &code);
        if (step == 0) {
            put(t, REPLACEMENT);
            step = 1;
        } else if (code == '\n' || code == '\r') {
            step = strspn(s, "\r\n");
            if (s[step]) put(t, newline);
        } else if (is_control(code)) {
            put(t, " ");
        } else {
            put_bytes(t, s, step);
        }
    }
}

static size_t characters(const char *s)
{
    size_t n = 0;
    for (size_t step; *s; s += step, n++) {
        unsigned long code;
        step = utf8(s, &code);
        if (step == 0) step = 1;
    }
    return n;
}

/* s in exactly `width` columns, cut with an ellipsis or padded. */
static void put_column(text_t *t, const char *s, size_t width)
{
    text_t line = {0};
    put_line(&line, s, " ", SIZE_MAX);
    const char *clean = line.data ? line.data : "";
    size_t n = characters(clean);
    if (n > width) {
        put_line(t, clean, " ", width - 1);
        put(t, "\xE2\x80\xA6");
    } else {
        put(t, clean);
        put_spaces(t, width - n);
    }
    t->failed |= line.failed;
    text_free(&line);
}

static void put_field(text_t *t, const char *s, const char *newline)
{
    const size_t before = t->length;
    if (s) put_line(t, s, newline, SIZE_MAX);
    if (t->length == before) put(t, "-"); /* nothing, or nothing but line ends */
}

static void put_json_string(text_t *t, const char *s)
{
    put(t, "\"");
    for (size_t step; *s; s += step) {
        char escape[8];
        unsigned long code = 0;
        step = utf8(s, &code);
        if (step == 0) {
            put(t, REPLACEMENT);
            step = 1;
        } else if (code == '"' || code == '\\') {
            snprintf(escape, sizeof escape, "\\%c", (char)code);
            put(t, escape);
        } else if (code == '\n') {
            put(t, "\\n");
        } else if (code == '\t') {
            put(t, "\\t");
        } else if (is_control(code)) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code & 0xFFFF);
            put(t, escape);
        } else {
            put_bytes(t, s, step);
        }
    }
    put(t, "\"");
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* How a number is written. */
typedef enum style {
    TEXT, STATUS,                                     /* no numbers: fields of the record */
    SHORT, MICROSECONDS, WHOLE, COUNT,                /* in the record */
    TIME, SPREAD, RATE, FIXED1, FIXED2, MARGIN, TALLY /* on the terminal */
} style_t;

static int time_digits(double v)
{
    return v < 100 ? 3 : v < 1000 ? 2 : v < 100000 ? 1 : 0;
}

static void format_double(char *out, style_t style, double v)
{
    if (!isfinite(v)) {
        strcpy(out, "-");
        return;
    }
    const double a = fabs(v);
    if (a > 1e308) { /* rounded to a few digits it could be more than a double can hold */
        snprintf(out, NUMBER, "%.17g", v);
        return;
    }
    bool big = a >= 999.95 && a < 1e15; /* where %g would turn to exponents or drop digits */
    switch (style) {
    case MICROSECONDS: snprintf(out, NUMBER, a < 1000 ? "%.3f" : a < 1e15 ? "%.1f" : "%.6g", v); break;
    case WHOLE: snprintf(out, NUMBER, a < 1e18 ? "%.0f" : "%.17g", v); break;
    case TIME: snprintf(out, NUMBER, a < 1e15 ? "%.*f" : "%.*e", time_digits(a), v); break;
    case SPREAD: snprintf(out, NUMBER, a < 9.95 ? "%.1f" : a < 999.95 ? "%.0f" : "%.3g", v); break;
    case RATE: snprintf(out, NUMBER, a < 0.995 ? "%.2f" : a < 99.95 ? "%.1f" : a < 1e15 ? "%.0f" : "%.3g", v); break;
    case FIXED1: snprintf(out, NUMBER, a < 1e15 ? "%.1f" : "%.3g", v); break;
    case FIXED2: snprintf(out, NUMBER, a < 1e15 ? "%.2f" : "%.3g", v); break;
    case MARGIN: snprintf(out, NUMBER, "%.2g", v); break;
    default: snprintf(out, NUMBER, big ? "%.0f" : "%.4g", v); break;
    }
}

static void format_count(char *out, style_t style, int64_t v)
{
    if (v < 0) strcpy(out, "-");
    else if (style == TALLY && v >= 10000000000) snprintf(out, NUMBER, "%.1fG", 1e-9 * (double)v);
    else if (style == TALLY && v >= 10000000) snprintf(out, NUMBER, "%.1fM", 1e-6 * (double)v);
    else snprintf(out, NUMBER, "%lld", (long long)v);
}

/* A row ready to be written: failed and skipped rows without times, and what is derived from others. */
typedef struct view {
    report_row_t row;
    double sectors_per_request, iterations_per_s, ranks;
    bool ok, skipped, failed;
} view_t;

static bool starts_with(const char *s, const char *beginning)
{
    return strncmp(s, beginning, strlen(beginning)) == 0;
}

static view_t view_of(const report_row_t *row)
{
    view_t v = {.row = *row, .sectors_per_request = NAN, .iterations_per_s = NAN};
    if (!row->status || !*row->status) v.row.status = "FAIL: the row has no status";
    if (!row->idea) v.row.idea = "";
    v.ok = strcmp(v.row.status, "ok") == 0;
    v.skipped = starts_with(v.row.status, "skip");
    v.failed = starts_with(v.row.status, "FAIL");
    if (v.skipped) v.row.setup_ms = v.row.err_over_tol = NAN;
    if (v.failed || v.skipped) /* a wrong result has no speed */
        v.row.cold_us = v.row.warm_us = v.row.spread_pct = v.row.cold_gbps = v.row.pct_ceiling = v.row.efficiency = NAN;
    if (v.failed || v.skipped || !(row->iterations > 0)) v.row.iterations = v.row.residual = NAN;
    else if (v.row.cold_us > 0) v.iterations_per_s = 1e6 * row->iterations / v.row.cold_us;
    if (row->ranks < 1) v.row.max_over_mean = v.row.exchange_bytes = NAN;
    v.ranks = row->ranks < 1 ? NAN : row->ranks;
    if (!row->counted) {
        v.row.ld_requests = v.row.ld_sectors = v.row.st_requests = v.row.st_sectors = REPORT_NONE;
        v.row.sh_ld_wavefronts = v.row.sh_st_wavefronts = REPORT_NONE;
        v.row.atomic_requests = REPORT_NONE;
        v.row.active_lanes = v.row.useful_pct = v.row.warp_max_mean = v.row.block_max_mean = NAN;
    } else if (row->ld_requests > 0 && row->ld_sectors >= 0) {
        v.sectors_per_request = (double)row->ld_sectors / (double)row->ld_requests;
    }
    return v;
}

/* One number of a row; `offset` is its place in view_t. */
static void format_number(char *out, const view_t *v, style_t style, size_t offset)
{
    const void *at = (const char *)v + offset;
    if (style == COUNT || style == TALLY) format_count(out, style, *(const int64_t *)at);
    else format_double(out, style, *(const double *)at);
}

/* ---- the record and JSON --------------------------------------------------------------------- */

struct column {
    const char *name;
    style_t style;
    size_t offset;
};

#define AT(member) offsetof(view_t, row.member)
static const struct column COLUMNS[] = {
    {"chapter", TEXT, AT(chapter)},
    {"step", TEXT, AT(step)},
    {"kind", TEXT, AT(kind)},
    {"case", TEXT, AT(case_name)},
    {"dtype", TEXT, AT(dtype)},
    {"setup_ms", SHORT, AT(setup_ms)},
    {"cold_us", MICROSECONDS, AT(cold_us)},
    {"warm_us", MICROSECONDS, AT(warm_us)},
    {"spread_pct", SHORT, AT(spread_pct)},
    {"bytes", WHOLE, AT(bytes)},
    {"cold_gbps", SHORT, AT(cold_gbps)},
    {"pct_ceiling", SHORT, AT(pct_ceiling)},
    {"efficiency", SHORT, AT(efficiency)},
    {"err_over_tol", SHORT, AT(err_over_tol)},
    {"status", STATUS, AT(status)},
    {"ld_requests", COUNT, AT(ld_requests)},
    {"ld_sectors", COUNT, AT(ld_sectors)},
    {"st_requests", COUNT, AT(st_requests)},
    {"st_sectors", COUNT, AT(st_sectors)},
    {"sh_ld_wavefronts", COUNT, AT(sh_ld_wavefronts)},
    {"sh_st_wavefronts", COUNT, AT(sh_st_wavefronts)},
    {"active_lanes", SHORT, AT(active_lanes)},
    {"useful_pct", SHORT, AT(useful_pct)},
    {"idea", TEXT, AT(idea)},
    {"atomic_requests", COUNT, AT(atomic_requests)},
    {"warp_max_mean", SHORT, AT(warp_max_mean)},
    {"block_max_mean", SHORT, AT(block_max_mean)},
    {"iterations", WHOLE, AT(iterations)},
    {"iterations_per_s", SHORT, offsetof(view_t, iterations_per_s)},
    {"residual", SHORT, AT(residual)},
    {"ranks", WHOLE, offsetof(view_t, ranks)},
    {"max_over_mean", SHORT, AT(max_over_mean)},
    {"exchange_bytes", WHOLE, AT(exchange_bytes)},
};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

static bool is_text(const struct column *c)
{
    return c->style == TEXT || c->style == STATUS;
}

static const char *text_of(const view_t *v, const struct column *c)
{
    return *(const char *const *)((const char *)v + c->offset);
}

static void put_tsv_header(text_t *t, const report_t *r)
{
    for (size_t i = 0; i < r->metas; i++) {
        put(t, "# ");
        put_line(t, r->meta[i].key, " ", SIZE_MAX);
        put(t, ": ");
        put_field(t, r->meta[i].value, " ");
        put(t, "\n");
    }
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        put(t, COLUMNS[i].name);
        put(t, i + 1 < COLUMN_COUNT ? "\t" : "\n");
    }
}

static void put_tsv_row(text_t *t, const view_t *v)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        char number[NUMBER];
        if (is_text(&COLUMNS[i])) {
            put_field(t, text_of(v, &COLUMNS[i]), COLUMNS[i].style == STATUS ? " | " : " ");
        } else {
            format_number(number, v, COLUMNS[i].style, COLUMNS[i].offset);
            put(t, number);
        }
        put(t, i + 1 < COLUMN_COUNT ? "\t" : "\n");
    }
}

static void put_json_header(text_t *t, const report_t *r)
{
    put(t, "{\"meta\":{");
    for (size_t i = 0; i < r->metas; i++) {
        if (i > 0) put(t, ",");
        put_json_string(t, r->meta[i].key);
        put(t, ":");
        put_json_string(t, r->meta[i].value);
    }
    put(t, "},\"rows\":[");
}

static void put_json_row(text_t *t, const view_t *v, bool first)
{
    put(t, first ? "\n{" : ",\n{");
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        char number[NUMBER];
        if (i > 0) put(t, ",");
        put_json_string(t, COLUMNS[i].name);
        put(t, ":");
        if (is_text(&COLUMNS[i])) {
            const char *s = text_of(v, &COLUMNS[i]);
            if (s && *s) put_json_string(t, s);
            else put(t, "null");
        } else {
            format_number(number, v, COLUMNS[i].style, COLUMNS[i].offset);
            put(t, strcmp(number, "-") == 0 ? "null" : number);
        }
    }
    put(t, "}");
}

/* ---- the table ------------------------------------------------------------------------------- */

enum { STEP_WIDTH = 4, IDEA_WIDTH = 44, IDEA_LEAST = 20, KIND_WIDTH = 4, STATUS_WIDTH = 2 };

struct cell {
    const char *head;
    int width;
    style_t style;
    size_t offset;
};

static const struct cell TIMED[] = {
    {"setup ms", 8, TIME, AT(setup_ms)},
    {"cold us", 7, TIME, AT(cold_us)},
    {"warm us", 7, TIME, AT(warm_us)},
    {"+-%", 3, SPREAD, AT(spread_pct)},
    {"GB/s", 4, RATE, AT(cold_gbps)},
    {"%ceil", 5, FIXED1, AT(pct_ceiling)},
    {"eff", 4, FIXED2, AT(efficiency)},
    {"err/tol", 7, MARGIN, AT(err_over_tol)},
    {0},
};

static const struct cell COUNTED[] = {
    {"ld_req", 7, TALLY, AT(ld_requests)},
    {"ld_sect", 7, TALLY, AT(ld_sectors)},
    {"sect/req", 8, FIXED2, offsetof(view_t, sectors_per_request)},
    {"st_sect", 7, TALLY, AT(st_sectors)},
    {"sh_ld_wf", 8, TALLY, AT(sh_ld_wavefronts)},
    {"sh_st_wf", 8, TALLY, AT(sh_st_wavefronts)},
    {"lanes", 5, FIXED1, AT(active_lanes)},
    {"useful%", 7, FIXED1, AT(useful_pct)},
    {"atomics", 7, TALLY, AT(atomic_requests)},
    {"maxwarp", 7, FIXED2, AT(warp_max_mean)},
    {"maxblock", 8, FIXED2, AT(block_max_mean)},
    {"err/tol", 7, MARGIN, AT(err_over_tol)},
    {0},
};

static const struct cell *cells_of(layout_t layout)
{
    return layout == LAYOUT_COUNTED ? COUNTED : TIMED;
}

/* Columns of the terminal behind fd, 0 if it is none or does not say. */
static size_t terminal_width(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* The idea gives way on a narrow terminal; a file always gets the full width. */
static size_t idea_width(layout_t layout)
{
    size_t others = STEP_WIDTH + 1 + 1 + KIND_WIDTH + 1 + STATUS_WIDTH, terminal = terminal_width(STDOUT_FILENO);
    for (const struct cell *c = cells_of(layout); c->head; c++) others += 1 + (size_t)c->width;
    if (terminal == 0 || terminal >= others + IDEA_WIDTH) return IDEA_WIDTH;
    return terminal > others + IDEA_LEAST ? terminal - others : IDEA_LEAST;
}

/* Step, idea and kind.  A long step name takes its room from the idea. */
static void put_names(text_t *t, layout_t layout, const char *step, const char *idea, const char *kind)
{
    size_t room = STEP_WIDTH + idea_width(layout), used = characters(step);
    if (used < STEP_WIDTH) used = STEP_WIDTH;
    put_column(t, step, used);
    put(t, " ");
    put_column(t, idea, used + IDEA_LEAST / 2 < room ? room - used : IDEA_LEAST / 2);
    put(t, " ");
    put_column(t, kind, KIND_WIDTH);
}

static void put_right(text_t *t, const char *s, int width)
{
    size_t n = strlen(s);
    put(t, " ");
    put_spaces(t, n < (size_t)width ? (size_t)width - n : 0);
    put(t, s);
}

static void put_column_heads(text_t *t, layout_t layout)
{
    put_names(t, layout, "step", "idea", "kind");
    for (const struct cell *c = cells_of(layout); c->head; c++) put_right(t, c->head, c->width);
    put(t, "\n");
}

static void put_coloured(text_t *t, const report_t *r, const char *word, const char *colour)
{
    if (r->colour) put(t, colour);
    put(t, word);
    if (r->colour) put(t, "\033[0m");
}

static void put_status(text_t *t, const report_t *r, const view_t *v)
{
    put(t, " ");
    if (v->ok) put_coloured(t, r, "ok", "\033[32m");
    else if (v->failed) put_coloured(t, r, "FAIL", "\033[31m");
    else put_line(t, v->row.status, " ", SIZE_MAX);
    put(t, "\n");
}

/* What went wrong, in full, on lines of its own. */
static void put_failure(text_t *t, const char *status)
{
    const char *line = status + strlen("FAIL");
    line += strspn(line, ": ");
    while (*line) {
        size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length);
        put(t, "     ");
        if (copy) put_line(t, copy, "", SIZE_MAX);
        else t->failed = true;
        put(t, "\n");
        free(copy);
        line += length + (line[length] == '\n');
    }
}

/* "67.1 MB" */
static void put_bytes_of_case(text_t *t, double bytes)
{
    static const char *const UNITS[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    char number[NUMBER + 8];
    for (; bytes >= 999.5 && unit < 5; unit++) bytes /= 1000;
    snprintf(number, sizeof number, "%.3g %s", bytes, UNITS[unit]);
    put(t, number);
}

/* A new case gets a heading: its name, its type, its compulsory bytes. */
static void put_heading(text_t *t, report_t *r, const view_t *v)
{
    text_t name = {0};
    put_field(&name, v->row.case_name, " ");
    put(&name, "  ");
    put_field(&name, v->row.dtype, " ");
    if (name.failed || (r->case_name.data && strcmp(r->case_name.data, name.data) == 0)) {
        t->failed |= name.failed;
        text_free(&name);
        return;
    }
    text_free(&r->case_name);
    r->case_name = name;
    r->layout = LAYOUT_NONE;
    put(t, "\n");
    put(t, name.data);
    if (isfinite(v->row.bytes)) {
        put(t, "  ");
        put_bytes_of_case(t, v->row.bytes);
    }
    put(t, "\n");
}

/* A row without any number of its own stays in the columns in force. */
static layout_t layout_of(const report_t *r, const view_t *v)
{
    if (v->row.counted) return LAYOUT_COUNTED;
    bool timed = isfinite(v->row.cold_us) || isfinite(v->row.warm_us);
    return timed || r->layout == LAYOUT_NONE ? LAYOUT_TIMED : r->layout;
}

static void put_table_row(text_t *t, report_t *r, const view_t *v)
{
    put_heading(t, r, v);
    layout_t layout = layout_of(r, v);
    if (layout != r->layout) put_column_heads(t, layout);
    r->layout = layout;

    put_names(t, layout, v->row.step ? v->row.step : "-", v->row.idea, v->row.kind ? v->row.kind : "-");
    for (const struct cell *c = cells_of(layout); c->head && !v->skipped; c++) {
        char number[NUMBER];
        format_number(number, v, c->style, c->offset);
        put_right(t, number, c->width);
    }
    put_status(t, r, v);
    if (v->failed) put_failure(t, v->row.status);
}

static const char *meta_value(const report_t *r, const char *key)
{
    for (size_t i = 0; i < r->metas; i++)
        if (strcmp(r->meta[i].key, key) == 0) return r->meta[i].value;
    return NULL;
}

/* The header lines that a reader of the table needs; the record has them all. */
static void put_table_header(text_t *t, const report_t *r, const char *row_chapter)
{
    static const struct {
        const char *key, *before, *after;
        bool new_line;
    } SHOWN[] = {
        {"gpu", "", "", false},
        {"arch", "", "", false},
        {"driver", "driver ", "", false},
        {"toolkit", "CUDA ", "", false},
        {"commit", "commit ", "", false},
        {"seed", "seed ", "", false},
        {"ceiling_copy_gbps", "ceilings: copy ", " GB/s", true},
        {"ceiling_read_gbps", "read ", " GB/s", false},
        {"peak_gbps", "data sheet ", " GB/s", false},
        {"floor_us", "launch floor ", " us", false},
    };
    const char *chapter = meta_value(r, "chapter");
    bool line_begins = true;
    if (!chapter) chapter = row_chapter;
    if (chapter) {
        put_line(t, chapter, " ", SIZE_MAX);
        line_begins = false;
    }
    for (size_t i = 0; i < sizeof SHOWN / sizeof SHOWN[0]; i++) {
        const char *value = meta_value(r, SHOWN[i].key);
        if (!value || !*value || strcmp(value, "-") == 0) continue;
        if (!line_begins) put(t, SHOWN[i].new_line ? "\n" : "  ");
        put(t, SHOWN[i].before);
        put_line(t, value, " ", SIZE_MAX);
        put(t, SHOWN[i].after);
        line_begins = false;
    }
    if (!line_begins) put(t, "\n");
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Waits until the data is on the disk, where the file system can do that. */
static int flush_to_disk(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : -1;
}

static int write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t written = write(fd, data, n);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -1;
        data += written;
        n -= (size_t)written;
    }
    return 0;
}

/* A new file with that content, on the disk; on failure there is none, and errno says why. */
static int write_file(const char *path, const char *data, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    int failed = write_all(fd, data, n) || flush_to_disk(fd) ? errno : 0;
    if (close(fd) && !failed) failed = errno;
    if (!failed) return 0;
    unlink(path);
    errno = failed;
    return -1;
}

static int replace_file(const char *temporary, const char *path, const char *folder)
{
    if (rename(temporary, path)) {
        int why = errno;
        unlink(temporary);
        errno = why;
        return -1;
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return 0; /* a folder that may be written but not read: the rename holds all the same */
    int rc = flush_to_disk(fd), why = errno;
    close(fd);
    errno = why;
    return rc;
}

/* mkdir -p */
static int make_folders(const char *folder)
{
    char *path = strdup(folder);
    if (!path) return -1;
    int rc = 0;
    for (char *p = path + 1; rc == 0; p++) {
        if (*p != '/' && *p) continue;
        char end = *p;
        *p = '\0';
        if (mkdir(path, 0777) && errno != EEXIST) rc = -1;
        *p = end;
        if (!end) break;
    }
    int why = errno;
    free(path);
    errno = why;
    return rc;
}

static int cannot_write(const char *path, err_t *err)
{
    return err_set(err, "cannot write %s: %s", path, strerror(errno));
}

static int save_record(const report_t *r, err_t *err)
{
    text_t all = {0};
    if (r->json_record) put_json_header(&all, r);
    else put_tsv_header(&all, r);
    if (r->body.length > 0) put_bytes(&all, r->body.data, r->body.length);
    if (r->json_record) put(&all, "\n]}\n");
    if (all.failed || r->body.failed || r->out_of_memory) {
        text_free(&all);
        return err_set(err, "cannot write %s: out of memory", r->path);
    }
    int rc = write_file(r->temporary, all.data, all.length) || replace_file(r->temporary, r->path, r->folder) ? -1 : 0;
    if (rc) cannot_write(r->path, err);
    text_free(&all);
    return rc;
}

/* The folder of path in a new string: "a/b/c" -> "a/b", "c" -> ".", "/c" -> "/". */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* Removes what a killed program left beside the record: NAME.PID.tmp where that process is gone. */
static void remove_leftovers(const report_t *r)
{
    const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;
    const size_t length = strlen(name);
    DIR *folder = opendir(r->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *end;
        if (strncmp(entry->d_name, name, length) || entry->d_name[length] != '.') continue;
        const long pid = strtol(entry->d_name + length + 1, &end, 10);
        if (pid <= 0 || strcmp(end, ".tmp") || kill((pid_t)pid, 0) == 0 || errno != ESRCH) continue;
        unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder) closedir(folder);
}

/* Makes the folders and shows with an empty temporary file that records can be written there.  What is
 * at `path` stays as it is. */
static int prepare_record(report_t *r, const char *path, err_t *err)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return err_set(err, "cannot write %s: it is there already and not a file", path);
    r->path = realpath(path, NULL); /* the file behind a link, so that the link stays one */
    if (!r->path) r->path = strdup(path);
    if (r->path) r->folder = folder_of(r->path);
    if (!r->folder || asprintf(&r->temporary, "%s.%ld.tmp", r->path, (long)getpid()) < 0) {
        r->temporary = NULL;
        return err_set(err, "cannot write %s: out of memory", path);
    }
    if (make_folders(r->folder) || write_file(r->temporary, "", 0)) return cannot_write(path, err);
    unlink(r->temporary);
    remove_leftovers(r);
    return 0;
}

/* Sends the text to standard output at once and frees it. */
static int print(text_t *t, err_t *err)
{
    int rc = 0;
    if (t->failed) rc = err_set(err, "cannot print a row: out of memory");
    errno = 0;
    if (t->data && (fwrite(t->data, 1, t->length, stdout) != t->length || fflush(stdout)) && rc == 0)
        rc = err_set(err, "cannot write to standard output: %s", strerror(errno ? errno : EIO));
    text_free(t);
    return rc;
}

/* ---- progress -------------------------------------------------------------------------------- */

static void wipe_progress(report_t *r)
{
    if (!r->progress_shown) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    r->progress_shown = false;
}

/* "8 s", "2 min 5 s", "1 h 3 min" */
static void put_duration(text_t *t, double seconds)
{
    char s[64];
    unsigned long whole = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 1000000000UL;
    if (whole < 60) snprintf(s, sizeof s, "%lu s", whole);
    else if (whole < 3600) snprintf(s, sizeof s, "%lu min %lu s", whole / 60, whole % 60);
    else snprintf(s, sizeof s, "%lu h %lu min", whole / 3600, whole % 3600 / 60);
    put(t, s);
}

static void put_bar(text_t *t, size_t done, size_t total)
{
    enum { BAR = 10 };
    char s[64];
    size_t full = done >= total ? BAR : (size_t)((double)done / (double)total * BAR);
    put(t, "[");
    for (size_t i = 0; i < BAR; i++) put(t, i < full ? "#" : ".");
    snprintf(s, sizeof s, "] %zu/%zu", done, total);
    put(t, s);
}

static void put_times(text_t *t, const report_t *r, size_t done, size_t total)
{
    double elapsed = bench_now() - r->progress_start;
    put(t, "  ");
    put_duration(t, elapsed);
    if (done <= r->progress_first || done >= total) return;
    put(t, ", about ");
    put_duration(t, elapsed * (double)(total - done) / (double)(done - r->progress_first));
    put(t, " left");
}

/* ---- the interface --------------------------------------------------------------------------- */

report_t *report_open(report_format_t format, const char *record_path, err_t *err)
{
    report_t *r = calloc(1, sizeof *r);
    if (!r) {
        err_set(err, "no memory for a report");
        return NULL;
    }
    r->format = format;
    r->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!r->plain) {
        err_set(err, "no memory for a report");
        return report_close(r);
    }
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    r->colour = isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && !(terminal && strcmp(terminal, "dumb") == 0);
    r->started = true; /* nothing to print if this is closed now */
    if (record_path && prepare_record(r, record_path, err)) return report_close(r);
    const char *ending = record_path ? strrchr(record_path, '.') : NULL;
    r->json_record = ending && strcmp(ending, ".json") == 0;
    r->started = false;
    return r;
}

void report_meta(report_t *r, const char *key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *value = NULL, *name = strdup(key);
    locale_t before = uselocale(r->plain);
    if (vasprintf(&value, format, args) < 0) value = NULL;
    uselocale(before);
    va_end(args);

    meta_t *meta = name && value ? realloc(r->meta, (r->metas + 1) * sizeof *meta) : NULL;
    if (!meta) {
        free(name);
        free(value);
        r->out_of_memory = true;
        return;
    }
    r->meta = meta;
    for (size_t i = 0; i < r->metas; i++) {
        if (strcmp(r->meta[i].key, key)) continue;
        free(r->meta[i].value); /* the same key again: the last value holds */
        r->meta[i].value = value;
        free(name);
        return;
    }
    r->meta[r->metas++] = (meta_t){name, value};
}

static void put_header(text_t *t, report_t *r, const char *chapter)
{
    if (r->started) return;
    r->started = true;
    if (r->format == REPORT_TABLE) put_table_header(t, r, chapter);
    else if (r->format == REPORT_TSV) put_tsv_header(t, r);
    else if (r->format == REPORT_JSON) put_json_header(t, r);
}

static void put_row(text_t *t, report_t *r, const view_t *v)
{
    if (r->format == REPORT_TABLE) put_table_row(t, r, v);
    else if (r->format == REPORT_TSV) put_tsv_row(t, v);
    else if (r->format == REPORT_JSON) put_json_row(t, v, r->rows == 0);
}

int report_add(report_t *r, const report_row_t *row, err_t *err)
{
    locale_t before = uselocale(r->plain);
    view_t v = view_of(row);
    text_t out = {0};

    wipe_progress(r);
    put_header(&out, r, v.row.chapter);
    put_row(&out, r, &v);
    r->rows++;
    r->failures += v.failed;
    int rc = print(&out, err);
    if (r->out_of_memory) rc = err_set(err, "a line of the header is lost: out of memory");
    if (r->path) {
        if (r->json_record) put_json_row(&r->body, &v, r->body.length == 0);
        else put_tsv_row(&r->body, &v);
        if (save_record(r, err)) rc = -1;
    }
    uselocale(before);
    return rc;
}

void report_progress(report_t *r, size_t done, size_t total, const char *format, ...)
{
    if (!isatty(STDERR_FILENO)) return;
    if (r->progress_start == 0 || done < r->progress_last || total != r->progress_total) {
        r->progress_start = bench_now();
        r->progress_first = done;
        r->progress_total = total;
    }
    r->progress_last = done;

    text_t line = {0};
    char count[NUMBER], *what = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&what, format, args) < 0) what = NULL;
    va_end(args);
    snprintf(count, sizeof count, "%zu", done);
    if (total > 0) put_bar(&line, done, total);
    else put(&line, count);
    put(&line, " ");
    put(&line, what ? what : "");
    put_times(&line, r, done, total);
    free(what);

    size_t width = terminal_width(STDERR_FILENO); /* a wrapped line could not be wiped */
    text_t shown = {0};
    put(&shown, "\r\033[K");
    if (line.data) put_line(&shown, line.data, " ", width > 1 ? width - 1 : SIZE_MAX);
    if (shown.data) fputs(shown.data, stderr);
    fflush(stderr);
    r->progress_shown = true;
    text_free(&line);
    text_free(&shown);
}

size_t report_failures(const report_t *r)
{
    return r->failures;
}

report_t *report_close(report_t *r)
{
    if (!r) return NULL;
    text_t end = {0};
    wipe_progress(r);
    bool header_owed = !r->started; /* not one row came */
    put_header(&end, r, NULL);
    print(&end, NULL);
    if (r->format == REPORT_JSON && (r->rows > 0 || header_owed)) fputs(r->rows > 0 ? "\n]}\n" : "]}\n", stdout);
    fflush(stdout); /* what goes wrong here stdout remembers: cli_parse looks when the program ends */

    for (size_t i = 0; i < r->metas; i++) {
        free(r->meta[i].key);
        free(r->meta[i].value);
    }
    free(r->meta);
    free(r->path);
    free(r->temporary);
    free(r->folder);
    text_free(&r->body);
    text_free(&r->case_name);
    if (r->plain) freelocale(r->plain);
    free(r);
    return NULL;
}
