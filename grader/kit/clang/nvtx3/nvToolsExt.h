// The C API of NVTX, the marks and ranges that profilers show. As with NVIDIA's header in a program that no profiler
// watches, the functions do nothing. They return the values that NVTX defines for that: NVTX_NO_PUSH_POP_TRACKING for
// push and pop, and 0 for identifiers and handles.
#ifndef WARPWISE_CLANG_NVTX_H
#define WARPWISE_CLANG_NVTX_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration *nvtxStringHandle_t;
typedef enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE } nvtxMessageType_t;
typedef enum {
    NVTX_PAYLOAD_UNKNOWN,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
    NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
    NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define WW_NVTX(type, name, arguments, result)                                                                         \
    static inline __host__ type name arguments                                                                         \
    {                                                                                                                  \
        return result;                                                                                                 \
    }
WW_NVTX(int, nvtxRangePushA, (const char *), NVTX_NO_PUSH_POP_TRACKING)
WW_NVTX(int, nvtxRangePushW, (const wchar_t *), NVTX_NO_PUSH_POP_TRACKING)
WW_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *), NVTX_NO_PUSH_POP_TRACKING)
WW_NVTX(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
WW_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *), 0)
WW_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t *), 0)
WW_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *), 0)
WW_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t), )
WW_NVTX(void, nvtxMarkA, (const char *), )
WW_NVTX(void, nvtxMarkW, (const wchar_t *), )
WW_NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t *), )
WW_NVTX(void, nvtxNameCategoryA, (uint32_t, const char *), )
WW_NVTX(void, nvtxNameOsThreadA, (uint32_t, const char *), )
WW_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *), 0)
WW_NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t), )
WW_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, (nvtxDomainHandle_t, const char *), 0)
WW_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), NVTX_NO_PUSH_POP_TRACKING)
WW_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t), NVTX_NO_PUSH_POP_TRACKING)
WW_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), 0)
WW_NVTX(void, nvtxDomainRangeEnd, (nvtxDomainHandle_t, nvtxRangeId_t), )
WW_NVTX(void, nvtxDomainMarkEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), )
#undef WW_NVTX

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
