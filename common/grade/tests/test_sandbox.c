/* test_sandbox.c - programs that misbehave, and what becomes of them.  The programs are this one: test_sandbox DEED. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sandbox.h"

/* ---- the deeds ------------------------------------------------------------------------------- */

static int can_write(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT, 0644);
    if (fd < 0) return 0;
    printf("wrote %s\n", path);
    return 1;
}

static int do_deed(const char *deed, const char *argument)
{
    if (!strcmp(deed, "fine")) return printf("fine\n") < 0;
    if (!strcmp(deed, "seven")) return 7;
    if (!strcmp(deed, "crash")) return raise(SIGSEGV);
    if (!strcmp(deed, "sleep"))
        for (;;) pause();
    if (!strcmp(deed, "spin"))
        for (volatile int i = 0;; i = i + 1) {
        }
    if (!strcmp(deed, "fork"))
        for (;;) fork();
    if (!strcmp(deed, "orphan")) return fork() ? 0 : (int)sleep(60);
    if (!strcmp(deed, "talk"))
        for (;;) printf("%01023d\n", 0);
    if (!strcmp(deed, "eat"))
        for (;;) {
            char *p = malloc(16 << 20);
            if (!p) return 5;
            memset(p, 1, 16 << 20);
        }
    if (!strcmp(deed, "grow")) { /* a file in the scratch folder */
        const int fd = open("big", O_WRONLY | O_CREAT, 0644);
        char piece[65536] = {0};
        while (write(fd, piece, sizeof piece) > 0) {
        }
        return 6;
    }
    if (!strcmp(deed, "connect")) { /* to a port that the test listens on */
        const struct sockaddr_in to = {.sin_family = AF_INET,
                                       .sin_port = htons((uint16_t)atoi(argument)),
                                       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        return connect(socket(AF_INET, SOCK_STREAM, 0), (const struct sockaddr *)&to, sizeof to) == 0 ? 1 : 0;
    }
    if (!strcmp(deed, "write")) {
        const char *const paths[] = {"/x", "/tmp/x", "/usr/x", "/dev/shm/x", "/var/tmp/x", "/etc/x", argument};
        int wrote = 0;
        for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) wrote += can_write(paths[i]);
        return wrote;
    }
    if (!strcmp(deed, "scratch")) return can_write("x") ? 0 : 1;
    if (!strcmp(deed, "read")) return open(argument, O_RDONLY) >= 0;
    if (!strcmp(deed, "kill")) return kill(atoi(argument), 0) == 0; /* does it see the test? */
    if (!strcmp(deed, "who")) return geteuid() == 0 && getuid() == 0 ? 1 : 0;
    return 64;
}

/* ---- the tests ------------------------------------------------------------------------------- */

static char self[4096], scratch[] = "/tmp/test_sandbox.XXXXXX";

static int setup(void **state)
{
    (void)state;
    return mkdtemp(scratch) && chmod(scratch, 0755) == 0 &&
                   (geteuid() || chown(scratch, sandbox_user(), sandbox_user()) == 0)
               ? 0
               : -1;
}

static int teardown(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command);
}

static sandbox_result_t result;

/* The deed in a small sandbox.  Skips the test, by name, where none can be made. */
static void in_sandbox(const char *deed, const char *argument)
{
    err_t err;
    if (sandbox_available(&err)) {
        print_message("%s\n", err.text);
        skip();
    }
    const sandbox_t s = {.read_only = {self},
                         .scratch = scratch,
                         .seconds = strcmp(deed, "sleep") && strcmp(deed, "spin") ? 20 : 2,
                         .memory_mb = 256,
                         .file_mb = 4,
                         .processes = 40,
                         .output_bytes = 100000};
    char *const argv[] = {self, (char *)deed, (char *)argument, NULL};
    assert_int_equal(sandbox_run(&s, argv, NULL, 0, &result, &err), 0);
}

static void stopped(const char *deed, const char *why)
{
    in_sandbox(deed, "");
    assert_int_equal(result.end, SANDBOX_STOPPED);
    if (!strstr(result.why, why)) fail_msg("%s: %s", deed, result.why);
}

static void exits(const char *deed, const char *argument, int code)
{
    in_sandbox(deed, argument);
    if (result.end != SANDBOX_EXITED || result.code != code) fail_msg("%s: %s %s", deed, result.why, result.output);
}

static void test_exit_codes_and_output_come_through(void **state)
{
    (void)state;
    exits("fine", "", 0);
    assert_string_equal(result.output, "fine\n");
    exits("seven", "", 7);
}

static void test_a_crash_is_named(void **state)
{
    (void)state;
    in_sandbox("crash", "");
    assert_int_equal(result.end, SANDBOX_SIGNALLED);
    assert_int_equal(result.code, SIGSEGV);
}

