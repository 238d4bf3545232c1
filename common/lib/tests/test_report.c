/* test_report.c - the table, the TSV record and JSON, to the byte; and records that survive what goes wrong. */
#include <fcntl.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit.h"
#include "best.h"
#include "report.h"

#define COLUMNS_LINE \
    "chapter\tstep\tkind\tcase\tdtype\tsetup_ms\tcold_us\twarm_us\tspread_pct\tbytes\tcold_gbps\tpct_ceiling\t" \
    "efficiency\terr_over_tol\tstatus\tld_requests\tld_sectors\tst_requests\tst_sectors\tsh_ld_wavefronts\t" \
    "sh_st_wavefronts\tactive_lanes\tuseful_pct\tidea\tatomic_requests\twarp_max_mean\tblock_max_mean\t" \
    "iterations\titerations_per_s\tresidual\tranks\tmax_over_mean\texchange_bytes\tpredicted_for\tpredicted_us\t" \
    "predicted_low_us\tpredicted_high_us\treplayed_us\tpredicted_nodes\tlimiter\n"
#define NO_SOLVER "\"iterations\":null,\"iterations_per_s\":null,\"residual\":null,\"ranks\":null,\"max_over_mean\":null," \
                  "\"exchange_bytes\":null,\"predicted_for\":null,\"predicted_us\":null," \
                  "\"predicted_low_us\":null,\"predicted_high_us\":null,\"replayed_us\":null," \
                  "\"predicted_nodes\":null,\"limiter\":null"
enum { FIELDS = 40, FILE_MAX = 1 << 20 };

/* ---- helpers --------------------------------------------------------------------------------- */

static char folder[256]; /* of this test program's files; removed at the end */

