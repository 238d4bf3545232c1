/*
 * flow.cpp - the control flow graph as observed from the lanes' traces, and an order of its nodes.
 *
 * The nodes are basic blocks and accesses; an edge is a step that some lane has made.  The
 * order is Bourdoncle's weak topological order ("Efficient chaotic iteration strategies with
 * widenings", 1993): an edge leads forward, or back to the head of a loop that contains both
 * nodes.  The nodes of a loop are adjacent, its head first, and loops are nested.
 */
#include <algorithm>
#include <thread>
#include "internal.hpp"

namespace simt {

uint32_t FlowGraph::new_step(uint32_t from, uint32_t pc)
{
    if (table.size() < nodes.size() * 2) {
        table.assign(std::max<size_t>(256, nodes.size() * 4), 0);
        for (uint32_t n = 1; n < nodes.size(); ++n) {
            size_t i = nodes[n].pc * 2654435761u % table.size();
            while (table[i])
                i = (i + 1) % table.size();
            table[i] = n;
        }
    }
    size_t i = pc * 2654435761u % table.size();
    while (table[i] && nodes[table[i]].pc != pc)
        i = (i + 1) % table.size();
    if (!table[i]) {
        table[i] = (uint32_t)nodes.size();
        nodes.push_back(Node{pc, {0, 0}, {}, 0, 0});
        changed = true;
    }
    const uint32_t to = table[i];
    Node &f = nodes[from];
    for (uint32_t &n : f.next) {
        if (n == to)
            return to;
        if (n == 0) {
            n = to;
            changed = true;
            return to;
        }
    }
    if (std::find(f.more.begin(), f.more.end(), to) == f.more.end()) {
        f.more.push_back(to);
        changed = true;
    }
    return to;
}

namespace {

/* Tarjan's search for strongly connected components, repeated inside each without its head. */
struct Arranger {
    std::vector<FlowGraph::Node> &nodes;
    std::vector<uint32_t> number, stack;
    std::vector<uint32_t> reversed;                 /* the order, last first */
    struct Loop { uint32_t head; size_t from; };    /* from: index in `reversed` of its last node */
    std::vector<Loop> loops;
    uint32_t count = 0;

    explicit Arranger(std::vector<FlowGraph::Node> &n) : nodes(n), number(n.size()) {}

    template <class F> void each_successor(uint32_t v, F f)
    {
        for (uint32_t n : nodes[v].next)
            if (n)
                f(n);
        for (uint32_t n : nodes[v].more)
            f(n);
    }

    uint32_t visit(uint32_t v)
    {
        const uint32_t own = number[v] = ++count;
        uint32_t head = own;
        bool loop = false;
        stack.push_back(v);
        each_successor(v, [&](uint32_t n) {
            uint32_t least = number[n] ? number[n] : visit(n);
            if (least <= head) {
                head = least;
                loop = true;
            }
        });
        if (head != own)
            return head;
        number[v] = UINT32_MAX;         /* done */
        uint32_t top = stack.back();
        stack.pop_back();
        if (loop) {
            while (top != v) {
                number[top] = 0;        /* to be visited again, inside the loop */
                top = stack.back();
                stack.pop_back();
            }
            loops.push_back({v, reversed.size()});
            each_successor(v, [&](uint32_t n) {
                if (!number[n])
                    visit(n);
            });
        }
        reversed.push_back(v);
        return head;
    }

    void run()
    {
        visit(0);
        const uint32_t n = (uint32_t)reversed.size();
        for (uint32_t i = 0; i < n; ++i)
            nodes[reversed[i]].place = nodes[reversed[i]].loop_end = n - i;
        /* Outer loops come before the loops inside them, so the innermost loop sets the final value. */
        for (const Loop &l : loops)
            for (size_t i = l.from; i < n && nodes[reversed[i]].place >= nodes[l.head].place; ++i)
                nodes[reversed[i]].loop_end = n - (uint32_t)l.from;
    }
};

} // namespace

void FlowGraph::arrange()
{
    /* The recursion is as deep as the program is long, so a kernel thread's stack would not suffice. */
    std::thread([this] { Arranger(nodes).run(); }).join();
    changed = false;
}

} // namespace simt
