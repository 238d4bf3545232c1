/* sandbox.c - see sandbox.h */
#include "sandbox.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "cgroup.h"
#include "confine.h"
#include "plain.h"

volatile sig_atomic_t sandbox_interrupted;
static bool no_disable_userns; /* bubblewrap is older than 0.8, or the kernel refuses this option */

enum { WORDS = 500, NOBODY = 65534, FIRST_USER = 1000000000, TICK_MS = 50, FILTER_FD = 9, OWN = 2, PATIENCE = 4 };

unsigned sandbox_user(void)
{
    if (geteuid() != 0) return (unsigned)geteuid();
    unsigned long inside = 0, outside = 0, count = 0; /* in a container, root may have only a few user ids */
    FILE *f = fopen("/proc/self/uid_map", "re");
    if (f && fscanf(f, "%lu %lu %lu", &inside, &outside, &count) != 3) count = 0;
    if (f) fclose(f);
    return count > 2ul * FIRST_USER ? FIRST_USER + (unsigned)getpid() : NOBODY;
}

/* The command line under construction. */
typedef struct words {
    const char *word[WORDS];
    int count;
    char text[32768]; /* storage of generated words */
    size_t used;
} words_t;

static void add(words_t *w, const char *word)
{
    if (w->count < WORDS - 1) w->word[w->count++] = word;
}

static void add2(words_t *w, const char *option, const char *a, const char *b)
{
    add(w, option);
    add(w, a);
    if (b) add(w, b);
}

static const char *text(words_t *w, const char *format, unsigned long number)
{
    char *at = w->text + w->used;
    const int n = snprintf(at, sizeof w->text - w->used, format, number);
    w->used += (size_t)n + 1;
    return at;
}

/* Adds a folder of the system; a link stays a link (/lib -> usr/lib). */
static void add_system(words_t *w, const char *path)
{
    struct stat status;
    char target[256];
    if (lstat(path, &status)) return;
    const ssize_t n = S_ISLNK(status.st_mode) ? readlink(path, target, sizeof target - 1) : 0;
    if (n <= 0) {
        add2(w, "--ro-bind", path, path);
        return;
    }
    target[n] = 0;
    char *kept = w->text + w->used;
    w->used += (size_t)snprintf(kept, sizeof w->text - w->used, "%s", target) + 1;
    add2(w, "--symlink", kept, path);
}

/* Creates the folders above a path; bwrap would make them accessible to root only. */
static void add_parents(words_t *w, const char *path)
{
    for (const char *at = strchr(path + 1, '/'); at && w->used + (size_t)(at - path) + 1 < sizeof w->text;
         at = strchr(at + 1, '/')) {
        char *parent = w->text + w->used;
        w->used += (size_t)snprintf(parent, sizeof w->text - w->used, "%.*s", (int)(at - path), path) + 1;
        add2(w, "--perms", "0755", NULL);
        add2(w, "--dir", parent, NULL);
    }
}

static void add_gpu(words_t *w)
{
    DIR *d = opendir("/dev");
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strncmp(e->d_name, "nvidia", 6)) continue;
        char *path = w->text + w->used;
        w->used += (size_t)snprintf(path, sizeof w->text - w->used, "/dev/%s", e->d_name) + 1;
        add2(w, "--dev-bind", path, path);
    }
    if (d) closedir(d);
    add2(w, "--ro-bind-try", "/sys", "/sys"); /* the driver's library searches for the GPU there */
}

/* Requests namespaces and, for root, the few rights that are needed to change to a user without rights. */
static void add_namespaces(words_t *w, bool as_root)
{
    add(w, "--unshare-ipc");
    add(w, "--unshare-pid");
    add(w, "--unshare-net");
    add(w, "--unshare-uts");
    add(w, "--unshare-cgroup-try");
    if (!as_root) add(w, "--unshare-user");
    /* Root needs no user namespace, so no option can forbid further ones; the filter does. */
    if (!as_root && !no_disable_userns) add(w, "--disable-userns");
    add(w, "--die-with-parent");
    add(w, "--new-session");
    add2(w, "--seccomp", text(w, "%lu", FILTER_FD), NULL);
    if (!as_root) return;
    add2(w, "--cap-drop", "ALL", NULL);
    add2(w, "--cap-add", "CAP_SETUID", NULL);
    add2(w, "--cap-add", "CAP_SETGID", NULL);
    add2(w, "--cap-add", "CAP_SETPCAP", NULL);
}

