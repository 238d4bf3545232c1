/*
 * cpu_pool.c - see cpu_pool.h.
 *
 * A job is published in a slot, which has the work and a claim for each part.  A claim holds the job's number until a
 * thread takes the part.  Slots are static and numbers are used once, so a late thread finds nothing to claim, and
 * touches nothing that has ended.  Threads look for new jobs for a while, then they sleep.
 *
 * When 16 threads meet, the time goes into cache lines that move from one processor to another.  So each part reports
 * its end in the cache line of its claim: a counter for all would move to each thread in turn.  And a thread that has
 * done its part waits a little before it looks at the claims of the others.
 */
#include "cpu_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum {
    SLOTS = 8,              /* jobs at once; if no slot is free, the caller does its job alone */
    CACHE_LINE = 64,
    STACK_BYTES = 1 << 20,  /* stack of a thread, whatever the program's limit is */
    PATIENCE = 32,          /* polls for a new job before a thread polls the claims of other threads: 1 to 2 us */
    AT_ONCE = 3,            /* threads that one thread wakes before it begins its own work */
    SPINS = 300000,         /* polls before a thread sleeps: some milliseconds, as in libgomp */
    SPINS_BESIDE = 20000    /* the same if the program also has threads of OpenMP, which need the processors */
};

typedef struct claim {
    alignas(CACHE_LINE) atomic_uint_fast64_t job; /* 0 if the part was taken */
    atomic_uint_fast64_t done;                    /* the last job whose part of this number is done */
} claim_t;

typedef struct slot {
    alignas(CACHE_LINE) atomic_uint_fast64_t job; /* 0 if nothing can be claimed */
    atomic_int parts;
    atomic_bool busy, caller_sleeps;
    void (*work)(void *context, int part);
    void *context;
    claim_t claims[POOL_PARTS];
} slot_t;

/* Weak symbols: they are defined only if the program uses OpenMP. */
extern int omp_get_max_threads(void) __attribute__((weak));
extern int omp_in_parallel(void) __attribute__((weak));

static slot_t slots[SLOTS];
static atomic_uint_fast64_t last_number;
static alignas(CACHE_LINE) atomic_uint_fast64_t published; /* grows with each job */
static alignas(CACHE_LINE) atomic_int threads, sleepers;    /* without the callers */
static atomic_int spins;
static atomic_bool refused;                                 /* the system refused a thread */
static pthread_mutex_t growing = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER; /* lock: for sleeping */
static pthread_cond_t new_job = PTHREAD_COND_INITIALIZER, job_done = PTHREAD_COND_INITIALIZER;

static void relax(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/* ---- parts -------------------------------------------------------------------------------------- */

/* Does a part of job `number`, unless another thread has taken it. */
static void try_part(slot_t *s, uint_fast64_t number, int part)
{
    claim_t *const claim = &s->claims[part];
    uint_fast64_t expected = number;
    if (atomic_load_explicit(&claim->job, memory_order_relaxed) != number) return;
    if (!atomic_compare_exchange_strong(&claim->job, &expected, 0)) return;
    s->work(s->context, part);
    atomic_exchange(&claim->done, number); /* not a store: in emulators of AArch64 the next load may overtake it */
    if (!atomic_load(&s->caller_sleeps)) return;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&job_done);
    pthread_mutex_unlock(&lock);
}

/* Of each job, does the part with the thread's own number. */
static void own_parts(int thread)
{
    for (slot_t *s = slots; s < slots + SLOTS; ++s) {
        const uint_fast64_t number = atomic_load_explicit(&s->job, memory_order_acquire);
        if (number && thread < atomic_load_explicit(&s->parts, memory_order_relaxed)) try_part(s, number, thread);
    }
}

/* Does the parts of all jobs that no thread has taken. */
static void others_parts(int thread)
{
    for (slot_t *s = slots; s < slots + SLOTS; ++s) {
        const uint_fast64_t number = atomic_load_explicit(&s->job, memory_order_acquire);
        const int parts = atomic_load_explicit(&s->parts, memory_order_relaxed);
        for (int k = 0; number && k < parts; ++k) try_part(s, number, (thread + k) % parts);
    }
}

/* ---- threads ------------------------------------------------------------------------------------ */

/* Wakes up to `most` threads, as long as all jobs together need more threads than are awake.  Waking one takes a system
 * call, up to ten microseconds in a virtual machine. */
static void wake(int most)
{
    const int asleep = atomic_load(&sleepers);
    if (asleep == 0) return;
    int wanted = asleep - atomic_load(&threads);
    for (slot_t *s = slots; s < slots + SLOTS; ++s)
        if (atomic_load(&s->job)) wanted += atomic_load(&s->parts) - 1;
    if (wanted <= 0) return;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < wanted && i < asleep && i < most; ++i) pthread_cond_signal(&new_job);
    pthread_mutex_unlock(&lock);
}

static bool nothing_new(uint_fast64_t seen, int looks)
{
    for (; looks > 0 && atomic_load(&published) == seen; --looks) relax();
    return atomic_load(&published) == seen;
}

