/* test_spmv_summary.c - the lines under a run of many matrices, from a small made-up record. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit.h"
#include "spmv_summary.h"

static const char HEADER[] = "chapter\tstep\tkind\tcase\tdtype\tsetup_ms\tcold_us\tefficiency\tstatus\n";

/* Two matrices: v1 needs no set-up, v2 does; on B cuSPARSE's best form is faster than both. */
static const char A_ROWS[] =
    "07\tlibrsb\tpeer\tA\tfp32\t5.0\t1.0\t-\tok\n"
    "07\tv1\tgpu\tA\tfp32\t-\t20.0\t0.2\tok\n"
    "07\tv2\tgpu\tA\tfp32\t0.1\t10.0\t0.4\tok\n"
    "07\tv2/x\tgpu\tA\tfp32\t0.1\t1.0\t0.9\tok\n"
    "07\tv3\tgpu\tA\tfp32\t-\t1.0\t0.9\tFAIL: y[0]: got nan\n"
    "07\tstudent\tgpu\tA\tfp32\t-\t1.0\t0.9\tok\n"
    "07\tcusparse_csr\tpeer\tA\tfp32\t0.1\t40.0\t0.1\tok\n"
    "07\tcusparse_csr_alg2\tpeer\tA\tfp32\t0.1\t50.0\t0.08\tok\n"
    "07\tcusparse_csr_pre\tpeer\tA\tfp32\t0.1\t20.0\t0.2\tok\n";
static const char B_ROWS[] =
    "07\tv1\tgpu\tB\tfp64\t-\t90.0\t0.1\tok\n"
    "07\tv2\tgpu\tB\tfp64\t0.2\t30.0\t0.9\tok\n"
    "07\tcusparse_csr\tpeer\tB\tfp64\t0.1\t30.0\t0.9\tok\n"
    "07\tcusparse_sell\tpeer\tB\tfp64\t9.1\t15.0\t0.9\tok\n"
    "07\tcusparse_bsr\tpeer\tB\tfp64\t-\t-\t-\tskip: no\n";

static int write_record(char *path, const char *text1, const char *text2)
{
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fprintf(f, "# chapter: 07\n%s%s%s", HEADER, text1, text2);
    return fclose(f);
}

/* What fn prints of the record at path. */
static char *printed(int (*fn)(const char *, FILE *), const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_int_equal(fn(path, to), 0);
    fclose(to);
    return text;
}

/* The line of text that begins with `start`; the test fails if there is none. */
static const char *line_of(const char *text, const char *start, char *line, size_t size)
{
    const char *at = text;
    while (at && strncmp(at, start, strlen(start))) {
        at = strchr(at, '\n');
        if (at) ++at;
    }
    if (!at || !*at) fail_msg("no line begins with %s in:\n%s", start, text);
    snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
    return line;
}

static void expect(const char *text, const char *start, const char *part)
{
    char line[512];
    line_of(text, start, line, sizeof line);
    if (!strstr(line, part)) fail_msg("'%s' is not in: %s", part, line);
}

TEST(test_cases)
{
    char path[] = "/tmp/test_spmv_summary.XXXXXX";
    write_record(path, A_ROWS, B_ROWS);
    char *text = printed(summary_print, path);
    expect(text, "A fp32", "best step v2 ");
    expect(text, "A fp32", "CSR as is     40.00 us, 4.00x");
    expect(text, "A fp32", "best of all cusparse_csr_pre ");
    expect(text, "A fp32", "20.00 us, 2.00x");
    expect(text, "B fp64", "30.00 us, 1.00x");
    expect(text, "B fp64", "cusparse_sell ");
    expect(text, "B fp64", "15.00 us, 0.50x");
    free(text);
    unlink(path);
}

/* The record's first row and its last count like any other. */
TEST(test_first_and_last)
{
    char path[] = "/tmp/test_spmv_summary.XXXXXX";
    write_record(path, "07\tv1\tgpu\tA\tfp32\t-\t10.0\t0.4\tok\n",
                 "07\tcusparse_csr\tpeer\tA\tfp32\t-\t40.0\t0.1\tok\n");
    char *text = printed(summary_print, path);
    expect(text, "A fp32", "best step v1 ");
    expect(text, "A fp32", "CSR as is     40.00 us, 4.00x");
    free(text);
    text = printed(summary_suite, path);
    expect(text, "v1 ", " 1   4.00x (4.00 to 4.00)");
    free(text);
    unlink(path);
}

TEST(test_suite)
{
    char path[] = "/tmp/test_spmv_summary.XXXXXX";
    write_record(path, A_ROWS, B_ROWS);
    char *text = printed(summary_suite, path);
    expect(text, "v1 ", " 2   0.82x (0.33 to 2.00)   0.41x (0.17 to 1.00)  0.141");
    expect(text, "v2 ", " 2   2.00x (1.00 to 4.00)   1.00x (0.50 to 2.00)  0.600");
    expect(text, "v2 ", "pays back after 4 runs (median), never in 1 of 2"); /* 100 us / (40 - 10) us, and 30 = 30 */
    expect(text, "best step ", " 2   2.00x (1.00 to 4.00)   1.00x (0.50 to 2.00)  0.600");
    expect(text, "best step ", "worst against best of all: B fp64");
    expect(text, "best without set-up", " 2   0.82x (0.33 to 2.00)   0.41x (0.17 to 1.00)  0.141");
    expect(text, "cusparse_csr ", " 2   1.00x (1.00 to 1.00)   0.50x (0.50 to 0.50)  0.300");
    expect(text, "cusparse_sell ", " 1 ");
    char line[512];
    assert_null(strstr(line_of(text, "v1 ", line, sizeof line), "pays back")); /* no set-up, nothing to pay back */
    assert_null(strstr(text, "student"));
    assert_null(strstr(text, "v2/x"));
    assert_null(strstr(text, "v3"));
    assert_null(strstr(text, "librsb"));
    assert_null(strstr(text, "bsr"));
    free(text);
    unlink(path);
}

/* Parts of a suite one behind the other in one file are as one. */
TEST(test_parts)
{
    char whole[] = "/tmp/test_spmv_summary.XXXXXX", parts[] = "/tmp/test_spmv_summary.XXXXXX", second[1024];
    write_record(whole, A_ROWS, B_ROWS);
    snprintf(second, sizeof second, "# chapter: 07\n%s%s", HEADER, B_ROWS);
    write_record(parts, A_ROWS, second);
    char *one = printed(summary_suite, whole), *two = printed(summary_suite, parts);
    assert_string_equal(one, two);
    free(one);
    free(two);
    unlink(whole);
    unlink(parts);
}

/* No rows, no times, no file, cut-off lines. */
TEST(test_little)
{
    char path[] = "/tmp/test_spmv_summary.XXXXXX", cut[] = "/tmp/test_spmv_summary.XXXXXX";
    write_record(path, "", "");
    char *text = printed(summary_suite, path);
    assert_string_equal(text, "");
    free(text);
    write_record(cut, "07\tv1\tgpu\tA\tfp32\t-\t20", "");
    text = printed(summary_suite, cut);
    assert_string_equal(text, "");
    free(text);
    unlink(path);
    unlink(cut);
    const int kept = dup(2), null = open("/dev/null", O_WRONLY); /* two sentences about a file that is not there */
    fflush(stderr);
    dup2(null, 2);
    assert_int_equal(summary_suite(path, stdout), -1);
    assert_int_equal(summary_print(path, stdout), -1);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    close(null);
}

int main(void) { return cmocka_run_group_tests_name("spmv_summary", tests, NULL, NULL); }
