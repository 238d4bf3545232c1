/* cub/warp/specializations/warp_reduce_shfl.cuh - warp reduction by shuffles: in step s, lane i adds lane i + 2^s. */

#pragma once

#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>

CUB_NAMESPACE_BEGIN

template <class T, int THREADS, int ARCH = 0> struct WarpReduceShfl {
    typedef NullType TempStorage;

    const unsigned lanes = simt_lanes<THREADS>();
    const int lane = (int)(LaneId() % THREADS);

    __device__ __forceinline__ WarpReduceShfl(TempStorage &) {}

    /* The first lane gets the result of the first valid_items lanes, or of all lanes. */
    template <bool ALL_LANES_VALID, class Op> __device__ __forceinline__ T Reduce(T input, int valid_items, Op op)
    { return up_to(ALL_LANES_VALID ? THREADS - 1 : valid_items - 1, input, op); }

    /* The first lane of each segment gets its result.  A segment begins at a head or ends at a tail. */
    template <bool HEADS, class Flag, class Op> __device__ __forceinline__ T SegmentedReduce(T input, Flag flag, Op op)
    {
        const unsigned flags = __ballot_sync(lanes, flag) >> LaneId() / THREADS * THREADS;
        const unsigned ends = HEADS ? flags >> 1 : flags;
        const int next = __ffs((int)(ends >> lane));
        const int last = next ? lane + next - 1 : THREADS - 1;
        return up_to(last < THREADS ? last : THREADS - 1, input, op);
    }

private:
    template <class Op> __device__ __forceinline__ T up_to(int last, T value, Op op)
    {
        for (int offset = 1; offset < THREADS; offset *= 2) {
            const T other = ShuffleDown<THREADS>(value, offset, last, lanes);
            if (lane + offset <= last)
                value = op(value, other);
        }
        return value;
    }
};

CUB_NAMESPACE_END
