/*
 * fuzz_report.c - the writers: the input becomes strings and numbers of a header and two rows.  JSON output must parse
 * and contain the same strings; TSV output must have the right lines and fields.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report.h"

/* ---- parts of the input ----------------------------------------------------------------------- */

typedef struct input {
    const uint8_t *at, *end;
} input_t;

static uint8_t take(input_t *in) { return in->at < in->end ? *in->at++ : 0; }

/* The bytes up to the next 0, allocated by malloc; NULL if the input begins with 1. */
static char *take_string(input_t *in)
{
    if (in->at < in->end && *in->at == 1) return ++in->at, NULL;
    if (in->at == in->end) return strdup("");
    size_t n = strnlen((const char *)in->at, (size_t)(in->end - in->at));
    char *s = strndup((const char *)in->at, n);
    in->at += n + (in->at + n < in->end);
    return s;
}

static double take_double(input_t *in)
{
    union { uint8_t bytes[8]; double d; } u;
    switch (take(in) % 8) {
    case 0: return NAN;
    case 1: return take(in);
    case 2: return INFINITY;
    case 3: return -1.0 * take(in) / 7;
    default:
        for (int i = 0; i < 8; ++i) u.bytes[i] = take(in);
        return u.d;
    }
}

static int64_t take_count(input_t *in)
{
    uint64_t v = 0;
    for (int i = take(in) % 9; i > 0; --i) v = v << 8 | take(in);
    return (int64_t)v;
}

enum { STRINGS = 9 };

static void fill(report_row_t *row, input_t *in, char *s[STRINGS])
{
    double *const numbers[] = {&row->setup_ms, &row->cold_us, &row->warm_us, &row->spread_pct, &row->bytes,
                               &row->cold_gbps, &row->pct_ceiling, &row->efficiency, &row->err_over_tol,
                               &row->active_lanes, &row->useful_pct, &row->warp_max_mean, &row->block_max_mean};
    int64_t *const counts[] = {&row->ld_requests, &row->ld_sectors, &row->st_requests, &row->st_sectors,
                               &row->sh_ld_wavefronts, &row->sh_st_wavefronts, &row->atomic_requests};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) *numbers[i] = take_double(in);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) *counts[i] = take_count(in);
    row->counted = take(in) % 2;
    row->chapter = s[0], row->step = s[1], row->kind = s[2], row->case_name = s[3], row->dtype = s[4];
    row->idea = s[5], row->why = s[6];
    row->status = (report_status_t)(take(in) % (REPORT_FAIL + 1));
}

/* The output of report.c for these rows in that format, allocated by malloc. */
static char *print(report_format_t format, const report_row_t rows[2], char *const s[STRINGS])
{
    char *text = NULL;
    size_t size = 0;
    err_t err = {""};
    FILE *out = stdout;
    if (!(stdout = open_memstream(&text, &size))) fuzz_fail("no memory stream");
    report_t *r = report_open(format, NULL, &err);
    if (!r) fuzz_fail("%s", err.text);
    if (s[7] && *s[7]) report_meta(r, s[7], "%s", s[8] ? s[8] : "");
    for (int i = 0; i < 2; ++i)
        if (report_add(r, &rows[i], &err)) fuzz_fail("%s", err.text);
    report_close(r);
    fclose(stdout);
    stdout = out;
    return text;
}

/* ---- checks ----------------------------------------------------------------------------------- */

/* A string from JSON must equal the original; if that was not UTF-8, with U+FFFD for each wrong byte. */
static void check_string(const json_t *row, const char *key, const char *s)
{
    const json_t *v = json_object_get(row, key);
    if (!v) fuzz_fail("no %s", key);
    if (!s || !*s) {
        if (!json_is_null(v)) fuzz_fail("%s is not null", key);
        return;
    }
    if (!json_is_string(v)) fuzz_fail("%s is no string", key);
    json_t *whole = json_string(s); /* NULL if s is not UTF-8 */
    const char *got = json_string_value(v);
    if (whole ? strcmp(got, s) != 0 : strstr(got, "\xEF\xBF\xBD") == NULL) fuzz_fail("%s came back as '%s'", key, got);
    json_decref(whole);
}

