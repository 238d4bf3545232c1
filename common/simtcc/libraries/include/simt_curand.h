/*
 * simt_curand.h - random numbers for kernels if no CUDA toolkit is installed.  The generators are the published ones,
 * but are seeded differently, so their numbers are not those of a GPU.
 *
 *   XORWOW         G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (2003)
 *   Philox4x32-10  J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC11 (2011)
 *   MRG32k3a       P. L'Ecuyer, Good Parameters and Implementations for Combined Multiple Recursive Random Number
 *                  Generators, Operations Research 47 (1999)
 *   normal         G. Box, M. Muller, A Note on the Generation of Random Normal Deviates (1958)
 *   Poisson        W. Hormann, The Transformed Rejection Method for Generating Poisson Random Variables (1993)
 */
#ifndef SIMT_CURAND_H
#define SIMT_CURAND_H

#include <math.h>
#include <stdint.h>
#include "vector_types.h"

#define SIMT_RANDOM static inline __attribute__((unused))

/* Part of every state: the second of two normal numbers, for the next call. */
struct simt_normal_pair {
    float next;
    double next_double;
    bool has, has_double;
};

struct curandStateXORWOW : simt_normal_pair { unsigned x[5], weyl; };
struct curandStatePhilox4_32_10 : simt_normal_pair { unsigned counter[4], key[2], block[4], used; };
struct curandStateMRG32k3a : simt_normal_pair { unsigned s1[3], s2[3]; };
typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

/* ---- 32 random bits ---- */

SIMT_RANDOM unsigned curand(curandStateXORWOW *s)
{
    const unsigned t = s->x[0] ^ s->x[0] >> 2;
    for (int i = 0; i < 4; ++i)
        s->x[i] = s->x[i + 1];
    s->x[4] = s->x[4] ^ s->x[4] << 4 ^ t ^ t << 1;
    return s->x[4] + (s->weyl += 362437);
}

/* Ten rounds over the counter, whose 128 bits are the block number. */
SIMT_RANDOM void simt_philox(curandStatePhilox4_32_10 *s)
{
    unsigned c[4] = {s->counter[0], s->counter[1], s->counter[2], s->counter[3]}, k0 = s->key[0], k1 = s->key[1];
    for (int round = 0; round < 10; ++round) {
        const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
        const unsigned next[4] = {(unsigned)(b >> 32) ^ c[1] ^ k0, (unsigned)b, (unsigned)(a >> 32) ^ c[3] ^ k1,
                                  (unsigned)a};
        for (int i = 0; i < 4; ++i)
            c[i] = next[i];
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    for (int i = 0; i < 4; ++i)
        s->block[i] = c[i];
    for (int i = 0; i < 4 && ++s->counter[i] == 0; ++i)
        ;
    s->used = 0;
}

SIMT_RANDOM unsigned curand(curandStatePhilox4_32_10 *s)
{
    if (s->used == 4)
        simt_philox(s);
    return s->block[s->used++];
}

/* Advances both parts, each modulo a prime below 2^32, and returns their difference. */
SIMT_RANDOM unsigned curand(curandStateMRG32k3a *s)
{
    const uint64_t m1 = 4294967087u, m2 = 4294944443u;
    const uint64_t p1 = (1403580ull * s->s1[1] + 810728ull * (m1 - s->s1[0])) % m1;
    const uint64_t p2 = (527612ull * s->s2[2] + 1370589ull * (m2 - s->s2[0])) % m2;
    for (int i = 0; i < 2; ++i) {
        s->s1[i] = s->s1[i + 1];
        s->s2[i] = s->s2[i + 1];
    }
    s->s1[2] = (unsigned)p1;
    s->s2[2] = (unsigned)p2;
    /* from 1..m1 to all of 32 bits */
    return (unsigned)(((p1 > p2 ? p1 - p2 : p1 - p2 + m1) - 1) * 4294967296.0 / (double)m1);
}

/* ---- seeds, subsequences, offsets ---- */

/* Spreads (seed, subsequence) over the words of a state (splitmix64). */
SIMT_RANDOM unsigned simt_seed_word(uint64_t seed, uint64_t subsequence, int i)
{
    uint64_t z = seed * 0x9E3779B97F4A7C15ull + subsequence * 0xD1342543DE82EF95ull + (uint64_t)(i + 1);
    for (int round = 0; round < 2; ++round) {
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        z ^= z >> 31;
    }
    return (unsigned)z;
}

template <class State> void skipahead(unsigned long long n, State *s)
{
    for (; n > 0; --n)
        curand(s);
}
SIMT_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s)
{
    for (; n > 0 && s->used < 4; --n)
        ++s->used;
    uint64_t carry = n / 4;
    for (int i = 0; i < 4 && carry; ++i) {
        carry += s->counter[i];
        s->counter[i] = (unsigned)carry;
        carry >>= 32;
    }
    for (n %= 4; n > 0; --n)
        curand(s);
}

