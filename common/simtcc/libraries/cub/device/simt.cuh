/*
 * cub/device/simt.cuh - CUB's device-wide algorithms.  Each is a kernel of one thread that runs Thrust's sequential
 * back end.  All headers of this folder include this file.
 *
 * As in CUB, a call without temporary storage only returns the size that it needs (here one byte); the next call does
 * the work.
 */
#pragma once

#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/util_namespace.cuh>
#include <cub/util_type.cuh>
#include <limits>
#include <thrust/copy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/detail/simt.h>
#include <thrust/unique.h>

CUB_NAMESPACE_BEGIN

/* Runs f() in one thread of a kernel called `name` and returns its error. */
template <class F> cudaError_t simt_run(const char *name, void *temporary, size_t &bytes, F f)
{
    if (!temporary) {
        bytes = 1;
        return cudaSuccess;
    }
    simt_library_begin();
    simt::launch(name, thrust::cuda_cub::simt_detail::one_thread<F>, dim3(1), dim3(1))(f);
    simt_library_end();
    return cudaPeekAtLastError();
}

#define CUB_SIMT(name, ...) simt_run("cub::" name, temporary, bytes, [=] { __VA_ARGS__; })
#define CUB_SIMT_REST cudaStream_t = nullptr, bool = false

/* Calls op(i) for each i < n, or op(first[i]), with one thread each.  Debian's CUB is too old to have it. */
struct DeviceFor {
    template <class N, class F> static cudaError_t Bulk(N n, F op, cudaStream_t stream = nullptr)
    {
        if (n <= 0)
            return cudaSuccess;
        const unsigned block = 256, blocks = (unsigned)(((unsigned long long)n + block - 1) / block);
        simt_library_begin();
        simt::launch("cub::DeviceFor", thrust::cuda_cub::simt_detail::element_by_element<F, N>, dim3(blocks),
                     dim3(block), 0, stream)(op, n);
        simt_library_end();
        return cudaPeekAtLastError();
    }
    template <class In, class N, class F>
    static cudaError_t ForEachN(In first, N n, F op, cudaStream_t stream = nullptr)
    { return Bulk(n, [=] __device__(N i) mutable { op(first[i]); }, stream); }
    template <class In, class F> static cudaError_t ForEach(In first, In last, F op, cudaStream_t stream = nullptr)
    { return ForEachN(first, last - first, op, stream); }
    template <class N, class F>
    static cudaError_t Bulk(void *temporary, size_t &bytes, N n, F op, cudaStream_t stream = nullptr)
    { return temporary ? Bulk(n, op, stream) : (bytes = 1, cudaSuccess); }
    template <class In, class N, class F>
    static cudaError_t ForEachN(void *temporary, size_t &bytes, In first, N n, F op, cudaStream_t stream = nullptr)
    { return temporary ? ForEachN(first, n, op, stream) : (bytes = 1, cudaSuccess); }
};

struct DeviceReduce {
    template <class In, class Out, class Op, class T>
    static cudaError_t Reduce(void *temporary, size_t &bytes, In in, Out out, int n, Op op, T init, CUB_SIMT_REST)
    { return CUB_SIMT("DeviceReduce", T sum = init; for (int i = 0; i < n; ++i) sum = op(sum, in[i]); *out = sum); }

