/*
 * test_grade.c - points and reasons of every skeleton, every solution, wrong submissions, and cheats.
 *
 * Runs at the top of the course, with build/BACKEND/bin/grade and the steps of all chapters built.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit.h"


static char folder[] = "/tmp/test_grade.XXXXXX", build[300];
static int sandboxed; /* a sandbox can be made here */

/* The grader's output. */
static struct {
    int code, points;
    char verdict[64], reason[400], text[32768];
} said;

static int run(const char *command, char *text, size_t size)
{
    FILE *f = popen(command, "r");
    if (!f) fail_msg("%s", command);
    const size_t n = fread(text, 1, size - 1, f);
    text[n] = 0;
    char rest[4096];
    while (fread(rest, 1, sizeof rest, f) > 0) {}
    const int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void grade(int chapter, int exercise, const char *file, const char *options)
{
    char command[2048];
    memset(&said, 0, sizeof said);
    said.points = -1;
    snprintf(
        command, sizeof command,
        "rm -f %s/row; %s/bin/grade --build %s --row %s/row --record %s/record.json --name my.cu %s %s %d %d %s 2>&1",
        folder, build, build, folder, folder, sandboxed ? "" : "--unsandboxed", options, chapter, exercise, file);
    said.code = run(command, said.text, sizeof said.text);
    snprintf(command, sizeof command, "%s/row", folder);
    FILE *f = fopen(command, "r");
    if (!f) return;
    if (fscanf(f, "%d\t%63[^\t]\t%*[^\t]\t%399[^\n]", &said.points, said.verdict, said.reason) < 2) said.points = -1;
    fclose(f);
}

static void expect(const char *what, const char *verdict, int points, const char *reason)
{
    const int code = strcmp(verdict, "passed") ? 1 : 0;
    if (said.code != code || strcmp(said.verdict, verdict) || said.points != points || !strstr(said.text, reason))
        fail_msg("%s: expected %s, %d points, \"%s\"; got (exit code %d)\n%s", what, verdict, points, reason, said.code,
                 said.text);
}

/* ---- skeletons and solutions ---------------------------------------------------------------------- */

/* The exercises that the grader lists.  Their solutions are unpacked; step: the step in the first goal. */
static struct exercise {
    int chapter, number;
    char skeleton[128], solution[128], step[16];
} exercises[64];
static int exercise_count;

static int list_exercises(void)
{
    char command[600];
    static char text[32768];
    snprintf(command, sizeof command, "%s/bin/grade --list", build);
    if (run(command, text, sizeof text)) return -1;
    for (const char *line = text; *line && exercise_count < 64; line += strcspn(line, "\n") + 1) {
        const char *step = strstr(line, " of step ");
        struct exercise *e = &exercises[exercise_count];
        if (sscanf(line, "N=%d E=%d  %127s", &e->chapter, &e->number, e->skeleton) == 3) {
            ++exercise_count;
            snprintf(e->solution, sizeof e->solution, "%.80s/solutions/%02d_e%d.cu", folder, e->chapter, e->number);
        } else if (exercise_count > 0 && !*e[-1].step && step && step < line + strcspn(line, "\n")) {
            sscanf(step, " of step %15[^,]", e[-1].step);
        }
    }
    return 0;
}

TEST(test_every_skeleton_is_there_and_is_rejected)
{
    assert_true(exercise_count > 0);
    char command[600], text[64];
    assert_int_equal(run("ls 0?_*/exercise*.cu | wc -l", text, sizeof text), 0);
    assert_int_equal(atoi(text), exercise_count);
    for (const struct exercise *e = exercises; e < exercises + exercise_count; ++e) {
        grade(e->chapter, e->number, e->skeleton, "");
        expect(e->skeleton, "failed", 0, "0/30   right");
        snprintf(command, sizeof command, "rm -f %s/copy.cu; common/classroom/grade/exercise.sh %d %d %s/copy.cu 2>&1",
                 folder, e->chapter, e->number, folder);
        assert_int_equal(run(command, said.text, sizeof said.text), 0);
    }
}

/* Submits a step of the chapter under the name of a submission. */
static const char *submit_step(const struct exercise *e, const char *step)
{
    static char file[256];
    char command[1024];
    snprintf(file, sizeof file, "%s/solution.cu", folder);
    snprintf(command, sizeof command, /* v3_*.cu or v03_*.cu, in the chapter's folder or in an act */
             "sed 's/\\([a-z_]*\\)_%s/\\1_student/g' $(find %.*s -name '%s_*.cu' -o -name 'v0%s_*.cu' | grep -v _plan) > %s",
             step, (int)strcspn(e->skeleton, "/"), e->skeleton, step, step + 1, file);
    assert_int_equal(system(command), 0);
    return file;
}

TEST(test_every_solution_has_all_points)
{
    for (const struct exercise *e = exercises; e < exercises + exercise_count; ++e) {
        grade(e->chapter, e->number, e->solution, "");
        expect(e->skeleton, "passed", 100, "100/100  passed");
    }
}

/* An unchanged step of the course gets no points for the goals, even with other comments and blanks. */
TEST(test_no_step_as_it_stands_has_the_points)
{
    char command[600];
    for (const struct exercise *e = exercises; e < exercises + exercise_count; ++e) {
        if (e->number > 1 || !*e->step) continue;
        const char *file = submit_step(e, e->step);
        snprintf(command, sizeof command, "sed -i '1i // all my own work\n' %s; sed -i 's/, /,  /g' %s", file, file);
        assert_int_equal(system(command), 0);
        grade(e->chapter, e->number, file, "");
        if (said.points > 30 || !strstr(said.text, "of the course: at most 30 points"))
            fail_msg("step %s of chapter %d: %s", e->step, e->chapter, said.text);
    }
}

/* The step from which an exercise starts does not reach its goals. */
TEST(test_where_an_exercise_starts_is_not_its_end)
{
    for (const struct exercise *e = exercises; e < exercises + exercise_count; ++e)
        if (e->chapter == 6 && e->number == 2) { /* one request per warp; v2 makes one per vector */
            const char *file = submit_step(e, "v2");
            char command[600];
            snprintf(command, sizeof command,
                     "sed -i 's/x\\[col_indices\\[nz\\]\\]/squared(&)/; /^#include/a template <class T> __device__ T "
                     "squared(T v) { return v * v; }' %s",
                     file);
            assert_int_equal(system(command), 0);
            grade(6, 2, file, "");
            expect("v2", "partial", 80, " 0/20   lanes in global atomics");
            return;
        }
    fail_msg("there is no exercise 2 of chapter 06");
}

/* A wrong table of exercises is refused with the number of the line. */
TEST(test_a_wrong_table_is_refused)
{
    static const char *const WRONG[][2] = {
        {"s/^chapter 01_reduce.*/chapter 01_reduce/", ":30: expected: chapter FOLDER NAME"},
        {"30d", ":30: a chapter comes first"},
        {"s/case fp32,fp64 {20/case fp16 {20/", ":32: the types of a case are"},
        {"s/goal 20 ld_sectors/goal 20 loads/", "the count of a goal is ld_sectors,"},
        {"s/goal 20 ld_sectors *1.1 v8 .*/goal 20 ld_sectors 1.1 v8/", "expected: goal POINTS COUNT MOST STEP RECIPE"},
        {"s/goal 20 ld_sectors *1.1 v8/goal 19 ld_sectors 1.1 v8/",
         "exercise 1 of 01_reduce: its goals add up to 39 points, not to 40"},
        {"s/exercise 2 a sum/exercise 1 a sum/", "the chapter has an exercise of that number already"},
        {"s/time v8  33554433//", "exercise 1 of 01_reduce has no line: time STEP RECIPE"},
        {"s/asks absolute/asks nothing/", "an exercise asks for step, absolute, squares, inverted or counted"},
        {"s/^  edges n/  corners n/", "expected here: chapter, right"},
    };
    char command[1024];
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; ++i) {
        snprintf(command, sizeof command,
                 "sed '%s' common/classroom/grade/exercises.txt > %s/table.txt; %s/bin/grade --exercises %s/table.txt --list "
                 "2>&1",
                 WRONG[i][0], folder, build, folder);
        if (run(command, said.text, sizeof said.text) != 3 || !strstr(said.text, WRONG[i][1]))
            fail_msg("%s: expected \"%s\", got %.300s", WRONG[i][0], WRONG[i][1], said.text);
    }
    snprintf(command, sizeof command, "%s/bin/grade --exercises /nowhere --list 2>&1", build);
    assert_int_equal(run(command, said.text, sizeof said.text), 3);
}

