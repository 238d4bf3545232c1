/*
 * cufft.cpp - cuFFT by FFTW: a plan stores its shape; FFTW plans at each use with FFTW_ESTIMATE, which touches no data.
 */
#include <fftw3.h>
#include <map>
#include <mutex>
#include "call.hpp"
#include "cufft.hpp"
#include "cufftXt.h"

using namespace simt_library;

namespace {

/* The layout of one side of a plan. */
struct side {
    int embed[3], stride, distance;
    bool tight;                 /* the caller has not set another layout */

    /* The number of elements from the first to the last, both included. */
    size_t extent(const int *dimension, int rank, int batch) const
    {
        size_t last = 0;
        for (int i = 0; i < rank; ++i)
            last = last * (size_t)embed[i] + (size_t)(dimension[i] - 1);
        return last * (size_t)stride + (size_t)(batch - 1) * (size_t)distance + 1;
    }
};

/* The callback that loads or stores the numbers of a side; function: null if there is none. */
struct callback {
    void *function, *info;
    simt_fft_caller caller;
};

struct plan {
    bool made;
    cufftType type;
    int rank, n[3], batch;
    side in, out;
    cudaStream_t stream;
    callback load, store;

    /* The number of numbers of a side, which is shorter if `halved`. */
    size_t numbers(bool halved) const
    {
        int dimension[3] = {n[0], n[1], n[2]};
        size_t all = (size_t)batch;
        if (halved)
            halves(dimension);
        for (int i = 0; i < rank; ++i)
            all *= (size_t)dimension[i];
        return all;
    }
    /* Stores the dimensions of the complex side, if the other side is real. */
    void halves(int *dimension) const
    {
        for (int i = 0; i < rank; ++i)
            dimension[i] = i == rank - 1 ? n[i] / 2 + 1 : n[i];
    }
};

std::mutex lock;
std::map<cufftHandle, plan> plans;
cufftHandle last_plan;

/* A plan and the lock that is held while it is used; p is null if there is no such plan, or if `made` is not its
 * state. */
struct found_plan {
    std::unique_lock<std::mutex> hold{lock};
    plan *p = nullptr;
    explicit found_plan(cufftHandle handle, bool made = true)
    {
        const auto found = plans.find(handle);
        if (found != plans.end() && found->second.made == made)
            p = &found->second;
    }
};

bool real_in(cufftType t) { return t == CUFFT_R2C || t == CUFFT_D2Z; }
bool real_out(cufftType t) { return t == CUFFT_C2R || t == CUFFT_Z2D; }
bool is_type(cufftType t)
{ return real_in(t) || real_out(t) || t == CUFFT_C2C || t == CUFFT_Z2Z; }

/* A contiguous layout, or the caller's. */
side place(const plan &p, const int *embed, int stride, int distance, bool halved)
{
    side s{};
    int dimension[3];
    for (int i = 0; i < p.rank; ++i)
        dimension[i] = p.n[i];
    if (halved)
        p.halves(dimension);
    s.tight = !embed;
    s.stride = embed ? stride : 1;
    s.distance = embed ? distance : 1;
    for (int i = 0; i < p.rank; ++i) {
        s.embed[i] = embed ? embed[i] : dimension[i];
        if (!embed)
            s.distance *= dimension[i];
    }
    return s;
}

/* The real side of an in-place transform without embedding: its rows are padded to the length of complex rows. */
side padded(const plan &p, side s)
{
    s.embed[p.rank - 1] = 2 * (p.n[p.rank - 1] / 2 + 1);
    s.distance = 1;
    for (int i = 0; i < p.rank; ++i)
        s.distance *= s.embed[i];
    return s;
}

/* FFTW's names for float and double. */
struct single_t {
    typedef fftwf_complex complex;
    typedef float real;
    static constexpr auto many = fftwf_plan_many_dft;
    static constexpr auto many_r2c = fftwf_plan_many_dft_r2c;
    static constexpr auto many_c2r = fftwf_plan_many_dft_c2r;
    static constexpr auto execute = fftwf_execute;
    static constexpr auto destroy = fftwf_destroy_plan;
};
struct double_t {
    typedef fftw_complex complex;
    typedef double real;
    static constexpr auto many = fftw_plan_many_dft;
    static constexpr auto many_r2c = fftw_plan_many_dft_r2c;
    static constexpr auto many_c2r = fftw_plan_many_dft_c2r;
    static constexpr auto execute = fftw_execute;
    static constexpr auto destroy = fftw_destroy_plan;
};

template <class F> bool transform(const plan &p, const side &in, const side &out, void *from, void *to, int direction)
{
    typedef typename F::complex complex;
    typedef typename F::real real;
    const int *ie = in.embed, *oe = out.embed;
    const unsigned how = FFTW_ESTIMATE;
    auto f = real_in(p.type)    ? F::many_r2c(p.rank, p.n, p.batch, (real *)from, ie, in.stride, in.distance,
                                              (complex *)to, oe, out.stride, out.distance, how)
             : real_out(p.type) ? F::many_c2r(p.rank, p.n, p.batch, (complex *)from, ie, in.stride, in.distance,
                                              (real *)to, oe, out.stride, out.distance, how)
                                : F::many(p.rank, p.n, p.batch, (complex *)from, ie, in.stride, in.distance,
                                          (complex *)to, oe, out.stride, out.distance, direction, how);
    if (!f)
        return false;
    F::execute(f);
    F::destroy(f);
    return true;
}

/* The memory that a side accesses: rows of the last dimension if they are contiguous, else everything from its
 * first to its last number. */
void operand(call &c, const char *name, const plan &p, const side &s, const void *at, bool halved, size_t element,
             int does)
{
    int dimension[3] = {p.n[0], p.n[1], p.n[2]};
    if (halved)
        p.halves(dimension);
    const int row = dimension[p.rank - 1];
    const size_t all = s.extent(dimension, p.rank, p.batch);
    size_t rows = (size_t)p.batch;
    for (int i = 0; i + 1 < p.rank; ++i)
        rows *= (size_t)dimension[i];
    const bool even = s.stride == 1 && (p.rank == 1 ? p.batch == 1 || s.distance >= row
                                                    : all == (rows - 1) * (size_t)s.embed[p.rank - 1] + (size_t)row);
    if (even)
        c.matrix(name, at, (size_t)row, rows, (size_t)(p.rank == 1 ? s.distance : s.embed[p.rank - 1]), element, does);
    else
        c.vector(name, at, all, 1, element, does == READS ? SOME : does);
}

/* Executes the transform after checking its memory.  in_place: from the program's point of view. */
cufftResult run(const char *name, const plan &p, void *from, void *to, int direction, bool in_place)
{
    const cufftType type = p.type;
    const bool wide = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
    const size_t real = wide ? sizeof(double) : sizeof(float);
    side in = p.in, out = p.out;
    if (in_place && real_in(type) && in.tight)
        in = padded(p, in);
    if (in_place && real_out(type) && out.tight)
        out = padded(p, out);
    call c(name, p.stream);
    operand(c, "the input", p, in, from, real_out(type), real_in(type) ? real : 2 * real, READS);
    operand(c, "the output", p, out, to, real_in(type), real_out(type) ? real : 2 * real, WRITES);
    const auto *const plan = &p;
    if (c.later([=] {
            wide ? transform<double_t>(*plan, in, out, from, to, direction)
                 : transform<single_t>(*plan, in, out, from, to, direction);
        }))
        return CUFFT_SUCCESS;
    if (!c.begins())
        return CUFFT_EXEC_FAILED;
    const bool done = wide ? transform<double_t>(p, in, out, from, to, direction)
                           : transform<single_t>(p, in, out, from, to, direction);
    return done ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
}

/* GPU memory for the numbers between a callback and the transform. */
struct between {
    void *p = nullptr;
    explicit between(size_t bytes) { if (cudaMalloc(&p, bytes) != cudaSuccess) p = nullptr; }
    ~between() { cudaFree(p); }
};

/* With callbacks: loads all numbers, transforms, and stores all.  A callback gets one index, so layouts must be
 * contiguous, and an in-place transform must not pad rows of reals. */
cufftResult run_with_callbacks(const char *name, const plan &p, void *from, void *to, int direction)
{
    const bool in_place = from == to, padded = in_place && ((real_in(p.type) && p.load.function) ||
                                                            (real_out(p.type) && p.store.function));
    if (!p.in.tight || !p.out.tight || padded)
        return CUFFT_NOT_SUPPORTED;
    const size_t loaded = p.numbers(real_out(p.type)), stored = p.numbers(real_in(p.type));
    between input(p.load.function ? loaded * 2 * sizeof(double) : 1);
    between output(p.store.function ? stored * 2 * sizeof(double) : 1);
    if (!input.p || !output.p)
        return CUFFT_ALLOC_FAILED;
    if (p.load.function)
        p.load.caller(p.load.function, from, p.load.info, input.p, loaded);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return CUFFT_EXEC_FAILED;
    const cufftResult r = run(name, p, p.load.function ? input.p : from, p.store.function ? output.p : to, direction,
                              in_place);
    if (r != CUFFT_SUCCESS || !p.store.function)
        return r;
    p.store.caller(p.store.function, to, p.store.info, output.p, stored);
    return cudaDeviceSynchronize() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cufftResult execute(const char *name, cufftHandle handle, cufftType type, void *from, void *to, int direction)
{
    const found_plan found(handle); /* the lock, because FFTW must plan one at a time */
    if (!found.p)
        return CUFFT_INVALID_PLAN;
    const plan &p = *found.p;
    if (p.type != type || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return p.type != type ? CUFFT_INVALID_TYPE : CUFFT_INVALID_VALUE;
    return p.load.function || p.store.function ? run_with_callbacks(name, p, from, to, direction)
                                               : run(name, p, from, to, direction, from == to);
}

} // namespace

/* ---- plans ---- */

cufftResult cufftCreate(cufftHandle *handle)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    std::lock_guard<std::mutex> hold(lock);
    *handle = ++last_plan;
    plans[*handle] = plan{};
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type, int batch, size_t *work_bytes)
{
    const found_plan found(handle, false);
    if (!found.p)
        return CUFFT_INVALID_PLAN;
    if (!is_type(type))
        return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > 3 || !n || batch < 1)
        return rank < 1 || rank > 3 || !n ? CUFFT_INVALID_VALUE : CUFFT_INVALID_SIZE;
    plan &p = *found.p;
    p.type = type;
    p.rank = rank;
    p.batch = batch;
    for (int i = 0; i < rank; ++i) {
        if (n[i] < 1)
            return CUFFT_INVALID_SIZE;
        p.n[i] = n[i];
    }
    p.in = place(p, inembed, istride, idist, real_out(type));
    p.out = place(p, onembed, ostride, odist, real_in(type));
    if (work_bytes)
        *work_bytes = 0;
    p.made = true;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan1d(cufftHandle handle, int n, cufftType type, int batch, size_t *work_bytes)
{ return cufftMakePlanMany(handle, 1, &n, nullptr, 1, 0, nullptr, 1, 0, type, batch, work_bytes); }
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *work_bytes)
{
    int n[] = {nx, ny};
    return cufftMakePlanMany(handle, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work_bytes);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *work_bytes)
{
    int n[] = {nx, ny, nz};
    return cufftMakePlanMany(handle, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work_bytes);
}

