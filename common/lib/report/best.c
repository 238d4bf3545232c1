/* best.c - see best.h */
#include "best.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* For predicted times: a plan of libspmv is better than another row unless it takes more than PLAN_MAY_TAKE times its
 * time; of other rows a later one is better only if EQUAL times its time is less. */
static const double PLAN_MAY_TAKE = 1.25, EQUAL = 1.05;

best_t best_of_row(const char *step, double cold_us, double predicted_us, double low_us, double high_us)
{
    best_t b = {.us = NAN, .low_us = NAN, .high_us = NAN};
    if (cold_us > 0) b.us = cold_us;
    else if (predicted_us > 0)
        b = (best_t){.us = predicted_us, .low_us = low_us, .high_us = high_us, .predicted = true,
                     .plan = strcmp(step, "libspmv_plan") == 0};
    if (isfinite(b.us)) snprintf(b.step, sizeof b.step, "%s", step);
    return b;
}

bool best_better(const best_t *candidate, const best_t *than)
{
    if (!*candidate->step || !*than->step) return *candidate->step;
    if (candidate->predicted != than->predicted) return than->predicted;
    if (!candidate->predicted) return candidate->us < than->us;
    if (candidate->plan == than->plan) return EQUAL * candidate->us < than->us;
    return candidate->plan ? candidate->us <= PLAN_MAY_TAKE * than->us : PLAN_MAY_TAKE * candidate->us < than->us;
}
