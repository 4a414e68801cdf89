// Implements the functions of the CUDA Runtime API about devices: their number, their properties, and the current
// device of a thread.
#include "host/runtime/device.h"

#include <stdio.h>
#include <string.h>

#include "host/runtime/event.h"
#include "host/runtime/memory.h"
#include "host/runtime/register.h"
#include "host/runtime/stream.h"
#include "host/runtime/unchecked.h"

static struct {
    int known;
    struct host_device facts;
    unsigned flags;
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig banks;
} devices[HOST_DEVICES];

int cudart_device_is(int device)
{
    return device >= 0 && (uint32_t)device < cudart_hello()->devices;
}

const struct host_device *cudart_device_facts(int device)
{
    if (!devices[device].known) {
        struct host_command command = {.op = HOST_OP_device_facts};
        int current = cudart_thread.device;
        cudart_thread.device = device;
        cudaError_t error = cudart_ask(&command);
        cudart_thread.device = current;
        if (error) cudart_stop("the runner does not say what device %d is", device);
        memcpy(&devices[device].facts, cudart_data(), sizeof devices[device].facts);
        devices[device].known = 1;
    }
    return &devices[device].facts;
}

// ---------------------------------------------------------------- which
static cudaError_t take(int *out, int value)
{
    if (!out) return cudaErrorInvalidValue;
    *out = value;
    return cudaSuccess;
}

API cudaError_t cudaGetDeviceCount(int *out)
{
    return CALL(take(out, (int)cudart_hello()->devices));
}

API cudaError_t cudaGetDevice(int *out)
{
    return CALL(take(out, cudart_thread.device));
}

static cudaError_t set(int device)
{
    cudart_unchecked_because(HOST_REASON_DEVICE, (uint64_t)device, cudart_hello()->devices - 1);
    if (!cudart_device_is(device)) return cudaErrorInvalidDevice;
    struct host_command command = {.op = HOST_OP_device_set};
    cudart_thread.device = device;
    return cudart_ask(&command);
}

API cudaError_t cudaSetDevice(int device)
{
    return CALL(set(device));
}

API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    return CALL(!cudart_device_is(device)             ? cudaErrorInvalidDevice
                : device_flags & ~255u || flags & ~1u ? cudaErrorInvalidValue
                                                      : cudaSuccess);
}

API cudaError_t cudaSetValidDevices(int *list, int count)
{
    return CALL(count && !list                        ? cudaErrorInvalidValue
                : count && !cudart_device_is(list[0]) ? cudaErrorInvalidDevice
                                                      : cudaSuccess);
}

API cudaError_t cudaChooseDevice(int *out, const struct cudaDeviceProp *wish)
{
    return CALL(wish ? take(out, 0) : cudaErrorInvalidValue); // all devices have the same properties, so device 0 fits
}

static cudaError_t set_flags(unsigned flags)
{
    if (flags & ~255u || (flags & cudaDeviceScheduleMask) > cudaDeviceScheduleBlockingSync)
        return cudaErrorInvalidValue;
    devices[cudart_thread.device].flags = flags;
    return cudaSuccess;
}

API cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    return CALL(set_flags(flags));
}

API cudaError_t cudaGetDeviceFlags(unsigned *out)
{
    return CALL(take((int *)out, (int)(devices[cudart_thread.device].flags | cudaDeviceMapHost)));
}

// ---------------------------------------------------------------- what
static cudaError_t attribute(int *out, enum cudaDeviceAttr which, int device)
{
    if (!out) return cudaErrorInvalidValue;
    if (!cudart_device_is(device)) return cudaErrorInvalidDevice;
    const struct host_device *d = cudart_device_facts(device);
    switch (which) {
#define CUDA_ATTRIBUTE(name, number, value)                                                                            \
    case cudaDevAttr##name:                                                                                            \
        *out = (int)(value);                                                                                           \
        return cudaSuccess;
#include "kit/runtime/cuda_attribute.def"
#undef CUDA_ATTRIBUTE
    }
    return cudaErrorInvalidValue;
}

API cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr which, int device)
{
    return CALL(attribute(out, which, device));
}

static int value_of(enum cudaDeviceAttr which, int device)
{
    int value = 0;
    attribute(&value, which, device);
    return value;
}

#if CUDART_VERSION < 12000
_Static_assert(sizeof(struct cudaDeviceProp) == 728, "the layout of CUDA 11");
#elif CUDART_VERSION < 13000
_Static_assert(sizeof(struct cudaDeviceProp) == 1032, "the layout of CUDA 12");
#else
_Static_assert(sizeof(struct cudaDeviceProp) == 1008, "the layout of CUDA 13");
#endif

static cudaError_t properties(struct cudaDeviceProp *p, int device)
{
    if (!p) return cudaErrorInvalidValue;
    if (!cudart_device_is(device)) return cudaErrorInvalidDevice;
    const struct host_device *d = cudart_device_facts(device);
    memset(p, 0, sizeof *p);
#define AS(name) value_of(cudaDevAttr##name, device)
#define FIELD(type, name, value) p->name = (type)(value);
#define FIELDS(type, name, count)
#include "kit/runtime/cuda_property.def"
    memcpy(p->name, d->name, sizeof d->name);
    p->name[sizeof d->name - 1] = '\0';
    memcpy(p->uuid, d->uuid, sizeof d->uuid);
    const int block[3] = {AS(MaxBlockDimX), AS(MaxBlockDimY), AS(MaxBlockDimZ)};
    const int grid[3] = {AS(MaxGridDimX), AS(MaxGridDimY), AS(MaxGridDimZ)};
    memcpy(p->maxThreadsDim, block, sizeof block);
    memcpy(p->maxGridSize, grid, sizeof grid);
    return cudaSuccess;
}

API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    return CALL(properties(p, device));
}

static cudaError_t bus_id(char *id, int bytes, int device)
{
    if (!id || bytes < 13) return cudaErrorInvalidValue;
    if (!cudart_device_is(device)) return cudaErrorInvalidDevice;
    const struct host_device *d = cudart_device_facts(device);
    snprintf(id, (size_t)bytes, "%04X:%02X:%02X.0", d->pci_domain & 0xffff, d->pci_bus & 0xff, d->pci_device & 0xff);
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetPCIBusId(char *id, int bytes, int device)
{
    return CALL(bus_id(id, bytes, device));
}

static cudaError_t by_bus_id(int *out, const char *id)
{
    unsigned domain = 0, bus, slot;
    if (!out || !id ||
        (sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3 && (domain = 0, sscanf(id, "%x:%x", &bus, &slot) != 2)))
        return cudaErrorInvalidValue;
    for (int device = 0; cudart_device_is(device); ++device) {
        const struct host_device *d = cudart_device_facts(device);
        if (d->pci_domain == domain && d->pci_bus == bus && d->pci_device == slot) return take(out, device);
    }
    return cudaErrorInvalidDevice;
}

API cudaError_t cudaDeviceGetByPCIBusId(int *out, const char *id)
{
    return CALL(by_bus_id(out, id));
}

static cudaError_t priorities(int *least, int *greatest)
{
    const struct host_device *d = cudart_device_facts(cudart_thread.device);
    if (least) *least = d->priority_least;
    if (greatest) *greatest = d->priority_greatest;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    return CALL(priorities(least, greatest));
}

// ---------------------------------------------------------------- as a whole
static cudaError_t plain(enum host_op op)
{
    struct host_command command = {.op = op};
    return cudart_ask(&command);
}

API cudaError_t cudaDeviceSynchronize(void)
{
    return CALL(plain(HOST_OP_device_sync));
}

static cudaError_t reset(void)
{
    int device = cudart_thread.device;
    cudaError_t error = plain(HOST_OP_device_reset);
    cudart_memory_reset(device);
    cudart_stream_reset(device);
    cudart_event_reset(device);
    cudart_register_reset();
    devices[device].flags = 0;
    return error;
}

API cudaError_t cudaDeviceReset(void)
{
    return CALL(reset());
}
#if CUDART_VERSION < 13000
API cudaError_t cudaThreadSynchronize(void)
{
    return CALL(plain(HOST_OP_device_sync));
}

API cudaError_t cudaThreadExit(void)
{
    return CALL(reset());
}
#endif

static cudaError_t limit(size_t *value, enum cudaLimit which, int set)
{
    if (!value || (unsigned)which >= HOST_LIMITS) return value ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue;
    struct host_command command = {.op = HOST_OP_limit,
                                   .limit = {.kind = which, .set = (uint32_t)set, .value = set ? *value : 0}};
    struct host_reply reply;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    if (!error && !set) *value = reply.bytes;
    return error;
}

API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit which)
{
    return CALL(limit(value, which, 0));
}