/* The status must be "ok", "skip: why" or "FAIL: why". */
static void check_status(const json_t *record, const report_row_t *row)
{
    const bool why = row->status != REPORT_OK && row->why;
    char *text;
    if (asprintf(&text, "%s%s%s", report_status_name(row->status), why ? ": " : "", why ? row->why : "") < 0)
        fuzz_fail("no memory");
    check_string(record, "status", text);
    free(text);
}

static void check_json(const char *text, const report_row_t rows[2], char *const s[STRINGS])
{
    static const char *const NUMBERS[] = {"setup_ms",     "cold_us",     "bytes",
                                          "err_over_tol", "ld_requests", "block_max_mean"};
    json_error_t error;
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!all) fuzz_fail("line %d: %s\n%s", error.line, error.text, text);
    const json_t *array = json_object_get(all, "rows"), *meta = json_object_get(all, "meta");
    if (json_array_size(array) != 2) fuzz_fail("not two rows");
    for (size_t i = 0; i < 2; ++i) {
        const json_t *row = json_array_get(array, i);
        check_string(row, "chapter", rows[i].chapter);
        check_string(row, "step", rows[i].step);
        check_string(row, "case", rows[i].case_name);
        check_string(row, "idea", rows[i].idea);
        if (rows[i].status != REPORT_NO_STATUS) check_status(row, &rows[i]);
        for (size_t k = 0; k < sizeof NUMBERS / sizeof *NUMBERS; ++k) {
            const json_t *v = json_object_get(row, NUMBERS[k]);
            if (!json_is_number(v) && !json_is_null(v)) fuzz_fail("%s is no number", NUMBERS[k]);
        }
    }
    if (s[7] && *s[7] && json_object_size(meta) != 1) fuzz_fail("no header");
    json_decref(all);
}

static size_t count(const char *s, char c)
{
    size_t n = 0;
    for (; *s; ++s) n += *s == c;
    return n;
}

/* There must be a header line, a column line and two rows with as many tabs, and no other control characters. */
static void check_tsv(const char *text, char *const s[STRINGS])
{
    const size_t lines = 3 + (s[7] && *s[7]);
    if (count(text, '\n') != lines || text[strlen(text) - 1] != '\n') fuzz_fail("not %zu lines:\n%s", lines, text);
    for (const char *p = text; *p; ++p)
        if ((unsigned char)*p < ' ' && *p != '\t' && *p != '\n') fuzz_fail("byte %d in the record", *p);
    const char *columns = s[7] && *s[7] ? strchr(text, '\n') + 1 : text;
    if (strncmp(columns, "chapter\t", 8)) fuzz_fail("the header took more than its line:\n%s", text);
    size_t width = 0;
    for (const char *line = columns; *line; line = strchr(line, '\n') + 1) {
        const size_t n = strcspn(line, "\n");
        size_t tabs = 0;
        for (size_t i = 0; i < n; ++i) tabs += line[i] == '\t';
        if (line == columns) width = tabs;
        if (tabs != width) fuzz_fail("%zu fields, not %zu: %.*s", tabs + 1, width + 1, (int)n, line);
        if (strncmp(line, "\t", 1) == 0 || memmem(line, n, "\t\t", 2)) fuzz_fail("an empty field");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input_t in = {data, data + size};
    char *s[STRINGS];
    report_row_t rows[2] = {{0}, {0}};
    for (int i = 0; i < STRINGS; ++i) s[i] = take_string(&in);
    fill(&rows[0], &in, s);
    fill(&rows[1], &in, s);
    if (take(&in) % 2) rows[1].case_name = s[7]; /* starts a new heading */
    char *text = print(REPORT_JSON, rows, s);
    check_json(text, rows, s);
    free(text);
    text = print(REPORT_TSV, rows, s);
    check_tsv(text, s);
    free(text);
    free(print(REPORT_TABLE, rows, s));
    for (int i = 0; i < STRINGS; ++i) free(s[i]);
    return 0;
}