/* The folders of the system that programs need, read-only, and a private /proc and /dev. */
static void add_system_folders(words_t *w)
{
    static const char *const SYSTEM[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
    add2(w, "--ro-bind", "/usr", "/usr");
    for (size_t i = 0; i < sizeof SYSTEM / sizeof *SYSTEM; ++i) add_system(w, SYSTEM[i]);
    add_parents(w, "/etc/alternatives");
    add2(w, "--ro-bind-try", "/etc/alternatives", "/etc/alternatives");
    add2(w, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache");
    add2(w, "--proc", "/proc", NULL);
    add2(w, "--dev", "/dev", NULL);
}

/* The path of the first program in the sandbox: this program is X/bin/NAME, that one X/grade/enter. */
static const char *enter_path(void)
{
    static const char enter[] = "/grade/enter";
    static char path[4096];
    if (*path) return path;
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof enter);
    path[n > 0 ? n : 0] = 0;
    for (int i = 0; i < 2 && strchr(path, '/'); ++i) *strrchr(path, '/') = 0;
    return strcat(path, enter);
}

static void add_read_only(words_t *w, const char *path)
{
    add_parents(w, path);
    add2(w, "--ro-bind", path, path);
}

/* Adds what this run needs: a GPU, folders to read, a folder to write.  Nothing else can be written. */
static void add_given(words_t *w, const sandbox_t *s)
{
    if (s->gpu) add_gpu(w);
    add_read_only(w, enter_path());
    for (int i = 0; i < SANDBOX_PATHS && s->read_only[i]; ++i) add_read_only(w, s->read_only[i]);
    if (s->scratch) {
        add_parents(w, s->scratch);
        add2(w, "--bind", s->scratch, s->scratch);
    }
    if (s->gpu) { /* CUDA uses a little shared memory */
        add2(w, "--perms", "1777", NULL);
        add2(w, "--size", "67108864", NULL);
        add2(w, "--tmpfs", "/dev/shm", NULL);
    }
    add2(w, "--remount-ro", "/dev", NULL); /* including /dev/shm, unless there is a GPU */
    add2(w, "--remount-ro", "/", NULL);
}

static void add_environment(words_t *w, const sandbox_t *s)
{
    add2(w, "--chdir", s->scratch ? s->scratch : "/", NULL);
    add(w, "--clearenv");
    add2(w, "--setenv", "PATH", "/usr/bin:/bin");
    add2(w, "--setenv", "LC_ALL", "C.UTF-8");
    add2(w, "--setenv", "OMP_NUM_THREADS", "1");
    if (s->scratch) add2(w, "--setenv", "TMPDIR", s->scratch);
}

static void add_bubblewrap(words_t *w, const sandbox_t *s, bool as_root)
{
    add(w, "bwrap");
    add_namespaces(w, as_root);
    add_system_folders(w);
    add_given(w, s);
    add_environment(w, s);
    add(w, "--");
    add(w, enter_path());
    add(w, text(w, "%lu", as_root ? sandbox_user() : 0));
    add(w, text(w, "%lu", s->processes));
}

static void limit(int what, rlim_t value)
{
    const struct rlimit both = {value, value};
    setrlimit(what, &both);
}

/* Runs in the child: sets limits and descriptors, and executes the program.  Does not return. */
static void become(const sandbox_t *s, words_t *w, const int *fds, int fd_count, int output, int filter,
                   pid_t parent)
{
    const rlim_t mb = 1u << 20;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, s->seconds + 1);
    limit(RLIMIT_FSIZE, s->file_mb * mb);
    if (s->address_mb) limit(RLIMIT_AS, s->address_mb * mb);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the process ends with the grader, for any reason */
    if (getppid() != parent) _exit(126); /* unless the grader ended before that call */

    /* Moves the descriptors above 3, 4, ... first. */
    int from[8], n = fd_count < 8 ? fd_count : 8;
    for (int i = 0; i < n; ++i) from[i] = fcntl(fds[i], F_DUPFD, 20);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    const int kept_filter = filter >= 0 ? fcntl(filter, F_DUPFD, 20) : -1;
    for (int i = 0; i < n; ++i) dup2(from[i], 3 + i);
    if (kept_filter >= 0) dup2(kept_filter, FILTER_FD);
    for (int fd = 3 + n; fd < 256; ++fd)
        if (fd != FILTER_FD || kept_filter < 0) close(fd);
    if (s->unsandboxed) {
        if (s->scratch && chdir(s->scratch)) _exit(126);
        setenv("OMP_NUM_THREADS", "1", 1);
    }
    execvp(w->word[0], (char *const *)w->word);
    dprintf(2, "%s: %s\n", w->word[0], strerror(errno));
    _exit(127);
}

/* ---- processes, and the memory that they hold ---------------------------------------------------- */

