/* report.c - see report.h: rows made ready to be written, as TSV and as JSON, and where they go. */
#include "report_impl.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plain.h"

/* ---- numbers --------------------------------------------------------------------------------- */

static number_t format_double(style_t style, double v)
{
    number_t n = {"-"};
    const double a = fabs(v);
    const char *format;
    if (!isfinite(v)) return n;
    switch (style) {
    case MICROSECONDS: format = a < 1000 ? "%.3f" : a < 1e15 ? "%.1f" : "%.6g"; break;
    case WHOLE: format = a < 1e18 ? "%.0f" : "%.17g"; break;
    case TIME: format = a < 100 ? "%.3f" : a < 1000 ? "%.2f" : a < 1e5 ? "%.1f" : a < 1e15 ? "%.0f" : "%.0e"; break;
    case SPREAD: format = a < 9.95 ? "%.1f" : a < 999.95 ? "%.0f" : "%.3g"; break;
    case RATE: format = a < 0.995 ? "%.2f" : a < 99.95 ? "%.1f" : a < 1e15 ? "%.0f" : "%.3g"; break;
    case FIXED1: format = a < 1e15 ? "%.1f" : "%.3g"; break;
    case FIXED2: format = a < 1e15 ? "%.2f" : "%.3g"; break;
    case MARGIN: format = "%.2g"; break;
    default: format = a >= 999.95 && a < 1e15 ? "%.0f" : "%.4g"; /* no exponent, no digit lost */
    }
    if (a > 1e308) format = "%.17g"; /* rounded to a few digits it could be more than a double can hold */
    snprintf(n.text, sizeof n.text, format, v);
    return n;
}

static number_t format_count(style_t style, int64_t v)
{
    number_t n = {"-"};
    if (style == TALLY && v >= 10000000000) snprintf(n.text, sizeof n.text, "%.1fG", 1e-9 * (double)v);
    else if (style == TALLY && v >= 10000000) snprintf(n.text, sizeof n.text, "%.1fM", 1e-6 * (double)v);
    else if (v >= 0) snprintf(n.text, sizeof n.text, "%lld", (long long)v);
    return n;
}

