/*
 * launch.cpp - one kernel launch: rejects invalid shapes, spreads blocks over OS threads, and waits.
 *
 * Blocks start in order.  A block whose threads only wait for other blocks (a flag, a
 * counter) is suspended and another one starts or continues, as long as no more blocks
 * are active than the GPU could hold at once.  With a seed the order is shuffled within
 * groups that fit the GPU, so that waiting for an earlier block always ends.
 */
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <system_error>
#include <thread>
#include "internal.hpp"
#include "simt_launch.h"

namespace simt {

/* ---- order of blocks ---- */

static uint64_t gcd(uint64_t a, uint64_t b) { return b ? gcd(b, a % b) : a; }

/* Returns the number of blocks that the GPU can hold at once, at least one.  It holds all blocks of a cooperative
   launch, because a larger launch has been rejected before. */
static uint64_t resident_blocks(const Launch &l)
{
    uint64_t threads = (uint64_t)l.block.x * l.block.y * l.block.z;
    const uint64_t blocks = std::max<uint64_t>(1, std::min<uint64_t>(32, 2048 / threads)) * (uint64_t)settings.sm_count;
    return std::max<uint64_t>(blocks, l.cooperative ? l.n_blocks : l.cluster_size);
}

/* Returns the number of the i-th block to start. */
static uint64_t order(const Launch &l, uint64_t i, uint64_t window)
{
    if (!l.seed)
        return i;
    const uint64_t all = l.n_blocks / l.cluster_size;     /* clusters, mostly of one block */
    uint64_t from = i / window * window, n = std::min(window, all - from);
    uint64_t step = l.order_step % n;
    while (gcd(step, n) != 1)
        ++step;
    return from + (l.order_start + (i - from) * step) % n;
}

/* ---- the work of each OS thread ---- */

/* Reports that all remaining threads wait for values that no thread will write; t is one of them. */
static void report_waiting(Thread *t)
{
    const Thread::Spin &s = t->spin[(t->spin_next + 3) % 4];
    if (is_managed(s.address) || is_pinned(s.address))
        return report_fault(t, cudaErrorLaunchTimeout, program_base() + s.pc,
                            "every remaining thread waits for a value that the host may write later: in the simulator "
                            "the host continues only after the kernel",
                            "on a GPU both run at the same time; here a host thread that was started before the launch "
                            "can write the value");
    report_fault(t, cudaErrorLaunchTimeout, program_base() + s.pc,
                 "endless loop: every remaining thread waits for a value that no thread will write",
                 "which thread should write it?  a block may only wait for blocks that have started before it");
}

/* Reports an endless wait if this OS thread has waited for a second of processor time without progress of any thread.
   Processor time is measured because the program may be stopped, or the machine so busy that other OS threads do not
   run. */
static void wait_for_others(Launch *l, Block *b, uint64_t *seen, timespec *since)
{
    if (unchecked()) {          /* waiting threads cannot be distinguished from working ones */
        std::this_thread::yield();
        return;
    }
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    uint64_t p = l->progress.load(std::memory_order_relaxed);
    if (p != *seen) {
        *seen = p;
        *since = now;
    } else if ((double)(now.tv_sec - since->tv_sec) + 1e-9 * (double)(now.tv_nsec - since->tv_nsec) >= 1) {
        Thread *t = nullptr;
        for (uint32_t i = b->n_threads; i-- > 0;)
            if (b->threads[i].warp->spinning >> b->threads[i].lane & 1)
                t = &b->threads[i];
        if (t)
            report_waiting(t);
    }
    std::this_thread::yield();
}

static void run_blocks(Worker *w, Launch *l, int n_workers)
{
    worker = w;
    w->epoch_next = w->epoch_end = 0;
    std::deque<Block *> parked;
    const uint64_t resident = resident_blocks(*l);
    const size_t most_parked = std::max<uint64_t>(1, resident / n_workers);
    const uint64_t window = std::max<uint64_t>(1, resident / 2);
    uint64_t seen = UINT64_MAX;
    timespec since = {};
    size_t waited = 0;
    while (!l->aborted.load(std::memory_order_relaxed)) {
        Block *b = nullptr;
        if (parked.size() < most_parked) {
            uint64_t i = l->next_block.fetch_add(1);
            if (i < l->n_blocks && l->cluster_size == 1) {
                b = block_new(w);
                block_start(b, l, order(*l, i, window));
            } else if (i < l->n_blocks) {
                const uint64_t size = l->cluster_size, clusters = std::max<uint64_t>(1, window / size);
                i = order(*l, i / size, clusters) * size + i % size;
                b = cluster_block(w, l, i);
                block_start(b, l, cluster_linear(*l, i));
            }
        }
        if (!b) {
            if (parked.empty())
                break;
            auto next = parked.begin();
            uint32_t warp;
            if (l->turns)
                for (auto p = parked.begin(); p != parked.end(); ++p)
                    if (block_turn(*p, &warp) < block_turn(*next, &warp))
                        next = p;
            b = *next;
            parked.erase(next);
        }
        counting = l->counting && b->linear % l->sample == 0;
        switch (block_run(b)) {
        case BLOCK_DONE:
            block_finish(b);
            l->progress.fetch_add(1, std::memory_order_relaxed);
            waited = 0;
            break;
        case BLOCK_ABORTED:
            block_abandon(b);
            break;
        case BLOCK_SPINS:
            parked.push_back(b);
            if (++waited > parked.size())
                wait_for_others(l, b, &seen, &since);
            break;
        }
    }
    for (Block *b : parked)
        block_abandon(b);
    clusters_abandon(l, w);
    worker = nullptr;
    current = nullptr;
}

/* ---- the pool of OS threads ---- */

/* Worker 0 is the host thread; the others sleep between launches. */
struct Pool {
    std::mutex lock;
    std::condition_variable work, done;
    std::vector<Worker *> workers;
    std::vector<std::thread> threads;
    Launch *launch = nullptr;
    int wanted = 0, running = 0;
    uint64_t generation = 0;
    bool stop = false;

