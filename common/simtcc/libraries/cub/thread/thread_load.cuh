/* cub/thread/thread_load.cuh - loads; the cache modifier has no effect here. */
#pragma once

#include <cub/util_namespace.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>

CUB_NAMESPACE_BEGIN

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };

/* Copies a class byte by byte, because C++ has no volatile copy of one. */
template <class T> __device__ __forceinline__ T simt_volatile_load(const T *p)
{
    if constexpr (std::is_arithmetic<T>::value) {
        return *(const volatile T *)p;
    } else {
        typedef typename UnitWord<T>::VolatileWord word;
        T value;
        for (size_t i = 0; i < sizeof(T) / sizeof(word); ++i)
            ((word *)&value)[i] = ((const volatile word *)p)[i];
        return value;
    }
}

template <CacheLoadModifier MODIFIER, class Iterator>
__device__ __forceinline__ cub::detail::value_t<Iterator> ThreadLoad(Iterator at)
{
    if constexpr (MODIFIER == LOAD_VOLATILE && std::is_pointer<Iterator>::value)
        return simt_volatile_load(at);
    else
        return *at;
}

CUB_NAMESPACE_END