/* The pages of both languages have the points of the exercises. */
TEST(test_the_pages_say_what_is_worth_what)
{
    char command[1024], text[1024];
    snprintf(command, sizeof command,
             "%s/bin/grade --list | while IFS= read -r line; do case $line in N=*) page=${line#*  }; "
             "page=${page%%%%/*}.md ;; *) "
             "for p in docs/exercises/$page docs/zh/exercises/$page; do grep -qF -- \"$line\" $p || echo \"$p: "
             "$line\"; done ;; esac; done",
             build);
    assert_int_equal(run(command, text, sizeof text), 0);
    if (*text) fail_msg("missing:\n%s", text);
}

/* ---- one submission and its variants -------------------------------------------------------------- */

/* Grades tests/submission.cu with `#define NAME` in front. */
static void grade_variant(const char *name, const char *options)
{
    char command[1024], file[256], here[4096];
    if (!getcwd(here, sizeof here)) fail_msg("where am I?");
    snprintf(file, sizeof file, "%s/variant.cu", folder);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fprintf(f, "#define %s\n#define REFERENCE \"%.1000s/common/classroom/grade/solutions/05_e1.patch\"\n", name, here);
    fclose(f);
    snprintf(command, sizeof command, "cat common/classroom/grade/tests/submission.cu >> %s", file);
    assert_int_equal(system(command), 0);
    grade(1, 1, file, options);
}

