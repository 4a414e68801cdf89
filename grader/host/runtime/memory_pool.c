// Implements stream-ordered allocation (cudaMallocAsync) and memory pools. When the program calls cudaMallocAsync, the
// runner process (which simulates the devices) allocates the memory at once, without waiting for the stream. Memory
// from cudaMallocAsync is therefore valid for every operation that the program submits later, in any stream. The
// reserve of freed memory that a memory pool keeps affects only simulated times. When the pools of a device must grow,
// an allocation takes as much virtual time as an ordinary allocation.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/runtime/device.h"
#include "host/runtime/memory.h"
#include "host/runtime/stream.h"

struct CUmemPoolHandle_st {
    int device;
    uint64_t value[cudaMemPoolAttrUsedMemHigh + 1]; // values of the attributes
    enum cudaMemAccessFlags access[HOST_DEVICES];   // access rights of other devices
    struct CUmemPoolHandle_st *next;
};
static struct CUmemPoolHandle_st own[HOST_DEVICES]; // the default pools of the devices
static struct CUmemPoolHandle_st *current[HOST_DEVICES];
static struct CUmemPoolHandle_st *pools; // list of the pools that the program created

static struct CUmemPoolHandle_st *default_of(int device)
{
    own[device].device = device;
    return &own[device];
}

static int is_pool(cudaMemPool_t pool)
{
    for (int i = 0; i < HOST_DEVICES; ++i)
        if (pool == &own[i]) return 1;
    for (const struct CUmemPoolHandle_st *p = pools; p; p = p->next)
        if (p == pool) return 1;
    return 0;
}

static cudaError_t alloc(void **address, size_t bytes, cudaStream_t handle)
{
    struct CUstream_st *stream = cudart_stream_find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->capture) return cudart_stream_refuse(stream);
    return cudart_memory_alloc(address, bytes, HOST_MEMORY_DEVICE, 0, stream->handle, 1);
}

API cudaError_t cudaMallocAsync(void **address, size_t bytes, cudaStream_t stream)
{
    return CALL(alloc(address, bytes, stream));
}

API cudaError_t cudaMallocFromPoolAsync(void **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return CALL(is_pool(pool) ? alloc(address, bytes, stream) : cudaErrorInvalidValue);
}

static cudaError_t release(void *address, cudaStream_t handle)
{
    struct CUstream_st *stream = cudart_stream_find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->capture) return cudart_stream_refuse(stream);
    return address ? cudart_memory_free(address, HOST_MEMORY_DEVICE, stream->handle, 1) : cudaErrorInvalidValue;
}

API cudaError_t cudaFreeAsync(void *address, cudaStream_t stream)
{
    return CALL(release(address, stream));
}

// ---------------------------------------------------------------- pools
static cudaError_t create(cudaMemPool_t *out, const struct cudaMemPoolProps *properties)
{
    if (!out || !properties || properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->location.type != cudaMemLocationTypeDevice || !cudart_device_is(properties->location.id))
        return cudaErrorInvalidDevice;
    struct CUmemPoolHandle_st *pool = alloc_zeroed(1, sizeof *pool);
    *pool = (struct CUmemPoolHandle_st){.device = properties->location.id, .next = pools};
    *out = pools = pool;
    return cudaSuccess;
}

API cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *properties)
{
    return CALL(create(out, properties));
}

static cudaError_t destroy(cudaMemPool_t pool)
{
    struct CUmemPoolHandle_st **at = &pools;
    while (*at && *at != pool) at = &(*at)->next;
    if (!*at) return cudaErrorInvalidValue;
    *at = pool->next;
    for (int i = 0; i < HOST_DEVICES; ++i)
        if (current[i] == pool) current[i] = NULL;
    free(pool);
    return cudaSuccess;
}

API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    return CALL(destroy(pool));
}

// Reads or sets an attribute of a memory pool. The memory-pool attributes before cudaMemPoolAttrReleaseThreshold are of
// type int, and the other attributes have 64 bits.
static cudaError_t attribute(cudaMemPool_t pool, enum cudaMemPoolAttr which, void *value, int set)
{
    if (!is_pool(pool) || !value || which < cudaMemPoolReuseFollowEventDependencies ||
        which > cudaMemPoolAttrUsedMemHigh)
        return cudaErrorInvalidValue;
    size_t bytes = which < cudaMemPoolAttrReleaseThreshold ? sizeof(int) : sizeof(uint64_t);
    if (set)
        memcpy(&pool->value[which], value, bytes);
    else
        memcpy(value, &pool->value[which], bytes);
    return cudaSuccess;
}

API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr which, void *value)
{
    return CALL(attribute(pool, which, value, 1));
}

API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr which, void *value)
{
    return CALL(attribute(pool, which, value, 0));
}

API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    (void)keep;
    return CALL(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

// Returns 1 if `device` may access a memory pool of the device `peer`.
static int reaches(int device, int peer)
{
    for (const struct CUmemPoolHandle_st *p = pools; p; p = p->next)
        if (p->device == peer && p->access[device]) return 1;
    return own[peer].access[device] != cudaMemAccessFlagsProtNone;
}

static cudaError_t set_access(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count)
{
    if (!is_pool(pool) || (count && !access)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
        int device = access[i].location.id;
        if (access[i].location.type != cudaMemLocationTypeDevice || !cudart_device_is(device))
            return cudaErrorInvalidDevice;
        if (device == pool->device) {
            if (access[i].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidDevice;
            continue;
        }
        pool->access[device] = access[i].flags;
        cudaError_t error = cudart_device_peer(
            device, pool->device, reaches(device, pool->device) ? HOST_PEER_POOLS : HOST_PEER_NO_POOLS, NULL);
        if (error) return error;
    }
    return cudaSuccess;
}

API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count)
{
    return CALL(set_access(pool, access, count));
}

static cudaError_t access_of(enum cudaMemAccessFlags *out, cudaMemPool_t pool, const struct cudaMemLocation *location)
{
    if (!out || !location || !is_pool(pool) || !cudart_device_is(location->id)) return cudaErrorInvalidValue;
    *out = location->id == pool->device ? cudaMemAccessFlagsProtReadWrite : pool->access[location->id];
    return cudaSuccess;
}

API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *out, cudaMemPool_t pool, struct cudaMemLocation *location)
{
    return CALL(access_of(out, pool, location));
}

static cudaError_t pool_of(cudaMemPool_t *out, int device, int set)
{
    if (!out) return cudaErrorInvalidValue;
    if (!cudart_device_is(device)) return cudaErrorInvalidDevice;
    *out = set && current[device] ? current[device] : default_of(device);
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    return CALL(pool_of(out, device, 0));
}

API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    return CALL(pool_of(out, device, 1));
}

API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    return CALL(!cudart_device_is(device) ? cudaErrorInvalidDevice
                : !is_pool(pool)          ? cudaErrorInvalidValue
                                          : (current[device] = pool, cudaSuccess));
}
