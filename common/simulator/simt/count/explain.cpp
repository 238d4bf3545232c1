/*
 * explain.cpp - the counts per source line, and the first requests as rows for pictures.
 */
#include <algorithm>
#include <map>
#include <tuple>
#include "internal.hpp"

using namespace simt;

static const char *op_name(const SiteCounts &c)
{
    static const char *const names[2][3] = {{"load", "store", "atomic"},
                                            {"shared load", "shared store", "shared atomic"}};
    return names[c.space][c.kind];
}

struct LineRow { Place place; std::string where, op, text; SiteCounts c; };

/* Returns the counts of each source line, in the order of the source: one row for its loads, one for its stores, and so
   on. */
static std::vector<LineRow> rows_of_lines()
{
    std::map<std::tuple<std::string, int, int, int>, LineRow> merged;
    for (const Totals::Line &l : totals.lines) {
        Place p = place_of(l.counts.pc);
        LineRow &r = merged[{p.file, p.line, l.counts.space, l.counts.kind}];
        if (r.where.empty()) {
            r = {p, at_line(l.counts.pc), op_name(l.counts), line_text(p), l.counts};
            continue;
        }
        r.c.requests += l.counts.requests;
        r.c.units += l.counts.units;
        r.c.least += l.counts.least;
        r.c.lanes += l.counts.lanes;
    }
    std::vector<LineRow> rows;
    for (auto &m : merged)
        rows.push_back(m.second);
    return rows;
}

int simt_explain(FILE *f)
{
    std::vector<LineRow> rows = rows_of_lines();
    std::stable_sort(rows.begin(), rows.end(), [](const LineRow &a, const LineRow &b) {
        uint64_t waste_a = a.c.units - a.c.least, waste_b = b.c.units - b.c.least;
        return waste_a != waste_b ? waste_a > waste_b : a.c.units > b.c.units;
    });
    fprintf(f, "%-30s %-13s %10s %12s %6s %6s  %s\n", "line", "does", "requests", "per request", "least", "lanes",
            "source");
    for (const LineRow &r : rows) {
        double n = (double)r.c.requests;
        fprintf(f, "%-30s %-13s %10llu %7.2f %s %6.2f %6.2f  %s\n", r.where.c_str(), r.op.c_str(),
                (unsigned long long)r.c.requests, (double)r.c.units / n, r.c.space == SHARED ? "wave" : "sect",
                (double)r.c.least / n, (double)r.c.lanes / n, r.text.c_str());
    }
    return ferror(f) ? -1 : (int)rows.size();
}

int simt_lines(FILE *f, const char *prefix)
{
    std::vector<LineRow> rows = rows_of_lines();
    for (const LineRow &r : rows) {
        double n = (double)r.c.requests;
        fprintf(f, "%s\t%s\t%d\t%s\t%llu\t%.4g\t%.4g\t%.4g\t%s\n", prefix, r.place.file.c_str(), r.place.line,
                r.op.c_str(), (unsigned long long)r.c.requests, (double)r.c.units / n, (double)r.c.least / n,
                (double)r.c.lanes / n, r.text.c_str());
    }
    return ferror(f) ? -1 : (int)rows.size();
}

int simt_trace(FILE *f)
{
    fprintf(f, "kernel\tfile\tline\tcolumn\top\trequest\tlane\tspace\taddress\tbuffer\tindex\tbank\tsector\n");
    for (const auto &entry : totals.trace) {
        const TraceRow &r = entry.second;
        static const char *const ops[] = {"load", "store", "atomic"};
        Place p = place_of(r.pc);
        fprintf(f, "%s\t%s\t%d\t%d\t%s\t%u\t%u\t%s\t%llu\t%s\t%llu\t", entry.first.c_str(), p.file.c_str(), p.line,
                p.column, ops[r.kind], r.request, r.lane, r.space == SHARED ? "shared" : "global",
                (unsigned long long)r.address, r.buffer.c_str(), (unsigned long long)r.index);
        if (r.space == SHARED)
            fprintf(f, "%u\t-\n", r.bank);
        else
            fprintf(f, "-\t%llu\n", (unsigned long long)r.sector);
    }
    return ferror(f) ? -1 : (int)totals.trace.size();
}
