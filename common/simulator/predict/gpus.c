/* gpus.c - see gpus.h */
#include "gpus.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key;
    size_t offset;
} NUMBERS[] = {
#define NUMBER(key) {#key, offsetof(gpu_t, key)},
    GPU_NUMBERS(NUMBER)
#undef NUMBER
};
enum { HOW_MANY = sizeof NUMBERS / sizeof NUMBERS[0] };

static double *number_of(gpu_t *gpu, size_t i)
{
    return (double *)((char *)gpu + NUMBERS[i].offset);
}

/* Reads one line, "key value" without the comment. */
static int read_line(gpu_t *gpu, char *line, const char *path, int number, err_t *err)
{
    char *rest, *key = strtok_r(line, " \t\n", &rest), *value = strtok_r(NULL, " \t\n", &rest), *end;
    if (!key) return 0;
    if (!value) return err_set(err, "%s:%d: %s has no value", path, number, key);
    if (strcmp(key, "name") == 0) {
        snprintf(gpu->name, sizeof gpu->name, "%s", value);
        return 0;
    }
    if (strcmp(key, "checked") == 0) {
        gpu->checked = strcmp(value, "yes") == 0;
        return 0;
    }
    for (size_t i = 0; i < HOW_MANY; ++i) {
        if (strcmp(key, NUMBERS[i].key) != 0) continue;
        if (!isnan(*number_of(gpu, i)))
            return err_set(err, "%s:%d: %s is given twice: remove one of the lines", path, number, key);
        *number_of(gpu, i) = strtod(value, &end);
        if (*end || !(*number_of(gpu, i) >= 0))
            return err_set(err, "%s:%d: %s: \"%s\" must be a number, 0 or larger", path, number, key, value);
        return 0;
    }
    return err_set(err, "%s:%d: \"%s\" is not a key of a GPU description; common/simulator/predict/gpus.h lists them",
                   path, number, key);
}

int gpu_read(gpu_t *gpu, const char *name_or_path, err_t *err)
{
    char path[4096], line[512];
    const bool is_path = strpbrk(name_or_path, "/.") != NULL;
    snprintf(path, sizeof path, is_path ? "%s%s%s" : "%s/cards/%s.card", is_path ? name_or_path : PREDICT_FOLDER,
             is_path ? "" : name_or_path, "");
    memset(gpu, 0, sizeof *gpu);
    for (size_t i = 0; i < HOW_MANY; ++i) *number_of(gpu, i) = NAN;
    FILE *f = fopen(path, "r");
    if (!f) return err_set(err, "GPU description %s: cannot read %s: %s", name_or_path, path, strerror(errno));
    int failed = 0;
    for (int number = 1; !failed && fgets(line, sizeof line, f); ++number) {
        line[strcspn(line, "#")] = 0;
        failed = read_line(gpu, line, path, number, err);
    }
    fclose(f);
    for (size_t i = 0; i < HOW_MANY && !failed; ++i)
        if (isnan(*number_of(gpu, i))) failed = err_set(err, "%s: the line for %s is missing", path, NUMBERS[i].key);
    if (!failed && (gpu->sms < 1 || gpu->sms > 1024 || gpu->clock_ghz <= 0 || gpu->warps_per_sm < 1 ||
                    gpu->blocks_per_sm < 1 || gpu->dram_gbps <= 0 || gpu->l2_gsectors <= 0))
        failed = err_set(err, "%s: a GPU needs 1 to 1024 SMs, and a clock, warps, blocks and rates above 0", path);
    return failed ? -1 : 0;
}