    ~Pool()
    {
        {
            std::lock_guard<std::mutex> hold(lock);
            stop = true;
        }
        work.notify_all();
        for (std::thread &t : threads)
            t.join();
        for (Worker *w : workers) {
            for (Block *b : w->spare)
                block_delete(b);
            for (Carrier *c : w->carriers)
                carrier_delete(c);
            delete w;
        }
    }

    void serve(int number)
    {
        use_signal_stack();
        uint64_t served = 0;
        std::unique_lock<std::mutex> hold(lock);
        for (;;) {
            work.wait(hold, [&] { return stop || generation != served; });
            if (stop)
                return;
            served = generation;
            if (number >= wanted)
                continue;
            Launch *l = launch;
            int n = wanted;
            hold.unlock();
            run_blocks(workers[number], l, n);
            hold.lock();
            if (--running == 0)
                done.notify_one();
        }
    }

    void run(Launch *l, int n)
    {
        static thread_local bool has_stack;
        if (!has_stack)
            use_signal_stack();
        has_stack = true;
        catch_signals();
        std::unique_lock<std::mutex> hold(lock);
        while ((int)workers.size() < n) {
            workers.push_back(new Worker);
            int number = (int)workers.size() - 1;
            try {
                if (number > 0)
                    threads.emplace_back([this, number] { serve(number); });
            } catch (const std::system_error &) {   /* the system refused a thread: use fewer */
                delete workers.back();
                workers.pop_back();
                n = number;
            }
        }
        launch = l;
        wanted = n;
        running = n - 1;
        if (running > 0) {
            ++generation;
            work.notify_all();
        }
        hold.unlock();
        run_blocks(workers[0], l, n);
        hold.lock();
        done.wait(hold, [&] { return running == 0; });
    }
};

static Pool pool;

/* ---- a launch ---- */

static std::string what_is_wrong(dim3 grid, dim3 block, size_t shared_bytes, size_t shared_limit)
{
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        return format("the grid (%u,%u,%u) is empty", grid.x, grid.y, grid.z);
    if (threads == 0)
        return format("the block (%u,%u,%u) is empty", block.x, block.y, block.z);
    if (threads > MAX_THREADS || block.x > 1024 || block.y > 1024 || block.z > 64)
        return format("the block (%u,%u,%u) is too large: use at most 1024 threads, and 64 in z", block.x, block.y,
                      block.z);
    if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
        return format("the grid (%u,%u,%u) is too large, at most 2^31-1, 65535 and 65535", grid.x, grid.y, grid.z);
    if ((uint64_t)grid.x * grid.y * grid.z > 0x7fffffffu)  /* every block needs an epoch (epochs.cpp) */
        return format("the grid (%u,%u,%u) has more than 2^31-1 blocks, a limit of the simulator", grid.x, grid.y,
                      grid.z);
    if (shared_bytes > shared_limit)
        return format("%zu bytes of dynamic shared memory, but the limit is %zu%s", shared_bytes, shared_limit,
                      shared_bytes <= SHARED_OPT_IN ? " without cudaFuncSetAttribute" : "");
    return "";
}

/* Returns whether a GPU would accept the launch; if not, reports why. */
static bool may_launch(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes, size_t limit)
{
    const std::string wrong = what_is_wrong(grid, block, shared_bytes, limit);
    const unsigned threads = block.x * block.y * block.z, most = most_threads(kernel);
    if (!wrong.empty())
        report_launch(name, cudaErrorInvalidConfiguration, wrong);
    else if (threads > most)
        report_launch(name, cudaErrorInvalidValue,
                      format("the block has %u threads, and the kernel has __launch_bounds__(%u)", threads, most));
    return wrong.empty() && threads <= most;
}

/* ---- launches by kernels ---- */

/* A launch by a kernel.  It waits until the launches before it have ended, so that it sees the writes of its parent. */
using Child = std::function<void()>;
static std::mutex children_lock;
static std::deque<Child> children;
static std::map<int, std::deque<Child>> tails;      /* launches into cudaStreamTailLaunch, by their parents' depth */
static int depth;                                   /* of the running kernel; 0: launched by the host */
static Parent parent;                               /* the parent of the next launched kernel */
static std::recursive_mutex host_lock;      /* serializes launches by several host threads */
std::unique_lock<std::recursive_mutex> host_turn() { return std::unique_lock<std::recursive_mutex>(host_lock); }

static void run_children()
{
    static bool running;
    if (running)
        return;
    running = true;
    while (!children.empty() || !tails.empty()) {
        std::deque<Child> &next = children.empty() ? tails.rbegin()->second : children;
        const Child c = std::move(next.front());
        next.pop_front();
        if (next.empty() && &next != &children)
            tails.erase(std::prev(tails.end()));
        c();
    }
    running = false;
}

void after_kernel(std::function<void()> work, bool tail)
{
    leaves_something();
    std::lock_guard<std::mutex> hold(children_lock);
    (tail ? tails[depth] : children).push_back(std::move(work));
}

/* Takes epochs for the launch, and determines which earlier launches, also of other streams, it is ordered after. */
static void take_epochs(Launch *l)
{
    bool wrapped;
    l->first_epoch = first_epoch_of_launch(l->n_blocks, &wrapped);
    if (wrapped) {
        region_forget_tags(heap);
        region_forget_tags(program);
        region_forget_tags(managed);
        order_forget();
        repeats_forget();
        for (Worker *w : pool.workers)
            for (Block *b : w->spare)
                region_forget_tags(b->shared);
    }
    if (!unchecked()) {
        l->order = order_begin(l->first_epoch, l->name);
        l->unknown_from = l->order.unknown_from;
        l->parent = parent;
        if (parent.epoch)
            l->unknown_from = std::min(l->unknown_from, parent.epoch);
    }
    l->over = std::min(l->first_epoch, l->unknown_from);
}

static thread_local bool cooperative;       /* whether the next launch is cooperative */

cooperative_scope::cooperative_scope(bool asked) : before(cooperative) { cooperative = asked; }
cooperative_scope::~cooperative_scope() { cooperative = before; }

/* Determines the cluster size.  Returns false after a report if a GPU does not allow this size. */
static bool take_cluster(Launch *l, const void *kernel)
{
    const uint3 size = cluster_of(l->name);
    if (!size.x || size.x * size.y * size.z == 1)
        return true;
    l->cluster = size;
    l->cluster_size = size.x * size.y * size.z;
    const std::string wrong = wrong_cluster(*l, kernel);
    if (!wrong.empty())
        report_launch(l->name, cudaErrorInvalidClusterSize, wrong);
    return wrong.empty();
}

} // namespace simt

