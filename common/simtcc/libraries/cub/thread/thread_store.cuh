/* cub/thread/thread_store.cuh - stores; the cache modifier has no effect here. */
#pragma once

#include <cub/util_namespace.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>

CUB_NAMESPACE_BEGIN

enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <class T> __device__ __forceinline__ void simt_volatile_store(T *p, const T &value)
{
    if constexpr (std::is_arithmetic<T>::value) {
        *(volatile T *)p = value;
    } else {
        typedef typename UnitWord<T>::VolatileWord word;
        for (size_t i = 0; i < sizeof(T) / sizeof(word); ++i)
            ((volatile word *)p)[i] = ((const word *)&value)[i];
    }
}

template <CacheStoreModifier MODIFIER, class Iterator, class T>
__device__ __forceinline__ void ThreadStore(Iterator at, T value)
{
    if constexpr (MODIFIER == STORE_VOLATILE && std::is_pointer<Iterator>::value)
        simt_volatile_store(at, (typename std::remove_pointer<Iterator>::type)value);
    else
        *at = value;
}

CUB_NAMESPACE_END
