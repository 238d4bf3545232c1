/*
 * lenient.cpp - reports after which a kernel continues, as on a GPU (simt_set_lenient).
 *
 * A GPU does not stop for a race, a read of uninitialised memory, or a barrier that threads reach at two places.  A
 * program that was not written for the simulator should run to its end, so these are reports, not faults.  Each source
 * location is reported once, though it may have several program points: loops are unrolled before hooks are inserted.
 * A race in which all threads write the value that is there already is harmless.  That is known only later: at the
 * block's next barrier (shared memory), or at the end of the launch.  The report of a race that was harmless so far
 * waits for the end of its block, since the next iteration of a loop may do harm.
 */
#include <algorithm>
#include <cstring>
#include "internal.hpp"

namespace simt {

/* A word of a race, and its value before the racing write. */
struct Word { uintptr_t address; uint8_t size, value[16]; };

struct Passed {
    Severity severity;
    std::string text;
    std::vector<Word> words;        /* words whose values settle() still has to compare */
    bool harmless = false;          /* all words that settle() has compared were unchanged */
    bool said = false;
    uint64_t times = 0;
    std::vector<uint32_t> full_at;  /* program points that are in `full` because of this location */
};

enum { MOST_WORDS = 64, KNOWN = 256 };
static std::mutex lock;
static std::unordered_map<uint32_t, Passed> passed;     /* by program point: the first of a source location */
static std::atomic<size_t> waiting{0};                  /* locations that have words or were harmless so far */
static std::atomic<uint32_t> known[KNOWN];              /* program points that are reported: they need no lookup */
static std::atomic<uint32_t> full[KNOWN];               /* program points with MOST_WORDS words: they need no more */
static uint64_t errors, warnings;

bool said_before(uintptr_t pc)
{
    return known[short_pc(pc) % KNOWN].load(std::memory_order_relaxed) == short_pc(pc);
}

bool has_enough_words(uintptr_t pc)
{
    return full[short_pc(pc) % KNOWN].load(std::memory_order_relaxed) == short_pc(pc);
}

/* The first program point that has reported this kind of fault at that source location.  The lock is held. */
static uint32_t first_of(uint32_t pc, const std::string &what)
{
    static std::unordered_map<uint32_t, uint32_t> first;
    static std::unordered_map<std::string, uint32_t> by_place;
    const auto it = first.find(pc);
    if (it != first.end())
        return it->second;
    const Place p = place_of(pc);
    const std::string kind = what.substr(0, what.find_first_of("0123456789[("));    /* the rest describes one access */
    const std::string key = format("%s:%d:%d:", p.file.c_str(), p.line, p.column) + p.calls + kind;
    return first[pc] = p.line ? by_place.emplace(key, pc).first->second : pc;
}

static void say(uint32_t pc, Passed &p)
{
    p.said = true;
    p.words.clear();
    if (p.severity != HINT)
        ++(p.severity == ERROR ? errors : warnings);
    known[pc % KNOWN].store(pc, std::memory_order_relaxed);
    if (settings.report) {
        static const char *const words[] = {"hint: ", "warning: ", ""};
        fprintf(settings.report, "simt: %s%s", words[p.severity], p.text.c_str());
        fflush(settings.report);
    }
}

void pass(Thread *t, Severity severity, uintptr_t pc, const std::string &what, const std::string &hint,
          uintptr_t raced, unsigned size)
{
    std::lock_guard<std::mutex> hold(lock);
    const uint32_t here = short_pc(pc), first = first_of(here, what);
    Passed &p = passed[first];
    ++p.times;
    if (p.said)
        return known[here % KNOWN].store(here, std::memory_order_relaxed);
    if (p.text.empty()) {
        p.severity = severity;
        p.text = what + "\n" + place_text(t, pc) + "  note: " + hint + "\n";
    }
    if (!raced || size > sizeof Word().value)
        return say(first, p);
    if (p.words.size() == MOST_WORDS) {
        if (std::find(p.full_at.begin(), p.full_at.end(), here) == p.full_at.end())
            p.full_at.push_back(here);
        return full[here % KNOWN].store(here, std::memory_order_relaxed);
    }
    if (p.words.empty() && !p.harmless)
        waiting.fetch_add(1);
    Word w = {raced, (uint8_t)size, {}};
    memcpy(w.value, (const void *)raced, size);
    p.words.push_back(w);
}

void pass_host(Severity severity, uintptr_t pc, const std::string &what, const std::string &hint)
{
    std::lock_guard<std::mutex> hold(lock);
    Passed &p = passed[short_pc(pc)];
    ++p.times;
    if (p.said && severity <= p.severity)   /* a race that was harmless so far may be an error next time */
        return;
    p.severity = severity;
    p.text = what + "\n" + host_place_text(pc) + "  note: " + hint + "\n";
    say(short_pc(pc), p);
}

void say_host(Severity severity, uintptr_t pc, const std::string &what, const std::string &hint)
{
    if (settings.lenient || severity == HINT)
        pass_host(severity, pc, what, hint);
    else
        report_host_fault(pc, what, hint);
}

/* Removes the words in that range from the list.  Returns true if a removed word has changed. */
static bool changed(Passed *p, uintptr_t from, size_t bytes)
{
    bool any = false;
    size_t left = 0;
    for (const Word &w : p->words) {
        if (w.address - from >= bytes) {
            p->words[left++] = w;
            continue;
        }
        p->harmless = true;
        any = any || memcmp(w.value, (const void *)w.address, w.size) != 0;
    }
    p->words.resize(left);
    return any;
}

/* ---- not lenient: lanes of a warp that store to one place in one instruction ---- */

/* The value that the previous lane stored, and the report that is made if the next lane stores another value. */
struct OneStore { const Block *block; uint32_t pc; uint8_t size, value[16]; };
static std::unordered_map<uintptr_t, OneStore> one_stores;      /* by address */
static std::unordered_map<uint32_t, Passed> one_store_texts;    /* by program point */
static std::string remark;                                      /* simt_remark() */

/* Whether the next lane has stored the same value; forgets the address.  The lock is held. */
static void check_one_store(uintptr_t a, const OneStore &s)
{
    Passed &p = one_store_texts[s.pc];
    if (memcmp(s.value, (const void *)a, s.size) != 0)
        report_late("simt: " + p.text);
    else if (!p.said) {
        remark = "simt: warning: all lanes store the same value, so their order does not matter: " + p.text;
        if (settings.report) {
            fputs(remark.c_str(), settings.report);
            fflush(settings.report);
        }
    }
    p.said = true;
    waiting.fetch_sub(1);
}

void one_store(Thread *t, uintptr_t pc, const std::string &what, const std::string &hint, uintptr_t a, unsigned size)
{
    OneStore s = {t->block, short_pc(pc), (uint8_t)std::min<size_t>(size, sizeof s.value), {}};
    std::lock_guard<std::mutex> hold(lock);
    Passed &p = one_store_texts[s.pc];
    if (p.text.empty())
        p.text = what + "\n" + place_text(t, pc) + "  note: " + hint + "\n";
    memcpy(s.value, (const void *)a, s.size);
    waiting += one_stores.insert_or_assign(a, s).second;
}

void settle_one_stores(const Block *b)
{
    if (waiting.load(std::memory_order_relaxed) == 0)
        return;
    std::lock_guard<std::mutex> hold(lock);
    for (auto at = one_stores.begin(); at != one_stores.end();) {
        if (at->second.block == b) {
            check_one_store(at->first, at->second);
            at = one_stores.erase(at);
        } else {
            ++at;
        }
    }
}

void forget_one_stores()
{
    if (waiting.load(std::memory_order_relaxed) == 0)
        return;
    std::lock_guard<std::mutex> hold(lock);
    waiting -= one_stores.size();
    one_stores.clear();
}

bool words_wait() { return waiting.load(std::memory_order_relaxed) != 0; }

void look_again(uintptr_t a)
{
    std::lock_guard<std::mutex> hold(lock);
    const auto at = one_stores.find(a);
    if (at != one_stores.end()) {
        check_one_store(a, at->second);
        one_stores.erase(at);
    }
    for (auto &entry : passed)
        if (!entry.second.said)
            for (const Word &w : entry.second.words)
                if (w.address == a && memcmp(w.value, (const void *)a, w.size) != 0) {
                    waiting.fetch_sub(1);
                    say(entry.first, entry.second);
                    break;
                }
}

void settle(uintptr_t from, size_t bytes, bool over)
{
    if (waiting.load(std::memory_order_relaxed) == 0)
        return;
    std::lock_guard<std::mutex> hold(lock);
    for (auto &entry : passed) {
        Passed &p = entry.second;
        if (p.said || (p.words.empty() && !p.harmless))
            continue;
        const bool harms = changed(&p, from, bytes);
        if (p.words.size() < MOST_WORDS) {
            for (uint32_t at : p.full_at)
                full[at % KNOWN].store(0, std::memory_order_relaxed);
            p.full_at.clear();
        }
        if (!harms && (!over || !p.harmless || !p.words.empty()))
            continue;
        waiting.fetch_sub(1);
        if (!harms) {
            p.severity = WARNING;
            p.text.insert(0, "all write the same value, so their order does not matter: ");
        }
        say(entry.first, p);
    }
}

} // namespace simt

using namespace simt;

void simt_unset(const char *name)
{
    const uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    const char *hint = "a local variable begins with garbage: give it a value where it is declared";
    if (!current || unchecked() || said_before(pc))
        return;
    const std::string what = format("%s is read before it has a value", name);
    if (!settings.lenient)
        fault(current, cudaErrorLaunchFailure, pc, what, hint);
    pass(current, ERROR, pc, what, hint);       /* an update that is lost makes the sum wrong */
}

void simt_set_lenient(int on) { settings.lenient = on != 0; }

void simt_passed(uint64_t *error_places, uint64_t *warning_places)
{
    *error_places = errors;
    *warning_places = warnings;
}

const char *simt_remark(void)
{
    static std::string given;
    std::lock_guard<std::mutex> hold(simt::lock);
    given.clear();
    given.swap(simt::remark);
    return given.empty() ? nullptr : given.c_str();
}