    template <class In, class Out>
    static cudaError_t Sum(void *temporary, size_t &bytes, In in, Out out, int n, CUB_SIMT_REST)
    { return Reduce(temporary, bytes, in, out, n, cub::Sum(), cub::detail::value_t<In>()); }
    template <class In, class Out>
    static cudaError_t Min(void *temporary, size_t &bytes, In in, Out out, int n, CUB_SIMT_REST)
    {
        typedef cub::detail::value_t<In> T;
        return Reduce(temporary, bytes, in, out, n, cub::Min(), std::numeric_limits<T>::max());
    }
    template <class In, class Out>
    static cudaError_t Max(void *temporary, size_t &bytes, In in, Out out, int n, CUB_SIMT_REST)
    {
        typedef cub::detail::value_t<In> T;
        return Reduce(temporary, bytes, in, out, n, cub::Max(), std::numeric_limits<T>::lowest());
    }
    /* The first minimum or maximum, with its index. */
    template <class In, class Out>
    static cudaError_t ArgMin(void *temporary, size_t &bytes, In in, Out out, int n, CUB_SIMT_REST)
    { return best(temporary, bytes, in, out, n, [](auto a, auto b) { return a < b; }); }
    template <class In, class Out>
    static cudaError_t ArgMax(void *temporary, size_t &bytes, In in, Out out, int n, CUB_SIMT_REST)
    { return best(temporary, bytes, in, out, n, [](auto a, auto b) { return b < a; }); }
    template <class Keys, class OutKeys, class In, class Out, class N, class Op>
    static cudaError_t ReduceByKey(void *temporary, size_t &bytes, Keys keys, OutKeys out_keys, In in, Out out,
                                   N runs, Op op, int n, CUB_SIMT_REST)
    {
        typedef cub::detail::value_t<Keys> key;
        return CUB_SIMT("DeviceReduce", *runs = thrust::reduce_by_key(thrust::seq, keys, keys + n, in, out_keys, out,
                                                                      thrust::equal_to<key>(), op).first - out_keys);
    }

private:
    template <class In, class Out, class Better>
    static cudaError_t best(void *temporary, size_t &bytes, In in, Out out, int n, Better better)
    {
        typedef cub::detail::value_t<In> T;
        return CUB_SIMT("DeviceReduce", int k = 0;
                        for (int i = 1; i < n; ++i) if (better(in[i], in[k])) k = i;
                        if (n > 0) *out = cub::KeyValuePair<int, T>(k, in[k]));
    }
};

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begin, class End, class Op, class T>
    static cudaError_t Reduce(void *temporary, size_t &bytes, In in, Out out, int n, Begin begin, End end, Op op,
                              T init, CUB_SIMT_REST)
    {
        return CUB_SIMT("DeviceSegmentedReduce", for (int s = 0; s < n; ++s) {
            T sum = init;
            for (auto i = begin[s]; i < end[s]; ++i)
                sum = op(sum, in[i]);
            out[s] = sum;
        });
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Sum(void *temporary, size_t &bytes, In in, Out out, int n, Begin begin, End end, CUB_SIMT_REST)
    { return Reduce(temporary, bytes, in, out, n, begin, end, cub::Sum(), cub::detail::value_t<In>()); }
};

