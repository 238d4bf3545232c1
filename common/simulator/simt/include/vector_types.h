/* vector_types.h - CUDA's small vector types, with CUDA's alignment, for C and C++. */
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__     /* headers of libraries, which stand in a toolkit, ask for CUDA's own guards */
#define __VECTOR_FUNCTIONS_H__

#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

#define SIMT_VECTOR_TYPES(name, T, align2, align4)                                        \
    typedef struct name##1 { T x; } name##1;                                              \
    typedef struct __attribute__((aligned(align2))) name##2 { T x, y; } name##2;          \
    typedef struct name##3 { T x, y, z; } name##3;                                        \
    typedef struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; } name##4;    \
    static inline name##1 make_##name##1(T x) { name##1 v = {x}; return v; }              \
    static inline name##2 make_##name##2(T x, T y) { name##2 v = {x, y}; return v; }      \
    static inline name##3 make_##name##3(T x, T y, T z) { name##3 v = {x, y, z}; return v; } \
    static inline name##4 make_##name##4(T x, T y, T z, T w)                              \
    { name##4 v = {x, y, z, w}; return v; }

SIMT_VECTOR_TYPES(char, signed char, 2, 4)
SIMT_VECTOR_TYPES(uchar, unsigned char, 2, 4)
SIMT_VECTOR_TYPES(short, short, 4, 8)
SIMT_VECTOR_TYPES(ushort, unsigned short, 4, 8)
SIMT_VECTOR_TYPES(int, int, 8, 16)
SIMT_VECTOR_TYPES(uint, unsigned int, 8, 16)
SIMT_VECTOR_TYPES(long, long, 16, 16)
SIMT_VECTOR_TYPES(ulong, unsigned long, 16, 16)
SIMT_VECTOR_TYPES(longlong, long long, 16, 16)
SIMT_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
SIMT_VECTOR_TYPES(float, float, 8, 16)
SIMT_VECTOR_TYPES(double, double, 16, 16)

/* Sizes of a grid or a block. */
typedef struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
} dim3;

#endif
