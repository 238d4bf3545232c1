/*
 * shadow.cpp - shadow memory: which bytes exist, and which are initialised.
 */
#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include "internal.hpp"

namespace simt {

void region_make(Region &r, uintptr_t base, size_t size)
{
    r.base = base;
    r.size = size;
    r.state = static_cast<uint8_t *>(reserve(size / 4));
    r.cells = static_cast<Cell *>(reserve(size / 4 * sizeof(Cell)));
}

void region_forget_tags(Region &r) { madvise(r.cells, r.size / 4 * sizeof(Cell), MADV_DONTNEED); }

/* __device__ and __managed__ variables are in separate sections (translate/variables.c).  Their memory exists and is
   initialised. */
void make_variables(Region &r, const char *start, const char *stop)
{
    const uintptr_t from = (uintptr_t)start & ~(uintptr_t)15, to = ((uintptr_t)stop + 15) & ~(uintptr_t)15;
    if (from == to)
        return;
    region_make(r, from, to - from);
    if (!r.state || !r.cells)
        give_up("address space for the shadow of __device__ variables");
    memset(r.state, 0xff, r.size / 4);
    r.size = (((uintptr_t)stop + 3) & ~(uintptr_t)3) - from;
}

uint8_t *state_of(uintptr_t a) { return &heap.state[(a - heap.base) / 4]; }

/* Sets the bits exists (high) and initialised (low) of bytes a to a + bytes - 1, byte by byte in partial words. */
void set_state(uintptr_t a, size_t bytes, uint8_t high, uint8_t low)
{
    if (unchecked())
        return;
    for (; bytes && (a & 3); ++a, --bytes) {
        uint8_t bit = (uint8_t)(1 << (a & 3));
        *state_of(a) |= (uint8_t)((high ? bit << 4 : 0) | (low ? bit : 0));
    }
    memset(state_of(a), high << 4 | low, bytes / 4);
    for (a += bytes & ~(size_t)3, bytes &= 3; bytes; ++a, --bytes) {
        uint8_t bit = (uint8_t)(1 << (a & 3));
        *state_of(a) |= (uint8_t)((high ? bit << 4 : 0) | (low ? bit : 0));
    }
}

/* Marks memory as existing or not; new memory is uninitialised. */
void set_exists(void *p, size_t bytes, bool exists)
{
    for (size_t i = 0; i < bytes && !unchecked(); ++i) {
        const uint8_t bits = (uint8_t)(0x11 << (((uintptr_t)p + i) & 3));
        uint8_t *s = state_of((uintptr_t)p + i);
        *s = (uint8_t)((*s & ~bits) | (exists ? bits & 0xf0 : 0));
    }
}

size_t unwritten_words(const void *p, size_t bytes, size_t *first)
{
    size_t n = 0;
    if (!heap.contains((uintptr_t)p) || unchecked())
        return 0;
    for (size_t i = 0; i + 4 <= bytes; i += 4)
        if ((*state_of((uintptr_t)p + i) & 15) == 0 && n++ == 0)
            *first = i;
    return n && is_padding(heap, (uintptr_t)p, bytes, (uintptr_t)p, bytes) ? 0 : n;
}

void mark_initialised(const void *p, size_t bytes)
{
    if (heap.contains((uintptr_t)p) && bytes)
        set_state((uintptr_t)p, bytes, 15, 15);
}

void copy_initialised(const void *dst, const void *src, size_t bytes)
{
    if (!heap.contains((uintptr_t)src)) {
        mark_initialised(dst, bytes);
        return;
    }
    if (!heap.contains((uintptr_t)dst) || unchecked())
        return;
    /* Copies of uninitialised bytes are uninitialised. */
    for (size_t i = 0; i < bytes; ++i) {
        uintptr_t s = (uintptr_t)src + i, d = (uintptr_t)dst + i;
        if (((s | d) & 3) == 0 && bytes - i >= 4) {
            size_t words = (bytes - i) / 4;
            memmove(state_of(d), state_of(s), words);
            i += words * 4 - 1;
            continue;
        }
        uint8_t bit = (uint8_t)(1 << (d & 3));
        if (*state_of(s) >> (s & 3) & 1)
            *state_of(d) |= bit;
        else
            *state_of(d) &= (uint8_t)~bit;
    }
}

} // namespace simt

using namespace simt;

void simt_forget_contents(const void *d_ptr, size_t bytes)
{
    const uintptr_t end = (uintptr_t)d_ptr + bytes;
    for (uintptr_t a = (uintptr_t)d_ptr, next; a < end && !unchecked(); a = next) {
        next = std::min(a / 4 * 4 + 4, end);
        *state_of(a) &= (uint8_t)~(((1 << (next - a)) - 1) << (a & 3));
    }
}
