// grade 1 1 exactly 100: *
#include "chapter.h"
#include <type_traits>
namespace {
enum class Step : unsigned char { First, Next };
constexpr unsigned log2_of(unsigned v) { return v <= 1 ? 0 : 1 + log2_of(v / 2); }
template <typename T> using pointer = const T *__restrict__;
template <typename T, unsigned Threads = 256, unsigned Each = 8> struct Geometry {
    static_assert((Threads & (Threads - 1)) == 0, "a power of two");
    static_assert(std::is_floating_point<T>::value, "a number");
    static constexpr unsigned threads = Threads, each = Each, tile = Threads * Each, rounds = log2_of(Threads);
    static constexpr size_t blocks(size_t n) { return n > tile ? (n + tile - 1) / tile : 1; }
};
struct Add { template <typename T> __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T, typename Op, unsigned N> __device__ void fold(T (&s)[N], Op op)
{
    auto round = [&](unsigned half) {
        if (threadIdx.x < half) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + half]);
        __syncthreads();
    };
    for (unsigned r = 0, half = N / 2; r < log2_of(N); ++r, half /= 2) round(half);
}
template <typename G, typename T> __global__ void sum(pointer<T> in, size_t n, T *sums)
{
    __shared__ T s[G::threads];
    auto load = [=](size_t i) -> T { return i < n ? in[i] : T(0); };
    T v = 0;
    for (unsigned k = 0; k < G::each; ++k) v += load(size_t(blockIdx.x) * G::tile + k * G::threads + threadIdx.x);
    s[threadIdx.x] = v;
    __syncthreads();
    fold(s, Add{});
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}
} // namespace
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    using G = Geometry<T>;
    Step step = Step::First;
    const auto run = [&](T *to, size_t blocks) { sum<G, T><<<static_cast<unsigned>(blocks), G::threads, 0, stream>>>(d_in, n, to); };
    for (size_t blocks; (blocks = G::blocks(n)) > 1; d_in = d_sums, d_sums += blocks, n = blocks, step = Step::Next) run(d_sums, blocks);
    run(d_out, 1);
    return step == Step::Next || n <= G::tile ? cudaGetLastError() : cudaErrorUnknown;
}
REDUCE_STEP(reduce_student)
