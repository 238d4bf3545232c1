/* surface_types.h - how a surface is read and written. */
#ifndef SIMT_SURFACE_TYPES_H
#define SIMT_SURFACE_TYPES_H
#define __SURFACE_TYPES_H__

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto };
typedef unsigned long long cudaSurfaceObject_t;

#endif
