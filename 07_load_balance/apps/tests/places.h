/* places.h - where both tests multiply: the rows cpu and gpu. */
#ifndef APPS_PLACES_H
#define APPS_PLACES_H

#include "rows.h"
#include "tests/battery.h"

static const char *const PLACES[] = {"cpu", "gpu"};
enum { PLACE_COUNT = 2 };

static const step_t *row_named(const char *id)
{
    const step_t *s;
    for (size_t i = 0; (s = app_row(i)); ++i)
        if (strcmp(s->id, id) == 0) return s;
    fail_msg("no row is called %s", id);
    return NULL;
}
#endif
