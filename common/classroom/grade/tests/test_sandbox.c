/* test_sandbox.c - tests the sandbox with misbehaving programs.  They are part of this program: test_sandbox DEED. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit.h"
#include "cgroup.h"
#include "confine.h"
#include "sandbox.h"
#include "scratch.h"

/* ---- misbehaving programs --------------------------------------------------------------------- */

static int can_write(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT, 0644);
    if (fd < 0) return 0;
    printf("wrote %s\n", path);
    return 1;
}

/* ---- ways out of the limits: each is tried and reported if it works ---------------------------- */

static int open_ways;

static void way(const char *name, int is_open)
{
    if (is_open) printf("%s is open\n", name);
    open_ways += is_open;
}

/* Starts a child that only waits. */
static pid_t sleeper(void)
{
    const pid_t pid = fork();
    if (pid == 0)
        for (;;) pause();
    return pid;
}

static void new_namespaces(void)
{
    static const struct {
        const char *name;
        unsigned long flag;
    } NEW[] = {{"a new user namespace", CLONE_NEWUSER}, {"pid", CLONE_NEWPID}, {"mount", CLONE_NEWNS},
               {"network", CLONE_NEWNET}, {"ipc", CLONE_NEWIPC}, {"host name", CLONE_NEWUTS},
               {"control group", CLONE_NEWCGROUP}};
    char name[80];
    for (size_t i = 0; i < sizeof NEW / sizeof *NEW; ++i) {
        const unsigned long flags = NEW[i].flag | CLONE_NEWUSER;
        unsigned long long more[11] = {flags, 0, 0, 0, SIGCHLD};
        for (int how = 0; how < 3; ++how) {
            snprintf(name, sizeof name, "%s, by %s", NEW[i].name, how == 0 ? "clone" : how == 1 ? "clone3" : "unshare");
            const long pid = how == 0   ? syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL)
                             : how == 1 ? syscall(SYS_clone3, more, sizeof more)
                                        : fork();
            if (pid == 0) _exit(how == 2 ? unshare((int)flags) == 0 : 0);
            int status = 0;
            if (pid > 0) waitpid((pid_t)pid, &status, 0);
            way(name, how == 2 ? WEXITSTATUS(status) : pid > 0);
        }
    }
    const int space = open("/proc/self/ns/user", O_RDONLY);
    way("setns", setns(space, 0) == 0 || errno != EPERM);
    way("mount", mount("x", "/", "tmpfs", 0, NULL) == 0);
    way("chroot", chroot("/usr") == 0);
}