/* The path of a file there; good until eight more are asked for. */
static const char *in_folder(const char *name)
{
    static char path[8][600];
    static unsigned next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

FIXTURE(make_folder)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.200s/test_report.XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
    char command[320];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

/* The first FILE_MAX bytes of the file in memory, NULL if there is none. */
static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    char *text = calloc(1, FILE_MAX);
    assert_non_null(text);
    size_t n = fread(text, 1, FILE_MAX - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void assert_file(const char *path, const char *expected)
{
    char *text = read_file(path);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* Standard output goes to a file between these two; the second returns what came. */
static int saved_stdout;
static char stdout_path[300];

static void capture_begin(void)
{
    fflush(stdout);
    saved_stdout = dup(STDOUT_FILENO);
    snprintf(stdout_path, sizeof stdout_path, "%s/stdout", folder);
    int fd = open(stdout_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    dup2(fd, STDOUT_FILENO);
    close(fd);
}

static char *capture_end(void)
{
    fflush(stdout);
    dup2(saved_stdout, STDOUT_FILENO);
    close(saved_stdout);
    return read_file(stdout_path);
}

static report_row_t blank(const char *step, const char *kind, const char *idea)
{
    report_row_t row = report_row_empty();
    row.chapter = "01_reduce";
    row.step = step;
    row.kind = kind;
    row.case_name = "n=16777216";
    row.dtype = "fp32";
    row.idea = idea;
    row.bytes = 67108864;
    row.status = REPORT_OK;
    return row;
}

static report_row_t timed(const char *step, const char *kind, const char *idea, double cold_us)
{
    report_row_t row = blank(step, kind, idea);
    row.cold_us = cold_us;
    row.warm_us = 0.75 * cold_us;
    row.spread_pct = 0.423456;
    row.cold_gbps = row.bytes / cold_us / 1e3;
    row.pct_ceiling = 100 * row.cold_gbps / 4296;
    row.efficiency = row.pct_ceiling / 98;
    row.err_over_tol = 0.0123456;
    return row;
}

static report_row_t counted(const char *step, const char *idea)
{
    report_row_t row = blank(step, "gpu", idea);
    row.counted = true;
    row.err_over_tol = 0.5;
    row.ld_requests = 524288;
    row.ld_sectors = 16777216;
    row.st_requests = row.st_sectors = 65536;
    row.sh_ld_wavefronts = 1234567;
    row.sh_st_wavefronts = 0;
    row.active_lanes = 31.75;
    row.useful_pct = 12.5;
    row.atomic_requests = 6;
    row.warp_max_mean = 1.5;
    row.block_max_mean = 1.25;
    return row;
}

static report_row_t failed(const char *step, const char *why)
{
    report_row_t row = timed(step, "gpu", "wrong", 10);
    row.status = REPORT_FAIL;
    row.why = why;
    return row;
}

static report_row_t skipped(const char *step, const char *kind, const char *why)
{
    report_row_t row = blank(step, kind, "another machine's");
    row.status = REPORT_SKIP;
    row.why = why;
    return row;
}

static bool narrow; /* the table as it is without --wide */

/* Returns what a report of these rows prints; record may be NULL. */
static char *printed(report_format_t format, const char *record, const report_row_t *rows, size_t n)
{
    err_t err = {{0}};
    capture_begin();
    report_t *r = report_open(format, record, &err);
    if (r) {
        report_wide(r, !narrow);
        report_meta(r, "gpu", "NVIDIA %s", "H200");
        report_meta(r, "toolkit", "13.0");
        report_meta(r, "flags", "-O3 -lineinfo");
        report_meta(r, "seed", "%d", 42);
        report_meta(r, "ceiling_copy_gbps", "%.1f", 4296.0);
    }
    int rc = r ? 0 : -1;
    for (size_t i = 0; i < n && rc == 0; ++i) rc = report_add(r, &rows[i], &err);
    report_close(r);
    char *text = capture_end();
    if (rc) fail_msg("%s", err.text);
    return text;
}

#define PRINTED(format, record, rows) printed(format, record, rows, sizeof rows / sizeof rows[0])
#define META "# gpu: NVIDIA H200\n# toolkit: 13.0\n# flags: -O3 -lineinfo\n# seed: 42\n# ceiling_copy_gbps: 4296.0\n"
#define JSON_META \
    "{\"meta\":{\"gpu\":\"NVIDIA H200\",\"toolkit\":\"13.0\",\"flags\":\"-O3 -lineinfo\",\"seed\":\"42\"," \
    "\"ceiling_copy_gbps\":\"4296.0\"},\"rows\":["

static bool is_json(const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    json_decref(value);
    return value != NULL;
}

/* Field number `column` (from 0) of line number `line` of a TSV text, "#" lines left out. */
static const char *field(const char *text, size_t line, size_t column)
{
    static char result[2048];
    while (*text == '#') text = strchr(text, '\n') + 1;
    for (; line > 0; --line) text = strchr(text, '\n') + 1;
    for (; column > 0; --column) text = strchr(text, '\t') + 1;
    snprintf(result, sizeof result, "%.*s", (int)strcspn(text, "\t\n"), text);
    return result;
}

static void assert_every_line_has_all_fields(const char *tsv)
{
    for (const char *line = tsv; *line; line = strchr(line, '\n') + 1) {
        size_t tabs = 0;
        for (const char *p = line; *p != '\n'; ++p) {
            assert_true(*p);
            tabs += *p == '\t';
        }
        assert_int_equal(tabs, *line == '#' ? 0 : FIELDS - 1);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

TEST(test_timed_table)
{
    report_row_t rows[] = {timed("c1", "cpu", "one accumulator", 12345.678),
                           timed("v1", "gpu", "sequential addressing", 45.9),
                           timed("cub", "peer", "cub::DeviceReduce::Sum", 22.9),
                           skipped("v9", "gpu", "needs sm_90, this is sm_80")};
    rows[2].setup_ms = 812.3;
    char *text = PRINTED(REPORT_TABLE, NULL, rows);
    assert_string_equal(
        text,
        "01_reduce  NVIDIA H200  CUDA 13.0  seed 42\n"
        "ceilings: copy 4296.0 GB/s\n"
        "\n"
        "n=16777216  fp32  67.1 MB\n"
        "step idea                                         kind setup ms cold us warm us +-% GB/s %ceil  eff err/tol\n"
        "c1   one accumulator                              cpu         - 12345.7  9259.3 0.4  5.4   0.1 0.00   0.012 ok\n"
        "v1   sequential addressing                        gpu         -  45.900  34.425 0.4 1462  34.0 0.35   0.012 ok\n"
        "cub  cub::DeviceReduce::Sum                       peer   812.30  22.900  17.175 0.4 2931  68.2 0.70   0.012 ok\n"
        "best: v1, 45.9 us, 0.50 times as fast as cub (22.9 us)\n"
        "skip: needs sm_90, this is sm_80: v9\n");
    free(text);
}

/* Rows that were skipped: one line a reason, under their table; what was said once is not said again.  A table of
 * nothing else has its heading, and none where everything was said. */
TEST(test_skipped_rows_are_one_line)
{
    report_row_t rows[] = {
        skipped("cub", "peer", "needs a GPU"),   timed("c1", "cpu", "one", 10),
        skipped("v1", "gpu", "by rows only"),     skipped("thrust", "peer", "needs a GPU"),
        skipped("v2", "gpu", "by rows only"),     timed("c1", "cpu", "one", 10),
        skipped("cub", "peer", "needs a GPU"),   skipped("thrust", "peer", "needs a GPU"),
        skipped("cub", "peer", "needs a GPU"),   skipped("thrust", "peer", "needs a GPU"),
        skipped("cub", "peer", "a line\nof two"), skipped("v\n1", "gpu", NULL),
    };
    const size_t n = sizeof rows / sizeof rows[0];
    for (size_t i = 5; i < n; ++i) rows[i].case_name = i < 8 ? "second" : i < 10 ? "third" : "fourth";
    char *text = printed(REPORT_TABLE, in_folder("skipped.tsv"), rows, n);
    assert_string_equal(
        strstr(text, "\n\n") + 2,
        "n=16777216  fp32  67.1 MB\n"
        "step idea                                         kind setup ms cold us warm us +-% GB/s %ceil  eff err/tol\n"
        "c1   one                                          cpu         -  10.000   7.500 0.4 6711 156.2 1.59   0.012 ok\n"
        "skip: needs a GPU: cub, thrust\n"
        "skip: by rows only: v1, v2\n"
        "\n"
        "second  fp32  67.1 MB\n"
        "step idea                                         kind setup ms cold us warm us +-% GB/s %ceil  eff err/tol\n"
        "c1   one                                          cpu         -  10.000   7.500 0.4 6711 156.2 1.59   0.012 ok\n"
        "\n"
        "fourth  fp32  67.1 MB\n"
        "skip: a line of two: cub\n"
        "skip: v 1\n");
    free(text);
    text = read_file(in_folder("skipped.tsv")); /* the record has every row */
    assert_string_equal(field(text, 8, 1), "thrust");
    assert_string_equal(field(text, 10, 14), "skip: needs a GPU");
    assert_string_equal(field(text, 12, 3), "fourth");
    free(text);
}

TEST(test_counted_table)
{
    report_row_t rows[] = {timed("c1", "cpu", "one accumulator", 100), counted("v1", "interleaved, modulo"),
                           failed("v2", "out[0] = nan, expected 3.5\nblock 3, thread 7: read past the end\n"),
                           skipped("cub", "peer", "on the cuda back end only"), counted("v1", "interleaved, modulo")};
    rows[2].cold_us = rows[2].warm_us = NAN;
    rows[4].dtype = "fp64";
    char *text = PRINTED(REPORT_TABLE, NULL, rows);
    const char *table = strstr(text, "\n\n");
    assert_non_null(table);
    assert_string_equal(
        table + 2,
        "n=16777216  fp32  67.1 MB\n"
        "step idea                                         kind setup ms cold us warm us +-% GB/s %ceil  eff err/tol\n"
        "c1   one accumulator                              cpu         -  100.00  75.000 0.4  671  15.6 0.16   0.012 ok\n"
        "step idea                                         kind  ld_req ld_sect sect/req st_sect sh_ld_wf sh_st_wf"
        " lanes useful% atomics maxwarp maxblock err/tol\n"
        "v1   interleaved, modulo                          gpu   524288   16.8M    32.00   65536  1234567        0"
        "  31.8    12.5       6    1.50     1.25     0.5 ok\n"
        "v2   wrong                                        gpu        -       -        -       -        -        -"
        "     -       -       -       -        -   0.012 FAIL\n"
        "     out[0] = nan, expected 3.5\n"
        "     block 3, thread 7: read past the end\n"
        "skip: on the cuda back end only: cub\n"
        "\n"
        "n=16777216  fp64  67.1 MB\n"
        "step idea                                         kind  ld_req ld_sect sect/req st_sect sh_ld_wf sh_st_wf"
        " lanes useful% atomics maxwarp maxblock err/tol\n"
        "v1   interleaved, modulo                          gpu   524288   16.8M    32.00   65536  1234567        0"
        "  31.8    12.5       6    1.50     1.25     0.5 ok\n");
    free(text);
}

/* Without --wide no line is longer than 100 characters, and the record is the same. */
TEST(test_the_table_fits)
{
    report_row_t rows[] = {
        timed("c1", "cpu", "an idea that is longer than a line of this table has room for", 123456.7),
        timed("cusparse_csr_alg1_pre", "peer", "a long name, and as long an idea beside it", 1234.5),
        failed("v1", "off"),
        counted("v2", "an idea that is longer than a line of this table has room for"),
        counted("v3", "an idea that is longer than a line of this table has room for"),
        counted("v4", "an idea that is longer than a line of this table has room for"),
    };
    rows[4].predicted_for = "H200";
    rows[4].predicted_us = rows[4].predicted_low_us = rows[4].predicted_high_us = 12345;
    rows[5] = rows[4];
    rows[5].step = "v4";
    rows[5].predicted_us = rows[5].predicted_low_us = rows[5].predicted_high_us = 12345678;
    rows[4].limiter = "bound by DRAM (86 %)";
    rows[3].ld_requests = INT64_MAX; /* a sum that does not fit is no number */
    narrow = true;
    char *text = PRINTED(REPORT_TABLE, in_folder("narrow.tsv"), rows);
    narrow = false;
    free(PRINTED(REPORT_TABLE, in_folder("wide.tsv"), rows));
    char *record = read_file(in_folder("wide.tsv"));
    assert_file(in_folder("narrow.tsv"), record);
    free(record);
    for (const char *line = strstr(text, "\nstep") + 1; *line; line = strchr(line, '\n') + 1) {
        size_t length = 0;
        for (const char *p = line; *p != '\n'; ++p) length += (*p & 0xC0) != 0x80;
        if (length > 100) fail_msg("%zu characters: %.120s", length, line);
    }
    const char *table = strstr(text, "\nstep");
    assert_string_equal(
        table + 1,
        "step idea                                     kind setup ms cold us warm us +-% GB/s %ceil  eff\n"
        "c1   an idea that is longer than a line of t\xE2\x80\xA6 cpu         -  123457 92592.5 0.4 0.54   0.0 0.00 ok\n"
        "cusparse_csr_alg1_pre a long name, and as lo\xE2\x80\xA6 peer        -  1234.5  925.88 0.4 54.4   1.3 0.01 ok\n"
        "v1   wrong                                    gpu         -       -       -   -    -     -    - FAIL\n"
        "     off\n"
        "step idea                                         requests sect/req  shared lanes useful%\n"
        "v2   an idea that is longer than a line of this \xE2\x80\xA6        -     0.00 1234567  31.8    12.5 ok\n"
        "step idea                             requests sect/req  shared lanes useful%      predicted us\n"
        "v3   an idea that is longer than a\xE2\x80\xA6   589830    32.00 1234567  31.8    12.5 12345 (12345-12345) ok\n"
        "v4   an idea that is longer than a l\xE2\x80\xA6   589830    32.00 1234567  31.8    12.5      12 s (12-12) ok\n"
        "best: v3, predicted 12345 us (12345 to 12345); bound by DRAM (86 %)\n");
    free(text);
}

/* A number longer than its column, such as the spread of a row on a busy machine, shortens the idea. */
TEST(test_a_long_number_takes_from_the_idea)
{
    report_row_t rows[] = {timed("c1", "cpu", "an idea that is longer than a line of this table has room for", 123.4),
                           timed("c2", "cpu", "an idea that is longer than a line of this table has room for", 123.4)};
    rows[1].spread_pct = 2820;
    narrow = true;
    char *text = PRINTED(REPORT_TABLE, NULL, rows);
    narrow = false;
    const char *first = strstr(text, "\nc1 "), *second = strstr(text, "\nc2 ");
    assert_non_null(first);
    assert_non_null(second);
    assert_non_null(strstr(first, "longer than a line of t\xE2\x80\xA6 cpu "));
    assert_non_null(strstr(second, "longer than a line\xE2\x80\xA6 cpu "));
    assert_non_null(strstr(second, " 2.82e+03 "));
    assert_int_equal(strcspn(first + 1, "\n"), strcspn(second + 1, "\n"));
    free(text);
}

/* Under the rows of a case stands the best of them: a measured time before a predicted one, and never a row that failed
 * or has no time; libraries only beside what they are compared with. */
TEST(test_the_best_row)
{
    report_row_t rows[] = {timed("c1", "cpu", "one", 100), timed("v1", "gpu", "one", 20), timed("v2", "gpu", "two", 10),
                           failed("v3", "off"),            timed("cub", "peer", "", 15), timed("c2", "cpu", "two", 50),
                           timed("librsb", "peer", "", 40)};
    rows[3].cold_us = 1;
    rows[5].pct_ceiling = rows[6].pct_ceiling = NAN;
    char *text = PRINTED(REPORT_TABLE, NULL, rows);
    assert_non_null(strstr(text, "\nbest: v2, 10.0 us, 1.50 times as fast as cub (15.0 us)\n"
                                 "best on the CPU: c2, 50.0 us, 0.80 times as fast as librsb (40.0 us)\n"));
    free(text);

    report_row_t alone[] = {timed("v1", "gpu", "one", 20), counted("v2", "no time")};
    text = PRINTED(REPORT_TABLE, NULL, alone);
    assert_null(strstr(text, "best"));
    free(text);

    /* Predicted times within 5 % of the best: the line names none. */
    report_row_t close[] = {counted("v1", ""), counted("v2", ""), counted("v3", "")};
    for (size_t i = 0; i < 3; ++i) {
        close[i].predicted_for = "H200";
        close[i].predicted_us = close[i].predicted_low_us = close[i].predicted_high_us = 4;
    }
    close[1].predicted_us = 4.19, close[2].predicted_us = 4.21;
    text = PRINTED(REPORT_TABLE, NULL, close);
    assert_non_null(strstr(text, "\nno clear best: v1 and 1 more are predicted within 5 %, 4.00 us (4.00 to 4.00)\n"));
    free(text);

    const best_t none = {{0}, NAN, NAN, NAN, false, false}, measured = best_of_row("v1", 9, 2, 1, 3),
                 predicted_row = best_of_row("v2", NAN, 2, 1, 3), equal = best_of_row("v3", 9, NAN, NAN, NAN),
                 untimed = best_of_row("v4", NAN, NAN, NAN, NAN);
    assert_true(best_better(&measured, &none) && best_better(&measured, &predicted_row));
    assert_false(best_better(&predicted_row, &measured) || best_better(&equal, &measured));
    assert_false(best_better(&untimed, &none) || best_better(&untimed, &predicted_row));
    assert_true(best_better(&predicted_row, &untimed));

    /* Predicted times within a twentieth are equal: the first is kept. */
    const best_t just = best_of_row("v5", NAN, 1.92, 1, 3), clearly = best_of_row("v5", NAN, 1.89, 1, 3);
    assert_false(best_better(&just, &predicted_row));
    assert_true(best_better(&clearly, &predicted_row));

    /* A plan of libspmv wins if it is predicted at most a quarter slower; measured times have no such rule. */
    const best_t near = best_of_row("libspmv_plan", NAN, 2.49, 1, 3),
                 far = best_of_row("libspmv_plan", NAN, 2.51, 1, 3),
                 slower = best_of_row("libspmv_plan", 9.1, NAN, NAN, NAN);
    assert_true(best_better(&near, &predicted_row) && !best_better(&predicted_row, &near));
    assert_true(best_better(&predicted_row, &far) && !best_better(&far, &predicted_row));
    assert_false(best_better(&slower, &measured));
}

/* The line of the table that begins with this step, without its end; into a static buffer. */
static const char *line_of(const char *text, const char *step)
{
    static char line[512];
    char start[64];
    snprintf(start, sizeof start, "\n%s ", step);
    const char *p = strstr(text, start);
    assert_non_null(p);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(p + 1, "\n"), p + 1);
    return line;
}

TEST(test_table_cuts_and_pads_in_characters)
{
    report_row_t rows[] = {timed("v1", "gpu", "0123456789012345678901234567890123456789abcd", 10),
                           timed("v2", "gpu", "0123456789012345678901234567890123456789abcde", 10),
                           timed("v3", "gpu",
                                 "gr\xC3\xB6\xC3\x9F"
                                 "er",
                                 10),
                           timed("v4", "gpu",
                                 "\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6"
                                 "0123456789012345678901234567890123\xC3\xB6!",
                                 10),
                           timed("cusparse_alg1", "peer", "cuSPARSE CSR, algorithm 1, preprocessed", 10)};
    char *text = PRINTED(REPORT_TABLE, NULL, rows);
    static const char END[] = "gpu         -  10.000   7.500 0.4 6711 156.2 1.59   0.012 ok";
    char expected[512];
    snprintf(expected, sizeof expected, "v1   0123456789012345678901234567890123456789abcd %s", END);
    assert_string_equal(line_of(text, "v1"), expected);
    assert_int_equal(strlen(expected), 110);
    snprintf(expected, sizeof expected, "v2   0123456789012345678901234567890123456789abc\xE2\x80\xA6 %s", END);
    assert_string_equal(line_of(text, "v2"), expected);
    snprintf(expected, sizeof expected, "v3   gr\xC3\xB6\xC3\x9F" "er%38s %s", "", END);
    assert_string_equal(line_of(text, "v3"), expected);
    assert_non_null(strstr(line_of(text, "v4"), "6789012\xE2\x80\xA6 gpu ")); /* never half a character */
    assert_memory_equal(line_of(text, "cusparse_alg1"),
                        "cusparse_alg1 cuSPARSE CSR, algorithm 1, preproc\xE2\x80\xA6 peer ", 57);
    free(text);
}

TEST(test_status_of_a_record)
{
    static const struct {
        const char *text;
        report_status_t status;
    } CASES[] = {
        {"ok", REPORT_OK},
        {"skip", REPORT_SKIP},
        {"skip: no GPU", REPORT_SKIP},
        {"FAIL", REPORT_FAIL},
        {"FAIL: off", REPORT_FAIL},
        {"", REPORT_NO_STATUS},
        {"ok: nearly", REPORT_NO_STATUS},
        {"okay", REPORT_NO_STATUS},
        {"fail", REPORT_NO_STATUS},
        {"-", REPORT_NO_STATUS},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i)
        assert_int_equal(report_status_of(CASES[i].text), CASES[i].status);
}

TEST(test_a_failed_row_has_no_time)
{
    report_row_t rows[] = {failed("v1", "off"), failed("v2", NULL), failed("v3", ""), timed("v4", "gpu", "lost", 10)};
    rows[3].status = REPORT_NO_STATUS;
    char *table = PRINTED(REPORT_TABLE, NULL, rows);
    assert_null(strstr(table, "10.000"));
    assert_non_null(strstr(table, "\n     off\n"));
    assert_non_null(strstr(table, "\n     the row has no status\n"));
    free(table);
    char *tsv = PRINTED(REPORT_TSV, NULL, rows);
    for (size_t line = 1; line <= 4; ++line) {
        for (size_t column = 6; column <= 8; ++column) assert_string_equal(field(tsv, line, column), "-");
        for (size_t column = 10; column <= 12; ++column) assert_string_equal(field(tsv, line, column), "-");
        assert_memory_equal(field(tsv, line, 14), "FAIL", 4);
    }
    free(tsv);

    err_t err;
    capture_begin();
    report_t *r = report_open(REPORT_TABLE, NULL, &err);
    for (size_t i = 0; i < 4; ++i) report_add(r, &rows[i], &err);
    report_row_t good = timed("v5", "gpu", "right", 10), absent = skipped("v6", "gpu", "no");
    report_add(r, &good, &err);
    report_add(r, &absent, &err);
    size_t failures = report_failures(r);
    report_close(r);
    free(capture_end());
    assert_int_equal(failures, 4);
}

/* ---- TSV and JSON ---------------------------------------------------------------------------- */

TEST(test_tsv)
{
    report_row_t rows[] = {timed("c1", "cpu", "one accumulator", 12345.678), timed("cub", "peer", "Sum", 22.9),
                           counted("v1", "modulo")};
    rows[1].setup_ms = 0.0123456;
    rows[0].iterations = 100; /* a solver: one run is a hundred of them */
    rows[0].after_us = 10000; /* and the way of its result */
    rows[0].residual = 2.5e-11;
    rows[0].ld_requests = rows[0].st_sectors = rows[0].sh_ld_wavefronts = rows[0].atomic_requests =
        7;                /* not counted */
    rows[2].residual = 1; /* without iterations: no solver */
    rows[1].ranks = 4; /* four processes shared it */
    rows[1].max_over_mean = 1.25;
    rows[1].exchange_bytes = 4096;
    rows[2].max_over_mean = 1.5; /* without ranks: not such a row */
    char *text = PRINTED(REPORT_TSV, NULL, rows);
    assert_string_equal(
        text, META COLUMNS_LINE
        "01_reduce\tc1\tcpu\tn=16777216\tfp32\t-\t12345.7\t9259.3\t0.4235\t67108864\t5.436\t0.1265\t0.001291\t0.01235\tok"
        "\t-\t-\t-\t-\t-\t-\t-\t-\tone accumulator\t-\t-\t-\t100\t42632\t2.5e-11\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n"
        "01_reduce\tcub\tpeer\tn=16777216\tfp32\t0.01235\t22.900\t17.175\t0.4235\t67108864\t2931\t68.22\t0.6961\t0.01235\tok"
        "\t-\t-\t-\t-\t-\t-\t-\t-\tSum\t-\t-\t-\t-\t-\t-\t4\t1.25\t4096\t-\t-\t-\t-\t-\t-\t-\n"
        "01_reduce\tv1\tgpu\tn=16777216\tfp32\t-\t-\t-\t-\t67108864\t-\t-\t-\t0.5\tok"
        "\t524288\t16777216\t65536\t65536\t1234567\t0\t31.75\t12.5\tmodulo\t6\t1.5\t1.25\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n");
    free(text);
}

static report_row_t predicted(report_row_t row)
{
    row.predicted_for = "H200";
    row.predicted_us = 12.3456;
    row.predicted_low_us = 9;
    row.predicted_high_us = 16;
    row.replayed_us = 8;
    row.predicted_nodes = 2;
    row.limiter = "bound by DRAM (86 %)";
    return row;
}

/* Only a row that was counted is predicted, and never in a column of times that were measured. */
TEST(test_predictions)
{
    report_row_t rows[] = {predicted(counted("v1", "modulo")), predicted(timed("v2", "gpu", "measured", 45.9)),
                           predicted(failed("v3", "off")), counted("v4", "not asked for")};
    rows[3].predicted_us = 7;
    char *tsv = PRINTED(REPORT_TSV, NULL, rows);
    assert_string_equal(field(tsv, 1, 33), "H200");
    assert_string_equal(field(tsv, 1, 34), "12.346");
    assert_string_equal(field(tsv, 1, 38), "2");
    assert_string_equal(field(tsv, 1, 39), "bound by DRAM (86 %)");
    for (size_t column = 6; column <= 7; ++column) assert_string_equal(field(tsv, 1, column), "-");
    for (size_t line = 2; line <= 4; ++line)
        for (size_t column = 33; column <= 39; ++column) assert_string_equal(field(tsv, line, column), "-");
    free(tsv);
    char *table = PRINTED(REPORT_TABLE, NULL, rows);
    assert_non_null(strstr(table, "predicted us"));
    assert_non_null(strstr(table, "12 (9-16) ok  bound by DRAM (86 %)\n"));
    free(table);
}

TEST(test_tsv_parses_back)
{
    report_row_t rows[] = {timed("v1", "gpu", "a\tb\nc\r\nd", 0.0004), timed("v2", "gpu", "", 3.25e9),
                           failed("v3", "first\nsecond\tthird\n\nfourth\n"), counted("v4", "\x01\x7F\xC2\x9B\xFFz")};
    rows[0].case_name = "like:\tx";
    rows[1].kind = NULL;
    rows[1].err_over_tol = INFINITY;
    rows[3].ld_sectors = INT64_MAX;
    char *text = PRINTED(REPORT_TSV, NULL, rows);
    assert_every_line_has_all_fields(text);
    assert_string_equal(field(text, 1, 3), "like: x");
    assert_string_equal(field(text, 1, 23), "a b c d");
    assert_string_equal(field(text, 2, 2), "-");
    assert_string_equal(field(text, 2, 13), "-");
    assert_string_equal(field(text, 2, 23), "-");
    assert_string_equal(field(text, 3, 14), "FAIL: first | second third | fourth");
    assert_string_equal(field(text, 4, 16), "9223372036854775807");
    assert_string_equal(field(text, 4, 23), "   \xEF\xBF\xBDz");
    for (size_t line = 1; line <= 2; ++line) {
        char *end;
        double cold = strtod(field(text, line, 6), &end);
        assert_true(*end == '\0' && fabs(cold - rows[line - 1].cold_us) <= 0.0005 * (1 + cold));
    }
    free(text);
}

/* Characters of one to four bytes stay; every byte of what is no UTF-8 becomes U+FFFD. */
TEST(test_utf8)
{
#define BAD "\xEF\xBF\xBD"
    static const char *const TEXTS[][2] = {
        {"a\xC3\xA9\xE4\xBB\xB7\xF0\x9F\x98\x80z", "a\xC3\xA9\xE4\xBB\xB7\xF0\x9F\x98\x80z"},
        {"\xF4\x8F\xBF\xBFz", "\xF4\x8F\xBF\xBFz"}, /* the last one there is */
        {"\xF4\x90\x80\x80z", BAD BAD BAD BAD "z"}, /* the one after it */
        {"\xC2\xA0\xE0\xA0\x80\xF0\x90\x80\x80z",
         "\xC2\xA0\xE0\xA0\x80\xF0\x90\x80\x80z"}, /* the first of each length */
        {"\xC1\xBFz", BAD BAD "z"},                /* more bytes than needed */
        {"\xE0\x9F\xBFz", BAD BAD BAD "z"},
        {"\xED\x9F\xBF\xEE\x80\x80z", "\xED\x9F\xBF\xEE\x80\x80z"}, /* before and after the surrogates */
        {"\xED\xA0\x80z", BAD BAD BAD "z"},                         /* the first surrogate */
        {"\xE4\xBBz", BAD BAD "z"},                                 /* cut short */
        {"z\xF0\x9F", "z" BAD BAD},
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; ++i) {
        report_row_t rows[] = {timed("v1", "gpu", TEXTS[i][0], 10)};
        char *text = PRINTED(REPORT_TSV, NULL, rows);
        assert_string_equal(field(text, 1, 23), TEXTS[i][1]);
        free(text);
    }
#undef BAD
}

TEST(test_json)
{
    report_row_t rows[] = {timed("v1", "gpu", "one \"idea\", C:\\", 22.9), counted("v2", "modulo"),
                           failed("v3", "a\nb\tc\x01\xFF")};
    char *text = PRINTED(REPORT_JSON, NULL, rows);
    assert_true(is_json(text));
    assert_string_equal(
        text, JSON_META
        "\n"
        "{\"chapter\":\"01_reduce\",\"step\":\"v1\",\"kind\":\"gpu\",\"case\":\"n=16777216\",\"dtype\":\"fp32\","
        "\"setup_ms\":null,\"cold_us\":22.900,\"warm_us\":17.175,\"spread_pct\":0.4235,\"bytes\":67108864,"
        "\"cold_gbps\":2931,\"pct_ceiling\":68.22,\"efficiency\":0.6961,\"err_over_tol\":0.01235,\"status\":\"ok\","
        "\"ld_requests\":null,\"ld_sectors\":null,\"st_requests\":null,\"st_sectors\":null,\"sh_ld_wavefronts\":null,"
        "\"sh_st_wavefronts\":null,\"active_lanes\":null,\"useful_pct\":null,\"idea\":\"one \\\"idea\\\", C:\\\\\","
        "\"atomic_requests\":null,"
        "\"warp_max_mean\":null,\"block_max_mean\":null," NO_SOLVER "},\n"
        "{\"chapter\":\"01_reduce\",\"step\":\"v2\",\"kind\":\"gpu\",\"case\":\"n=16777216\",\"dtype\":\"fp32\","
        "\"setup_ms\":null,\"cold_us\":null,\"warm_us\":null,\"spread_pct\":null,\"bytes\":67108864,"
        "\"cold_gbps\":null,\"pct_ceiling\":null,\"efficiency\":null,\"err_over_tol\":0.5,\"status\":\"ok\","
        "\"ld_requests\":524288,\"ld_sectors\":16777216,\"st_requests\":65536,\"st_sectors\":65536,"
        "\"sh_ld_wavefronts\":1234567,\"sh_st_wavefronts\":0,\"active_lanes\":31.75,\"useful_pct\":12.5,"
        "\"idea\":\"modulo\",\"atomic_requests\":6,\"warp_max_mean\":1.5,\"block_max_mean\":1.25," NO_SOLVER "},\n"
        "{\"chapter\":\"01_reduce\",\"step\":\"v3\",\"kind\":\"gpu\",\"case\":\"n=16777216\",\"dtype\":\"fp32\","
        "\"setup_ms\":null,\"cold_us\":null,\"warm_us\":null,\"spread_pct\":null,\"bytes\":67108864,"
        "\"cold_gbps\":null,\"pct_ceiling\":null,\"efficiency\":null,\"err_over_tol\":0.01235,"
        "\"status\":\"FAIL: a\\nb\\tc\\u0001\xEF\xBF\xBD\","
        "\"ld_requests\":null,\"ld_sectors\":null,\"st_requests\":null,\"st_sectors\":null,\"sh_ld_wavefronts\":null,"
        "\"sh_st_wavefronts\":null,\"active_lanes\":null,\"useful_pct\":null,\"idea\":\"wrong\",\"atomic_requests\":null,"
        "\"warp_max_mean\":null,\"block_max_mean\":null," NO_SOLVER "}\n]}\n");
    free(text);
}

TEST(test_no_rows)
{
    char *text = printed(REPORT_JSON, NULL, NULL, 0);
    assert_true(is_json(text));
    assert_string_equal(text, JSON_META "]}\n");
    free(text);
    text = printed(REPORT_TSV, NULL, NULL, 0);
    assert_string_equal(text, META COLUMNS_LINE);
    free(text);
    text = printed(REPORT_TABLE, NULL, NULL, 0);
    assert_string_equal(text, "NVIDIA H200  CUDA 13.0  seed 42\nceilings: copy 4296.0 GB/s\n");
    free(text);
}

TEST(test_the_last_meta_of_a_key_holds)
{
    err_t err;
    capture_begin();
    report_t *r = report_open(REPORT_TSV, NULL, &err);
    report_meta(r, "seed", "1");
    report_meta(r, "command", "run --only 'a\tb\nc'");
    report_meta(r, "seed", "%d", 2);
    report_meta(r, "driver", "%s", "");
    report_close(r);
    char *text = capture_end();
    assert_string_equal(text, "# seed: 2\n# command: run --only 'a b c'\n# driver: -\n" COLUMNS_LINE);
    free(text);
}

/* A field is never empty, and a number never cut. */
TEST(test_what_the_fuzzer_found)
{
    report_row_t row = timed("v1", "gpu", "\n", -1e300);
    row.case_name = "\r\n";
    row.bytes = -1e300;
    report_row_t rows[] = {row};
    char *text = PRINTED(REPORT_TSV, NULL, rows);
    assert_null(strstr(text, "\t\t"));
    assert_string_equal(field(text, 1, 3), "-");
    assert_string_equal(field(text, 1, 6), "-1e+300");
    assert_true(strtod(field(text, 1, 9), NULL) == -1e300);
    free(text);
    row.setup_ms = -1.797693134862315708e308; /* "-1.798e+308" is more than a double can hold */
    report_row_t largest[] = {row};
    text = PRINTED(REPORT_TSV, NULL, largest);
    assert_true(strtod(field(text, 1, 5), NULL) == row.setup_ms);
    free(text);
}

TEST(test_extreme_numbers)
{
    static const double VALUES[] = {0, -0.0, 1e-300, 1e300, -1e300, 999.9999, 99999.96, 9.96, 0.9999, 1e15, INFINITY,
                                    -INFINITY, NAN};
    for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; ++i) {
        double v = VALUES[i];
        report_row_t row = counted("v1", "extreme");
        row.setup_ms = row.cold_us = row.warm_us = row.spread_pct = row.bytes = row.cold_gbps = row.pct_ceiling = v;
        row.efficiency = row.err_over_tol = row.active_lanes = row.useful_pct = row.warp_max_mean = v;
        row.ld_requests = row.ld_sectors = i % 2 ? INT64_MAX : 0;
        report_row_t rows[] = {row, row};
        rows[1].counted = false;
        char *json = PRINTED(REPORT_JSON, NULL, rows), *table = PRINTED(REPORT_TABLE, NULL, rows);
        assert_true(is_json(json));
        assert_null(strstr(json, ":inf"));
        assert_null(strstr(json, ":-inf"));
        assert_null(strstr(json, "nan"));
        assert_null(strstr(table, " inf"));
        assert_null(strstr(table, "nan"));
        free(json);
        free(table);
    }
}

TEST(test_a_decimal_comma_changes_nothing)
{
    static const char *const COMMA[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pt_BR.UTF-8"};
    report_row_t rows[] = {timed("v1", "gpu", "idea", 22.9)};
    char *before = PRINTED(REPORT_JSON, NULL, rows);
    bool found = false;
    for (size_t i = 0; i < sizeof COMMA / sizeof COMMA[0] && !found; ++i) found = setlocale(LC_ALL, COMMA[i]);
    char *after = PRINTED(REPORT_JSON, NULL, rows), number[16];
    snprintf(number, sizeof number, "%.1f", 0.5);
    setlocale(LC_ALL, "C");
    assert_string_equal(before, after);
    if (found) assert_string_equal(number, "0,5"); /* the program's own locale is left alone */
    else print_message("no locale with a decimal comma here: half of this test did not run\n");
    free(before);
    free(after);
}

/* ---- records --------------------------------------------------------------------------------- */

/* Files in the test's folder whose name contains `part`. */
static int files_with(const char *part)
{
    char command[600];
    snprintf(command, sizeof command, "test -z \"$(find '%s' -name '*%s*')\"", folder, part);
    return system(command);
}

TEST(test_the_record_is_the_tsv)
{
    const char *path = in_folder("made/on/the/way/r.tsv");
    report_row_t rows[] = {timed("v1", "gpu", "one", 22.9), failed("v2", "a\nb"), counted("v3", "three")};
    char *tsv = PRINTED(REPORT_TSV, path, rows);
    assert_file(path, tsv);
    free(tsv);
    tsv = PRINTED(REPORT_TSV, NULL, rows);
    free(PRINTED(REPORT_TABLE, path, rows)); /* whatever the screen shows */
    assert_file(path, tsv);
    free(tsv);
    assert_int_equal(files_with(".tmp"), 0);
}

TEST(test_a_record_may_be_json)
{
    const char *path = in_folder("r.json");
    report_row_t rows[] = {timed("v1", "gpu", "one", 22.9), failed("v2", "a\nb"), counted("v3", "three")};
    char *json = PRINTED(REPORT_JSON, path, rows);
    assert_true(is_json(json));
    assert_file(path, json);
    char *nothing = PRINTED(REPORT_SILENT, path, rows); /* the record only */
    assert_string_equal(nothing, "");
    assert_file(path, json);
    free(nothing);
    free(json);
}

TEST(test_every_row_leaves_a_whole_record)
{
    const char *path = in_folder("grows.tsv");
    write_file(path, "earlier\n");
    err_t err;
    capture_begin();
    report_t *r = report_open(REPORT_TABLE, path, &err);
    report_meta(r, "seed", "42");
    char *text[3] = {read_file(path), NULL, NULL};
    report_row_t row = timed("v1", "gpu", "idea", 10);
    for (int i = 1; i <= 2; ++i) {
        report_add(r, &row, &err);
        text[i] = read_file(path);
    }
    report_close(r);
    free(capture_end());
    assert_string_equal(text[0], "earlier\n"); /* kept until there is something better */
    assert_every_line_has_all_fields(text[1]);
    assert_every_line_has_all_fields(text[2]);
    size_t first = strlen(text[1]);
    assert_memory_equal(text[2], text[1], first);
    assert_true(strlen(text[2]) > first);
    for (int i = 0; i < 3; ++i) free(text[i]);
}

static void refused(const char *path, const char *reason)
{
    err_t err = {{0}};
    char expected[700];
    snprintf(expected, sizeof expected, "cannot write %s: %s", path, reason);
    capture_begin();
    report_t *r = report_open(REPORT_JSON, path, &err);
    report_close(r);
    char *out = capture_end();
    assert_null(r);
    assert_string_equal(err.text, expected);
    assert_string_equal(out, ""); /* not even half a JSON text */
    free(out);
}

TEST(test_records_that_cannot_be)
{
    char longest[300];
    write_file(in_folder("file"), "mine\n");
    refused(in_folder("file/below/r.tsv"), "Not a directory");
    refused(in_folder("file/r.tsv"), "Not a directory");
    refused(folder, "it exists and is not a file");
    refused("/dev/full", "it exists and is not a file");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    refused(in_folder(longest), "File name too long");
    assert_file(in_folder("file"), "mine\n");
}

TEST(test_a_link_stays_a_link)
{
    write_file(in_folder("target.tsv"), "old\n");
    assert_int_equal(symlink("target.tsv", in_folder("link.tsv")), 0);
    report_row_t rows[] = {timed("v1", "gpu", "idea", 10)};
    char *text = PRINTED(REPORT_TSV, in_folder("link.tsv"), rows);
    struct stat status;
    assert_int_equal(lstat(in_folder("link.tsv"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_file(in_folder("target.tsv"), text);
    free(text);
}

/* Runs part() in a child without standard output and gives its exit code. */
static int in_child(int (*part)(const char *path), const char *path, const char *standard_output)
{
    fflush(stdout);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int fd = open(standard_output, O_WRONLY);
        dup2(fd, STDOUT_FILENO);
        _exit(part(path));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The disk is full, as far as this process can tell, when the second row comes. */
static int disk_fills_up(const char *path)
{
    err_t err = {{0}};
    report_row_t row = timed("v1", "gpu", "idea", 10);
    report_t *r = report_open(REPORT_TABLE, path, &err);
    if (!r || report_add(r, &row, &err)) return 1;
    struct stat one_row;
    if (stat(path, &one_row)) return 2;
    struct rlimit limit = {(rlim_t)one_row.st_size + 10, (rlim_t)one_row.st_size + 10};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit)) return 3;
    if (report_add(r, &row, &err) != -1) return 4;
    if (!strstr(err.text, path) || !strstr(err.text, "File too large")) return 5;
    struct stat now;
    if (stat(path, &now) || now.st_size != one_row.st_size) return 6;
    report_close(r);
    return 0;
}

TEST(test_an_interrupted_write_keeps_the_old_record)
{
    const char *path = in_folder("full.tsv");
    assert_int_equal(in_child(disk_fills_up, path, "/dev/null"), 0);
    char *text = read_file(path);
    assert_every_line_has_all_fields(text);
    assert_string_equal(field(text, 1, 1), "v1");
    free(text);
    assert_int_equal(files_with(".tmp"), 0);
}

static int folder_vanishes(const char *path)
{
    err_t err = {{0}};
    report_row_t row = timed("v1", "gpu", "idea", 10);
    report_t *r = report_open(REPORT_TABLE, path, &err);
    if (!r) return 1;
    char below[600];
    snprintf(below, sizeof below, "%s", path);
    *strrchr(below, '/') = '\0';
    if (rmdir(below)) return 2;
    if (report_add(r, &row, &err) != -1) return 3;
    report_close(r);
    return !strstr(err.text, path) || !strstr(err.text, "No such file or directory");
}

TEST(test_a_folder_that_vanishes)
{
    assert_int_equal(in_child(folder_vanishes, in_folder("gone/r.tsv"), "/dev/null"), 0);
}

/* Standard output fails; the record is written all the same. */
static int output_is_full(const char *path)
{
    err_t err = {{0}};
    report_row_t row = timed("v1", "gpu", "idea", 10);
    report_t *r = report_open(REPORT_TABLE, path, &err);
    if (!r) return 1;
    if (report_add(r, &row, &err) != -1) return 2;
    if (strcmp(err.text, "cannot write to standard output: No space left on device") != 0) return 3;
    report_close(r);
    return 0;
}

TEST(test_output_to_a_full_disk)
{
    if (access("/dev/full", W_OK)) skip();
    const char *path = in_folder("beside.tsv");
    assert_int_equal(in_child(output_is_full, path, "/dev/full"), 0);
    char *text = read_file(path);
    assert_string_equal(field(text, 1, 1), "v1");
    free(text);
}

/* Killed while rows are being added: what is at the path is always a whole record. */
static int adds_without_end(const char *path)
{
    err_t err;
    report_row_t row = timed("v1", "gpu", "idea", 10);
    report_t *r = report_open(REPORT_TABLE, path, &err);
    while (r && report_add(r, &row, &err) == 0) {}
    return 1;
}

TEST(test_killed_in_the_middle)
{
    const char *path = in_folder("killed.tsv");
    pid_t pid = 0;
    for (int i = 0; i < 10; ++i) {
        fflush(stdout);
        pid = fork();
        if (pid == 0) {
            dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
            _exit(adds_without_end(path));
        }
        for (int wait = 0; wait < 5000 && access(path, F_OK); ++wait) usleep(1000);
        usleep(1000 + 777 * (useconds_t)i);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        char *text = read_file(path);
        assert_non_null(text);
        assert_true(strlen(text) > strlen(COLUMNS_LINE));
        assert_memory_equal(text, COLUMNS_LINE, strlen(COLUMNS_LINE));
        if (strlen(text) < FILE_MAX - 1) assert_every_line_has_all_fields(text); /* else it was not read to its end */
        free(text);
    }
    /* The next record removes their temporary files, and keeps files of others. */
    err_t err;
    char other[600];
    snprintf(other, sizeof other, "%s.%ld.tmp", path, (long)pid);
    write_file(other, "half a li"); /* should none of the ten have left one */
    snprintf(other, sizeof other, "%s.%ld.tmp", path, (long)getppid());
    write_file(other, "another process writes this\n");
    char own[600]; /* of a process that had this one's number; a link must not be followed */
    snprintf(own, sizeof own, "%s.%ld.tmp", path, (long)getpid());
    write_file(in_folder("aside"), "mine\n");
    assert_int_equal(symlink(in_folder("aside"), own), 0);
    capture_begin();
    report_t *r = report_open(REPORT_TABLE, path, &err);
    report_close(r);
    free(capture_end());
    assert_non_null(r);
    assert_file(in_folder("aside"), "mine\n");
    assert_int_equal(unlink(other), 0);
    assert_int_equal(files_with(".tmp"), 0);
}

/* ---- terminals ------------------------------------------------------------------------------- */

static bool with_progress;

static int shows_rows(const char *unused)
{
    (void)unused;
    err_t err;
    report_row_t good = timed("v1", "gpu", "an idea of more than twenty characters", 10), bad = failed("v2", "off");
    report_t *r = report_open(REPORT_TABLE, NULL, &err);
    report_wide(r, !narrow);
    if (with_progress) {
        report_progress(r, 0, 4, "%s n=%d", "v1", 1024);
        report_progress(r, 2, 4,
                        "%s a step with a very very very long name that does not fit on one line of the terminal, "
                        "whatever its width",
                        "v2");
        report_progress(r, 3, 0, "no\ntotal");
    }
    report_add(r, &good, &err);
    report_add(r, &bad, &err);
    report_row_t best = timed("v3", "gpu", "faster", 5);
    report_add(r, &best, &err);
    report_close(r);
    return 0;
}

/* What shows_rows sends to a terminal of that many columns. */
static char *on_terminal(unsigned short columns)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) skip();
    struct winsize size = {.ws_row = 25, .ws_col = columns};
    int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(other >= 0);
    assert_int_equal(ioctl(other, TIOCSWINSZ, &size), 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(other, STDOUT_FILENO);
        if (with_progress) dup2(other, STDERR_FILENO);
        _exit(shows_rows(""));
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    close(other);
    char *text = calloc(1, 1 << 16);
    size_t n = 0;
    for (ssize_t got; n < (1 << 16) - 1 && (got = read(terminal, text + n, (1 << 16) - 1 - n)) > 0;) n += (size_t)got;
    close(terminal);
    return text;
}

TEST(test_colour)
{
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    char *text = on_terminal(200);
    assert_non_null(strstr(text, " 0.012 \033[32mok\033[0m\r\n"));
    assert_non_null(strstr(text, " 0.012 \033[31mFAIL\033[0m\r\n"));
    assert_non_null(strstr(text, "\033[1;32mbest: v3, 5.00 us\033[0m\r\n"));
    free(text);
    setenv("NO_COLOR", "1", 1);
    text = on_terminal(200);
    assert_non_null(strstr(text, " 0.012 ok\r\n"));
    assert_null(strchr(text, '\033'));
    free(text);
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    text = on_terminal(200);
    assert_null(strchr(text, '\033'));
    free(text);
    setenv("TERM", "xterm", 1);
}

TEST(test_a_narrow_terminal_takes_from_the_idea)
{
    setenv("NO_COLOR", "1", 1);
    static const unsigned short WIDTHS[] = {0, 60, 86, 95, 110, 300};
    static const size_t LONGEST[][2] = {{110, 98}, {86, 58}, {86, 84}, {95, 93}, {110, 98}, {110, 98}};
    for (size_t i = 0; i < 2 * sizeof WIDTHS / sizeof WIDTHS[0]; ++i) {
        narrow = i % 2; /* then it never is longer than the terminal, FAIL and all */
        char *text = on_terminal(WIDTHS[i / 2]);
        const char *line = strstr(text, "\nv1 ");
        assert_non_null(line);
        size_t bytes = strcspn(line + 1, "\r"), extra = strstr(line, "\xE2\x80\xA6") ? 2 : 0;
        assert_int_equal(bytes - extra, LONGEST[i / 2][i % 2]);
        free(text);
    }
    narrow = false;
    unsetenv("NO_COLOR");
}

TEST(test_progress)
{
    setenv("NO_COLOR", "1", 1);
    with_progress = true;
    char *text = on_terminal(100);
    with_progress = false;
    assert_memory_equal(text, "\r\033[K[..........] 0/4 v1 n=1024  0 s", 35);
    assert_non_null(strstr(text, "\r\033[K[#####.....] 2/4 v2 a step "));
    assert_non_null(strstr(text, "\r\033[K3 no total  0 s\r\033[K")); /* wiped before the row prints */
    const char *cut = strstr(text, "[#####.");
    assert_int_equal(strcspn(cut, "\r"), 99); /* never wraps */
    assert_null(strstr(strstr(text, "01_reduce"), "\033"));
    free(text);
    text = on_terminal(100); /* standard error is no terminal here */
    assert_null(strchr(text, '#'));
    free(text);
    unsetenv("NO_COLOR");
}

TEST(test_close_takes_null)
{
    assert_null(report_close(NULL));
}

int main(void) { return cmocka_run_group_tests(tests, make_folder, remove_folder); }
