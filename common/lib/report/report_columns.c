/* report_columns.c - see report_columns.h */
#include "report_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- status ---------------------------------------------------------------------------------- */

static const char *const STATUS_NAMES[] = {[REPORT_OK] = "ok", [REPORT_SKIP] = "skip", [REPORT_FAIL] = "FAIL"};

const char *report_status_name(report_status_t status)
{
    return STATUS_NAMES[status];
}

report_status_t report_status_of(const char *text)
{
    for (int s = REPORT_OK; s <= REPORT_FAIL; ++s) {
        const size_t n = strlen(STATUS_NAMES[s]);
        if (strncmp(text, STATUS_NAMES[s], n)) continue;
        if (text[n] == 0 || (text[n] == ':' && s != REPORT_OK)) return (report_status_t)s;
    }
    return REPORT_NO_STATUS;
}

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
    default: format = a >= 999.95 && a < 1e15 ? "%.0f" : "%.4g"; /* no exponent, all digits */
    }
    if (a > 1e308) format = "%.17g"; /* rounding to a few digits could give more than the largest double */
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

/* Formats a predicted time with its range: "12 (9-16)"; long times as "120 ms (100-130)", "12 s (10-13)". */
static number_t format_prediction(const report_row_t *r)
{
    number_t n = {"-"};
    if (!isfinite(r->predicted_us)) return n;
    const int digits = r->predicted_us < 10;
    const double unit = r->predicted_us < 1e5 ? 1 : r->predicted_us < 1e7 ? 1e3 : 1e6;
    snprintf(n.text, sizeof n.text, "%.*f%s (%.*f-%.*f)", digits, r->predicted_us / unit,
             unit == 1 ? "" : unit == 1e3 ? " ms" : " s", digits, r->predicted_low_us / unit, digits,
             r->predicted_high_us / unit);
    return n;
}

number_t report_number(const view_t *v, style_t style, size_t offset)
{
    const void *at = (const char *)v + offset;
    if (style == PREDICTED) return format_prediction(&v->row);
    if (style == COUNT || style == TALLY) return format_count(style, *(const int64_t *)at);
    return format_double(style, *(const double *)at);
}

/* ---- rows ------------------------------------------------------------------------------------ */

report_row_t report_row_empty(void)
{
    return (report_row_t){
#define WORDS(member, name)
#define NUMBER(member, name, style) .member = NAN,
#define EVENTS(member, name) .member = REPORT_NONE,
#define DERIVED(member, name, style)
#include "columns.def"
    };
}

/* Returns the sum of three counts; REPORT_NONE if one of them is REPORT_NONE. */
static int64_t total(int64_t a, int64_t b, int64_t c)
{
    if (a < 0 || b < 0 || c < 0 || a > INT64_MAX / 4 || b > INT64_MAX / 4 || c > INT64_MAX / 4) return REPORT_NONE;
    return a + b + c;
}

view_t report_view(const report_row_t *row)
{
    view_t v = {.row = *row, .sectors_per_request = NAN, .iterations_per_s = NAN, .ranks = NAN,
                .requests = REPORT_NONE, .wavefronts = REPORT_NONE};
    report_row_t *r = &v.row;
    if (r->status == REPORT_NO_STATUS) {
        r->status = REPORT_FAIL;
        r->why = "the row has no status";
    }
    if (!r->idea) r->idea = "";
    text_put(&v.status, "%s", report_status_name(r->status));
    if (r->status != REPORT_OK && r->why) text_put(&v.status, ": %s", r->why);
    if (r->status == REPORT_SKIP) r->setup_ms = r->err_over_tol = NAN;
    if (r->status != REPORT_OK) /* a wrong result has no speed */
        r->cold_us = r->warm_us = r->spread_pct = r->cold_gbps = r->pct_ceiling = r->efficiency = r->iterations = NAN;
    if (!(r->iterations > 0)) r->iterations = r->residual = NAN;
    else if (r->cold_us > r->after_us) v.iterations_per_s = 1e6 * r->iterations / (r->cold_us - r->after_us);
    if (r->ranks < 1) r->max_over_mean = r->exchange_bytes = NAN;
    else v.ranks = r->ranks;
    if (!r->counted) {
        r->ld_requests = r->ld_sectors = r->st_requests = r->st_sectors = REPORT_NONE;
        r->sh_ld_wavefronts = r->sh_st_wavefronts = r->atomic_requests = REPORT_NONE;
        r->active_lanes = r->useful_pct = r->warp_max_mean = r->block_max_mean = NAN;
        r->predicted_for = NULL; /* a measured row has no prediction */
    } else {
        if (r->ld_requests > 0 && r->ld_sectors >= 0)
            v.sectors_per_request = (double)r->ld_sectors / (double)r->ld_requests;
        v.requests = total(r->ld_requests, r->st_requests, r->atomic_requests);
        v.wavefronts = total(r->sh_ld_wavefronts, r->sh_st_wavefronts, 0);
    }
    if (r->status != REPORT_OK) r->predicted_for = NULL;
    if (!r->predicted_for) {
        r->predicted_us = r->predicted_low_us = r->predicted_high_us = r->replayed_us = NAN;
        r->predicted_nodes = REPORT_NONE;
        r->limiter = NULL;
    }
    return v;
}