struct DeviceScan {
    template <class In, class Out, class Op, class T>
    static cudaError_t ExclusiveScan(void *temporary, size_t &bytes, In in, Out out, Op op, T init, int n,
                                     CUB_SIMT_REST)
    { return CUB_SIMT("DeviceScan", thrust::exclusive_scan(thrust::seq, in, in + n, out, init, op)); }
    template <class In, class Out, class Op>
    static cudaError_t InclusiveScan(void *temporary, size_t &bytes, In in, Out out, Op op, int n, CUB_SIMT_REST)
    { return CUB_SIMT("DeviceScan", thrust::inclusive_scan(thrust::seq, in, in + n, out, op)); }
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void *temporary, size_t &bytes, In in, Out out, int n, CUB_SIMT_REST)
    { return ExclusiveScan(temporary, bytes, in, out, cub::Sum(), cub::detail::value_t<In>(), n); }
    template <class In, class Out>
    static cudaError_t InclusiveSum(void *temporary, size_t &bytes, In in, Out out, int n, CUB_SIMT_REST)
    { return InclusiveScan(temporary, bytes, in, out, cub::Sum(), n); }

    /* Scans each run of equal keys separately. */
    template <class Keys, class In, class Out, class Op, class T, class Equal = cub::Equality>
    static cudaError_t ExclusiveScanByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, Op op, T init,
                                          int n, Equal equal = Equal(), CUB_SIMT_REST)
    {
        return CUB_SIMT("DeviceScan",
                        thrust::exclusive_scan_by_key(thrust::seq, keys, keys + n, in, out, init, equal, op));
    }
    template <class Keys, class In, class Out, class Op, class Equal = cub::Equality>
    static cudaError_t InclusiveScanByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, Op op, int n,
                                          Equal equal = Equal(), CUB_SIMT_REST)
    {
        return CUB_SIMT("DeviceScan", thrust::inclusive_scan_by_key(thrust::seq, keys, keys + n, in, out, equal, op));
    }
    template <class Keys, class In, class Out, class Equal = cub::Equality>
    static cudaError_t ExclusiveSumByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, int n,
                                         Equal equal = Equal(), CUB_SIMT_REST)
    {
        return ExclusiveScanByKey(temporary, bytes, keys, in, out, cub::Sum(), cub::detail::value_t<In>(), n, equal);
    }
    template <class Keys, class In, class Out, class Equal = cub::Equality>
    static cudaError_t InclusiveSumByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, int n,
                                         Equal equal = Equal(), CUB_SIMT_REST)
    { return InclusiveScanByKey(temporary, bytes, keys, in, out, cub::Sum(), n, equal); }
};

/* Sorts by all bits of the key.  The bit range is ignored, which is right if the other bits are equal. */
struct DeviceRadixSort {
#define CUB_SIMT_SORT(name, order)                                                                                     \
    template <class K>                                                                                                 \
    static cudaError_t SortKeys##name(void *temporary, size_t &bytes, const K *in, K *out, int n, int = 0,             \
                                      int = sizeof(K) * 8, CUB_SIMT_REST)                                              \
    {                                                                                                                  \
        return CUB_SIMT("DeviceRadixSort", thrust::copy(thrust::seq, in, in + n, out);                                 \
                        thrust::stable_sort(thrust::seq, out, out + n, order<K>()));                                   \
    }                                                                                                                  \
    template <class K, class V>                                                                                        \
    static cudaError_t SortPairs##name(void *temporary, size_t &bytes, const K *in, K *out, const V *values,           \
                                       V *out_values, int n, int = 0, int = sizeof(K) * 8, CUB_SIMT_REST)              \
    {                                                                                                                  \
        return CUB_SIMT("DeviceRadixSort", thrust::copy(thrust::seq, in, in + n, out);                                 \
                        thrust::copy(thrust::seq, values, values + n, out_values);                                     \
                        thrust::stable_sort_by_key(thrust::seq, out, out + n, out_values, order<K>()));                \
    }                                                                                                                  \
    template <class K>                                                                                                 \
    static cudaError_t SortKeys##name(void *temporary, size_t &bytes, DoubleBuffer<K> &keys, int n, int = 0,           \
                                      int = sizeof(K) * 8, CUB_SIMT_REST)                                              \
    {                                                                                                                  \
        const cudaError_t e = SortKeys##name(temporary, bytes, keys.Current(), keys.Alternate(), n);                   \
        keys.selector ^= temporary != nullptr;                                                                         \
        return e;                                                                                                      \
    }                                                                                                                  \
    template <class K, class V>                                                                                        \
    static cudaError_t SortPairs##name(void *temporary, size_t &bytes, DoubleBuffer<K> &keys,                          \
                                       DoubleBuffer<V> &values, int n, int = 0, int = sizeof(K) * 8, CUB_SIMT_REST)    \
    {                                                                                                                  \
        const cudaError_t e = SortPairs##name(temporary, bytes, keys.Current(), keys.Alternate(), values.Current(),    \
                                              values.Alternate(), n);                                                  \
        keys.selector ^= temporary != nullptr;                                                                         \
        values.selector ^= temporary != nullptr;                                                                       \
        return e;                                                                                                      \
    }
    CUB_SIMT_SORT(, thrust::less)
    CUB_SIMT_SORT(Descending, thrust::greater)
