/* confine.c - see confine.h */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

/* Rules that depend on an argument: they apply if argument `which`, under the mask, has that value. */
typedef struct rule {
    uint32_t action;
    int call;
    unsigned which;
    uint64_t mask, value;
} rule_t;

enum { MAP_KIND = 0x0f }; /* the bits of mmap's flags that say private or shared */

static const uint64_t NEW_SPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                   CLONE_NEWPID | CLONE_NEWNET;

static int add(scmp_filter_ctx f, const rule_t *r)
{
    return seccomp_rule_add(f, r->action, r->call, 1, SCMP_CMP64(r->which, SCMP_CMP_MASKED_EQ, r->mask, r->value));
}

static int add_all(scmp_filter_ctx f, uint32_t action, const int *calls, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count && !failed; ++i) failed = seccomp_rule_add(f, action, calls[i], 0);
    return failed;
}

/* Calls of another architecture (32-bit ones, x32) end the process: their numbers mean something else. */
static scmp_filter_ctx start(uint32_t action)
{
    scmp_filter_ctx f = seccomp_init(action);
    if (f && seccomp_attr_set(f, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)) {
        seccomp_release(f);
        f = NULL;
    }
    return f;
}

/* ---- all programs in the sandbox: these calls are forbidden ------------------------------------- */

static const int REFUSED[] = {
    /* namespaces, mounts: a new one would have its own root, its own processes, its own limits */
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(open_tree),
    SCMP_SYS(move_mount), SCMP_SYS(mount_setattr),
    /* memory that survives its process */
    SCMP_SYS(memfd_secret), SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(shmdt), SCMP_SYS(msgget),
    SCMP_SYS(msgsnd), SCMP_SYS(msgrcv), SCMP_SYS(msgctl), SCMP_SYS(semget), SCMP_SYS(semop), SCMP_SYS(semtimedop),
    SCMP_SYS(semctl), SCMP_SYS(mq_open), SCMP_SYS(add_key), SCMP_SYS(keyctl), SCMP_SYS(request_key),
    /* other processes */
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise),
    SCMP_SYS(process_mrelease), SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp),
    /* large parts of the kernel that no program here needs */
    SCMP_SYS(bpf), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(io_setup),
    SCMP_SYS(userfaultfd), SCMP_SYS(perf_event_open), SCMP_SYS(fanotify_init),
    SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at), SCMP_SYS(vhangup), SCMP_SYS(lookup_dcookie),
    SCMP_SYS(uselib), SCMP_SYS(modify_ldt), SCMP_SYS(landlock_create_ruleset),
    /* administration of the machine */
    SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(acct), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(reboot),
    SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
    SCMP_SYS(delete_module), SCMP_SYS(syslog), SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex), SCMP_SYS(iopl), SCMP_SYS(ioperm),
};

/* Calls that CUDA's library needs: without them, and without shared mappings, cuInit finds no GPU. */
static const int REFUSED_WITHOUT_GPU[] = {SCMP_SYS(memfd_create), SCMP_SYS(socket), SCMP_SYS(socketpair)};

static int fill_filter(scmp_filter_ctx f, bool gpu)
{
    const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    int failed = add_all(f, refuse, REFUSED, sizeof REFUSED / sizeof *REFUSED);
    /* Allows personality() only for fixed addresses (sandbox.c). */
    if (!failed)
        failed = seccomp_rule_add(f, refuse, SCMP_SYS(personality), 1, SCMP_A0_64(SCMP_CMP_NE, ADDR_NO_RANDOMIZE));
    /* The C library then uses clone, whose flags the filter can read. */
    if (!failed) failed = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    for (uint64_t bit = 1; bit <= NEW_SPACES && !failed; bit <<= 1)
        if (NEW_SPACES & bit) failed = add(f, &(rule_t){refuse, SCMP_SYS(clone), 0, bit, bit});
    if (gpu || failed) return failed;
    failed = add_all(f, refuse, REFUSED_WITHOUT_GPU, sizeof REFUSED_WITHOUT_GPU / sizeof *REFUSED_WITHOUT_GPU);
    /* Refuses shared mappings: their memory remains after an unmap or MADV_DONTNEED, so it would not be counted. */
    if (!failed) failed = add(f, &(rule_t){refuse, SCMP_SYS(mmap), 3, MAP_KIND, MAP_SHARED});
    if (!failed) failed = add(f, &(rule_t){refuse, SCMP_SYS(mmap), 3, MAP_KIND, MAP_SHARED_VALIDATE});
    return failed;
}

