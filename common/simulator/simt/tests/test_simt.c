/* test_simt.c - all tests of the simulator.  With arguments, only the groups named. */
#include <stdio.h>
#include <string.h>
#include "simt/simt.h"
#include "simt/tests/kernels.h"

int main(int argc, char **argv)
{
    static const struct { const char *name; int (*run)(void); } groups[] = {
        {"features", test_features}, {"counts", test_counts}, {"checks", test_checks}, {"kernels", test_kernels},
        {"replay", test_replay},
        {"syntax", test_syntax}, {"host_side", test_host_side},
    };
    int failed = 0;
    simt_set_report_stream(NULL);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) {
        int wanted = argc == 1;
        for (int k = 1; k < argc; ++k)
            wanted |= strcmp(argv[k], groups[i].name) == 0;
        if (!wanted)
            continue;
        /* Each group starts from the defaults. */
        simt_fault_clear();
        simt_set_checks(SIMT_CHECK_EVERYTHING);
        simt_set_counting(1);
        simt_set_seed(0);
        simt_set_step_limit(200000000);
        simt_set_workers(0);
        simt_counts_reset();
        failed += groups[i].run();
    }
    return failed != 0;
}
