/*
 * curand_quasi.hpp - Sobol's quasi-random numbers: I. Sobol, 1967, in the order of I. Antonov and V. Saleev, 1979.  The
 * direction numbers (S. Joe, F. Kuo, 2008) are read from the toolkit's libcurand.
 */
#ifndef SIMT_LIBRARY_CURAND_QUASI_HPP
#define SIMT_LIBRARY_CURAND_QUASI_HPP

#include <cmath>
#include "curand.h"

namespace simt_library {

/* One dimension: number i is the exclusive or of the directions selected by the Gray code of i. */
template <class Word> struct sobol {
    const Word *direction;
    Word x;
    unsigned long long i;
    sobol(const Word *directions, Word scramble, unsigned long long from) : direction(directions), x(scramble), i(from)
    {
        const unsigned long long gray = from ^ from >> 1;
        for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit)
            if (gray >> bit & 1)
                x ^= directions[bit];
    }
    Word next()
    {
        const Word now = x;
        const int zero = ~i ? __builtin_ctzll(~i) : 63;
        x ^= direction[zero < (int)(8 * sizeof(Word)) ? zero : (int)(8 * sizeof(Word)) - 1];
        ++i;
        return now;
    }
};

double inverse_normal(double p); /* x such that a normal number is below x with probability p */

inline unsigned curand(sobol<unsigned> *s) { return s->next(); }
inline unsigned long long curand(sobol<unsigned long long> *s) { return s->next(); }
template <class W> float curand_uniform(sobol<W> *s)
{ return (float)(unsigned)(s->next() >> (8 * sizeof(W) - 32)) * 0x1p-32f + 0x1p-33f; }
/* As in cuRAND, a 32-bit number becomes the upper end of its interval, and for normal numbers the middle of it. */
inline double middle(unsigned x) { return x * 0x1p-32 + 0x1p-33; }
inline double middle(unsigned long long x) { return (double)(x >> 11) * 0x1p-53 + 0x1p-54; }
inline double curand_uniform_double(sobol<unsigned> *s) { return s->next() * 0x1p-32 + 0x1p-32; }
inline double curand_uniform_double(sobol<unsigned long long> *s) { return middle(s->next()); }
/* Each number is converted to a normal one alone; combining two dimensions would destroy the sequence. */
template <class W> double curand_normal_double(sobol<W> *s) { return inverse_normal(middle(s->next())); }
template <class W> float curand_normal(sobol<W> *s) { return (float)inverse_normal((double)curand_uniform(s)); }
template <class W> float curand_log_normal(sobol<W> *s, float mean, float d)
{ return expf(mean + d * curand_normal(s)); }
template <class W> double curand_log_normal_double(sobol<W> *s, double mean, double d)
{ return exp(mean + d * curand_normal_double(s)); }
/* The smallest k whose cumulative probability reaches the uniform number. */
template <class W> unsigned curand_poisson(sobol<W> *s, double lambda)
{
    const double u = middle(s->next());
    double logarithm = -lambda, sum = exp(logarithm);
    unsigned k = 0;
    while (sum < u && k < lambda + 40 * sqrt(lambda) + 40) {
        logarithm += log(lambda / ++k);
        sum += exp(logarithm);
    }
    return k;
}

/* The tables of all dimensions for a type of generator; null, with one message, if there is no libcurand. */
struct directions {
    const curandDirectionVectors32_t *of32;
    const curandDirectionVectors64_t *of64;
    const unsigned *scramble32;
    const unsigned long long *scramble64;
};
bool directions_of(curandRngType_t type, directions *all);

} // namespace simt_library

#endif