static void memory_of_no_process(void)
{
    int one;
    way("memfd_create", syscall(SYS_memfd_create, "x", 0) >= 0);
    way("memfd_secret", syscall(SYS_memfd_secret, 0) >= 0 || errno != EPERM);
    way("shm_open", shm_open("/x", O_RDWR | O_CREAT, 0600) >= 0);
    way("a file in /dev", open("/dev/x", O_RDWR | O_CREAT, 0600) >= 0);
    way("shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0);
    way("msgget", msgget(IPC_PRIVATE, IPC_CREAT | 0600) >= 0);
    way("semget", semget(IPC_PRIVATE, 1, IPC_CREAT | 0600) >= 0);
    way("mq_open", syscall(SYS_mq_open, "x", O_RDWR | O_CREAT, 0600, NULL) >= 0);
    way("a key", syscall(SYS_add_key, "user", "x", "y", 1ul, -2) >= 0);
    way("shared memory", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    way("shared /dev/zero",
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open("/dev/zero", O_RDWR), 0) != MAP_FAILED);
    way("socket", socket(AF_UNIX, SOCK_DGRAM, 0) >= 0);
    way("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}) == 0);
    way("netlink", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
    const struct iovec own = {&one, sizeof one}, its = {&one, sizeof one};
    const pid_t pid = sleeper();
    way("ptrace", ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0);
    way("memory of another", process_vm_readv(pid, &own, 1, &its, 1, 0) >= 0);
    kill(pid, SIGKILL);
}

static void parts_of_the_kernel(void)
{
    char zeros[256] = {0};
    static const struct {
        const char *name;
        long call;
    } CALLS[] = {{"io_uring", SYS_io_uring_setup}, {"bpf", SYS_bpf}, {"userfaultfd", SYS_userfaultfd},
                 {"perf_event_open", SYS_perf_event_open}, {"personality", SYS_personality},
                 {"open_by_handle_at", SYS_open_by_handle_at}, {"keyctl", SYS_keyctl}, {"pivot_root", SYS_pivot_root},
                 {"pidfd_getfd", SYS_pidfd_getfd}, {"quotactl", SYS_quotactl}, {"acct", SYS_acct},
                 {"swapon", SYS_swapon}, {"kexec_load", SYS_kexec_load}, {"init_module", SYS_init_module}};
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; ++i) /* any other error means that the call was processed */
        way(CALLS[i].name, syscall(CALLS[i].call, 1l, zeros, zeros, 0l, 0l) != -1 || errno != EPERM);
}

/* ---- what a confined submission may do -------------------------------------------------------- */

static void *thread(void *nothing) { return nothing; }

static int confined(const char *argument)
{
    err_t err;
    pthread_t other;
    struct rlimit limits;
    if (confine(&err)) return printf("%s\n", err.text), 2;
    if (!strcmp(argument, "fork")) return fork() >= 0;
    if (!strcmp(argument, "vfork"))
        return syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL) >= 0;
    if (!strcmp(argument, "exec")) return execl("/usr/bin/true", "true", (char *)NULL);
    if (!strcmp(argument, "abort")) abort();
    way("a file to write", open("confined", O_WRONLY | O_CREAT, 0644) >= 0 || open(".", O_TMPFILE | O_RDWR, 0600) >= 0);
    way("the answers again", open("/proc/self/fd/1", O_WRONLY) >= 0);
    way("code", mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    way("code, later", mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
    way("kill", kill(getppid(), 0) == 0 || errno != EPERM);
    way("a signal to another", syscall(SYS_tgkill, getpid() - 1, getpid() - 1, 0) == 0 || errno != EPERM);
    way("unlink", unlink("confined") == 0 || errno != EPERM);
    way("pipe", pipe((int[2]){0}) == 0);
    way("eventfd", syscall(SYS_eventfd2, 0, 0) >= 0);
    way("chdir", chdir("/usr") == 0);
    way("prctl", syscall(SYS_prctl, 15, "x") == 0);
    way("limits", getrlimit(RLIMIT_NOFILE, &limits) || setrlimit(RLIMIT_NOFILE, &limits) == 0);
    /* what a submission needs still works */
    way("no memory", page == MAP_FAILED || !malloc(1 << 24));
    way("no thread", pthread_create(&other, NULL, thread, NULL) || pthread_join(other, NULL));
    way("no file to read", open("/proc/self/exe", O_RDONLY) < 0);
    return open_ways;
}

/* ---- many processes, much memory -------------------------------------------------------------- */

/* Starts this many waiting children, each in its own session. */
static int crowd(const char *argument)
{
    int count = 0;
    unsigned seconds = 0;
    if (sscanf(argument, "%d for %u s", &count, &seconds) != 2) return 64;
    for (int i = 0; i < count; ++i)
        if (fork() == 0) {
            setsid();
            sleep(seconds);
            _exit(0);
        }
    while (wait(NULL) > 0) {}
    return 0;
}

/* Children whose parents have ended must still be counted. */
static int orphans(void)
{
    for (int i = 0; i < 30; ++i)
        if (fork() == 0) {
            setsid();
            if (fork() == 0) sleep(60);
            _exit(0);
        }
    while (wait(NULL) > 0) {}
    return (int)sleep(60);
}

/* The same in nested namespaces whose first process has ended. */
static int nested_crowd(void)
{
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID)) return 3;
    if (fork() == 0) { /* the first process of the namespace */
        if (unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 && fork() > 0) pause();
        return crowd("40 for 60 s");
    }
    return (int)sleep(60);
}

/* Allocates memory that no process maps: written to a file, or unmapped. */
static int hoard(const char *argument)
{
    enum { PIECE = 1 << 20 };
    static char piece[PIECE];
    memset(piece, 1, PIECE);
    if (!strcmp(argument, "tables")) { /* reads one page of each 2 MB, so only the page tables grow */
        for (int i = 0; i < 16; ++i) {
            volatile const char *p =
                mmap(NULL, 1l << 36, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            for (long at = 0; p != MAP_FAILED && at < 1l << 36; at += 2 << 20) (void)p[at];
        }
        return 5;
    }
    const int fd = !strcmp(argument, "given") ? 3 : (int)syscall(SYS_memfd_create, "x", 0);
    for (int i = 0; i < 3000; ++i) {
        if (!strcmp(argument, "shared")) {
            char *p = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (p == MAP_FAILED) return 5;
            memset(p, 1, PIECE);
            madvise(p, PIECE, MADV_DONTNEED);
        } else if (write(fd, piece, PIECE) < 0) {
            return 5;
        }
    }
    return (int)sleep(1);
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
    if (!strcmp(deed, "colours")) return printf("\033[31m \xc2\x9b" "31m \xe2\x80\xae" "gnp.exe \xff\n") < 0;
    if (!strcmp(deed, "ways")) {
        if (geteuid() == 0) return 64; /* for root these calls work and would harm this machine */
        new_namespaces();
        memory_of_no_process();
        parts_of_the_kernel();
        return open_ways;
    }
    if (!strcmp(deed, "confined")) return confined(argument);
    if (!strcmp(deed, "crowd")) return crowd(argument);
    if (!strcmp(deed, "orphans")) return orphans();
    if (!strcmp(deed, "nested")) return nested_crowd();
    if (!strcmp(deed, "hoard")) return hoard(argument);
    if (!strcmp(deed, "GPU")) { /* CUDA may use shared memory, but little */
        static char piece[1 << 20];
        const int fd = open("/dev/shm/x", O_RDWR | O_CREAT, 0600);
        int written = 0;
        while (write(fd, piece, sizeof piece) == sizeof piece) ++written;
        return can_write("/dev/x") || written < 32 || written > 64;
    }
#ifdef __x86_64__
    if (!strcmp(deed, "x32")) return (int)syscall(0x40000000 | SYS_getpid);
    if (!strcmp(deed, "32 bit")) { /* the 32-bit system call, in which 20 is getpid */
        long number = 20;
        __asm__ volatile("int $0x80" : "+a"(number) : : "memory");
        return 0;
    }
#endif
    if (!strcmp(deed, "orphan")) return fork() ? 0 : (int)sleep(60);
    if (!strcmp(deed, "talk"))
        for (;;) printf("%01023d\n", 0);
    if (!strcmp(deed, "eat"))
        for (;;) {
            char *p = malloc(16 << 20);
            if (!p) return 5;
            memset(p, 1, 16 << 20);
        }
    if (!strcmp(deed, "grow")) { /* a growing file in the scratch folder */
        const int fd = open("big", O_WRONLY | O_CREAT, 0644);
        char piece[65536] = {0};
        while (write(fd, piece, sizeof piece) > 0) {
        }
        return 6;
    }
    if (!strcmp(deed, "connect")) { /* to a port on which the test listens */
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
    if (!strcmp(deed, "kill")) return kill(atoi(argument), 0) == 0; /* whether it sees the test */
    if (!strcmp(deed, "who")) return geteuid() == 0 && getuid() == 0 ? 1 : 0;
    return 64;
}

/* ---- the tests ------------------------------------------------------------------------------- */

static char self[4096], scratch[] = "/tmp/test_sandbox.XXXXXX";

FIXTURE(setup)
{
    return mkdtemp(scratch) && chmod(scratch, 0755) == 0 &&
                   (geteuid() || chown(scratch, sandbox_user(), sandbox_user()) == 0)
               ? 0
               : -1;
}

FIXTURE(teardown)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command);
}

static sandbox_result_t result;
static sandbox_t box;

/* Sets up a small sandbox. */
static void reset_box(void)
{
    box = (sandbox_t){.read_only = {self},
                      .scratch = scratch,
                      .seconds = 20,
                      .memory_mb = 256,
                      .file_mb = 4,
                      .processes = 40,
                      .output_bytes = 100000};
}

/* Runs a deed in the sandbox.  Skips the test by name if no sandbox is possible. */
static void in_box(const char *deed, const char *argument)
{
    err_t err;
    if (!box.unsandboxed && sandbox_available(&err)) {
        print_message("%s\n", err.text);
        skip();
    }
    char *const argv[] = {self, (char *)deed, (char *)argument, NULL};
    const int given = memfd_create("given", MFD_CLOEXEC);
    assert_int_equal(sandbox_run(&box, argv, &given, 1, &result, &err), 0);
    close(given);
}

static void in_sandbox(const char *deed, const char *argument)
{
    reset_box();
    if (!strcmp(deed, "sleep") || !strcmp(deed, "spin")) box.seconds = 2;
    in_box(deed, argument);
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

TEST(test_exit_codes_and_output_come_through)
{
    exits("fine", "", 0);
    assert_string_equal(result.output, "fine\n");
    exits("seven", "", 7);
}

TEST(test_a_crash_is_named)
{
    in_sandbox("crash", "");
    assert_int_equal(result.end, SANDBOX_SIGNALLED);
    assert_int_equal(result.code, SIGSEGV);
}

TEST(test_a_sleeper_is_stopped) { stopped("sleep", "still running after 8 s"); }
TEST(test_a_fork_bomb_is_stopped)
{
    stopped("fork", "started more than 20 processes");
}
TEST(test_endless_output_is_stopped)
{
    stopped("talk", "printed more than 100000 bytes");
}
TEST(test_memory_is_limited) { stopped("eat", "more than 256 MB of memory"); }

TEST(test_a_spinner_is_stopped)
{
    in_sandbox("spin", "");
    assert_int_not_equal(result.end, SANDBOX_EXITED);
}

TEST(test_nobody_is_left_behind)
{
    exits("orphan", "", 0); /* waiting for its 60 s would give "stopped" */
}

TEST(test_a_file_cannot_grow_for_ever)
{
    in_sandbox("grow", "");
    assert_int_equal(result.end, SANDBOX_SIGNALLED);
    assert_int_equal(result.code, SIGXFSZ);
}

TEST(test_only_the_scratch_folder_can_be_written)
{
    char here[4200];
    exits("scratch", "", 0);
    snprintf(here, sizeof here, "%s.new", self);
    exits("write", here, 0);
    assert_int_not_equal(access(here, F_OK), 0);
}

TEST(test_files_elsewhere_are_not_there)
{
    exits("read", "/etc/passwd", 0);
    exits("read", "Makefile", 0);
    exits("read", self, 1); /* it can read a file that it was given */
}

TEST(test_there_is_no_network)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 1) ||
        getsockname(fd, (struct sockaddr *)&at, &size))
        skip();
    char port[16];
    snprintf(port, sizeof port, "%d", ntohs(at.sin_port));
    assert_int_equal(do_deed("connect", port), 1); /* without a sandbox the connection works */
    exits("connect", port, 0);
    close(fd);
}