void report_view_free(view_t *v)
{
    text_free(&v->status);
}

/* ---- columns --------------------------------------------------------------------------------- */

const column_t REPORT_COLUMNS[] = {
#define WORDS(member, name) {name, TEXT, offsetof(view_t, row.member)},
#define NUMBER(member, name, style) {name, style, offsetof(view_t, row.member)},
#define EVENTS(member, name) {name, COUNT, offsetof(view_t, row.member)},
#define DERIVED(member, name, style) {name, style, offsetof(view_t, member)},
#include "columns.def"
    {0},
};

#define AT(member) offsetof(view_t, member)
#define TIMES \
    {"setup ms", 8, TIME, AT(row.setup_ms)},  {"cold us", 7, TIME, AT(row.cold_us)}, \
    {"warm us", 7, TIME, AT(row.warm_us)},    {"+-%", 3, SPREAD, AT(row.spread_pct)}, \
    {"GB/s", 4, RATE, AT(row.cold_gbps)},     {"%ceil", 5, FIXED1, AT(row.pct_ceiling)}, \
    {"eff", 4, FIXED2, AT(row.efficiency)},
#define MAIN_COUNTS \
    {"requests", 8, TALLY, AT(requests)},     {"sect/req", 8, FIXED2, AT(sectors_per_request)}, \
    {"shared", 7, TALLY, AT(wavefronts)},     {"lanes", 5, FIXED1, AT(row.active_lanes)}, \
    {"useful%", 7, FIXED1, AT(row.useful_pct)},
#define TIME_PREDICTED {"predicted us", 17, PREDICTED, AT(row.predicted_us)},
const cell_t REPORT_TIMED[] = {TIMES {0}};
const cell_t REPORT_COUNTED[] = {MAIN_COUNTS {0}};
const cell_t REPORT_PREDICTED[] = {MAIN_COUNTS TIME_PREDICTED {0}};
const cell_t REPORT_WIDE_TIMED[] = {TIMES {"err/tol", 7, MARGIN, AT(row.err_over_tol)}, {0}};
#define COUNTS \
    {"ld_req", 7, TALLY, AT(row.ld_requests)},          {"ld_sect", 7, TALLY, AT(row.ld_sectors)}, \
    {"sect/req", 8, FIXED2, AT(sectors_per_request)},   {"st_sect", 7, TALLY, AT(row.st_sectors)}, \
    {"sh_ld_wf", 8, TALLY, AT(row.sh_ld_wavefronts)},   {"sh_st_wf", 8, TALLY, AT(row.sh_st_wavefronts)}, \
    {"lanes", 5, FIXED1, AT(row.active_lanes)},         {"useful%", 7, FIXED1, AT(row.useful_pct)}, \
    {"atomics", 7, TALLY, AT(row.atomic_requests)},     {"maxwarp", 7, FIXED2, AT(row.warp_max_mean)}, \
    {"maxblock", 8, FIXED2, AT(row.block_max_mean)},    {"err/tol", 7, MARGIN, AT(row.err_over_tol)},
const cell_t REPORT_WIDE_COUNTED[] = {COUNTS {0}};
const cell_t REPORT_WIDE_PREDICTED[] = {COUNTS TIME_PREDICTED {0}};

const char *report_words(const view_t *v, const column_t *c)
{
    if (c->style != TEXT && c->style != STATUS) return NULL;
    const char *s = *(const char *const *)((const char *)v + c->offset);
    return s ? s : "";
}
