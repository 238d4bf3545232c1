/* at_start.c - see at_start.h */
#include "at_start.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sysexits.h>
#include <unistd.h>

enum { STACK_MIB = 1 }; /* OpenMP takes 100 KiB for 1024 threads, a path 4 KiB */

/* ---- threads ------------------------------------------------------------------------------------ */

static void *wait_for_lock(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

/* Returns the bytes of a size such as "64M" in OMP_STACKSIZE, which is in KiB without a letter; 0 if it is not a
 * size. */
static size_t stack_size(const char *text)
{
    char *end;
    const unsigned long long n = text ? strtoull(text, &end, 10) : 0;
    if (n == 0 || end == text) return 0;
    end += strspn(end, " ");
    const char *const letters = "bkmgBKMG", *letter = *end ? strchr(letters, *end) : letters + 1;
    const int shift = letter ? 10 * (int)((letter - letters) % 4) : 0;
    return letter && n <= SIZE_MAX >> shift ? (size_t)n << shift : 0;
}

int try_threads(int threads, err_t *err)
{
    if (threads < 1) return 0;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    pthread_t *made = calloc((size_t)threads, sizeof *made);
    if (!made || pthread_attr_init(&attributes)) {
        free(made);
        return err_set(err, "out of memory");
    }
    const char *told = getenv("OMP_STACKSIZE");
    const size_t stack = stack_size(told ? told : getenv("GOMP_STACKSIZE"));
    int n = 0, failed = stack ? pthread_attr_setstacksize(&attributes, stack) : 0;
    pthread_mutex_lock(&lock);
    while (!failed && n < threads && !(failed = pthread_create(&made[n], &attributes, wait_for_lock, &lock))) ++n;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < n; ++i) pthread_join(made[i], NULL);
    pthread_attr_destroy(&attributes);
    free(made);
    if (!failed) return 0;
    return err_set(err, "only %d of %d threads could be started: %s; raise ulimit -u (processes) or -v (address "
                        "space), lower ulimit -s or OMP_STACKSIZE (stacks), or set OMP_NUM_THREADS to fewer", n, threads,
                   strerror(failed));
}

/* ---- before main -------------------------------------------------------------------------------- */

/* Returns the first number of OMP_NUM_THREADS; 0 if it is not set, -1 if it is not a number within the limits. */
static int first_thread_count(const char *text)
{
    if (!text) return 0;
    long first = -1;
    for (const char *p = text;; ++p) {
        char *end;
        const long n = strtol(p, &end, 10);
        if (end == p || n < 1 || n > MOST_THREADS) return -1;
        if (first < 0) first = n;
        p = end + strspn(end, " \t");
        if (!*p) return (int)first;
        if (*p != ',') return -1;
    }
}

static int processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);
}

static void refuse(int status, const char *program, const char *text)
{
    const char *slash = strrchr(program, '/');
    dprintf(STDERR_FILENO, "%s: %s\n", slash ? slash + 1 : program, text);
    _exit(status);
}

static void check_start(int argc, char **argv, char **environment)
{
    environ = environment; /* the C library has not set it yet */
    signal(SIGXFSZ, SIG_IGN); /* write() then fails, and the caller removes the partial file */
    const char *program = argc > 0 ? argv[0] : "?", *told = getenv("OMP_NUM_THREADS");
    struct rlimit stack;
    err_t err;
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < (rlim_t)STACK_MIB << 20) {
        err_set(&err, "a stack of %llu KiB is too small: raise it to at least %d KiB with ulimit -s",
                (unsigned long long)stack.rlim_cur >> 10, STACK_MIB << 10);
        refuse(1, program, err.text);
    }
    int threads = first_thread_count(told);
    if (threads < 0) {
        err_set(&err, "OMP_NUM_THREADS: \"%s\" is not a whole number from 1 to %d", told, MOST_THREADS);
        refuse(EX_USAGE, program, err.text);
    }
    if (threads == 0) threads = processors();
    /* OpenMP and OpenBLAS each start threads - 1; the simulator starts one per processor, and one more. */
    if (try_threads(2 * (threads - 1) + processors() + 1, &err)) refuse(1, program, err.text);
}

/* Only .preinit_array runs before the constructors of the libraries, which create their threads. */
__attribute__((section(".preinit_array"), used)) static void (*at_start)(int, char **, char **) = check_start;