SIMT_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateXORWOW *s)
{
    *s = curandStateXORWOW();
    for (int i = 0; i < 5; ++i)
        s->x[i] = simt_seed_word(seed, subsequence, i);
    s->x[0] |= 1;               /* at least one word is not zero */
    s->weyl = simt_seed_word(seed, subsequence, 5);
    skipahead(offset, s);
}

SIMT_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStatePhilox4_32_10 *s)
{
    *s = curandStatePhilox4_32_10();
    s->key[0] = (unsigned)seed;
    s->key[1] = (unsigned)(seed >> 32);
    s->counter[2] = (unsigned)subsequence;
    s->counter[3] = (unsigned)(subsequence >> 32);
    s->used = 4;
    skipahead(offset, s);
}

SIMT_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateMRG32k3a *s)
{
    *s = curandStateMRG32k3a();
    for (int i = 0; i < 3; ++i) {
        s->s1[i] = simt_seed_word(seed, subsequence, i) % 4294967086u + 1;
        s->s2[i] = simt_seed_word(seed, subsequence, i + 3) % 4294944442u + 1;
    }
    skipahead(offset, s);
}

/* ---- distributions ---- */

/* Returns a number in (0, 1]. */
template <class State> float curand_uniform(State *s)
{ return (float)curand(s) * 0x1p-32f + 0x1p-33f; }
template <class State> double curand_uniform_double(State *s)
{
    const uint64_t high = curand(s) >> 6, low = curand(s) >> 5;
    return (double)(high << 27 | low) * 0x1p-53 + 0x1p-54;
}

template <class State> float2 curand_normal2(State *s)
{
    const float u = curand_uniform(s), v = curand_uniform(s), radius = sqrtf(-2.0f * logf(u));
    return float2{radius * sinf(6.2831853f * v), radius * cosf(6.2831853f * v)};
}
template <class State> double2 curand_normal2_double(State *s)
{
    const double u = curand_uniform_double(s), v = curand_uniform_double(s), radius = sqrt(-2.0 * log(u));
    return double2{radius * sin(6.283185307179586 * v), radius * cos(6.283185307179586 * v)};
}
template <class State> float curand_normal(State *s)
{
    if ((s->has = !s->has)) {
        const float2 both = curand_normal2(s);
        s->next = both.y;
        return both.x;
    }
    return s->next;
}
template <class State> double curand_normal_double(State *s)
{
    if ((s->has_double = !s->has_double)) {
        const double2 both = curand_normal2_double(s);
        s->next_double = both.y;
        return both.x;
    }
    return s->next_double;
}
template <class State> float curand_log_normal(State *s, float mean, float deviation)
{ return expf(mean + deviation * curand_normal(s)); }
template <class State> double curand_log_normal_double(State *s, double mean, double deviation)
{ return exp(mean + deviation * curand_normal_double(s)); }
template <class State> float2 curand_log_normal2(State *s, float mean, float deviation)
{
    const float2 both = curand_normal2(s);
    return float2{expf(mean + deviation * both.x), expf(mean + deviation * both.y)};
}

/* Small lambda: multiplies uniform numbers.  Large lambda: transformed rejection. */
template <class State> unsigned curand_poisson(State *s, double lambda)
{
    if (lambda < 10) {
        const double limit = exp(-lambda);
        unsigned k = 0;
        for (double product = curand_uniform_double(s); product > limit; product *= curand_uniform_double(s))
            ++k;
        return k;
    }
    const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b, alpha = 1.1239 + 1.1328 / (b - 3.4);
    const double fits = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s), us = 0.5 - fabs(u);
        const double k = floor((2 * a / us + b) * u + lambda + 0.43);
        if (us >= 0.07 && v <= fits)
            return (unsigned)k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (log(v) + log(alpha) - log(a / (us * us) + b) <= -lambda + k * log(lambda) - lgamma(k + 1))
            return (unsigned)k;
    }
}

/* Four numbers at once, as Philox makes them. */
SIMT_RANDOM uint4 curand4(curandStatePhilox4_32_10 *s)
{
    const unsigned a = curand(s), b = curand(s), c = curand(s), d = curand(s);
    return uint4{a, b, c, d};
}
SIMT_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10 *s)
{
    const float a = curand_uniform(s), b = curand_uniform(s), c = curand_uniform(s), d = curand_uniform(s);
    return float4{a, b, c, d};
}
SIMT_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10 *s)
{
    const double a = curand_uniform_double(s), b = curand_uniform_double(s);
    return double2{a, b};
}
SIMT_RANDOM float4 curand_normal4(curandStatePhilox4_32_10 *s)
{
    const float2 a = curand_normal2(s), b = curand_normal2(s);
    return float4{a.x, a.y, b.x, b.y};
}

#endif