TEST(test_other_processes_are_not_seen)
{
    char pid[16];
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    assert_int_equal(do_deed("kill", pid), 1);
    exits("kill", pid, 0);
}

TEST(test_it_is_not_root)
{
    exits("who", "", 0);
}

TEST(test_no_way_leads_out_of_the_limits)
{
    exits("ways", "", 0);
}

#ifdef __x86_64__
TEST(test_calls_of_other_architectures_are_deadly)
{
    in_sandbox("x32", "");
    assert_int_equal(result.code, SIGSYS);
    assert_non_null(strstr(result.why, "a system call"));
    in_sandbox("32 bit", "");
    assert_int_equal(result.code, SIGSYS);
}
#endif

TEST(test_a_confined_submission_can_do_little)
{
    static const char *const DEADLY[] = {"fork", "vfork", "exec"};
    exits("confined", "", 0);
    for (int i = 0; i < 3; ++i) {
        in_sandbox("confined", DEADLY[i]);
        if (result.code != SIGSYS) fail_msg("%s: %s %s", DEADLY[i], result.why, result.output);
    }
    in_sandbox("confined", "abort");
    assert_int_equal(result.code, SIGABRT);
}

/* 20 processes are allowed; more are prevented by a control group, or counted. */
TEST(test_a_crowd_is_stopped)
{
    for (int counted = 0; counted < 2; ++counted) {
        reset_box();
        box.counted = counted;
        in_box("crowd", "19 for 1 s");
        if (result.end != SANDBOX_EXITED || result.code) fail_msg("19: %s", result.why);
        in_box("crowd", "20 for 60 s");
        assert_string_equal(result.why, "stopped: it started more than 20 processes");
        box.unsandboxed = true;
        in_box("crowd", "20 for 60 s");
        assert_string_equal(result.why, "stopped: it started more than 20 processes");
        in_box("orphans", "");
        assert_string_equal(result.why, "stopped: it started more than 20 processes");
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    }
}

