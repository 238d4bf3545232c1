/* test_cli.c - options: every value that is taken, every one that is refused, and the exit codes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit.h"
#include "cli.h"

static const char DOC[] = "01_reduce - the sum of n numbers";

/* ---- a chapter's own options ----------------------------------------------------------------- */

static error_t parse_lanes(int key, char *arg, struct argp_state *state)
{
    if (key != 'L') return ARGP_ERR_UNKNOWN;
    *(int *)state->input = atoi(arg);
    if (atoi(arg) < 1) argp_error(state, "--lanes: at least 1");
    return 0;
}

static const struct argp_option LANES_OPTIONS[] = {{"lanes", 'L', "N", 0, "Lanes per row", 0}, {0}};
static const struct argp LANES = {.options = LANES_OPTIONS, .parser = parse_lanes};

/* ---- helpers --------------------------------------------------------------------------------- */

enum { ARGS_MAX = 16 };

/* "--size 4" as argv; words end at a space. */
struct command {
    char text[256];
    char *argv[ARGS_MAX + 1];
    int argc;
};

static void split(struct command *c, const char *line)
{
    *c = (struct command){.argc = 0};
    snprintf(c->text, sizeof c->text, "program %s", line);
    for (char *word = strtok(c->text, " "); word; word = strtok(NULL, " ")) {
        assert_true(c->argc < ARGS_MAX);
        c->argv[c->argc++] = word;
    }
}

static options_t parsed(const char *line)
{
    static struct command c; /* the options point into it */
    options_t o;
    split(&c, line);
    cli_parse(&o, c.argc, c.argv, DOC, NULL, NULL);
    return o;
}

/* The options that the program of exit_code() takes. */
static unsigned used = CLI_SIZE | CLI_SWEEP | CLI_MATRIX | CLI_DTYPE;
static int experiments = 1000;

/* Exit code of a program with that command line; what it printed (both streams) into out. */
static int exit_code(int argc, char **argv, const struct argp *extra, char *out, size_t room)
{
    int ends[2], status, lanes = 0;
    size_t n = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        options_t o;
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        cli_parse(&o, argc, argv, DOC, extra, &lanes);
        cli_refuse_unused(&o, "program", used, experiments);
        _exit(99); /* it came back */
    }
    close(ends[1]);
    for (ssize_t got; n + 1 < room && (got = read(ends[0], out + n, room - 1 - n)) > 0;) n += (size_t)got;
    out[n] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void refuses(const char *line, const char *because)
{
    struct command c;
    char out[4096];
    split(&c, line);
    int code = exit_code(c.argc, c.argv, NULL, out, sizeof out);
    if (code != 64 || !strstr(out, because)) fail_msg("%s: exit code %d, printed: %s", line, code, out);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

TEST(test_sizes)
{
    static const struct { const char *text; size_t count; } GOOD[] = {
        {"0", 0}, {"1", 1}, {"1000", 1000}, {"007", 7}, {"1K", 1024}, {"1k", 1024}, {"64M", (size_t)64 << 20},
        {"64m", (size_t)64 << 20}, {"3G", (size_t)3 << 30}, {"2^0", 1}, {"2^26", (size_t)1 << 26},
        {"2^63", (size_t)1 << 63}, {"18446744073709551615", SIZE_MAX}, {"17179869183G", (size_t)17179869183 << 30},
        {"0G", 0}, {"2", 2}, {"2K", 2048},
    };
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; ++i) {
        err_t err = {{0}};
        size_t count = 77;
        if (cli_parse_size(GOOD[i].text, &count, &err)) fail_msg("%s: %s", GOOD[i].text, err.text);
        assert_int_equal(count, GOOD[i].count);
    }
}