static void *serve(void *number)
{
    const int thread = (int)(intptr_t)number;
    for (;;) {
        const uint_fast64_t seen = atomic_load(&published);
        own_parts(thread);
        if (!nothing_new(seen, PATIENCE)) continue;
        others_parts(thread);
        if (!nothing_new(seen, atomic_load(&spins))) continue;
        pthread_mutex_lock(&lock);
        atomic_fetch_add(&sleepers, 1);
        while (atomic_load(&published) == seen) pthread_cond_wait(&new_job, &lock);
        atomic_fetch_sub(&sleepers, 1);
        pthread_mutex_unlock(&lock);
        wake(AT_ONCE);
    }
    return NULL;
}

/* Called in a child after fork, which has none of its parent's threads. */
static void forget_threads(void)
{
    growing = lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    new_job = job_done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    for (slot_t *s = slots; s < slots + SLOTS; ++s) {
        atomic_store(&s->job, 0);
        atomic_store(&s->busy, false);
    }
    atomic_store(&threads, 0);
    atomic_store(&sleepers, 0);
    atomic_store(&refused, false);
}

static int processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    const long n = sysconf(_SC_NPROCESSORS_ONLN); /* for more processors than a cpu_set_t has room for */
    return n > 0 ? (int)n : 1;
}

/* Starts a thread that receives no signals, because they are for the program's threads. */
static bool start_thread(int number)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes)) return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                         pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
                         pthread_create(&thread, &attributes, serve, /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
                                        (void *)(intptr_t)number) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* Starts threads up to that number, unless another thread is starting some. */
static void grow(int wanted)
{
    static bool told_of_forks;
    if (pthread_mutex_trylock(&growing)) return;
    if (!told_of_forks) told_of_forks = pthread_atfork(NULL, NULL, forget_threads) == 0;
    while (told_of_forks && atomic_load(&threads) < wanted && start_thread(atomic_load(&threads) + 1))
        atomic_fetch_add(&threads, 1);
    atomic_store(&refused, atomic_load(&threads) < wanted);
    const char *policy = getenv("OMP_WAIT_POLICY");
    const bool sleep = atomic_load(&threads) >= processors() || (policy && strcasecmp(policy, "passive") == 0);
    atomic_store(&spins, sleep ? 0 : omp_get_max_threads ? SPINS_BESIDE : SPINS);
    pthread_mutex_unlock(&growing);
}

void cpu_pool_retry(void) { atomic_store(&refused, false); }

/* ---- jobs --------------------------------------------------------------------------------------- */

static slot_t *take_slot(void)
{
    for (slot_t *s = slots; s < slots + SLOTS; ++s)
        if (!atomic_load_explicit(&s->busy, memory_order_relaxed) && !atomic_exchange(&s->busy, true)) return s;
    return NULL;
}

/* Returns the first part, beginning at `p`, that is not done; `parts` if all are done. */
static int first_undone(slot_t *s, uint_fast64_t number, int p, int parts)
{
    while (p < parts && atomic_load(&s->claims[p].done) == number) ++p;
    return p;
}

static void wait_for(slot_t *s, uint_fast64_t number, int parts)
{
    int p = first_undone(s, number, 0, parts);
    for (int i = atomic_load(&spins); i > 0 && p < parts; --i) {
        relax();
        p = first_undone(s, number, p, parts);
    }
    if (p == parts) return;
    pthread_mutex_lock(&lock);
    atomic_exchange(&s->caller_sleeps, true); /* not a store here either, or the caller might sleep forever */
    while ((p = first_undone(s, number, p, parts)) < parts) pthread_cond_wait(&job_done, &lock);
    atomic_store(&s->caller_sleeps, false);
    pthread_mutex_unlock(&lock);
}

void cpu_pool_run(int parts, bool large, void (*work)(void *context, int part), void *context)
{
    const bool alone = parts == 1 || (omp_in_parallel && omp_in_parallel()); /* OpenMP's threads are busy */
    if (!alone && atomic_load(&threads) < parts - 1 && !atomic_load(&refused)) grow(parts - 1);
    slot_t *const s = alone || atomic_load(&threads) == 0 ? NULL : take_slot();
    if (!s) {
        for (int p = 0; p < parts; ++p) work(context, p);
        return;
    }
    const uint_fast64_t number = atomic_fetch_add(&last_number, 1) + 1;
    s->work = work;
    s->context = context;
    atomic_store(&s->parts, parts);
    for (int p = 0; p < parts; ++p) atomic_store_explicit(&s->claims[p].job, number, memory_order_relaxed);
    atomic_store(&s->job, number);
    atomic_fetch_add(&published, 1);
    wake(large ? parts : AT_ONCE);
    for (int p = 0; p < parts; ++p) try_part(s, number, p);
    atomic_store(&s->job, 0);
    wait_for(s, number, parts);
    atomic_store(&s->busy, false);
}

int cpu_pool_threads(void)
{
    if (omp_get_max_threads) return omp_get_max_threads();
    const char *told = getenv("OMP_NUM_THREADS");
    const long n = told ? strtol(told, NULL, 10) : 0; /* the first number if it is a list */
    return n > 0 ? (int)(n < POOL_PARTS ? n : POOL_PARTS) : processors();
}
