/* report.c - see report.h: the results file as TSV and as JSON, and the interface of the report. */
#include "report_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plain.h"

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
    for (const column_t *c = REPORT_COLUMNS; c->name; ++c) text_put(t, "%s%s", c > REPORT_COLUMNS ? "\t" : "", c->name);
    text_put(t, "\n");
}

static void put_tsv_row(text_t *t, const view_t *v)
{
    for (const column_t *c = REPORT_COLUMNS; c->name; ++c) {
        const char *s = report_words(v, c);
        if (c > REPORT_COLUMNS) text_put(t, "\t");
        if (s) text_put_field(t, s, c->style == STATUS ? " | " : " ");
        else text_put(t, "%s", report_number(v, c->style, c->offset).text);
    }
    text_put(t, "\n");
}

/* Makes a JSON string of any bytes; NULL if out of memory. */
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
    return 0; /* never -1, because jansson 2.14 ignores errors after some keys; t->failed shows that text was lost */
}

/* Appends value and releases it. */
static void put_json(text_t *t, json_t *value)
{
    const size_t from = t->length, flags = JSON_COMPACT | JSON_ENCODE_ANY;
    if (json_dump_callback(value, append, t, flags)) t->failed = true;
    if (!t->failed && !plain_is(t->data + from)) { /* escape control characters, which a terminal would execute */
        t->length = from;
        if (json_dump_callback(value, append, t, flags | JSON_ENSURE_ASCII)) t->failed = true;
    }
    json_decref(value);
}

/* Numbers have the same digits as in TSV; jansson would print the double 22.9 as 22.899999999999999. */
static void put_json_row(text_t *t, const view_t *v)
{
    for (const column_t *c = REPORT_COLUMNS; c->name; ++c) {
        const char *s = report_words(v, c);
        number_t n = {"-"};
        if (!s) n = report_number(v, c->style, c->offset);
        text_put(t, "%s\"%s\":", c > REPORT_COLUMNS ? "," : "{", c->name);
        if (s && *s) put_json(t, json_of(s));
        else text_put(t, "%s", strcmp(n.text, "-") ? n.text : "null");
    }
    text_put(t, "}");
}

/* REPORT_SILENT prints neither header nor rows. */
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
    t->failed |= v->status.failed;
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
    text_free(&r->rest);
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
    if (r) text_put(&r->rest, "%*s", REST_ROOM, "");
    if (!r || !r->meta || !r->skipped || !r->plain || r->rest.failed) {
        err_set(err, "no report: out of memory, or the locale C.UTF-8 is missing (Debian: libc-bin)");
        return free_report(r);
    }
    if (record_path && record_file_open(&r->file, record_path, err)) return free_report(r);
    const char *ending = record_path ? strrchr(record_path, '.') : NULL;
    r->record_format = ending && strcmp(ending, ".json") == 0 ? REPORT_JSON : REPORT_TSV;
    r->format = format;
    r->rest.length = 0;
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    r->colour = isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && !(terminal && strcmp(terminal, "dumb") == 0);
    return r;
}

void report_wide(report_t *r, bool wide)
{
    r->wide = wide;
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
    view_t v = report_view(row);
    text_t out = {0};
    report_wipe_progress(r);
    put_row(&out, r, r->format, &v);
    int rc = print(&out, err);
    if (r->meta_lost) rc = err_set(err, "a line of the results file's header is lost: out of memory");
    if (*r->file.path && add_to_record(r, &v, err)) rc = -1;
    ++r->rows;
    r->failures += v.row.status == REPORT_FAIL;
    report_view_free(&v);
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
    report_wipe_progress(r);
    if (r->rows == 0) put_header(&r->rest, r, r->format, NULL);
    if (r->format == REPORT_TABLE) report_table_end(&r->rest, r);
    print(&r->rest, NULL);
    if (r->format == REPORT_JSON) fputs(r->rows > 0 ? JSON_END : "]}\n", stdout);
    fflush(stdout); /* stdout stores an error: cli_parse tests it when the program ends */
    uselocale(before);
    return free_report(r);
}