TEST(test_the_honest_one_has_all_points)
{
    grade_variant("HONEST", "");
    expect("HONEST", "passed", 100, "1.00x of step v8");
}

TEST(test_wrong_ones_lose_points_for_the_right_reason)
{
    static const struct {
        const char *name;
        int points;
        const char *verdict, *reason;
    } WRONG[] = {
        {"DROPS_LAST", 0, "failed", "sum[0]: got"},
        {"FLOAT_SUMS", 0, "failed", "fp64: run 2 of 3: sum[0]: got"},
        {"NO_TAIL_GUARD", 0, "failed", "out of bounds: reads in["},
        {"NO_BARRIER", 0, "failed", "race on shared memory: writes shared partial["},
        {"ENDLESS_KERNEL", 0, "failed", "endless loop"},
        {"NO_EMPTY_INPUT", 85, "partial", "n=0 fp32: run 1 of 3: sum[0] was never written"},
        {"CONTIGUOUS", 80, "partial", "8.00x of step v8"},
        {"TREE_FOR_EVERY_BLOCK", 90, "partial", "10/10   load requests"},
        {"DOES_NOT_COMPILE", 0, "does not compile", "my.cu:"},
        {"NO_FUNCTION", 0, "refused", "has no function reduce_student"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; ++i) {
        grade_variant(WRONG[i].name, "--seconds 60"); /* an endless loop takes long on a busy machine */
        expect(WRONG[i].name, WRONG[i].verdict, WRONG[i].points, WRONG[i].reason);
    }
    static const char *const WITH_A_LINE[] = {"NO_BARRIER", "SHUFFLES_IN_BRANCH"};
    for (size_t i = 0; i < 2; ++i) { /* a fault has a line of the submission, even if it is in a header of ours */
        grade_variant(WITH_A_LINE[i], "");
        assert_non_null(strstr(said.text, "at my.cu:"));
        assert_null(strstr(said.text, "simt_device.h"));
    }
}

/* A submission cannot use its addresses as random numbers. */
TEST(test_addresses_are_the_same_each_time)
{
    const int before = personality(0xffffffff);
    const int refused = personality(ADDR_NO_RANDOMIZE | (unsigned long)before) < 0;
    personality((unsigned long)before);
    if (refused) skip(); /* a container that does not allow it */
    char first[200] = "";
    for (int i = 0; i < 2; ++i) {
        grade_variant("TELLS_ADDRESSES", "--seed 5");
        const char *told = strstr(said.text, "input 0x");
        assert_non_null(told);
        const int length = (int)strcspn(told, "\"\n");
        if (i == 0) snprintf(first, sizeof first, "%.*s", length, told);
        else assert_true(strlen(first) == (size_t)length && !strncmp(told, first, (size_t)length));
    }
}

/* The rules refuse these before anything runs. */
TEST(test_what_may_not_be_used_is_named)
{
    static const char *const REFUSED[][2] = {
        {"EXITS_EARLY", "#include <unistd.h> is not allowed"},
        {"FORK_BOMB", "#include <unistd.h> is not allowed"},
        {"INCLUDES_SOLUTION", "is not allowed; allowed headers"},
        {"WRITES_EXPECTED", "unistd.h"},
        {"FORGES_COUNTS", "simt_set_counting may not be used in a submission"},
        {"STANDS_IN", "simt_counts_get may not be used in a submission"},
        {"ASSEMBLER", "asm may not be used in a submission"},
        {"LOOKS_AT_BACK_END", "__SIMT__ may not be used in a submission"},
    };
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; ++i) {
        grade_variant(REFUSED[i][0], "");
        expect(REFUSED[i][0], "refused", 0, REFUSED[i][1]);
    }
}