/* Descendants are counted in nested namespaces, too. */
TEST(test_nested_namespaces_count)
{
    for (int counted = 0; counted < 2; ++counted) {
        reset_box();
        box.unsandboxed = true;
        box.counted = counted;
        in_box("nested", "");
        if (result.end == SANDBOX_EXITED && result.code == 3) skip();
        assert_string_equal(result.why, "stopped: it started more than 20 processes");
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    }
}

TEST(test_with_a_gpu_shared_memory_is_small)
{
    reset_box();
    box.gpu = true;
    box.file_mb = 256;
    in_box("GPU", "");
    if (result.end != SANDBOX_EXITED || result.code) fail_msg("%s %s", result.why, result.output);
}

static bool a_group_can_be_made(void)
{
    cgroup_t group;
    cgroup_open(&group, 256, 20);
    const bool made = *group.memory.folder;
    cgroup_close(&group);
    return made;
}

static void hoards(const char *what, bool unsandboxed, bool counted)
{
    reset_box();
    box.file_mb = 4096;
    box.unsandboxed = unsandboxed;
    box.counted = counted;
    in_box("hoard", what);
    if (strcmp(result.why, "stopped: it took more than 256 MB of memory")) fail_msg("%s: %s", what, result.why);
}

TEST(test_memory_that_nobody_has_mapped_counts)
{
    for (int counted = 0; counted < 2; ++counted) {
        hoards("given", false, counted);
        hoards("tables", false, counted);
    }
    exits("hoard", "memfd", 5); /* refused by the filter */
    exits("hoard", "shared", 5);
    if (!a_group_can_be_made()) skip();
    hoards("memfd", true, false);
    hoards("shared", true, false);
}