number_t report_number(const view_t *v, style_t style, size_t offset)
{
    const void *at = (const char *)v + offset;
    if (style == COUNT || style == TALLY) return format_count(style, *(const int64_t *)at);
    return format_double(style, *(const double *)at);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static view_t view_of(const report_row_t *row)
{
    view_t v = {.row = *row, .sectors_per_request = NAN, .iterations_per_s = NAN, .ranks = NAN};
    report_row_t *r = &v.row;
    if (!r->status || !*r->status) r->status = "FAIL: the row has no status";
    if (!r->idea) r->idea = "";
    v.ok = strcmp(r->status, "ok") == 0;
    v.skipped = strncmp(r->status, "skip", strlen("skip")) == 0;
    v.failed = strncmp(r->status, "FAIL", strlen("FAIL")) == 0;
    if (v.skipped) r->setup_ms = r->err_over_tol = NAN;
    if (v.failed || v.skipped) /* a wrong result has no speed */
        r->cold_us = r->warm_us = r->spread_pct = r->cold_gbps = r->pct_ceiling = r->efficiency = r->iterations = NAN;
    if (!(r->iterations > 0)) r->iterations = r->residual = NAN;
    else if (r->cold_us > 0) v.iterations_per_s = 1e6 * r->iterations / r->cold_us;
    if (r->ranks < 1) r->max_over_mean = r->exchange_bytes = NAN;
    else v.ranks = r->ranks;
    if (!r->counted) {
        r->ld_requests = r->ld_sectors = r->st_requests = r->st_sectors = REPORT_NONE;
        r->sh_ld_wavefronts = r->sh_st_wavefronts = r->atomic_requests = REPORT_NONE;
        r->active_lanes = r->useful_pct = r->warp_max_mean = r->block_max_mean = NAN;
    } else if (r->ld_requests > 0 && r->ld_sectors >= 0) {
        v.sectors_per_request = (double)r->ld_sectors / (double)r->ld_requests;
    }
    return v;
}

#define COLUMN(member, style) {#member, style, offsetof(view_t, row.member)}
typedef struct column {
    const char *name;
    style_t style;
    size_t offset;
} column_t;
static const column_t COLUMNS[] = {
    COLUMN(chapter, TEXT), COLUMN(step, TEXT), COLUMN(kind, TEXT), {"case", TEXT, offsetof(view_t, row.case_name)},
    COLUMN(dtype, TEXT), COLUMN(setup_ms, SHORT), COLUMN(cold_us, MICROSECONDS), COLUMN(warm_us, MICROSECONDS),
    COLUMN(spread_pct, SHORT), COLUMN(bytes, WHOLE), COLUMN(cold_gbps, SHORT), COLUMN(pct_ceiling, SHORT),
    COLUMN(efficiency, SHORT), COLUMN(err_over_tol, SHORT), COLUMN(status, STATUS), COLUMN(ld_requests, COUNT),
    COLUMN(ld_sectors, COUNT), COLUMN(st_requests, COUNT), COLUMN(st_sectors, COUNT), COLUMN(sh_ld_wavefronts, COUNT),
    COLUMN(sh_st_wavefronts, COUNT), COLUMN(active_lanes, SHORT), COLUMN(useful_pct, SHORT), COLUMN(idea, TEXT),
    COLUMN(atomic_requests, COUNT), COLUMN(warp_max_mean, SHORT), COLUMN(block_max_mean, SHORT),
    COLUMN(iterations, WHOLE), {"iterations_per_s", SHORT, offsetof(view_t, iterations_per_s)}, COLUMN(residual, SHORT),
    {"ranks", WHOLE, offsetof(view_t, ranks)}, COLUMN(max_over_mean, SHORT), COLUMN(exchange_bytes, WHOLE), {0},
};

/* NULL for a number; "" for a text that is not there. */
static const char *text_of(const view_t *v, const column_t *c)
{
    if (c->style != TEXT && c->style != STATUS) return NULL;
    const char *s = *(const char *const *)((const char *)v + c->offset);
    return s ? s : "";
}

/* ---- TSV and JSON ---------------------------------------------------------------------------- */

static void put_tsv_header(text_t *t, json_t *meta)
{
    const char *key;
    json_t *value;
    json_object_foreach(meta, key, value) {
        text_put(t, "# ");
        text_put_utf8(t, key, " ", SIZE_MAX);
        text_put(t, ": ");
        text_put_field(t, json_string_value(value), " ");
        text_put(t, "\n");
    }
    for (const column_t *c = COLUMNS; c->name; c++) text_put(t, "%s%s", c > COLUMNS ? "\t" : "", c->name);
    text_put(t, "\n");
}

static void put_tsv_row(text_t *t, const view_t *v)
{
    for (const column_t *c = COLUMNS; c->name; c++) {
        const char *s = text_of(v, c);
        if (c > COLUMNS) text_put(t, "\t");
        if (s) text_put_field(t, s, c->style == STATUS ? " | " : " ");
        else text_put(t, "%s", report_number(v, c->style, c->offset).text);
    }
    text_put(t, "\n");
}

/* A JSON string of any bytes, NULL if out of memory. */
static json_t *json_of(const char *s)
{
    text_t clean = {0};
    text_put_utf8(&clean, s, NULL, SIZE_MAX);
    json_t *string = clean.failed ? NULL : json_string(clean.data ? clean.data : "");
    text_free(&clean);
    return string;
}

static int append(const char *bytes, size_t n, void *text)
{
    text_put(text, "%.*s", (int)n, bytes);
    return 0; /* the text remembers what it lost; jansson 2.14 does not look after every key */
}

/* Releases value. */
static void put_json(text_t *t, json_t *value)
{
    const size_t from = t->length, flags = JSON_COMPACT | JSON_ENCODE_ANY;
    if (json_dump_callback(value, append, t, flags)) t->failed = true;
    if (!t->failed && !plain_is(t->data + from)) { /* the same string, in escapes that no terminal follows */
        t->length = from;
        if (json_dump_callback(value, append, t, flags | JSON_ENSURE_ASCII)) t->failed = true;
    }
    json_decref(value);
}

/* A number has the digits that it has as TSV: a double of jansson's would be 22.899999999999999 for 22.9. */
static void put_json_row(text_t *t, const view_t *v)
{
    for (const column_t *c = COLUMNS; c->name; c++) {
        const char *s = text_of(v, c);
        number_t n = {"-"};
        if (!s) n = report_number(v, c->style, c->offset);
        text_put(t, "%s\"%s\":", c > COLUMNS ? "," : "{", c->name);
        if (s && *s) put_json(t, json_of(s));
        else text_put(t, "%s", strcmp(n.text, "-") ? n.text : "null");
    }
    text_put(t, "}");
}

/* SILENT has neither header nor rows. */
static void put_header(text_t *t, const report_t *r, report_format_t format, const char *chapter)
{
    if (format == REPORT_TABLE) report_table_header(t, r, chapter);
    else if (format == REPORT_TSV) put_tsv_header(t, r->meta);
    else if (format == REPORT_JSON) {
        text_put(t, "{\"meta\":");
        put_json(t, json_incref(r->meta));
        text_put(t, ",\"rows\":[");
    }
}

static void put_row(text_t *t, report_t *r, report_format_t format, const view_t *v)
{
    if (r->rows == 0) put_header(t, r, format, v->row.chapter);
    if (format == REPORT_TABLE) report_table_row(t, r, v);
    else if (format == REPORT_TSV) put_tsv_row(t, v);
    else if (format == REPORT_JSON) {
        text_put(t, r->rows == 0 ? "\n" : ",\n");
        put_json_row(t, v);
    }
}

static const char JSON_END[] = "\n]}\n";

/* ---- the interface --------------------------------------------------------------------------- */

static report_t *free_report(report_t *r)
{
    if (!r) return NULL;
    text_free(&r->record);
    text_free(&r->heading);
    text_free(&r->said);
    json_decref(r->skipped);
    json_decref(r->meta);
    if (r->file.folder) closedir(r->file.folder);
    if (r->plain) freelocale(r->plain);
    free(r);
    return NULL;
}

report_t *report_open(report_format_t format, const char *record_path, err_t *err)
{
    report_t *r = calloc(1, sizeof *r);
    if (r) r->meta = json_object();
    if (r) r->skipped = json_object();
    if (r) r->plain = newlocale(LC_CTYPE_MASK | LC_NUMERIC_MASK, "C.UTF-8", (locale_t)0);
    if (!r || !r->meta || !r->skipped || !r->plain) {
        err_set(err, "no report: out of memory, or the locale C.UTF-8 is missing (Debian: libc-bin)");
        return free_report(r);
    }
    if (record_path && record_file_open(&r->file, record_path, err)) return free_report(r);
    const char *ending = record_path ? strrchr(record_path, '.') : NULL;
    r->record_format = ending && strcmp(ending, ".json") == 0 ? REPORT_JSON : REPORT_TSV;
    r->format = format;
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    r->colour = isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && !(terminal && strcmp(terminal, "dumb") == 0);
    return r;
}

void report_meta(report_t *r, const char *key, const char *format, ...)
{
    const locale_t before = uselocale(r->plain);
    text_t value = {0};
    va_list args;
    va_start(args, format);
    text_vput(&value, format, args);
    va_end(args);
    json_t *name = json_of(key);
    if (value.failed || json_object_set_new(r->meta, json_string_value(name), json_of(value.data))) r->meta_lost = true;
    json_decref(name);
    text_free(&value);
    uselocale(before);
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

static int add_to_record(report_t *r, const view_t *v, err_t *err)
{
    text_t *t = &r->record;
    put_row(t, r, r->record_format, v);
    const size_t end = t->length;
    if (r->record_format == REPORT_JSON) text_put(t, "%s", JSON_END);
    if (t->failed || r->meta_lost) return err_set(err, "cannot write %s: out of memory", r->file.path);
    const int rc = record_file_save(&r->file, t->data, t->length, err);
    t->length = end;
    return rc;
}

int report_add(report_t *r, const report_row_t *row, err_t *err)
{
    const locale_t before = uselocale(r->plain);
    const view_t v = view_of(row);
    text_t out = {0};
    report_wipe_progress(r);
    put_row(&out, r, r->format, &v);
    int rc = print(&out, err);
    if (r->meta_lost) rc = err_set(err, "a line of the header is lost: out of memory");
    if (*r->file.path && add_to_record(r, &v, err)) rc = -1;
    r->rows++;
    r->failures += v.failed;
    uselocale(before);
    return rc;
}

size_t report_failures(const report_t *r)
{
    return r->failures;
}

report_t *report_close(report_t *r)
{
    if (!r) return NULL;
    const locale_t before = uselocale(r->plain);
    text_t rest = {0};
    report_wipe_progress(r);
    if (r->rows == 0) put_header(&rest, r, r->format, NULL);
    if (r->format == REPORT_TABLE) report_table_end(&rest, r);
    print(&rest, NULL);
    if (r->format == REPORT_JSON) fputs(r->rows > 0 ? JSON_END : "]}\n", stdout);
    fflush(stdout); /* what goes wrong here stdout remembers: cli_parse looks when the program ends */
    uselocale(before);
    return free_report(r);
}