/* These keep the rules, but the judge refuses them. */
TEST(test_cheats_within_the_rules)
{
    static const char *const CAUGHT[][2] = {
        {"SKIPS_AFTER_FIRST", "run 2 of 3: sum[0] was never written"},
        {"CACHED_ANSWER", "host code reads device memory"},
        {"DETECTS_TIMING", "host code reads device memory"},
        {"HOST_COMPUTES", "host code reads device memory"},
        {"FAKE_RESULT", "It printed \"100/100  passed\"; the grader ignores output"},
    };
    for (size_t i = 0; i < sizeof CAUGHT / sizeof *CAUGHT; ++i) {
        grade_variant(CAUGHT[i][0], "");
        expect(CAUGHT[i][0], "failed", 0, CAUGHT[i][1]);
    }
}

/* These break the rules; without the rules, only the sandbox and the judge stop them. */
TEST(test_cheats_against_the_sandbox)
{
    if (!sandboxed) skip();
    static const char *const CAUGHT[][3] = {
        {"EXITS_EARLY", "--no-rules", "the program ended without an answer (exit code 0)"},
        {"FORGES_ANSWERS", "--no-rules", "the program ended without an answer (exit code 0)"},
        {"FORGES_COUNTS", "--no-rules", "kernels read only 0 of"},
        {"WRITES_EXPECTED", "--no-rules", "sum[0] was never written"},
        {"READS_REFERENCE", "--no-rules", "sum[0] was never written"},
        {"FORK_BOMB", "--no-rules", "a system call that the sandbox does not allow"},
        {"ENDLESS_LOOP", "--seconds 1", "still running after 1 s"},
        {"PRINTS_10_GB", "", "printed more than 1048576 bytes"},
    };
    for (size_t i = 0; i < sizeof CAUGHT / sizeof *CAUGHT; ++i) {
        grade_variant(CAUGHT[i][0], CAUGHT[i][1]);
        expect(CAUGHT[i][0], "failed", 0, CAUGHT[i][2]);
        assert_null(strstr(said.text, "wrote "));
        assert_null(strstr(said.text, "can read "));
    }
}

