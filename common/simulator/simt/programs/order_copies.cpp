/* order_copies.cpp - the checks of copies: a copy leaves a mark in each word that it touches, and reports marks of
 * operations on which it may not rely. */
#include <algorithm>
#include <cstring>
#include "check/glance.hpp"
#include "order.hpp"

namespace simt {

const Region *region_of(uintptr_t a)
{
    for (const Region *r : {&heap, &program, &managed})
        if (r->contains(a))
            return r;
    return nullptr;
}

const char *const order_hint = "let the later stream wait for an event behind the first (cudaEventRecord, "
                               "cudaStreamWaitEvent), use one stream for both, or synchronise between them; in a graph, "
                               "let one node depend on the other";

const char *const staged_hint = "a stream that does not block (cudaStreamNonBlocking) does not wait for it: call "
                                "cudaDeviceSynchronize first, or copy by cudaMemcpyAsync in that stream";

/* The host continues as soon as the driver has buffered the data, which may be before the copy is complete. */
static bool is_staged(const CopyPlan &plan)
{
    const auto on_gpu = [](const void *p) { return heap.contains((uintptr_t)p) && !is_managed((uintptr_t)p); };
    return plan.operation == COPIES && plan.waits && plan.from && on_gpu(plan.to) &&
           !region_of((uintptr_t)plan.from) && !is_pinned((uintptr_t)plan.from);
}

/* Whether the target already contains every byte of the source.  Then other writers have written the same values,
 * and readers get the same values with or without the copy. */
static bool changes_nothing(const CopyPlan &plan)
{
    if (!plan.to || !plan.from)
        return false;
    for (size_t i = 0; i < plan.rows; ++i) {
        const char *to = plan.to + i * plan.to_pitch, *from = plan.from + i * plan.from_pitch;
        copy_window open(to, plan.width, from, plan.width);
        if (memcmp(to, from, plan.width) != 0)
            return false;
    }
    return true;
}

/* Checks one word of a copy, which touches the bytes named in the mark.  True if the copy races with the operation
 * that left the word's earlier mark. */
static bool copy_word(Cell &c, uintptr_t a, const Order &order, AccessKind k, uint64_t tag, const CopyPlan &plan,
                      uintptr_t pc)
{
    bool raced = false;
    for (const uint64_t other : {c.write, k == WRITE ? c.read : 0}) {
        const bool wrote = other == c.write;
        std::string who;
        if (raced || !(bytes_of(other) & bytes_of(tag)) || epoch_of(other) < order.unknown_from ||
            order_before(order, epoch_of(other), wrote ? "writes" : "reads", &who))
            continue;
        raced = true;
        const uint32_t other_pc = wrote ? c.write_pc : c.read_pc;
        if (order_tells_staged(order, epoch_of(other))) {
            say_host(HINT, pc, format("this %s %s, which cudaMemcpy writes from pageable memory: that may return "
                                      "before all is there", k == READ ? "reads" : "writes", place_in_memory(a, 4).c_str()),
                     staged_hint);
            continue;
        }
        const bool harmless = k == WRITE && changes_nothing(plan);
        const char *value = harmless ? "all write the same value, so their order does not matter: " : "";
        say_host(harmless ? WARNING : ERROR, pc,
                 format("%srace between streams: this %s %s, which %s%s, and nothing orders the two", value,
                        plan.operation == FREES ? "frees" : k == READ ? "reads" : "writes",
                        place_in_memory(a, 4).c_str(), who.c_str(),
                        other_pc ? (", at " + at_line(other_pc)).c_str() : ""),
                 order_hint);
    }
    uint64_t &mark = k == READ ? c.read : c.write;
    mark = epoch_of(mark) == epoch_of(tag) ? mark | tag : tag;  /* two rows of a copy may share a word */
    (k == READ ? c.read_pc : c.write_pc) = short_pc(pc);
    return raced;
}

static void copy_range(const void *p, size_t bytes, AccessKind k, const Order &order, uint64_t epoch,
                       const CopyPlan &plan, uintptr_t pc)
{
    const uintptr_t from = (uintptr_t)p;
    const Region *r = region_of(from);
    if (!r || bytes == 0 || !(several || is_managed(from)))
        return;
    const Order said = {{}, UINT64_MAX, 0, 0, 0, nullptr, COPIES};  /* the copy may rely on every earlier operation */
    bool raced = false;
    for (uintptr_t a = from, next; a < from + bytes; a = next) {
        next = std::min(a / 4 * 4 + 4, from + bytes);
        raced = copy_word(r->cells[(a - r->base) / 4], a / 4 * 4, raced ? said : order, k,
                          epoch << 32 | bytes_in_word(a, next - a) << 2, plan, pc);
    }
}

void order_copy(const CopyPlan &plan, uintptr_t pc)
{
    if (!(settings.checks & SIMT_CHECK_RACES))
        return;
    const uint64_t epoch = epoch_of_copy();
    const bool staged = !in_graph && is_staged(plan);
    if (staged)
        order_host_waits(stream_now);
    const Order order = order_begin(epoch, nullptr, staged ? STAGES : plan.operation);
    order_owns(order, epoch, epoch + 1);
    for (size_t i = 0; i < plan.rows; ++i) {
        if (plan.to)
            copy_range(plan.to + i * plan.to_pitch, plan.width, WRITE, order, epoch, plan, pc);
        if (plan.from)
            copy_range(plan.from + i * plan.from_pitch, plan.width, READ, order, epoch, plan, pc);
    }
    /* Pageable memory of the host is copied before the call returns. */
    const bool to_host = plan.to && !region_of((uintptr_t)plan.to) && !is_pinned((uintptr_t)plan.to);
    if (!in_graph && !staged && (to_host || plan.waits))
        order_host_waits(stream_now);
}

} // namespace simt