typedef struct kin {
    long pid, parent;
} kin_t;

/* Lists every process of the machine with its parent; the caller frees the list. */
static kin_t *list_processes(size_t *count)
{
    char path[64], line[512];
    size_t room = 0;
    kin_t *list = NULL;
    DIR *d = opendir("/proc");
    *count = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!isdigit((unsigned char)*e->d_name)) continue;
        if (*count == room) {
            kin_t *larger = realloc(list, (room = 2 * room + 256) * sizeof *list);
            if (!larger) break;
            list = larger;
        }
        snprintf(path, sizeof path, "/proc/%.20s/stat", e->d_name);
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : 0;
        if (fd >= 0) close(fd);
        line[n > 0 ? n : 0] = 0;
        const char *name_end = strrchr(line, ')'); /* a line is 12 (a name) S 11 ... */
        kin_t *k = &list[*count];
        if (!name_end || sscanf(name_end, ") %*c %ld", &k->parent) != 1) continue;
        k->pid = strtol(line, NULL, 10);
        ++*count;
    }
    if (d) closedir(d);
    return list;
}

/* Kilobytes of memory, including swapped memory and page tables. */
static unsigned long held_kb(long pid)
{
    char path[64], line[256];
    unsigned long sum = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "VmRSS:", 6) || !strncmp(line, "VmSwap:", 7) || !strncmp(line, "VmPTE:", 6))
            sum += strtoul(strchr(line, ':') + 1, NULL, 10);
    if (f) fclose(f);
    return sum;
}

/* Appends the children of a process, started by any of its threads, to the list.  False if this kernel has no lists of
 * children. */
static bool add_children(kin_t **list, size_t *count, size_t *room, long parent)
{
    char path[300];
    snprintf(path, sizeof path, "/proc/%ld/task", parent);
    DIR *d = opendir(path);
    bool known = !d; /* the process has ended and has no children */
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!isdigit((unsigned char)*e->d_name)) continue;
        snprintf(path, sizeof path, "/proc/%ld/task/%.20s/children", parent, e->d_name);
        FILE *f = fopen(path, "re");
        known = known || f;
        for (long pid; f && fscanf(f, "%ld", &pid) == 1;) {
            if (*count == *room) {
                kin_t *larger = realloc(*list, (*room = 2 * *room + 64) * sizeof **list);
                if (!larger) break;
                *list = larger;
            }
            (*list)[(*count)++] = (kin_t){.pid = pid, .parent = parent};
        }
        if (f) fclose(f);
    }
    if (d) closedir(d);
    return known;
}

/* Finds all descendants of this process and puts them first in *list, even those in other namespaces or whose parent
 * has ended (see PR_SET_CHILD_SUBREAPER).  Returns their number; the caller frees *list. */
static size_t find_descendants(kin_t **list)
{
    size_t count = 0, room = 0, known = 0, before;
    *list = NULL;
    bool listed = add_children(list, &count, &room, getpid());
    for (size_t i = 0; i < count && listed; ++i) listed = add_children(list, &count, &room, (*list)[i].pid);
    if (listed) return count;
    free(*list);
    kin_t *k = *list = list_processes(&count);
    do { /* moves our descendants to the front */
        before = known;
        for (size_t i = known; i < count; ++i) {
            bool ours = k[i].parent == getpid();
            for (size_t j = 0; j < known && !ours; ++j) ours = k[i].parent == k[j].pid;
            if (!ours) continue;
            const kin_t found = k[i];
            k[i] = k[known];
            k[known++] = found;
        }
    } while (known > before);
    return known;
}

/* Processor seconds of a process, with its threads and the children for which it has waited. */
static double seconds_of(long pid)
{
    char path[64], line[1024];
    unsigned long long ticks[4];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    const char *after = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL; /* a name may contain any character */
    fclose(f);
    if (!after || sscanf(after, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &ticks[0],
                         &ticks[1], &ticks[2], &ticks[3]) != 4) return 0;
    return (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]) / (double)sysconf(_SC_CLK_TCK);
}

/* Sums over all descendants. */
typedef struct held {
    unsigned long mb;
    double seconds; /* of processor time */
} held_t;

/* Returns the number of descendants; sums up in `held` what they hold; if `number` is not 0, sends them this signal. */
static size_t descendants(held_t *held, int number)
{
    kin_t *k;
    unsigned long kb = 0;
    double seconds = 0;
    const size_t count = find_descendants(&k);
    for (size_t i = 0; i < count; ++i) {
        if (held) kb += held_kb(k[i].pid), seconds += seconds_of(k[i].pid);
        if (number) kill((pid_t)k[i].pid, number);
    }
    free(k);
    if (held) *held = (held_t){kb >> 10, seconds};
    return count;
}

