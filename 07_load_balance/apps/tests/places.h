/* places.h - the rows with which both tests multiply: cpu and gpu. */
#ifndef APPS_PLACES_H
#define APPS_PLACES_H

#include "rows.h"
#include "tests/battery.h"
#include "tests/chapter_test.h"

static const char *const PLACES[] = {"cpu", "gpu"};
enum { PLACE_COUNT = 2 };
#endif