/* Calls `make`, which stores a path, in a process that is then killed. */
static void killed_after(void (*make)(char *path, size_t size), char *path, size_t size)
{
    int fd[2];
    assert_int_equal(pipe(fd), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        make(path, size);
        if (write(fd[1], path, size) < 0) _exit(1);
        for (;;) pause();
    }
    assert_int_equal(read(fd[0], path, size), size);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(fd[0]), close(fd[1]);
}

static bool has_process(const char *group)
{
    char path[CGROUP_PATH + 20];
    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    FILE *f = fopen(path, "r");
    const bool has = f && fgetc(f) != EOF;
    if (f) fclose(f);
    return has;
}

static void make_group(char *path, size_t size)
{
    static cgroup_t group;
    cgroup_open(&group, 256, 20);
    snprintf(path, size, "%s", group.memory.folder);
    if (fork() == 0) { /* this child does not die with the grader */
        cgroup_join(&group);
        close(group.memory.lock), close(group.tasks.lock);
        sleep(60);
        _exit(0);
    }
    while (access(path, F_OK) == 0 && !has_process(path)) {}
}

TEST(test_a_killed_graders_group_goes_with_the_next)
{
    char path[CGROUP_PATH];
    cgroup_t group;
    if (!a_group_can_be_made()) skip();
    killed_after(make_group, path, sizeof path);
    assert_int_equal(access(path, F_OK), 0);
    cgroup_open(&group, 256, 20);
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s", group.memory.folder);
    cgroup_close(&group);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void make_scratch(char *path, size_t size)
{
    err_t err;
    char deep[300];
    scratch_make(path, size, sandbox_user(), &err);
    snprintf(deep, sizeof deep, "%.200s/deep", path);
    mkdir(deep, 0755);
    snprintf(deep, sizeof deep, "%.200s/deep/link", path);
    if (symlink(scratch, deep)) *path = 0;
}

TEST(test_a_killed_graders_folder_goes_with_the_next)
{
    err_t err;
    char path[64], next[64], empty[] = "/tmp/grade.XXXXXX", others[] = "/tmp/grade.XXXXXX", file[100], lead[100];
    killed_after(make_scratch, path, sizeof path);
    assert_int_equal(access(path, F_OK), 0);
    assert_non_null(mkdtemp(empty)); /* killed before the lock was made */
    assert_non_null(mkdtemp(others)); /* a folder of this name that is not ours */
    snprintf(file, sizeof file, "%s/work", others);
    fclose(fopen(file, "w"));
    snprintf(lead, sizeof lead, "%s.link", others);
    assert_int_equal(symlink(others, lead), 0);

    const int lock = scratch_make(next, sizeof next, sandbox_user(), &err);
    assert_true(lock >= 0);
    assert_int_not_equal(access(path, F_OK), 0);
    *strrchr(path, '/') = 0;
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(empty, F_OK), 0);
    assert_int_equal(access(file, F_OK), 0);
    assert_int_equal(access(lead, F_OK), 0);
    assert_int_equal(access(scratch, F_OK), 0); /* the target of the link still exists */

    /* A folder in use stays. */
    killed_after(make_scratch, path, sizeof path);
    scratch_remove(path, open("/dev/null", O_RDONLY));
    assert_int_equal(access(next, F_OK), 0);
    scratch_remove(next, lock);
    assert_int_not_equal(access(next, F_OK), 0);
    unlink(file), unlink(lead), rmdir(others);
}