/* A new plan, which is stored only if it could be created. */
template <class F> static cufftResult planned(cufftHandle *handle, F make)
{
    cufftResult r = cufftCreate(handle);
    if (r == CUFFT_SUCCESS && (r = make(*handle)) != CUFFT_SUCCESS)
        cufftDestroy(*handle);
    return r;
}

cufftResult cufftPlan1d(cufftHandle *handle, int n, cufftType type, int batch)
{ return planned(handle, [=](cufftHandle h) { return cufftMakePlan1d(h, n, type, batch, nullptr); }); }
cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type)
{ return planned(handle, [=](cufftHandle h) { return cufftMakePlan2d(h, nx, ny, type, nullptr); }); }
cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type)
{ return planned(handle, [=](cufftHandle h) { return cufftMakePlan3d(h, nx, ny, nz, type, nullptr); }); }
cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                          int ostride, int odist, cufftType type, int batch)
{
    return planned(handle, [=](cufftHandle h) {
        return cufftMakePlanMany(h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
    });
}

cufftResult cufftDestroy(cufftHandle handle)
{
    std::lock_guard<std::mutex> hold(lock);
    return plans.erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    std::lock_guard<std::mutex> hold(lock);
    const auto found = plans.find(handle);
    if (found == plans.end())
        return CUFFT_INVALID_PLAN;
    found->second.stream = stream;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int *version)
{
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetSize(cufftHandle handle, size_t *work_bytes)
{
    std::lock_guard<std::mutex> hold(lock);
    if (!plans.count(handle))
        return CUFFT_INVALID_PLAN;
    *work_bytes = 0;
    return CUFFT_SUCCESS;
}

/* ---- transforms ---- */

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{ return execute("cufftExecC2C", plan, CUFFT_C2C, in, out, direction); }
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{ return execute("cufftExecR2C", plan, CUFFT_R2C, in, out, CUFFT_FORWARD); }
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{ return execute("cufftExecC2R", plan, CUFFT_C2R, in, out, CUFFT_INVERSE); }
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction)
{ return execute("cufftExecZ2Z", plan, CUFFT_Z2Z, in, out, direction); }
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{ return execute("cufftExecD2Z", plan, CUFFT_D2Z, in, out, CUFFT_FORWARD); }
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{ return execute("cufftExecZ2D", plan, CUFFT_Z2D, in, out, CUFFT_INVERSE); }

/* ---- long sizes, named types ---- */

static const struct { cudaDataType in, out; cufftType type; } named[] = {
    {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C}, {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C},
    {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
};

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, cudaDataType in, long long *onembed, long long ostride,
                                long long odist, cudaDataType out, long long batch, size_t *work_bytes, cudaDataType)
{
    if (rank < 1 || rank > 3 || !n)
        return CUFFT_INVALID_VALUE;
    int size[3] = {}, in_size[3] = {}, out_size[3] = {};
    for (int i = 0; i < rank; ++i) {
        size[i] = (int)n[i];
        in_size[i] = inembed ? (int)inembed[i] : 0;
        out_size[i] = onembed ? (int)onembed[i] : 0;
    }
    for (const auto &t : named)
        if (t.in == in && t.out == out)
            return cufftMakePlanMany(handle, rank, size, inembed ? in_size : nullptr, (int)istride, (int)idist,
                                     onembed ? out_size : nullptr, (int)ostride, (int)odist, t.type, (int)batch,
                                     work_bytes);
    return CUFFT_NOT_SUPPORTED;
}

cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction)
{
    found_plan found(handle);
    if (!found.p)
        return CUFFT_INVALID_PLAN;
    const cufftType type = found.p->type;
    found.hold.unlock();
    return execute("cufftXtExec", handle, type, in, out, direction);
}

