/*
 * order_copies.cpp - a copy leaves its marks in the words that it touches, and finds those on which it may not rely.
 */
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

/* The host goes on when what it copies is in a buffer of the driver's. */
static bool is_staged(const CopyPlan &plan)
{
    const auto on_card = [](const void *p) { return heap.contains((uintptr_t)p) && !is_managed((uintptr_t)p); };
    return plan.operation == COPIES && plan.waits && plan.from && on_card(plan.to) &&
           !region_of((uintptr_t)plan.from) && !is_pinned((uintptr_t)plan.from);
}

/* Every byte that would be copied is there already: who else has written there has written the same, who reads there
   reads the same. */
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

/* A word of which a copy touches the bytes in its mark; true if it races with what somebody else has left there. */
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
    mark = epoch_of(mark) == epoch_of(tag) ? mark | tag : tag;  /* two rows of a copy may meet in a word */
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
    const Order said = {{}, UINT64_MAX, 0, 0, 0, nullptr, COPIES};  /* relies on all */
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
    /* What is neither a GPU's nor pinned is copied before the call returns. */
    const bool to_host = plan.to && !region_of((uintptr_t)plan.to) && !is_pinned((uintptr_t)plan.to);
    if (!in_graph && !staged && (to_host || plan.waits))
        order_host_waits(stream_now);
}

} // namespace simt
