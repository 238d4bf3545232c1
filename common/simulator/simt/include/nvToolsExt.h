/* nvToolsExt.h - marks for a profiler's time line: there is none, the calls do nothing. */
#ifndef SIMT_NV_TOOLS_EXT_H
#define SIMT_NV_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2 };
enum { NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1, NVTX_PAYLOAD_TYPE_INT64 = 2,
       NVTX_PAYLOAD_TYPE_DOUBLE = 3 };

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union { uint64_t ullValue; int64_t llValue; double dValue; } payload;
    int32_t messageType;
    union { const char *ascii; const wchar_t *unicode; } message;
} nvtxEventAttributes_t;

static inline int nvtxRangePushA(const char *m) { return (void)m, 0; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *a) { return (void)a, 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline void nvtxMarkA(const char *m) { (void)m; }
static inline void nvtxMarkEx(const nvtxEventAttributes_t *a) { (void)a; }
static inline nvtxRangeId_t nvtxRangeStartA(const char *m) { return (void)m, 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *a) { return (void)a, 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
static inline void nvtxNameOsThreadA(uint32_t id, const char *n) { (void)id, (void)n; }
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *n) { return (void)n, (nvtxDomainHandle_t)0; }
static inline void nvtxDomainDestroy(nvtxDomainHandle_t d) { (void)d; }
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{ return (void)d, (void)a, 0; }
static inline int nvtxDomainRangePop(nvtxDomainHandle_t d) { return (void)d, 0; }
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA

#endif