using namespace simt;

void simt_run_child(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                    void (*call)(const void *), const void *args, size_t bytes, cudaStream_t stream)
{
    std::vector<max_align_t> kept((bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t));
    memcpy((void *)kept.data(), args, bytes);
    const int deeper = depth + 1;
    const bool tail = stream == cudaStreamTailLaunch;
    Parent by;
    if (!unchecked() && !tail) {
        Block *b = current->block;
        new_epoch(b);
        by = {b->launch->order, b->epoch, (uint32_t)b->linear, current->id};
    }
    after_kernel([=] {
        depth = deeper;
        parent = by;
        simt_run_grid(name, kernel, grid, block, shared_bytes, call, kept.data(), 0);
        parent = {};
        depth = 0;
    }, tail);
}

/* Copies the settings that apply to a launch. */
static void take_settings(Launch *l, const void *kernel)
{
    l->counting = settings.counting && !in_library;
    l->cooperative = cooperative;
    l->turns = settings.turns;
    l->checks = settings.checks;
    l->trace = settings.counting ? settings.trace : 0;
    l->way = way_launch(*l, kernel);
    l->sample = l->way || settings.film ? 1 : settings.sample;
    film_launch(l);
    l->seed = settings.seed;
    l->step_limit = in_library ? UINT64_MAX : settings.step_limit;
    l->order_step = (settings.seed * 0x9e3779b97f4a7c15ull >> 40) | 1;
    l->order_start = settings.seed * 0xbf58476d1ce4e5b9ull >> 40;
}