/* ---- other tests --------------------------------------------------------------------------------- */

TEST(test_a_seed_repeats_the_cases_and_none_draws_new_ones)
{
    char first[sizeof said.text], *at;
    grade_variant("CONTIGUOUS", "--seed 5");
    memcpy(first, said.text, sizeof first);
    grade_variant("CONTIGUOUS", "--seed 5");
    assert_string_equal(first, said.text);
    grade_variant("CONTIGUOUS", "");
    at = strstr(said.text, " fp32: 8.00x");
    assert_non_null(at);
    *at = 0;
    assert_null(strstr(first, strrchr(said.text, '='))); /* "=104729": n must differ */
}

TEST(test_the_record_is_json)
{
    char command[256], text[65536];
    grade_variant("CONTIGUOUS", "");
    snprintf(command, sizeof command, "cat %s/record.json", folder);
    assert_int_equal(run(command, text, sizeof text), 0);
    assert_int_equal(strncmp(text, "{\"meta\":{\"kind\":\"grading\"", 25), 0);
    assert_string_equal(text + strlen(text) - 4, "\n]}\n");
    assert_non_null(strstr(text, "\"verdict\":\"partial\",\"points\":\"80\""));
    assert_non_null(strstr(text, "\"step\":\"v8\"")); /* the step with which it was compared */
    assert_non_null(strstr(text, "\"ld_sectors\":"));
}

static const char CONTROLS[] = "\033[31m \xc2\x9b" "31m \xe2\x80\xae" "x \xe2\x81\xa6 \xe2\x80\xa8 \xff \b end",
                  PLAIN[] = "?[31m ?31m ?x ? ? ? ? end";

/* Output, results file and row must not contain characters that a terminal obeys. */
static void has_no_controls(const char *what, const char *text)
{
    static const char *const NONE[] = {"\033", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\xa8",
                                       "\xff", "\b"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; ++i)
        if (strstr(text, NONE[i])) fail_msg("%s has control %zu:\n%s", what, i, text);
}