#undef CUB_SIMT_SORT
};

struct DeviceSelect {
    template <class In, class Out, class N, class F>
    static cudaError_t If(void *temporary, size_t &bytes, In in, Out out, N kept, int n, F f, CUB_SIMT_REST)
    { return CUB_SIMT("DeviceSelect", *kept = thrust::copy_if(thrust::seq, in, in + n, out, f) - out); }
    template <class In, class Flags, class Out, class N>
    static cudaError_t Flagged(void *temporary, size_t &bytes, In in, Flags flags, Out out, N kept, int n,
                               CUB_SIMT_REST)
    {
        return CUB_SIMT("DeviceSelect", int k = 0;
                        for (int i = 0; i < n; ++i) if (flags[i]) out[k++] = in[i];
                        *kept = k);
    }
    template <class In, class Out, class N>
    static cudaError_t Unique(void *temporary, size_t &bytes, In in, Out out, N kept, int n, CUB_SIMT_REST)
    { return CUB_SIMT("DeviceSelect", *kept = thrust::unique_copy(thrust::seq, in, in + n, out) - out); }
};

struct DeviceRunLengthEncode {
    template <class In, class Out, class Lengths, class N>
    static cudaError_t Encode(void *temporary, size_t &bytes, In in, Out out, Lengths lengths, N runs, int n,
                              CUB_SIMT_REST)
    {
        return CUB_SIMT("DeviceRunLengthEncode", int k = 0; for (int i = 0; i < n; ++k) {
            int j = i;
            while (j < n && in[j] == in[i])
                ++j;
            out[k] = in[i];
            lengths[k] = j - i;
            i = j;
        } *runs = k);
    }
};

/* Histograms of one channel or of several interleaved channels; of all samples, or of rows of a wider image. */
struct DeviceHistogram {
    /* levels - 1 bins of the same width from lower to upper. */
    template <class In, class Count, class Level>
    static cudaError_t HistogramEven(void *temporary, size_t &bytes, In in, Count *histogram, int levels, Level lower,
                                     Level upper, int n, CUB_SIMT_REST)
    { return MultiHistogramEven<1, 1>(temporary, bytes, in, &histogram, &levels, &lower, &upper, n); }
    template <class In, class Count, class Level>
    static cudaError_t HistogramEven(void *temporary, size_t &bytes, In in, Count *histogram, int levels, Level lower,
                                     Level upper, int n, int rows, size_t row_bytes, CUB_SIMT_REST)
    {
        return MultiHistogramEven<1, 1>(temporary, bytes, in, &histogram, &levels, &lower, &upper, n, rows, row_bytes);
    }
    template <int CHANNELS, int ACTIVE, class In, class Counts, class Numbers, class Levels>
    static cudaError_t MultiHistogramEven(void *temporary, size_t &bytes, In in, const Counts &histogram,
                                          const Numbers &levels, const Levels &lower, const Levels &upper, int n,
                                          CUB_SIMT_REST)
    {
        return MultiHistogramEven<CHANNELS, ACTIVE>(temporary, bytes, in, histogram, levels, lower, upper, n, 1,
                                                    (size_t)0);
    }
    template <int CHANNELS, int ACTIVE, class In, class Counts, class Numbers, class Levels>
    static cudaError_t MultiHistogramEven(void *temporary, size_t &bytes, In in, const Counts &histogram,
                                          const Numbers &levels, const Levels &lower, const Levels &upper, int n,
                                          int rows, size_t row_bytes, CUB_SIMT_REST)
    {
        typedef std::decay_t<decltype(lower[0])> Level;
        return count<CHANNELS, ACTIVE>(temporary, bytes, in, histogram, n, rows, row_bytes, [&](int c) {
            return even<Level>{levels[c] - 1, lower[c], upper[c]};
        });
    }

