/*
 * curand.cpp - cuRAND's host generators: they return the numbers of simt_curand.h one after the other.
 */
#include <mutex>
#include <random>
#include <set>
#include "call.hpp"
#include "curand.h"
#include "curand_quasi.hpp"
#include "simt_curand.h"

using namespace simt_library;

/* The Mersenne twister, with the members of the other states. */
struct twister : simt_normal_pair { std::mt19937 engine; };
static unsigned curand(twister *s) { return (unsigned)s->engine(); }

struct curandGenerator_st {
    curandRngType_t type;
    bool on_gpu;
    cudaStream_t stream;
    unsigned long long seed, offset;
    bool fresh;                 /* a seed or an offset has been set since the last number */
    curandStateXORWOW xorwow;
    curandStatePhilox4_32_10 philox;
    curandStateMRG32k3a mrg;
    twister mt;
    unsigned dimensions;
    directions tables;

    bool in_pairs() const
    {
        return type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
               type == CURAND_RNG_PSEUDO_MRG32K3A;
    }
    bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
    bool is_wide() const { return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64; }
    void start()
    {
        fresh = false;
        curand_init(seed, 0, offset, &xorwow);
        curand_init(seed, 0, offset, &philox);
        curand_init(seed, 0, offset, &mrg);
        mt = twister();
        mt.engine.seed((unsigned)(seed ^ seed >> 32));
        mt.engine.discard(offset);
    }
    /* Writes n / dimensions numbers of each dimension, one dimension after the other; the next call continues. */
    template <class F> void with_dimensions(size_t n, F f)
    {
        for (unsigned d = 0; d < dimensions; ++d) {
            const size_t from = d * (n / dimensions), to = from + n / dimensions;
            if (is_wide()) {
                sobol<unsigned long long> s(tables.of64[d], tables.scramble64 ? tables.scramble64[d] : 0, offset);
                f(&s, from, to);
            } else {
                sobol<unsigned> s(tables.of32[d], tables.scramble32 ? tables.scramble32[d] : 0, offset);
                f(&s, from, to);
            }
        }
        offset += n / dimensions;
    }
    /* Calls f with the state of this type of generator. */
    template <class F> void with_state(size_t n, F f)
    {
        if (is_quasi())
            return with_dimensions(n, f);
        if (fresh)
            start();
        switch (type) {
        case CURAND_RNG_PSEUDO_MRG32K3A: return f(&mrg, 0, n);
        case CURAND_RNG_PSEUDO_MTGP32:
        case CURAND_RNG_PSEUDO_MT19937: return f(&mt, 0, n);
        case CURAND_RNG_PSEUDO_PHILOX4_32_10: return f(&philox, 0, n);
        default: return f(&xorwow, 0, n);
        }
    }
};

static std::mutex lock;
static std::set<curandGenerator_t> generators;

static bool is_generator(curandGenerator_t g)
{
    std::lock_guard<std::mutex> hold(lock);
    return generators.count(g) > 0;
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_gpu)
{
    const bool pseudo = type >= CURAND_RNG_PSEUDO_DEFAULT && type <= CURAND_RNG_PSEUDO_PHILOX4_32_10;
    const bool quasi = type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    directions tables = {};
    if (!generator || (!pseudo && !quasi))
        return CURAND_STATUS_TYPE_ERROR;
    if (quasi && !directions_of(type, &tables))
        return CURAND_STATUS_INITIALIZATION_FAILED;
    *generator = new curandGenerator_st();
    (*generator)->type = type;
    (*generator)->on_gpu = on_gpu;
    (*generator)->fresh = true;
    (*generator)->dimensions = 1;
    (*generator)->tables = tables;
    std::lock_guard<std::mutex> hold(lock);
    generators.insert(*generator);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{ return create(generator, type, true); }
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{ return create(generator, type, false); }

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    std::lock_guard<std::mutex> hold(lock);
    if (!generators.erase(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version)
{
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

#define WITH_GENERATOR(what)                       \
    if (!is_generator(generator))                  \
        return CURAND_STATUS_NOT_INITIALIZED;      \
    what;                                          \
    return CURAND_STATUS_SUCCESS

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{ WITH_GENERATOR(generator->stream = stream); }
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed)
{
    WITH_GENERATOR(if (generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR; generator->seed = seed;
                   generator->fresh = true);
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions)
{
    WITH_GENERATOR(if (!generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
                   if (dimensions < 1 || dimensions > 20000) return CURAND_STATUS_OUT_OF_RANGE;
                   generator->dimensions = dimensions);
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{ WITH_GENERATOR(generator->offset = offset; generator->fresh = true); }
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) { WITH_GENERATOR(); }
curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{ WITH_GENERATOR(if (!generator->is_quasi()) generator->start()); }

/* Stores next(state) n times. */
template <class T, class F>
static curandStatus_t fill(const char *name, curandGenerator_t generator, T *out, size_t n, F next)
{
    if (!is_generator(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->is_quasi() && n % generator->dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    call c(name, generator->stream);
    if (generator->on_gpu)
        c.vector("the numbers", out, n, 1, sizeof *out, WRITES);
    const bool begins = c.run([=] {
        generator->with_state(n, [&](auto *state, size_t from, size_t to) {
            for (size_t i = from; i < to; ++i)
                out[i] = (T)next(state);
        });
    });
    return begins ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/* Only the generators with 32-bit numbers generate 32 random bits. */
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n)
{
    if (is_generator(g) && g->is_wide())
        return CURAND_STATUS_TYPE_ERROR;
    return fill("curandGenerate", g, out, n, [](auto *s) { return curand(s); });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t n)
{
    if (is_generator(g) && !g->is_wide())
        return CURAND_STATUS_TYPE_ERROR;
    return fill("curandGenerateLongLong", g, out, n, [](auto *s) { return curand(s); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{ return fill("curandGenerateUniform", g, out, n, [](auto *s) { return curand_uniform(s); }); }
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n)
{ return fill("curandGenerateUniformDouble", g, out, n, [](auto *s) { return curand_uniform_double(s); }); }

/* The other generators make normal numbers in pairs, so cuRAND refuses an odd number of them. */
#define IF_EVEN(n, what)                                     \
    ((n) % 2 && is_generator(g) && g->in_pairs() ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : (what))

curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float d)
{
    return IF_EVEN(n, fill("curandGenerateNormal", g, out, n, [=](auto *s) { return mean + d * curand_normal(s); }));
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double d)
{
    return IF_EVEN(n, fill("curandGenerateNormalDouble", g, out, n,
                           [=](auto *s) { return mean + d * curand_normal_double(s); }));
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean, float d)
{
    return IF_EVEN(n, fill("curandGenerateLogNormal", g, out, n,
                           [=](auto *s) { return curand_log_normal(s, mean, d); }));
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double d)
{
    return IF_EVEN(n, fill("curandGenerateLogNormalDouble", g, out, n,
                           [=](auto *s) { return curand_log_normal_double(s, mean, d); }));
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *out, size_t n, double lambda)
{
    if (lambda <= 0)
        return CURAND_STATUS_OUT_OF_RANGE;
    return fill("curandGeneratePoisson", g, out, n, [=](auto *s) { return curand_poisson(s, lambda); });
}
