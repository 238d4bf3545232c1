/*
 * api.cpp - the settings, and functions that all calls of the runtime use (api_*.cpp: one file per family of calls).
 */
#include <algorithm>
#include "internal.hpp"

namespace simt {

Settings settings;
bool without_hooks;                 /* not in `settings`, because it is set before they are constructed */

cudaError_t last_error = cudaSuccess;

static bool assertion_told;

void set_last_error(cudaError_t e) { last_error = e; }

cudaError_t done(cudaError_t e)
{
    if (sticky_error() != cudaSuccess) {
        assertion_told |= sticky_error() == cudaErrorAssert;
        return sticky_error();
    }
    if (e != cudaSuccess)
        last_error = e;
    return e;
}

} // namespace simt

using namespace simt;

int simt_assertion_told(void) { return assertion_told; }

/* ---- settings ---- */

void simt_set_counting(int on) { settings.counting = on != 0; }
void simt_set_sample(unsigned k) { settings.sample = std::max(1u, k); }
void simt_set_turns(int on) { settings.turns = on != 0; }
void simt_set_seed(uint64_t seed) { settings.seed = seed; }
void simt_set_workers(int n) { settings.workers = std::max(0, std::min(n, 256)); }
void simt_set_step_limit(uint64_t steps) { settings.step_limit = std::max<uint64_t>(1, steps); }
void simt_set_sm_count(int n)
{
    settings.sm_count = std::max(1, std::min(n, 1024));
    settings.sm_count_is_asked_for = true;
}
void simt_set_report_stream(FILE *f) { settings.report = f; }
void simt_set_checks(unsigned mask) { settings.checks = mask; }
void simt_set_cpu_time(int on) { settings.cpu_time = on != 0; }
void simt_set_index_checks(int on) { settings.checks_indexes = on != 0; }
void simt_set_unchecked(void) { without_hooks = true; }
void simt_set_trace(int requests) { settings.trace = std::max(0, std::min(requests, 1024)); }