/* ---- callbacks ---- */

/* Whether a callback's type of number, such as complex or double complex, is the one that the plan loads or stores. */
static bool fits(const plan &p, cufftXtCallbackType type)
{
    const bool wide = p.type == CUFFT_Z2Z || p.type == CUFFT_D2Z || p.type == CUFFT_Z2D;
    const bool real = type < CUFFT_CB_ST_COMPLEX ? real_in(p.type) : real_out(p.type);
    return type % 4 == 2 * real + wide;
}

cufftResult simt_cufft_set_callback(cufftHandle handle, void *function, void *info, cufftXtCallbackType type,
                                    simt_fft_caller caller)
{
    const found_plan found(handle);
    if (!found.p)
        return CUFFT_INVALID_PLAN;
    if (!fits(*found.p, type))
        return CUFFT_INVALID_TYPE;
    (type < CUFFT_CB_ST_COMPLEX ? found.p->load : found.p->store) = {function, info, caller};
    return CUFFT_SUCCESS;
}

cufftResult cufftXtClearCallback(cufftHandle handle, cufftXtCallbackType type)
{ return simt_cufft_set_callback(handle, nullptr, nullptr, type, nullptr); }

cufftResult cufftXtSetCallbackSharedSize(cufftHandle, cufftXtCallbackType, size_t bytes)
{ return bytes ? CUFFT_NOT_SUPPORTED : CUFFT_SUCCESS; }

bool simt_library::shape_of(cufftHandle handle, size_t *numbers, size_t *element)
{
    const found_plan found(handle);
    if (!found.p || real_in(found.p->type) || real_out(found.p->type))
        return false;
    *numbers = found.p->numbers(false);
    *element = found.p->type == CUFFT_Z2Z ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
    return true;
}