    /* levels - 1 bins between adjacent values of limits, which are in GPU memory. */
    template <class In, class Count, class Level>
    static cudaError_t HistogramRange(void *temporary, size_t &bytes, In in, Count *histogram, int levels,
                                      const Level *limits, int n, CUB_SIMT_REST)
    { return MultiHistogramRange<1, 1>(temporary, bytes, in, &histogram, &levels, &limits, n); }
    template <class In, class Count, class Level>
    static cudaError_t HistogramRange(void *temporary, size_t &bytes, In in, Count *histogram, int levels,
                                      const Level *limits, int n, int rows, size_t row_bytes, CUB_SIMT_REST)
    { return MultiHistogramRange<1, 1>(temporary, bytes, in, &histogram, &levels, &limits, n, rows, row_bytes); }
    template <int CHANNELS, int ACTIVE, class In, class Counts, class Numbers, class Limits>
    static cudaError_t MultiHistogramRange(void *temporary, size_t &bytes, In in, const Counts &histogram,
                                           const Numbers &levels, const Limits &limits, int n, CUB_SIMT_REST)
    {
        return MultiHistogramRange<CHANNELS, ACTIVE>(temporary, bytes, in, histogram, levels, limits, n, 1, (size_t)0);
    }
    template <int CHANNELS, int ACTIVE, class In, class Counts, class Numbers, class Limits>
    static cudaError_t MultiHistogramRange(void *temporary, size_t &bytes, In in, const Counts &histogram,
                                           const Numbers &levels, const Limits &limits, int n, int rows,
                                           size_t row_bytes, CUB_SIMT_REST)
    {
        typedef std::decay_t<decltype(*limits[0])> Level;
        return count<CHANNELS, ACTIVE>(temporary, bytes, in, histogram, n, rows, row_bytes,
                                       [&](int c) { return range<Level>{levels[c] - 1, limits[c]}; });
    }

private:
    /* The bin of a value, or -1. */
    template <class Level> struct even {
        int bins;
        Level lower, upper;
        template <class T> __host__ __device__ int operator()(const T &v) const
        { return v >= lower && v < upper ? (int)((double)(v - lower) * bins / (double)(upper - lower)) : -1; }
    };
    template <class Level> struct range {
        int bins;
        const Level *limits;
        template <class T> __host__ __device__ int operator()(const T &v) const
        {
            int b = 0;
            while (b <= bins && limits[b] <= v)
                ++b;
            return b <= bins ? b - 1 : -1;
        }
    };
    template <class Count, class Bins, int ACTIVE> struct channels {
        Count *histogram[ACTIVE];
        Bins bins[ACTIVE];
    };
    template <int CHANNELS, int ACTIVE, class In, class Counts, class F>
    static cudaError_t count(void *temporary, size_t &bytes, In in, const Counts &histogram, int n, int rows,
                             size_t row_bytes, F bins_of)
    {
        channels<std::decay_t<decltype(*histogram[0])>, decltype(bins_of(0)), ACTIVE> all;
        for (int c = 0; c < ACTIVE; ++c) {
            all.histogram[c] = histogram[c];
            all.bins[c] = bins_of(c);
        }
        const size_t row = row_bytes / sizeof(cub::detail::value_t<In>);
        return CUB_SIMT("DeviceHistogram", for (int c = 0; c < ACTIVE; ++c) {
            for (int b = 0; b < all.bins[c].bins; ++b)
                all.histogram[c][b] = 0;
            for (int r = 0; r < rows; ++r)
                for (int i = 0; i < n; ++i) {
                    const int b = all.bins[c](in[r * row + (size_t)i * CHANNELS + c]);
                    if (b >= 0)
                        ++all.histogram[c][b];
                }
        });
    }
};

#undef CUB_SIMT
#undef CUB_SIMT_REST

CUB_NAMESPACE_END