/* Adds the sizes of files in memory that the program was given, because no process maps their contents. */
static unsigned long files_mb(const int *fds, int count)
{
    struct stat status;
    unsigned long long blocks = 0;
    for (int i = 0; i < count; ++i)
        if (fstat(fds[i], &status) == 0) blocks += (unsigned long long)status.st_blocks;
    return (unsigned long)(blocks * 512 >> 20);
}

/* Kills all descendants, including those whose parents have ended. */
static void end_all(void)
{
    const double patience = clock_now() + 5;
    while (clock_now() < patience) {
        const size_t left = descendants(NULL, SIGKILL);
        while (waitpid(-1, NULL, WNOHANG) > 0) {}
        if (!left) return;
        poll(NULL, 0, 1);
    }
}

/* ---- a run --------------------------------------------------------------------------------------- */

typedef struct run {
    const sandbox_t *s;
    const int *fds;          /* descriptors for the program */
    int fd_count;
    unsigned most, own;      /* the limit of its processes, and how many bubblewrap adds */
    cgroup_t group;
    pid_t pid;
    int output;              /* the pipe for its output */
    bool closed;             /* it has closed its output */
    size_t kept, total;      /* bytes of output */
    unsigned long before_mb; /* MB in its files before it started */
    sandbox_result_t *r;
} run_t;

static void stop(sandbox_result_t *r, const char *format, unsigned long number)
{
    if (r->end == SANDBOX_STOPPED) return; /* keeps the first reason */
    r->end = SANDBOX_STOPPED;
    snprintf(r->why, sizeof r->why, format, number);
}

/* Starts the process with its group and its pipe. */
static int start(run_t *run, char *const argv[], err_t *err)
{
    static words_t w;
    const sandbox_t *s = run->s;
    int output[2], filter = -1;
    w.count = 0, w.used = 0;
    if (!s->unsandboxed && (filter = confine_filter(s->gpu, err)) < 0) return -1;
    if (pipe2(output, O_CLOEXEC)) {
        if (filter >= 0) close(filter);
        return err_set(err, "no pipe: %s", strerror(errno));
    }
    if (!s->unsandboxed) add_bubblewrap(&w, s, geteuid() == 0);
    for (int i = 0; argv[i]; ++i) add(&w, argv[i]);
    w.word[w.count] = NULL;

    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans become our children: see descendants */
    cgroup_open(&run->group, s->counted ? 0 : s->memory_mb, (s->gpu ? s->processes : run->most) + run->own);
    const pid_t parent = getpid();
    run->pid = fork();
    if (run->pid == 0) {
        cgroup_join(&run->group);
        become(s, &w, run->fds, run->fd_count, output[1], filter, parent);
    }
    close(output[1]);
    if (filter >= 0) close(filter);
    if (run->pid < 0) {
        err_set(err, "no new process: %s", strerror(errno));
        close(output[0]);
        cgroup_close(&run->group);
        return -1;
    }
    setpgid(run->pid, run->pid);
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    run->output = output[0];
    return 0;
}

/* Reads its output and keeps the beginning.  True when it has closed the pipe. */
static bool drain(run_t *run)
{
    char piece[65536];
    sandbox_result_t *r = run->r;
    const ssize_t n = read(run->output, piece, sizeof piece);
    if (n < 0) return errno != EINTR && errno != EAGAIN;
    if (n == 0) return true;
    run->total += (size_t)n;
    const size_t room = sizeof r->output - 1 - run->kept, take = (size_t)n < room ? (size_t)n : room;
    memcpy(r->output + run->kept, piece, take);
    run->kept += take;
    r->output[run->kept] = 0;
    return false;
}

/* Waits a moment for output and reads it. */
static void listen_to(run_t *run)
{
    struct pollfd ready = {.fd = run->output, .events = POLLIN};
    poll(&ready, run->closed ? 0 : 1, run->closed ? 2 : TICK_MS);
    while (!run->closed && run->total <= run->s->output_bytes && (ready.revents & (POLLIN | POLLHUP))) {
        const size_t before = run->total;
        run->closed = drain(run);
        if (run->total == before) break;
    }
}

static const char TOO_MANY[] = "stopped: it started more than %lu processes",
                  TOO_MUCH[] = "stopped: it took more than %lu MB of memory";