TEST(test_escape_sequences_stay_away_from_the_terminal)
{
    static const char SAID[] = "100/100  passed";
    char file[256], command[1024], text[65536];
    FILE *f = fopen("common/classroom/grade/tests/submission.cu", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    char *const at = strstr(text, SAID);
    assert_non_null(at);
    for (int printed = 0; printed < 2; ++printed) {
        snprintf(file, sizeof file, "%s/escape%d.cu", folder, printed);
        assert_non_null(f = fopen(file, "w"));
        if (printed) fprintf(f, "#define FAKE_RESULT\n%.*s", (int)(at - text), text);
        else fprintf(f, "#error %s\n", CONTROLS);
        for (const char *c = CONTROLS; printed && *c; ++c) fprintf(f, "\\%03o", (unsigned char)*c);
        if (printed) fprintf(f, "%s", at + strlen(SAID));
        fclose(f);
    }
    for (int printed = 0; printed < 2; ++printed) {
        snprintf(file, sizeof file, "%s/escape%d.cu", folder, printed);
        grade(1, 1, file, "");
        has_no_controls("the terminal", said.text);
        snprintf(command, sizeof command, "cat %s/record.json %s/row", folder, folder);
        assert_int_equal(run(command, text, sizeof text), 0);
        has_no_controls("record and row", text);
        const char *there = printed ? PLAIN : "?[31m "; /* the compiler prints some of them as numbers */
        if (!strstr(said.text, there) || !strstr(text, there)) fail_msg("expected %s in\n%s", there, said.text);
    }
    snprintf(command, sizeof command, "%s/bin/grade --build %s 1 1 '%s' 2>&1", build, build, CONTROLS);
    assert_int_equal(run(command, said.text, sizeof said.text), sandboxed ? 2 : 3);
    has_no_controls("a file that is not there", said.text);
}

TEST(test_output_that_cannot_be_written)
{
    static const char *const LOST[] = {
        "1 1 01_reduce/exercise.cu > /dev/full",
        "--list > /dev/full",
        "--help > /dev/full",
        "--row /dev/full 1 1 01_reduce/exercise.cu",
        "--row /nowhere/row 1 1 01_reduce/exercise.cu",
        "--record /dev/full 1 1 01_reduce/exercise.cu",
        "--record /proc/nowhere/r 1 1 01_reduce/exercise.cu",
    };
    char command[1024];
    for (size_t i = 0; i < sizeof LOST / sizeof *LOST; ++i) {
        snprintf(command, sizeof command, "{ %s/bin/grade --build %s %s %s; } 2>&1", build, build,
                 sandboxed ? "" : "--unsandboxed", LOST[i]);
        if (run(command, said.text, sizeof said.text) != 74) fail_msg("%s: not 74: %s", LOST[i], said.text);
        if (!strstr(said.text, "written") && !strstr(said.text, "cannot write") && !strstr(said.text, "incomplete"))
            fail_msg("%s: says nothing: %s", LOST[i], said.text);
    }
}

/* A grader that is killed while compiling, while running a case, or at any time: the next run removes its files. */
TEST(test_a_killed_grader_leaves_nothing)
{
    char command[1024], text[4096];
    setenv("folder", folder, 1);
    snprintf(command, sizeof command, "%s/bin/grade --build %s%s 1 1", build, build, sandboxed ? "" : " --unsandboxed");
    setenv("grade", command, 1);
    run("before=$(ls -d /tmp/grade.* 2> /dev/null)\n"
        "{ echo \"#define ENDLESS_LOOP // $folder\"; cat common/classroom/grade/tests/submission.cu; } > $folder/killed.cu\n"
        "for after in 0.01 0.02 0.03 0.05 0.08 0.12 0.2 0.4 0.8 1.6; do\n"
        "    $grade $folder/killed.cu > $folder/out 2>&1 & pid=$!\n"
        "    sleep $after; kill -KILL $pid; wait $pid 2> /dev/null\n"
        "done\n"
        "grep -l $folder /tmp/grade.*/work/student.cu 2> /dev/null | wc -l\n" /* whether there are files to remove */
        "$grade 01_reduce/exercise.cu > $folder/out 2>&1\n"
        "for left in /tmp/grade.*; do\n" /* our files, not another grader's */
        "    [ -d \"$left\" ] && [ -O \"$left\" ] || continue\n"
        "    case $before in *\"$left\"*) continue ;; esac\n"
        "    [ -e \"$left/.locked-by-grade\" ] && ! flock -n \"$left/.locked-by-grade\" true || echo \"$left\"\n"
        "done\n", text, sizeof text);
    if (atoi(text) < 1 || strcmp(strchr(text, '\n'), "\n")) fail_msg("left: %s", text);
}

TEST(test_bad_input)
{
    char command[600];
    grade(1, 1, "/nowhere/e1.cu", "");
    assert_int_equal(said.code, 2);
    grade(1, 1, "/tmp", "");
    assert_int_equal(said.code, 2);
    grade(1, 9, "01_reduce/exercise.cu", "");
    assert_int_equal(said.code, 64);
    grade(1, 1, "01_reduce/exercise.cu", "--seed x");
    assert_int_equal(said.code, 64);
    grade(1, 1, "/dev/null", "");
    assert_int_equal(said.code, 2);
    /* A small stack, which also holds the environment, must not end in a signal. */
    snprintf(command, sizeof command, "exec env -i sh -c 'ulimit -s 16; exec %s/bin/grade --list' 2>&1", build);
    assert_int_equal(run(command, said.text, sizeof said.text), 1);
    assert_non_null(strstr(said.text, "ulimit -s"));
    snprintf(command, sizeof command, "%s/empty.cu", folder);
    fclose(fopen(command, "w"));
    grade(1, 1, command, "");
    expect("empty", "refused", 0, "has no function reduce_student");
}

/* The umask, the folder of temporary files or a broken kit must not cost points. */
TEST(test_the_machine_is_not_the_files_fault)
{
    char command[2048], place[300];
    snprintf(place, sizeof place, "%s/a b", folder);
    assert_int_equal(mkdir(place, 0700), 0);
    setenv("TMPDIR", place, 1);
    const mode_t mask = umask(077);
    grade_variant("HONEST", "");
    umask(mask);
    expect("umask 077, a TMPDIR of one's own", "passed", 100, "100/100");
    assert_int_equal(rmdir(place), 0); /* it existed and has been cleaned up */
    grade(1, 1, "01_reduce/exercise.cu", "");
    assert_int_equal(said.code, 3); /* the fault is intended */
    unsetenv("TMPDIR");

    snprintf(command, sizeof command,
             "mkdir -p %s/broken/grade && cp -r %s/grade/kit %s/broken/grade && "
             "ln -s \"$PWD/%s/grade/steps_01_reduce\" %s/broken/grade && rm -f %s/broken/grade/kit/include/preamble.h* && "
             "%s/bin/grade %s --build %s/broken --row %s/row 1 1 01_reduce/exercise.cu 2>&1",
             folder, build, folder, build, folder, folder, build, sandboxed ? "" : "--unsandboxed", folder, folder);
    snprintf(place, sizeof place, "%s/row", folder);
    unlink(place);
    assert_int_equal(run(command, said.text, sizeof said.text), 3);
    assert_non_null(strstr(said.text, "the grader cannot build anything on this machine"));
    assert_int_not_equal(access(place, F_OK), 0);
}

TEST(test_a_file_that_is_too_large_has_no_points)
{
    char command[600], file[256];
    snprintf(file, sizeof file, "%s/large.cu", folder);
    snprintf(command, sizeof command, "head -c 262145 /dev/zero > %s", file);
    assert_int_equal(system(command), 0);
    grade(1, 1, file, "");
    expect("large", "refused", 0, "the file has 262145 bytes; a submission may have at most 262144");
}

TEST(test_without_a_sandbox_it_refuses)
{
    char command[1024];
    snprintf(command, sizeof command, "PATH=/nowhere %s/bin/grade --build %s 1 1 01_reduce/exercise.cu 2>&1", build,
             build);
    assert_int_equal(run(command, said.text, sizeof said.text), 3);
    assert_non_null(strstr(said.text, "apt-get install bubblewrap"));
    assert_non_null(strstr(said.text, "--unsandboxed"));
}

TEST(test_a_leaderboard)
{
    if (!sandboxed || strcmp(build, "build/simt")) skip(); /* the leaderboard uses that grader */
    char command[2048], text[16384];
    snprintf(command, sizeof command,
             "set -e; mkdir -p %s/board; cd %s/board; { echo '#define HONEST'; cat "
             "\"$OLDPWD/common/classroom/grade/tests/submission.cu\"; } > 'a b.cu'; "
             "{ echo '#define CONTIGUOUS'; cat \"$OLDPWD/common/classroom/grade/tests/submission.cu\"; } > '=slow,\"1\".cu'; "
             "echo 'int x = 1 +;' > broken.cu; cp broken.cu again.cu",
             folder, folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command,
             "rm -rf build/leaderboard/board-1-1; build/simt/bin/leaderboard 1 1 %s/board 2 --build build/simt 2>&1",
             folder);
    assert_int_equal(run(command, text, sizeof text), 0);
    FILE *f = fopen("build/leaderboard/board-1-1/leaderboard.csv", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_non_null(strstr(text, "rank,file,points,verdict,time_us,reason,equal_to,record\n"
                                 "1,\"a b.cu\",100,\"passed\","));
    assert_non_null(strstr(text, "2,\"'=slow,\"\"1\"\".cu\",80,\"partial\","));
    assert_non_null(strstr(text, "3,\"again.cu\",0,\"does not compile\","));
    assert_non_null(strstr(text, "3,\"broken.cu\",0,\"does not compile\","));
    assert_non_null(strstr(text, ",\"again.cu\",\"done/"));
    /* A second run grades nothing again and prints the same table. */
    assert_int_equal(run("find build/leaderboard/board-1-1/done -name '*.json' | wc -l", said.text, sizeof said.text),
                     0);
    assert_int_equal(atoi(said.text), 3);
    assert_int_equal(system("touch build/leaderboard/board-1-1/before"), 0);
    assert_int_equal(run(command + strlen("rm -rf build/leaderboard/board-1-1; "), said.text, sizeof said.text), 0);
    assert_int_equal(run("find build/leaderboard/board-1-1/done -newer build/leaderboard/board-1-1/before | wc -l",
                         said.text, sizeof said.text),
                     0);
    assert_int_equal(atoi(said.text), 0);
    /* A problem with all files is reported as such. */
    snprintf(command, sizeof command, "build/simt/bin/leaderboard 1 99 %s/board 2 --build build/simt 2>&1", folder);
    assert_int_equal(run(command, said.text, sizeof said.text), 64);
    assert_string_equal(said.text, "grade: chapter 1 has no exercise 99; --list prints the exercises\n");
}

/* An interrupted leaderboard tells how to continue, and leaves no process and no scratch folder. */
TEST(test_an_interrupted_leaderboard)
{
    if (!sandboxed || strcmp(build, "build/simt")) skip();
    char command[2048];
    snprintf(
        command, sizeof command,
        "mkdir -p %s/endless; "
        "{ echo '#define ENDLESS_LOOP // %s'; cat common/classroom/grade/tests/submission.cu; } > %s/endless/a.cu; "
        "timeout -s TERM 2 build/simt/bin/leaderboard 1 1 %s/endless 1 --build build/simt --seconds 60 2>&1; "
        "sleep 1; grep -l %s /tmp/grade.*/work/student.cu 2>/dev/null; "
        "pgrep -f '^build/simt/bin/grade.* %s/endless/a.cu$'; "
        "rm -rf build/leaderboard/endless-1-1",
        folder, folder, folder, folder, folder, folder);
    run(command, said.text, sizeof said.text);
    assert_non_null(strstr(said.text, "interrupted: 0 of 1 are graded; the same command continues there\n"));
    assert_string_equal(strrchr(said.text, ';') + 1,
                        " the same command continues there\n"); /* and no other message */
}

FIXTURE(setup)
{
    char command[1024];
    static char text[4096];
    unsetenv("TMPDIR"); /* so that scratch folders are in /tmp */
    if (!mkdtemp(folder)) return -1;
    snprintf(command, sizeof command, "%s/bin/grade --build %s 1 1 01_reduce/exercise.cu 2>&1", build, build);
    sandboxed = run(command, text, sizeof text) != 3;
    snprintf(command, sizeof command, "common/classroom/grade/solutions.sh %s/solutions", folder);
    if (system(command)) return -1;
    if (!sandboxed) print_message("%sour own files are marked without one; what needs one is skipped\n", text);
    return list_exercises();
}

FIXTURE(teardown)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(int argc, char **argv)
{
    (void)argc;
    snprintf(build, sizeof build, "%.299s", argv[0]); /* argv[0] is build/simt/bin/test_grade */
    for (int i = 0; i < 2; ++i)
        if (strrchr(build, '/')) *strrchr(build, '/') = 0;
    return cmocka_run_group_tests(tests, setup, teardown);
}
