/* device_types.h - how a float is rounded. */
#ifndef SIMT_DEVICE_TYPES_H
#define SIMT_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
