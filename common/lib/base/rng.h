/*
 * rng.h - random numbers that are the same on every machine.
 *
 * splitmix64: a counter and a mixing function (S. Vigna, prng.di.unimi.it, after
 * Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA
 * 2014).  Because it is a counter, every row of a matrix can have its own stream: no
 * row depends on how many numbers another row drew, or on which thread drew them.
 */
#ifndef COURSE_RNG_H
#define COURSE_RNG_H

#include <stdint.h>

typedef struct rng {
    uint64_t counter;
} rng_t;

static inline uint64_t rng_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint64_t rng_next(rng_t *r) { return rng_mix(r->counter += 0x9e3779b97f4a7c15u); }

/* Stream number `stream` of a seed, used for `purpose` (lengths, columns, values ...). */
static inline rng_t rng_stream(uint64_t seed, uint64_t purpose, uint64_t stream)
{
    return (rng_t){rng_mix(rng_mix(seed + purpose) ^ rng_mix(stream + 0x9e3779b97f4a7c15u))};
}

/* Returns a number from 0 to n - 1, for n up to 2^32; the bias is below n / 2^32. */
static inline uint64_t rng_below(rng_t *r, uint64_t n) { return (rng_next(r) >> 32) * n >> 32; }

/* Returns a number uniform in (-1, 1).  It is never zero, because it is made from an odd number of 53 bits. */
static inline double rng_value(rng_t *r) { return (double)(int64_t)(rng_next(r) >> 11 | 1) * 0x1p-52 - 1; }

#endif