/* Checks processes, memory and processor time of it and its descendants in /proc. */
static void look_at_processes(const run_t *run)
{
    held_t held;
    if (descendants(&held, 0) > run->most + run->own) stop(run->r, TOO_MANY, run->most);
    if (held.mb + files_mb(run->fds, run->fd_count) > run->s->memory_mb + run->before_mb)
        stop(run->r, TOO_MUCH, run->s->memory_mb);
    if (held.seconds > run->s->seconds)
        stop(run->r, "stopped: still running after %lu s of processor time", run->s->seconds);
}

/* Waits until it has ended or exceeded a limit.  Returns the status of waitpid. */
static int watch(run_t *run)
{
    const sandbox_t *s = run->s;
    const unsigned long patience = (unsigned long)PATIENCE * s->seconds;
    const double end = clock_now() + (double)patience;
    double look = clock_now();
    int status = 0;
    run->before_mb = files_mb(run->fds, run->fd_count);
    for (bool gone = false; !gone;) {
        listen_to(run);
        gone = waitpid(run->pid, &status, WNOHANG) == run->pid;
        if (run->total > s->output_bytes) stop(run->r, "stopped: it printed more than %lu bytes", s->output_bytes);
        if (clock_now() > end) stop(run->r, "stopped: still running after %lu s", patience);
        if (clock_now() > look) {
            look = clock_now() + 1e-3 * TICK_MS;
            look_at_processes(run);
        }
        /* Also checked after the end, because the group may have killed it. */
        if (cgroup_too_many(&run->group)) stop(run->r, TOO_MANY, run->most);
        if (cgroup_too_much(&run->group)) stop(run->r, TOO_MUCH, s->memory_mb);
        if (sandbox_interrupted) stop(run->r, "interrupted", 0);
        if (run->r->end == SANDBOX_STOPPED && !gone) {
            kill(-run->pid, SIGKILL);
            kill(run->pid, SIGKILL);
        }
    }
    return status;
}

/* Stores how it ended.  bwrap reports a signal as 128 + its number. */
static void tell_end(sandbox_result_t *r, const sandbox_t *s, int status)
{
    r->end = WIFSIGNALED(status) || WEXITSTATUS(status) > 128 ? SANDBOX_SIGNALLED : SANDBOX_EXITED;
    r->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) & 127;
    if (r->end == SANDBOX_EXITED) snprintf(r->why, sizeof r->why, "exit code %d", r->code);
    else if (r->code == SIGXCPU || r->code == SIGKILL)
        snprintf(r->why, sizeof r->why, "killed: out of CPU time or memory");
    else if (r->code == SIGSYS)
        snprintf(r->why, sizeof r->why, "killed: it made a system call that the sandbox does not allow");
    else if (r->code == SIGXFSZ) snprintf(r->why, sizeof r->why, "killed: it wrote more than %u MB", s->file_mb);
    else snprintf(r->why, sizeof r->why, "killed by signal %d (%s)", r->code, strsignal(r->code));
}

int sandbox_run(const sandbox_t *s, char *const argv[], const int *fds, int fd_count, sandbox_result_t *r, err_t *err)
{
    run_t run = {.s = s, .fds = fds, .fd_count = fd_count, .r = r,
                 .most = s->processes / 2, .own = s->unsandboxed ? 0 : OWN};
    *r = (sandbox_result_t){.end = SANDBOX_EXITED};
    if (start(&run, argv, err)) return -1;
    const int status = watch(&run);
    if (r->end != SANDBOX_STOPPED && !run.closed) drain(&run);
    close(run.output);
    end_all();
    cgroup_close(&run.group);
    plain_lines(r->output);
    if (sandbox_interrupted) return err_set(err, "interrupted");
    if (r->end != SANDBOX_STOPPED) tell_end(r, s, status);
    return 0;
}

int sandbox_available(err_t *err)
{
    const sandbox_t s = {.seconds = 10, .memory_mb = 1024, .file_mb = 1, .processes = 16, .output_bytes = 4096};
    char *const argv[] = {"/usr/bin/true", NULL};
    static sandbox_result_t r;
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (sandbox_run(&s, argv, NULL, 0, &r, err)) return -1;
        if (r.end == SANDBOX_EXITED && r.code == 0) return 0;
        if (!attempt) no_disable_userns = true; /* without this option the filter protects alone */
    }
    r.output[strcspn(r.output, "\n")] = 0;
    if (r.code == 127 && strstr(r.output, "bwrap:") && strstr(r.output, "No such file"))
        return err_set(err, "bubblewrap is not installed: apt-get install bubblewrap, or ./bootstrap");
    return err_set(err,
                   "this machine allows no sandbox (%s).  As a user, allow user namespaces "
                   "(sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0), or "
                   "grade as root.  In a container, start it with the right to mount (--privileged), or use a virtual "
                   "machine",
                   *r.output ? r.output : r.why);
}