static void test_a_sleeper_is_stopped(void **state) { (void)state, stopped("sleep", "still running after 2 s"); }
static void test_a_fork_bomb_is_stopped(void **state)
{
    (void)state, stopped("fork", "started more than 20 processes");
}
static void test_endless_output_is_stopped(void **state)
{
    (void)state, stopped("talk", "printed more than 100000 bytes");
}
static void test_memory_is_limited(void **state) { (void)state, stopped("eat", "more than 256 MB of memory"); }

static void test_a_spinner_is_stopped(void **state)
{
    (void)state;
    in_sandbox("spin", "");
    assert_int_not_equal(result.end, SANDBOX_EXITED);
}

static void test_nobody_is_left_behind(void **state)
{
    (void)state;
    exits("orphan", "", 0); /* waiting for its 60 s would be "stopped" */
}

static void test_a_file_cannot_grow_for_ever(void **state)
{
    (void)state;
    in_sandbox("grow", "");
    assert_int_equal(result.end, SANDBOX_SIGNALLED);
    assert_int_equal(result.code, SIGXFSZ);
}

static void test_only_the_scratch_folder_can_be_written(void **state)
{
    (void)state;
    char here[4200];
    exits("scratch", "", 0);
    snprintf(here, sizeof here, "%s.new", self);
    exits("write", here, 0);
    assert_int_not_equal(access(here, F_OK), 0);
}

static void test_files_elsewhere_are_not_there(void **state)
{
    (void)state;
    exits("read", "/etc/passwd", 0);
    exits("read", "Makefile", 0);
    exits("read", self, 1); /* it can read what it was given */
}

static void test_there_is_no_network(void **state)
{
    (void)state;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 1) ||
        getsockname(fd, (struct sockaddr *)&at, &size))
        skip();
    char port[16];
    snprintf(port, sizeof port, "%d", ntohs(at.sin_port));
    assert_int_equal(do_deed("connect", port), 1); /* without a sandbox it gets through */
    exits("connect", port, 0);
    close(fd);
}

static void test_other_processes_are_not_seen(void **state)
{
    (void)state;
    char pid[16];
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    assert_int_equal(do_deed("kill", pid), 1);
    exits("kill", pid, 0);
}

static void test_it_is_not_root(void **state)
{
    (void)state;
    exits("who", "", 0);
}

static void test_without_bubblewrap_it_says_what_to_do(void **state)
{
    (void)state;
    err_t err = {{0}};
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    const int available = sandbox_available(&err);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(available, -1);
    assert_non_null(strstr(err.text, "apt-get install bubblewrap"));
}

static void test_limits_hold_without_a_sandbox(void **state)
{
    (void)state;
    err_t err;
    sandbox_t s = {.unsandboxed = true,
                   .scratch = scratch,
                   .seconds = 1,
                   .memory_mb = 256,
                   .address_mb = 256,
                   .file_mb = 4,
                   .processes = 40,
                   .output_bytes = 100000};
    char *const sleeper[] = {self, "sleep", NULL}, *const eater[] = {self, "eat", NULL},
                *const talker[] = {self, "talk", NULL};
    assert_int_equal(sandbox_run(&s, sleeper, NULL, 0, &result, &err), 0);
    assert_int_equal(result.end, SANDBOX_STOPPED);
    s.seconds = 20; /* the others end on their own account */
    assert_int_equal(sandbox_run(&s, eater, NULL, 0, &result, &err), 0);
    assert_int_equal(result.code, 5); /* malloc said no */
    assert_int_equal(sandbox_run(&s, talker, NULL, 0, &result, &err), 0);
    assert_int_equal(result.end, SANDBOX_STOPPED);
}

int main(int argc, char **argv)
{
    if (argc > 1) return do_deed(argv[1], argc > 2 ? argv[2] : "");
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_codes_and_output_come_through),
        cmocka_unit_test(test_a_crash_is_named),
        cmocka_unit_test(test_a_sleeper_is_stopped),
        cmocka_unit_test(test_a_spinner_is_stopped),
        cmocka_unit_test(test_a_fork_bomb_is_stopped),
        cmocka_unit_test(test_nobody_is_left_behind),
        cmocka_unit_test(test_endless_output_is_stopped),
        cmocka_unit_test(test_memory_is_limited),
        cmocka_unit_test(test_a_file_cannot_grow_for_ever),
        cmocka_unit_test(test_only_the_scratch_folder_can_be_written),
        cmocka_unit_test(test_files_elsewhere_are_not_there),
        cmocka_unit_test(test_there_is_no_network),
        cmocka_unit_test(test_other_processes_are_not_seen),
        cmocka_unit_test(test_it_is_not_root),
        cmocka_unit_test(test_without_bubblewrap_it_says_what_to_do),
        cmocka_unit_test(test_limits_hold_without_a_sandbox),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
