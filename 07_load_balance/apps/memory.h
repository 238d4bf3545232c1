/* memory.h - allocates vectors in the memory of a product: on the host or on the GPU. */
#ifndef APPS_MEMORY_H
#define APPS_MEMORY_H

#include <stdlib.h>

#include "product.h"

/* NULL and *err if memory is short. */
static inline void *memory_take(const product_t *p, size_t bytes, const char *name, err_t *err)
{
    if (p->on_card) return device_alloc(bytes + 1, name, err);
    void *memory = malloc(bytes + 1);
    if (!memory) err_set(err, "out of memory for %s, %zu bytes", name, bytes);
    return memory;
}

/* Takes NULL. */
static inline void memory_give(const product_t *p, const void *memory)
{
    if (p->on_card) device_free((void *)memory);
    else free((void *)memory);
}

#endif
