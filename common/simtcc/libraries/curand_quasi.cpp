/*
 * curand_quasi.cpp - implements curand_quasi.hpp: the toolkit's tables, and the inverse normal distribution.
 */
#include "curand_quasi.hpp"
#include <cstdio>
#include <dlfcn.h>

/* The path of the toolkit's libcurand.  simtcc writes it into the program; g++ and CMake leave it to the loader. */
extern "C" const char simt_libcurand[] __attribute__((weak));

namespace simt_library {

static void *table_of(const char *name)
{
    static void *library = [] {
        const char *file = simt_libcurand ? simt_libcurand : "libcurand.so.10";
        void *found = *file ? dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : nullptr;
        if (!found)
            fputs("simt: quasi-random numbers need the direction numbers of a CUDA toolkit's libcurand: install a "
                  "toolkit, set CUDA_HOME to its folder, and build the program again\n", stderr);
        return found;
    }();
    return library ? dlsym(library, name) : nullptr;
}

/* Calls the library's function of that name, if it exists. */
template <class T, class... A> static curandStatus_t ask(const char *name, T **table, A... which)
{
    const auto f = (curandStatus_t (*)(T **, A...))table_of(name);
    return f && table ? f(table, which...) : CURAND_STATUS_INITIALIZATION_FAILED;
}

bool directions_of(curandRngType_t type, directions *all)
{
    const bool scrambled = type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    const bool wide = type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    curandDirectionVectors32_t *of32 = nullptr;
    curandDirectionVectors64_t *of64 = nullptr;
    unsigned *scramble32 = nullptr;
    unsigned long long *scramble64 = nullptr;
    const auto set32 = scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 : CURAND_DIRECTION_VECTORS_32_JOEKUO6;
    const auto set64 = scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 : CURAND_DIRECTION_VECTORS_64_JOEKUO6;
    const bool vectors = wide ? !curandGetDirectionVectors64(&of64, set64) : !curandGetDirectionVectors32(&of32, set32);
    const bool there = vectors && (!scrambled || (wide ? !curandGetScrambleConstants64(&scramble64)
                                                       : !curandGetScrambleConstants32(&scramble32)));
    *all = {of32, of64, scramble32, scramble64};
    return there;
}

/* The x > 0 above which a normal number lies with probability p: Newton's method on the logarithm of the tail. */
static double tail_of(double p)
{
    double x = sqrt(-2 * log(p));
    for (int i = 0; i < 60; ++i) {
        const double tail = erfc(x * M_SQRT1_2) / 2, density = exp(-x * x / 2) / sqrt(2 * M_PI);
        const double step = (log(tail) - log(p)) * tail / density;
        x += step;
        if (fabs(step) < 1e-16 * (1 + fabs(x)))
            break;
    }
    return x;
}

double inverse_normal(double p) { return p < 0.5 ? -tail_of(p) : tail_of(1 - p); }

} // namespace simt_library

using namespace simt_library;

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set)
{ return ask("curandGetDirectionVectors32", vectors, set); }
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set)
{ return ask("curandGetDirectionVectors64", vectors, set); }
curandStatus_t curandGetScrambleConstants32(unsigned **constants)
{ return ask("curandGetScrambleConstants32", constants); }
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{ return ask("curandGetScrambleConstants64", constants); }
