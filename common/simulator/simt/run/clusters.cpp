/*
 * clusters.cpp - thread block clusters: blocks that run at the same time and reach each other's shared memory.
 *
 * The blocks of such a launch run on one OS thread, the clusters one after the other.  The shared memory of all blocks
 * of a cluster has the same layout and exists until the last block has ended.  Accesses to it are ordered by the same
 * rules as accesses to global memory (races.hpp); a cluster's barrier is a release and an acquire.
 */
#include <algorithm>
#include <cstring>
#include "internal.hpp"

namespace simt {

struct Cluster {
    uint64_t number;
    std::vector<Block *> blocks;                /* indexed by rank */
    std::vector<char> begun;
    unsigned n_begun = 0, n_over = 0;
    /* The cluster's barrier: threads that have arrived, threads that have not ended, how often it has opened, and the
       launch's clock when it last opened. */
    uint64_t came = 0, left, phase = 0, opened = 0;
};

/* ---- the size of clusters ---- */

static std::mutex lock;
static std::unordered_map<std::string, uint3> declared;         /* __cluster_dims__, by the kernel's name */
static std::set<const void *> not_portable;                     /* kernels whose clusters may have more than 8 blocks */
static thread_local uint3 wanted;                               /* the launch's attribute; x = 0: it has none */

cluster_scope::cluster_scope(uint3 size) : before(wanted) { wanted = size; }
cluster_scope::~cluster_scope() { wanted = before; }

void allow_large_clusters(const void *kernel, bool allowed)
{
    std::lock_guard<std::mutex> hold(lock);
    if (allowed)
        not_portable.insert(kernel);
    else
        not_portable.erase(kernel);
}

bool large_clusters(const void *kernel)
{
    std::lock_guard<std::mutex> hold(lock);
    return kernel ? not_portable.count(kernel) != 0 : !not_portable.empty();
}

/* Returns "k" for "space::k<float>". */
static std::string last_name(std::string name)
{
    name.erase(std::min(name.find('<'), name.size()));
    const size_t space = name.rfind("::");
    return space == std::string::npos ? name : name.substr(space + 2);
}

uint3 cluster_of(const char *kernel)
{
    std::lock_guard<std::mutex> hold(lock);
    if (wanted.x || declared.empty())
        return wanted;
    auto found = declared.find(last_name(kernel));
    return found == declared.end() ? uint3{0, 0, 0} : found->second;
}

std::string wrong_cluster(const Launch &l, const void *kernel)
{
    const uint3 c = l.cluster;
    const uint64_t size = (uint64_t)c.x * c.y * c.z;
    if (size == 0 || l.grid.x % c.x || l.grid.y % c.y || l.grid.z % c.z)
        return format("the grid (%u,%u,%u) is not made of clusters of (%u,%u,%u) blocks", l.grid.x, l.grid.y, l.grid.z,
                      c.x, c.y, c.z);
    if (size > 16)
        return format("a cluster of %llu blocks: a GPU allows at most 16", (unsigned long long)size);
    if (size > 8 && !large_clusters(kernel))
        return format("a cluster of %llu blocks: more than 8 need cudaFuncAttributeNonPortableClusterSizeAllowed",
                      (unsigned long long)size);
    return "";
}

/* ---- blocks of a cluster ---- */

/* Block i has rank i % cluster_size in cluster i / cluster_size. */
uint64_t cluster_linear(const Launch &l, uint64_t i)
{
    const uint3 c = l.cluster;
    const uint64_t rank = i % l.cluster_size, number = i / l.cluster_size, wide = l.grid.x / c.x, high = l.grid.y / c.y;
    const uint64_t x = number % wide * c.x + rank % c.x, y = number / wide % high * c.y + rank / c.x % c.y;
    const uint64_t z = number / wide / high * c.z + rank / c.x / c.y;
    return (z * l.grid.y + y) * l.grid.x + x;
}

Block *cluster_block(Worker *w, Launch *l, uint64_t i)
{
    const uint64_t number = i / l->cluster_size;
    Cluster *&c = l->clusters[number];
    if (!c) {
        c = new Cluster;
        c->number = number;
        c->begun.resize(l->cluster_size);
        c->left = (uint64_t)l->cluster_size * l->block.x * l->block.y * l->block.z;
        for (uint32_t rank = 0; rank < l->cluster_size; ++rank) {
            c->blocks.push_back(block_new(w));
            c->blocks.back()->cluster = c;
            c->blocks.back()->rank = rank;
        }
    }
    return c->blocks[i % l->cluster_size];
}

/* Returns the same variable in the shared memory of another block of the cluster. */
static SharedVariable moved(SharedVariable v, const Block *from, const Block *to)
{
    v.address = v.address - from->shared_base + to->shared_base;
    return v;
}

void cluster_begin(Block *b)
{
    Cluster *c = b->cluster;
    for (size_t rank = 0; rank < c->blocks.size(); ++rank)
        if (c->begun[rank]) {
            for (const SharedVariable &v : c->blocks[rank]->variables)
                add_variable(b, moved(v, c->blocks[rank], b));
            break;
        }
    c->begun[b->rank] = 1;
    ++c->n_begun;
}

void cluster_variable(Block *b, const SharedVariable &v)
{
    for (Block *other : b->cluster->blocks)
        if (other != b && b->cluster->begun[other->rank])
            add_variable(other, moved(v, b, other));
}

static void give_back(Cluster *c, Worker *w)
{
    for (Block *b : c->blocks) {
        b->cluster = nullptr;
        w->spare.push_back(b);
    }
    delete c;
}

void cluster_block_over(Block *b)
{
    Cluster *c = b->cluster;
    b->ended = true;
    if (++c->n_over < c->blocks.size())
        return;
    b->launch->clusters.erase(c->number);
    give_back(c, b->worker);
}

void clusters_abandon(Launch *l, Worker *w)
{
    for (auto &c : l->clusters)
        give_back(c.second, w);
    l->clusters.clear();
}

Block *block_of_shared(const Thread *t, uintptr_t a)
{
    Block *b = t->block;
    if (b->shared.contains(a))
        return b;
    if (b->cluster)
        for (Block *other : b->cluster->blocks)
            if (other->shared.contains(a))
                return other;
    return nullptr;
}

static std::string block_text(const Block *b)
{
    const Launch *l = b->launch;
    const uint64_t n = b->cluster->number * l->cluster_size + b->rank, linear = cluster_linear(*l, n);
    return format("block (%u,%u,%u)", (unsigned)(linear % l->grid.x), (unsigned)(linear / l->grid.x % l->grid.y),
                  (unsigned)(linear / l->grid.x / l->grid.y));
}

/* Faults if block b has not started or has ended: then its shared memory does not exist. */
void cluster_reach(Thread *t, Block *b, uintptr_t pc)
{
    if (b == t->block)
        return;
    if (!b->cluster->begun[b->rank]) {
        b->launch = t->block->launch;
        fault(t, cudaErrorIllegalAddress, pc, "shared memory of " + block_text(b) + ", which may not have begun",
              "a cluster.sync() before the first access: only then all blocks of the cluster are there");
    }
    if (b->ended)
        fault(t, cudaErrorIllegalAddress, pc, "shared memory of " + block_text(b) + ", which has ended",
              "a cluster.sync() behind the last access, before any block of the cluster ends");
}

/* ---- the barrier ---- */

static void arrive(Launch *l, Cluster *c, uint64_t n)
{
    c->came += n;
    if (c->came < c->left || c->left == 0)
        return;
    c->came = 0;
    c->opened = l->clock.fetch_add(1) + 1;
    ++c->phase;
}

void cluster_thread_over(const Thread *t)
{
    Cluster *c = t->block->cluster;
    --c->left;
    arrive(t->block->launch, c, 0);
}

/* Acquires the releases before the barrier opened, but no later ones, which the barrier does not order. */
static void wait_for(Thread *t, uint64_t phase, uintptr_t pc)
{
    const Cluster *c = t->block->cluster;
    while (c->phase == phase) {
        if (t->block->launch->aborted.load(std::memory_order_relaxed))
            leave_kernel();
        if (unchecked())
            spin_here(t);
        else
            note_polled_value(t, (uintptr_t)&c->phase, phase, false, pc);
    }
    t->acquired = std::max(t->acquired, c->opened);
    t->block->acquired.store(std::max(t->block->acquired.load(), c->opened), std::memory_order_relaxed);
}

static bool is_first(const Thread *t)
{
    for (const Warp &w : t->block->warps)
        if (w.exist & ~w.done)
            return t->id == w.first + (uint32_t)__builtin_ctz(w.exist & ~w.done);
    return false;
}

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

int simt_in_clusters(const char *kernel, unsigned x, unsigned y, unsigned z)
{
    std::lock_guard<std::mutex> hold(lock);
    declared[kernel] = {x, y, z};
    return 0;
}

uint3 simt_cluster_dim(void)
{
    const Launch *l = current->block->launch;
    return current->block->cluster ? l->cluster : uint3{1, 1, 1};
}

void *simt_cluster_map(const void *p, unsigned rank)
{
    Thread *t = current;
    const Block *from = block_of_shared(t, (uintptr_t)p);
    const unsigned size = t->block->cluster ? (unsigned)t->block->cluster->blocks.size() : 1;
    if (!from)
        fault(t, cudaErrorIllegalAddress, PC, format("the address %p is not of shared memory", p),
              "only shared memory can be mapped to another block of the cluster");
    if (rank >= size)
        fault(t, cudaErrorIllegalAddress, PC, format("shared memory of block %u of a cluster of %u blocks", rank, size),
              "ranks begin with 0: was the kernel launched with a cluster?");
    const Block *to = t->block->cluster ? t->block->cluster->blocks[rank] : from;
    return (char *)const_cast<void *>(p) + (to->shared_base - from->shared_base);
}

unsigned simt_cluster_rank_of(const void *p)
{
    const Block *b = block_of_shared(current, (uintptr_t)p);
    if (!b)
        fault(current, cudaErrorIllegalAddress, PC, format("the address %p is not of shared memory", p),
              "only shared memory is of a block of the cluster");
    return b->cluster ? b->rank : 0;
}

void simt_cluster_arrive(void)
{
    Thread *t = current;
    if (!t->block->cluster) {
        barrier_at(0, PC);
        return;
    }
    t->cluster_phase = t->block->cluster->phase;
    if (!unchecked()) {
        simt_fence(1);
        release(t);
    }
    arrive(t->block->launch, t->block->cluster, 1);
}

void simt_cluster_wait(void)
{
    if (current->block->cluster)
        wait_for(current, current->cluster_phase, PC);
}

/* Executes a block barrier; then the first thread arrives at the cluster's barrier for the whole block and waits there;
   then another block barrier. */
void simt_cluster_sync(void)
{
    const uintptr_t pc = PC;
    barrier_at(0, pc);
    Thread *t = current;
    if (!t->block->cluster)
        return;
    if (is_first(t)) {
        const uint64_t phase = t->block->cluster->phase;
        if (!unchecked()) {
            simt_fence(1);
            release(t);
        }
        arrive(t->block->launch, t->block->cluster, t->block->n_live);
        wait_for(t, phase, pc);
    }
    barrier_at(0, pc);
}