int confine_filter(bool gpu, err_t *err)
{
    scmp_filter_ctx f = start(SCMP_ACT_ALLOW);
    const int fd = memfd_create("filter", MFD_CLOEXEC);
    int failed = !f || fd < 0 ? -ENOMEM : fill_filter(f, gpu);
    if (!failed) failed = seccomp_export_bpf(f, fd);
    if (f) seccomp_release(f);
    if (!failed && lseek(fd, 0, SEEK_SET) == 0) return fd;
    if (fd >= 0) close(fd);
    return err_set(err, "the filter of system calls cannot be created: %s", strerror(failed ? -failed : errno));
}

/* ---- a submission: only these calls are allowed -------------------------------------------------- */

static const int ALLOWED[] = {
    /* reads the job, writes the answers and its output */
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64), SCMP_SYS(lseek),
    SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx),
    /* reads the source lines of a fault from the debug information in /proc/self/exe */
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(getcwd), SCMP_SYS(getdents64),
    /* memory */
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    /* threads and their waits */
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
    /* signals to itself, for a stack overflow or abort */
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    /* its own identity */
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(getrandom), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getrusage),
};

/* These end the process instead of returning an error, because no program starts a process by mistake. */
static const int DEADLY[] = {SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execve), SCMP_SYS(execveat)};

static int fill_confinement(scmp_filter_ctx f)
{
    const uint64_t all = UINT64_MAX, writing = O_ACCMODE | O_CREAT | O_TRUNC | O_TMPFILE;
    const uint32_t allow = SCMP_ACT_ALLOW;
    const rule_t rules[] = {
        {allow, SCMP_SYS(open), 1, writing & ~(uint64_t)O_DIRECTORY, O_RDONLY},
        {allow, SCMP_SYS(openat), 2, writing & ~(uint64_t)O_DIRECTORY, O_RDONLY},
        {allow, SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
        {allow, SCMP_SYS(clone), 0, CLONE_THREAD | NEW_SPACES, CLONE_THREAD},
        {SCMP_ACT_KILL_PROCESS, SCMP_SYS(clone), 0, CLONE_THREAD, 0},
        {allow, SCMP_SYS(prlimit64), 2, all, 0}, /* reads limits; setting them is refused */
        {allow, SCMP_SYS(fcntl), 1, all, F_GETFL},
        {allow, SCMP_SYS(fcntl), 1, all, F_GETFD},
        {allow, SCMP_SYS(fcntl), 1, all, F_SETFD},
        {allow, SCMP_SYS(tgkill), 0, all, (uint64_t)getpid()},
        {SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 0, 0, 0},
        {SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0, 0, 0},
    };
    int failed = add_all(f, allow, ALLOWED, sizeof ALLOWED / sizeof *ALLOWED);
    if (!failed) failed = add_all(f, SCMP_ACT_KILL_PROCESS, DEADLY, sizeof DEADLY / sizeof *DEADLY);
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !failed; ++i) failed = add(f, &rules[i]);
    if (!failed) /* its own memory, not executable */
        failed = seccomp_rule_add(f, allow, SCMP_SYS(mmap), 2, SCMP_A2_64(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                                  SCMP_A3_64(SCMP_CMP_MASKED_EQ, MAP_KIND, MAP_PRIVATE));
    return failed;
}

int confine(err_t *err)
{
    scmp_filter_ctx f = start(SCMP_ACT_ERRNO(EPERM));
    int failed = f ? fill_confinement(f) : -ENOMEM;
    if (!failed) failed = seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1); /* also for existing threads */
    if (!failed) failed = seccomp_load(f);
    if (f) seccomp_release(f);
    return failed ? err_set(err, "system calls cannot be filtered: %s", strerror(-failed)) : 0;
}