API cudaError_t cudaDeviceSetLimit(enum cudaLimit which, size_t value)
{
    return CALL(limit(&value, which, 1));
}

// The functions from here to cudaCtxResetPersistingL2Cache() are about preferences for caches and shared-memory banks.
// CUDA allows a device to ignore a preference for caches or banks, and the simulated devices ignore all of these
// preferences.
API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *out)
{
    return CALL(take((int *)out, (int)devices[cudart_thread.device].cache));
}

API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cache)
{
    return CALL((unsigned)cache > cudaFuncCachePreferEqual
                    ? cudaErrorInvalidValue
                    : (devices[cudart_thread.device].cache = cache, cudaSuccess));
}

API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *out)
{
    return CALL(take((int *)out, cudaSharedMemBankSizeFourByte));
}

API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig banks)
{
    return CALL((unsigned)banks > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess);
}

API cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return CALL(cudaSuccess);
}

// ---------------------------------------------------------------- peers
cudaError_t cudart_device_peer(int device, int other, enum host_peer_action action, int *can)
{
    if (!cudart_device_is(device) || !cudart_device_is(other)) return cudaErrorInvalidDevice;
    struct host_command command = {.op = HOST_OP_peer, .peer = {.peer = (uint32_t)other, .action = action}};
    struct host_reply reply;
    int current = cudart_thread.device;
    cudart_thread.device = device;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    cudart_thread.device = current;
    if (!error && can) *can = (int)reply.bytes;
    return error;
}

static cudaError_t can_access(int *out, int device, int other)
{
    return out ? cudart_device_peer(device, other, HOST_PEER_CAN, out) : cudaErrorInvalidValue;
}

API cudaError_t cudaDeviceCanAccessPeer(int *out, int device, int other)
{
    return CALL(can_access(out, device, other));
}

API cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned flags)
{
    return CALL(flags ? cudaErrorInvalidValue
                      : cudart_device_peer(cudart_thread.device, other, HOST_PEER_ENABLE, NULL));
}

API cudaError_t cudaDeviceDisablePeerAccess(int other)
{
    return CALL(cudart_device_peer(cudart_thread.device, other, HOST_PEER_DISABLE, NULL));
}

static cudaError_t between(int *out, enum cudaDeviceP2PAttr which, int from, int to)
{
    if (!out || from == to) return cudaErrorInvalidValue;
    if (which == cudaDevP2PAttrAccessSupported || which == cudaDevP2PAttrNativeAtomicSupported)
        return can_access(out, from, to);
    return which == cudaDevP2PAttrPerformanceRank || which == cudaDevP2PAttrCudaArrayAccessSupported
               ? take(out, 0)
               : cudaErrorInvalidValue;
}

API cudaError_t cudaDeviceGetP2PAttribute(int *out, enum cudaDeviceP2PAttr which, int from, int to)
{
    return CALL(between(out, which, from, to));
}