TEST(test_sizes_that_are_none)
{
    static const char *const BAD[] = {
        "", " ", " 1", "1 ", "-1", "+1", "K", "1KB", "1KiB", "1T", "1e6", "1.5M", "0x10", "M1", "1,000", "abc", "2^",
        "2^-1", "2^64", "2^99999999999999999999", "3^4", "2^2^2", "2^10K", "^26", "18446744073709551616",
        "17179869184G", "99999999999999999999999", "1\n", "\xC2\xBD",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; ++i) {
        err_t err = {{0}};
        size_t count = 77;
        if (cli_parse_size(BAD[i], &count, &err) != -1) fail_msg("\"%s\" was taken for %zu", BAD[i], count);
        assert_int_equal(count, 77); /* left alone */
        assert_true(strchr(BAD[i], '\n') ? strstr(err.text, "\"1 \"") : strstr(err.text, BAD[i])); /* on one line */
        assert_int_equal(cli_parse_size(BAD[i], &count, NULL), -1);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

TEST(test_defaults)
{
    options_t o = parsed("");
    assert_false(o.list || o.sweep || o.dtype_set || o.exact);
    assert_true(o.count);
    assert_null(o.only);
    assert_null(o.matrix);
    assert_false(o.as_listed);
    assert_true(parsed("--symmetric as-listed --matrix a.mtx").as_listed);
    assert_false(parsed("--matrix a.mtx --symmetric=lower").as_listed);
    assert_null(o.record);
    assert_null(o.explain);
    assert_null(o.lines);
    assert_null(o.trace);
    assert_int_equal(o.size, 0);
    assert_int_equal(o.dtype, DTYPE_F32);
    assert_int_equal(o.experiment, 0);
    assert_int_equal(o.seed, 42);
    assert_int_equal(o.reps, 0);
    assert_int_equal(o.format, REPORT_TABLE);
    assert_int_equal(o.shuffle, 0);
    assert_int_equal(o.threads, 0);
    assert_int_equal(o.argc, 1);
    assert_string_equal(o.argv[0], "program");
}

TEST(test_what_to_run)
{
    options_t o = parsed("--list --sweep --exact --only v1,cub* --size 2^26 --dtype fp64 --matrix=like:webbase-1M");
    assert_true(o.list && o.sweep && o.exact && o.dtype_set);
    assert_string_equal(o.only, "v1,cub*");
    assert_int_equal(o.size, 1 << 26);
    assert_int_equal(o.dtype, DTYPE_F64);
    assert_string_equal(o.matrix, "like:webbase-1M");
    assert_int_equal(parsed("--experiment 1").experiment, 1);
    assert_int_equal(parsed("--size=64K").size, 65536);
    assert_int_equal(parsed("--dtype bf16").dtype, DTYPE_BF16);
    assert_true(parsed("--seed 0").seed == 0);
    assert_true(parsed("--seed 18446744073709551615").seed == UINT64_MAX);
    assert_int_equal(parsed("--size 1 --size 2").size, 2); /* the last one holds */
}

TEST(test_how_to_measure_and_show)
{
    assert_int_equal(parsed("--reps 1").reps, 1);
    assert_int_equal(parsed("--reps 100000").reps, 100000);
    assert_int_equal(parsed("--threads 1024").threads, 1024);
    assert_int_equal(parsed("--format table").format, REPORT_TABLE);
    assert_int_equal(parsed("--format tsv").format, REPORT_TSV);
    assert_int_equal(parsed("--format json").format, REPORT_JSON);
    assert_string_equal(parsed("--record build/r.tsv").record, "build/r.tsv");
    assert_false(parsed("--count=off").count);
    assert_true(parsed("--count=off --count=on").count);
    assert_string_equal(parsed("--explain v3").explain, "v3");
    assert_string_equal(parsed("--lines t.tsv").lines, "t.tsv");
    assert_string_equal(parsed("--trace t.txt").trace, "t.txt");
    assert_true(parsed("--shuffle 18446744073709551615").shuffle == UINT64_MAX);
    options_t o = parsed("--reps 5 --record x");
    assert_int_equal(o.argc, 5);
    assert_string_equal(o.argv[4], "x");
}

TEST(test_what_is_refused)
{
    refuses("--\033[31m", "unrecognized option '--?[31m'"); /* a terminal would obey it */
    refuses("--size 1\xe2\x80\xae", "\"1?\" is not a size");
    refuses("--size 0", "--size: 0 is not a size");
    refuses("--size -5", "\"-5\" is not a size");
    refuses("--size 1e6", "\"1e6\" is not a size");
    refuses("--size 2^64", "too large");
    refuses("--dtype fp8", "--dtype: ");
    refuses("--reps 0", "--reps: \"0\" is not a whole number from 1 to 100000");
    refuses("--reps 100001", "1 to 100000");
    refuses("--reps ten", "1 to 100000");
    refuses("--threads 0", "1 to 1024");
    refuses("--threads 1025", "1 to 1024");
    refuses("--threads 99999999999999999999", "1 to 1024");
    refuses("--experiment 0", "--experiment: \"0\"");
    refuses("--experiment -1", "--experiment: \"-1\"");
    refuses("--seed 18446744073709551616", "--seed");
    refuses("--seed -1", "--seed");
    refuses("--seed 4x", "--seed");
    refuses("--shuffle 1.5", "--shuffle");
    refuses("--format xml", "--format: \"xml\" is not one of: table tsv json");
    refuses("--format TSV", "--format: \"TSV\" is not one of: table tsv json");
    refuses("--count=maybe", "--count: \"maybe\" is not one of: off on");
    refuses("--only ,", "--only: a step name is missing");
    refuses("--only v1,,v2", "--only: a step name is missing");
    refuses("--only v1,", "--only: a step name is missing");
    refuses("--only v1,v123456789012345678901234567890123456789012345678901234567890123", "longer than the name");
    refuses("--only=", "--only: a step name is missing");
    refuses("--record=", "--record needs a value");
    refuses("--matrix=", "--matrix needs a value");
    refuses("--matrix a.mtx --symmetric upper", "--symmetric: \"upper\" is not one of: lower as-listed");
    refuses("--symmetric as-listed", "add --matrix FILE");
    refuses("--explain=", "--explain needs a value");
    refuses("--lines=", "--lines needs a value");
    refuses("--trace=", "--trace needs a value");
    refuses("--size", "requires an argument");
    refuses("--lanes 8", "unrecognized option");
    refuses("--list=yes", "doesn't allow an argument");
    refuses("v1", "Too many arguments");
    refuses("--HANG", "not an option here"); /* argp's own sleeps for an hour */
    refuses("--HANG=1", "not an option here");
    refuses("--H", "not an option here");
}

/* A program refuses an option that it does not use. */
TEST(test_what_is_unused)
{
    const unsigned all = used;
    const int many = experiments;
    used = CLI_MATRIX | CLI_FLOATS, experiments = 2;
    refuses("--size 1000", "--size does not apply: choose the input by --matrix");
    refuses("--sweep", "this program has no option --sweep");
    refuses("--dtype int8", "fp32 or fp64");
    refuses("--experiment 3", "--experiment 3 does not exist: choose 1 to 2");
    used = CLI_SIZE | CLI_SWEEP, experiments = 0;
    refuses("--matrix band:10,1", "this program has no option --matrix");
    refuses("--dtype fp32", "this program has no option --dtype");
    refuses("--experiment 1", "this program has no option --experiment");
    used = all, experiments = many;
}

TEST(test_help)
{
    char out[16384];
    char *help[] = {"program", "--help", NULL};
    assert_int_equal(exit_code(2, help, NULL, out, sizeof out), 0);
    static const char *const SAID[] = {
        DOC, "--list", "--only=", "--size=", "--sweep", "--dtype=", "--matrix=", "--symmetric=", "--experiment=",
        "--exact", "--seed=", "--reps=", "--threads=", "--format=", "--record=", "--count=", "--explain=", "--lines=",
        "--trace=", "--shuffle=", "What to run:", "How to measure:", "What to show:", "Without a GPU", "default: 42",
        "Exit status: 0",
    };
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; ++i)
        if (!strstr(out, SAID[i])) fail_msg("--help does not say %s", SAID[i]);
    assert_null(strstr(out, "Of this chapter:"));
    assert_int_equal(exit_code(2, help, &LANES, out, sizeof out), 0);
    assert_non_null(strstr(out, "Of this chapter:"));
    assert_non_null(strstr(out, "--lanes=N"));
}

TEST(test_options_of_a_chapter)
{
    char out[4096], *argv[] = {"program", "--lanes", "8", "--size", "5", NULL}, *bad[] = {"program", "--lanes=0", NULL};
    options_t o;
    int lanes = 0;
    cli_parse(&o, 5, argv, DOC, &LANES, &lanes);
    assert_int_equal(lanes, 8);
    assert_int_equal(o.size, 5);
    assert_int_equal(exit_code(2, bad, &LANES, out, sizeof out), 64);
    assert_non_null(strstr(out, "--lanes: at least 1"));
    cli_parse(&o, 1, argv, NULL, NULL, NULL); /* no sentence for --help: no harm */
}

/* ---- --only ---------------------------------------------------------------------------------- */

TEST(test_selects)
{
    static const struct { const char *only, *id; bool selected; } CASES[] = {
        {NULL, "v1", true}, {"v1", "v1", true}, {"v1", "v11", false}, {"v11", "v1", false}, {"v1,v7", "v7", true},
        {"v1,v7", "v17", false}, {"v1*", "v1", true}, {"v1*", "v11", true}, {"v1*", "v2", false}, {"*", "cub", true},
        {"c*,v9", "cub", true}, {"c*,v9", "v9", true}, {"c*,v9", "v", false}, {"v9,c*", "c", true}, {"v1", "V1", false},
        {"v1,v2", "v1,v2", false}, {"v1", "", false}, {"v?,v??", "v3", true}, {"v?,v??", "v39", true},
        {"v?,v??", "v3/2", false}, {"v[2-4]", "v3", true}, {"v*2", "v12", true}, {"v*2", "v21", false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        options_t o = {.only = CASES[i].only};
        if (cli_selects(&o, CASES[i].id) != CASES[i].selected)
            fail_msg("--only %s and step %s", CASES[i].only ? CASES[i].only : "(none)", CASES[i].id);
    }
}

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