void simt_run_grid(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                   void (*call)(const void *), const void *args, size_t bytes)
{
    if (current)
        fault(current, cudaErrorNotSupported, (uintptr_t)__builtin_return_address(0), "a kernel launches a kernel",
              "the simulator runs that only for programs built by simtcc");
    std::lock_guard<std::recursive_mutex> one_after_the_other(host_lock);
    memory_init();
    if (sticky_error() != cudaSuccess || disturbs_captures(LEGACY_WORK))
        return;
    if ((kernel && !may_enter(kernel)) || !may_enter((const void *)call)) {
        report_launch(name, cudaErrorInvalidDeviceFunction, "the launched function is not a kernel of this file");
        return;
    }
    const char *pointers = nullptr;
    if (*name == '\t') {        /* "\tin,sums\tk", from translate/launches.c */
        pointers = name + 1;
        name = strrchr(name, '\t') + 1;
    }
    const size_t limit = std::max(SHARED_DEFAULT, shared_opt_in(kernel));
    if (!may_launch(name, kernel, grid, block, shared_bytes, limit))
        return;
    Launch l;
    l.name = name;
    l.grid = grid;
    l.block = block;
    l.n_blocks = (uint64_t)grid.x * grid.y * grid.z;
    if (!take_cluster(&l, kernel))
        return;
    l.dynamic_bytes = shared_bytes;
    l.shared_limit = limit > SHARED_DEFAULT ? SHARED_OPT_IN : SHARED_DEFAULT;    /* static and dynamic together */
    l.call = call;
    l.args = args;
    l.args_bytes = bytes_of_arguments(args, bytes);
    l.pointers = pointers;
    l.pointers_bytes = confined ? l.args_bytes : bytes;
    take_settings(&l, kernel);
    take_epochs(&l);

    int n = settings.workers ? settings.workers : (int)std::max(1u, std::thread::hardware_concurrency());
    n = l.turns || l.cluster_size > 1 ? 1 : (int)std::min<uint64_t>(n, l.n_blocks);
    l.alone = n == 1;
    Repetition repetition(&l, kernel, bytes);
    if (!repetition.again(pool.workers)) {
        const double begin = seconds_now();
        heap_open();
        pool.run(&l, n);
        forget_one_stores();
        settle(0, SIZE_MAX, true);
        repetition.over(seconds_now() - begin, pool.workers);
        heap_close();
    }
    if (!in_library)
        counts_add(pool.workers, l);
    run_children();
}

int simt_is_cooperative(void) { return !current || current->block->launch->cooperative; }

void simt_no_grid(void)
{
    fault(current, cudaErrorLaunchFailure, (uintptr_t)__builtin_return_address(0),
          "grid.sync() in a kernel that was not launched cooperatively",
          "launch it by cudaLaunchCooperativeKernel, with as many blocks as the GPU holds at once; a GPU traps here");
}
