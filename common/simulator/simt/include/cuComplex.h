/* cuComplex.h - complex numbers of the C interface. */
#ifndef SIMT_CU_COMPLEX_H
#define SIMT_CU_COMPLEX_H
#define CU_COMPLEX_H_

#include <math.h>
#include "vector_types.h"

/* Type C of numbers R; f: what the names of float end with. */
#define SIMT_COMPLEX(C, R, make, f, hypotenuse)                                                                        \
    typedef R##2 C;                                                                                                    \
    static inline R cuCreal##f(C x) { return x.x; }                                                                    \
    static inline R cuCimag##f(C x) { return x.y; }                                                                    \
    static inline C make(R real, R imaginary) { C c = {real, imaginary}; return c; }                                   \
    static inline C cuConj##f(C x) { return make(x.x, -x.y); }                                                         \
    static inline C cuCadd##f(C x, C y) { return make(x.x + y.x, x.y + y.y); }                                         \
    static inline C cuCsub##f(C x, C y) { return make(x.x - y.x, x.y - y.y); }                                         \
    static inline C cuCmul##f(C x, C y) { return make(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); }                 \
    static inline C cuCfma##f(C x, C y, C z) { return cuCadd##f(cuCmul##f(x, y), z); }                                 \
    static inline R cuCabs##f(C x) { return hypotenuse(x.x, x.y); }                                                    \
    static inline C cuCdiv##f(C x, C y)                                                                                \
    {                                                                                                                  \
        const R scale = (R)fabs(y.x) + (R)fabs(y.y), a = y.x / scale, b = y.y / scale, c = x.x / scale;                \
        const R d = x.y / scale, s = a * a + b * b;                                                                    \
        return make((c * a + d * b) / s, (d * a - c * b) / s);                                                         \
    }
SIMT_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, hypotf)
SIMT_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , hypot)

typedef cuFloatComplex cuComplex;
static inline cuComplex make_cuComplex(float real, float imaginary) { return make_cuFloatComplex(real, imaginary); }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) { return make_cuDoubleComplex(c.x, c.y); }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{ return make_cuFloatComplex((float)c.x, (float)c.y); }

#endif
