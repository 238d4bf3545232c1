/*
 * jansson.h - what common/lib/report takes of jansson, for a machine that measures and has none: strings by key, in the
 * order they came.  JSON itself cannot be written with it: json_dump_callback fails.  (FILES=no; see ../Makefile)
 */
#ifndef DIST_WITHOUT_JANSSON_H
#define DIST_WITHOUT_JANSSON_H

#include <stdlib.h>
#include <string.h>

typedef struct json_pair json_pair_t;
typedef struct json {
    int references;
    char *text;         /* of a string; NULL: an object */
    size_t count;
    json_pair_t *pairs; /* [count] */
} json_t;
struct json_pair {
    char *key;
    json_t *value;
};

enum { JSON_COMPACT = 0, JSON_ENCODE_ANY = 0, JSON_ENSURE_ASCII = 0 };
typedef int (*json_dump_callback_t)(const char *bytes, size_t n, void *context);

static inline json_t *json_object(void)
{
    json_t *j = calloc(1, sizeof *j);
    if (j) j->references = 1;
    return j;
}

static inline void json_decref(json_t *j)
{
    if (!j || --j->references) return;
    for (size_t i = 0; i < j->count; ++i) {
        free(j->pairs[i].key);
        json_decref(j->pairs[i].value);
    }
    free(j->pairs);
    free(j->text);
    free(j);
}

static inline json_t *json_incref(json_t *j)
{
    if (j) ++j->references;
    return j;
}

static inline json_t *json_string(const char *text)
{
    json_t *j = json_object();
    if (j && !(j->text = text ? strdup(text) : NULL)) {
        free(j);
        return NULL;
    }
    return j;
}

static inline const char *json_string_value(const json_t *j) { return j ? j->text : NULL; }

static inline json_pair_t *json_find(const json_t *object, const char *key)
{
    for (size_t i = 0; object && key && i < object->count; ++i)
        if (strcmp(object->pairs[i].key, key) == 0) return &object->pairs[i];
    return NULL;
}

static inline json_t *json_object_get(const json_t *object, const char *key)
{
    const json_pair_t *pair = json_find(object, key);
    return pair ? pair->value : NULL;
}

/* Takes `value`, also when it fails. */
static inline int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    json_pair_t *pair = json_find(object, key), *more;
    if (pair && value) {
        json_decref(pair->value);
        pair->value = value;
        return 0;
    }
    char *name = object && key && value ? strdup(key) : NULL;
    if (!name || !(more = realloc(object->pairs, (object->count + 1) * sizeof *more))) {
        free(name);
        json_decref(value);
        return -1;
    }
    object->pairs = more;
    more[object->count++] = (json_pair_t){name, value};
    return 0;
}

static inline void json_object_clear(json_t *object)
{
    for (size_t i = 0; object && i < object->count; ++i) {
        free(object->pairs[i].key);
        json_decref(object->pairs[i].value);
    }
    if (object) object->count = 0;
}

#define json_object_foreach(object, name, what)                                                                        \
    for (size_t json_i = 0; (object) && json_i < (object)->count &&                                                    \
                            ((name) = (object)->pairs[json_i].key, (what) = (object)->pairs[json_i].value, 1); ++json_i)

static inline int json_dump_callback(const json_t *j, json_dump_callback_t to, void *context, size_t flags)
{
    (void)j, (void)to, (void)context, (void)flags;
    return -1;
}

#endif