/* Sandboxes of root and of a user are made differently; these must hold for both. */
static int as_user(void)
{
    static const char *const DEEDS[] = {"fine", "ways", "confined", "write", "scratch", "crowd", "eat"};
    err_t err;
    reset_box();
    box.scratch = NULL;
    if (sandbox_available(&err)) return printf("%s\n", err.text), 77;
    for (size_t i = 0; i < sizeof DEEDS / sizeof *DEEDS; ++i) {
        char *const argv[] = {self, (char *)DEEDS[i], "20 for 60 s", NULL};
        const bool stopped = i > 4;
        if (sandbox_run(&box, argv, NULL, 0, &result, &err)) return printf("%s\n", err.text), 1;
        if ((result.end == SANDBOX_STOPPED) != stopped || (!stopped && result.code != (i == 4)))
            return printf("%s: %s %s\n", DEEDS[i], result.why, result.output), 1;
    }
    return 0;
}

TEST(test_it_holds_for_a_user_too)
{
    char command[5000];
    if (geteuid() != 0) skip(); /* otherwise all other tests have run as a user */
    if (system("setpriv --reuid 12345 --regid 12345 --clear-groups true 2>/dev/null"))
        skip(); /* users cannot access / */
    snprintf(command, sizeof command, "setpriv --reuid 12345 --regid 12345 --clear-groups '%s' 'as user'", self);
    const int status = WEXITSTATUS(system(command));
    if (status == 77) skip();
    assert_int_equal(status, 0);
}

TEST(test_what_it_printed_is_fit_for_a_terminal)
{
    exits("colours", "", 0);
    assert_string_equal(result.output, "?[31m ?31m ?gnp.exe ?\n");
}

TEST(test_without_bubblewrap_it_says_what_to_do)
{
    err_t err = {{0}};
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    const int available = sandbox_available(&err);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(available, -1);
    assert_non_null(strstr(err.text, "apt-get install bubblewrap"));
}

TEST(test_limits_hold_without_a_sandbox)
{
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
    s.seconds = 20; /* the other programs end by themselves */
    assert_int_equal(sandbox_run(&s, eater, NULL, 0, &result, &err), 0);
    assert_int_equal(result.code, 5); /* malloc failed */
    assert_int_equal(sandbox_run(&s, talker, NULL, 0, &result, &err), 0);
    assert_int_equal(result.end, SANDBOX_STOPPED);
}

int main(int argc, char **argv)
{
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
    if (argc > 1 && !strcmp(argv[1], "as user")) return as_user();
    if (argc > 1) return do_deed(argv[1], argc > 2 ? argv[2] : "");
    return cmocka_run_group_tests(tests, setup, teardown);
}
