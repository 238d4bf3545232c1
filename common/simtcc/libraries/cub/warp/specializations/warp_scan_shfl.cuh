/* cub/warp/specializations/warp_scan_shfl.cuh - warp scan by shuffles: in step s, lane i adds lane i - 2^s. */
#pragma once

#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>

CUB_NAMESPACE_BEGIN

template <class T, int THREADS, int ARCH = 0> struct WarpScanShfl {
    typedef NullType TempStorage;

    const unsigned lanes = simt_lanes<THREADS>();
    const int lane = (int)(LaneId() % THREADS);

    __device__ __forceinline__ WarpScanShfl(TempStorage &) {}

    __device__ __forceinline__ T Broadcast(T input, unsigned from)
    { return ShuffleIndex<THREADS>(input, (int)from, lanes); }

    template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T &inclusive, Op op)
    {
        inclusive = input;
        for (int offset = 1; offset < THREADS; offset *= 2) {
            const T other = ShuffleUp<THREADS>(inclusive, offset, 0, lanes);
            if (lane >= offset)
                inclusive = op(other, inclusive);
        }
    }
    template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T &inclusive, Op op, T &total)
    {
        InclusiveScan(input, inclusive, op);
        total = Broadcast(inclusive, THREADS - 1);
    }

    /* Converts an inclusive scan to an exclusive one that starts with `initial`; the total does not include
     * `initial`. */
    template <class Op, class IsInteger>
    __device__ __forceinline__ void Update(T, T &inclusive, T &exclusive, Op, IsInteger)
    { exclusive = ShuffleUp<THREADS>(inclusive, 1, 0, lanes); }
    template <class Op, class IsInteger>
    __device__ __forceinline__ void Update(T, T &inclusive, T &exclusive, Op op, T initial, IsInteger)
    {
        inclusive = op(initial, inclusive);
        exclusive = ShuffleUp<THREADS>(inclusive, 1, 0, lanes);
        if (lane == 0)
            exclusive = initial;
    }
    template <class Op, class IsInteger>
    __device__ __forceinline__ void Update(T input, T &inclusive, T &exclusive, T &total, Op op, IsInteger integer)
    {
        total = Broadcast(inclusive, THREADS - 1);
        Update(input, inclusive, exclusive, op, integer);
    }
    template <class Op, class IsInteger>
    __device__ __forceinline__ void Update(T input, T &inclusive, T &exclusive, T &total, Op op, T initial,
                                           IsInteger integer)
    {
        total = Broadcast(inclusive, THREADS - 1);
        Update(input, inclusive, exclusive, op, initial, integer);
    }
};

CUB_NAMESPACE_END
