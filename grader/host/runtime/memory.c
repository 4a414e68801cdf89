// Implements the allocation of device, pinned and managed memory. Device memory is not mapped in the program's process.
// Pinned and managed memory is a memory file that the runner process (which simulates the devices) creates and that
// both the runner and the program's process map. The program's process maps the memory file at the address that the
// simulated devices use, so that one pointer is valid on the host and on the devices.
#define _GNU_SOURCE
#include "host/runtime/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/runtime/early_access.h"
#include "host/runtime/stream.h"

static struct cudart_memory *known; // sorted by address
static size_t count, room;

// Returns the index of the first range in the table `known` that begins after `address`.
static size_t above(uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (known[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct cudart_memory *cudart_memory_find(uint64_t address)
{
    size_t i = above(address);
    return i && address - known[i - 1].address < known[i - 1].bytes ? &known[i - 1] : NULL;
}

int cudart_memory_is_device(uint64_t address)
{
    const struct cudart_memory *memory = cudart_memory_find(address);
    return memory && memory->kind == HOST_MEMORY_DEVICE;
}

int cudart_memory_is_shared(void)
{
    for (size_t i = 0; i < count; ++i)
        if (known[i].kind == HOST_MEMORY_MANAGED || known[i].reached) return 1;
    return 0;
}

void cudart_memory_note(const struct cudart_memory *memory)
{
    ALLOC_GROW(known, room, count + 1);
    size_t i = above(memory->address);
    memmove(known + i + 1, known + i, (count++ - i) * sizeof *known);
    known[i] = *memory;
    known[i].device = cudart_thread.device;
}

// The array `kept` lists page-locked memory that stays mapped after the program has freed it, because the runner
// process for real GPUs hands out the same memory again. When libcudart maps page-locked memory for a real GPU,
// libcudart makes all pages present at once (MAP_POPULATE), like the pages of real page-locked memory.
enum { KEPT = 256 };
static struct {
    uint64_t address, bytes;
} kept[KEPT];
static unsigned nkept;

static cudaError_t map_for_good(uint64_t address, uint64_t bytes, uint64_t pages, int descriptor)
{
    unsigned i = 0;
    while (i < nkept && (kept[i].address != address || kept[i].bytes != pages)) ++i;
    void *at = (void *)(uintptr_t)address;
    if (i == nkept && i < KEPT)
        at = mmap(at, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_POPULATE, descriptor, 0);
    close(descriptor);
    if (i == KEPT || at != (void *)(uintptr_t)address) {
        if (i < KEPT && at != MAP_FAILED) munmap(at, pages);
        return cudaErrorMemoryAllocation;
    }
    if (i == nkept) {
        kept[nkept].address = address;
        kept[nkept++].bytes = pages;
    }
    cudart_memory_note(
        &(struct cudart_memory){.address = address, .bytes = bytes, .kind = HOST_MEMORY_PINNED}); // remains mapped
    return cudaSuccess;
}

static void forget(struct cudart_memory *memory)
{
    if (memory->mapped) munmap((void *)(uintptr_t)memory->address, memory->mapped);
    size_t i = (size_t)(memory - known);
    memmove(known + i, known + i + 1, (--count - i) * sizeof *known);
}

void cudart_memory_reset(int device)
{
    for (size_t i = count; i--;)
        if (known[i].kind != HOST_MEMORY_REGISTERED && known[i].device == device && !known[i].lasting)
            forget(&known[i]);
}

// ---------------------------------------------------------------- allocation
cudaError_t cudart_memory_map(uint64_t address, uint64_t bytes, enum host_kind kind, int descriptor)
{
    struct cudart_memory memory = {.address = address, .bytes = bytes, .kind = kind};
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    memory.mapped = (bytes + page - 1) / page * page;
    void *at = mmap((void *)(uintptr_t)address, memory.mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
                    descriptor, 0);
    close(descriptor);
    if (at != (void *)(uintptr_t)address) {
        if (at != MAP_FAILED) munmap(at, memory.mapped);
        return cudaErrorMemoryAllocation;
    }
    cudart_memory_note(&memory);
    return cudaSuccess;
}

static cudaError_t release(uint64_t address, enum host_kind kind, uint32_t stream, int ordered)
{
    struct host_command command = {
        .op = HOST_OP_release,
        .release = {.kind = kind, .stream = stream, .ordered = (uint32_t)ordered, .address = address}};
    return cudart_ask(&command);
}

cudaError_t cudart_memory_alloc(void **out, size_t bytes, enum host_kind kind, unsigned flags, uint32_t stream,
                                int ordered)
{
    if (!out) return cudaErrorInvalidValue;
    *out = NULL;
    if (!bytes) return kind == HOST_MEMORY_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    struct host_command command = {
        .op = HOST_OP_alloc,
        .alloc = {.kind = kind, .flags = flags, .stream = stream, .ordered = (uint32_t)ordered, .bytes = bytes}};
    struct host_reply reply;
    int descriptor;
    cudaError_t error = cudart_send(&command, &reply, &descriptor);
    if (error) return error;
    if (descriptor >= 0) {
        error = reply.lasting ? map_for_good(reply.address, bytes, reply.bytes, descriptor)
                              : cudart_memory_map(reply.address, bytes, kind, descriptor);
        if (error) {
            release(reply.address, kind, 0, 0);
            return error;
        }
        cudart_memory_find(reply.address)->flags = flags;
    } else {
        cudart_memory_note(&(struct cudart_memory){.address = reply.address, .bytes = bytes, .kind = kind});
    }
    *out = (void *)(uintptr_t)reply.address;
    return cudaSuccess;
}

cudaError_t cudart_memory_free(void *address, enum host_kind kind, uint32_t stream, int ordered)
{
    if (!address) return cudaSuccess;
    struct cudart_memory *memory = cudart_memory_find((uint64_t)(uintptr_t)address);
    if (memory && kind == HOST_MEMORY_DEVICE && memory->kind == HOST_MEMORY_MANAGED) kind = HOST_MEMORY_MANAGED;
    cudaError_t error = release((uint64_t)(uintptr_t)address, kind, stream, ordered);
    if (!error && memory) {
        cudart_early_forget(memory->address, memory->bytes);
        forget(memory);
    }
    return error;
}

API cudaError_t cudaMalloc(void **address, size_t bytes)
{
    return CALL(cudart_memory_alloc(address, bytes, HOST_MEMORY_DEVICE, 0, 0, 0));
}

enum { PITCH = 512 }; // bytes: alignment of rows by cudaMallocPitch, which is a GPU's texture alignment

static cudaError_t alloc_rows(struct cudaPitchedPtr *out, size_t width, size_t height, size_t depth)
{
    size_t pitch = (width + PITCH - 1) / PITCH * PITCH, bytes;
    if (!out || __builtin_mul_overflow(pitch, height, &bytes) || __builtin_mul_overflow(bytes, depth, &bytes))
        return cudaErrorInvalidValue;
    *out = (struct cudaPitchedPtr){.pitch = pitch, .xsize = width, .ysize = height};
    return cudart_memory_alloc(&out->ptr, bytes, HOST_MEMORY_DEVICE, 0, 0, 0);
}

static cudaError_t alloc_pitch(void **address, size_t *pitch, size_t width, size_t height)
{
    struct cudaPitchedPtr rows = {0};
    if (!address || !pitch) return cudaErrorInvalidValue;
    cudaError_t error = alloc_rows(&rows, width, height, 1);
    *address = error ? NULL : rows.ptr;
    *pitch = rows.pitch;
    return error;
}

API cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height)
{
    return CALL(alloc_pitch(address, pitch, width, height));
}

API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    return CALL(alloc_rows(out, extent.width, extent.height, extent.depth));
}

API cudaError_t cudaFree(void *address)
{
    return CALL(cudart_memory_free(address, HOST_MEMORY_DEVICE, 0, 0));
}

// ---------------------------------------------------------------- pinned memory
static cudaError_t alloc_host(void **address, size_t bytes, unsigned flags)
{
    if (flags & ~7u) return cudaErrorInvalidValue;
    return cudart_memory_alloc(address, bytes, HOST_MEMORY_PINNED, flags, 0, 0);
}

API cudaError_t cudaMallocHost(void **address, size_t bytes)
{
    return CALL(alloc_host(address, bytes, 0));
}

API cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned flags)
{
    return CALL(alloc_host(address, bytes, flags));
}

API cudaError_t cudaFreeHost(void *address)
{
    return CALL(cudart_memory_free(address, HOST_MEMORY_PINNED, 0, 0));
}

static cudaError_t pin(void *address, size_t bytes, unsigned flags)
{
    if (!address || !bytes || flags & ~15u) return cudaErrorInvalidValue;
    struct host_command command = {.op = HOST_OP_pin,
                                   .pin = {.host = (uint64_t)(uintptr_t)address, .bytes = bytes, .flags = flags}};
    struct host_reply reply;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    if (!error)
        cudart_memory_note(&(struct cudart_memory){.address = (uint64_t)(uintptr_t)address,
                                                   .bytes = bytes,
                                                   .twin = reply.address,
                                                   .kind = HOST_MEMORY_REGISTERED,
                                                   .flags = flags});
    return error;
}

static cudaError_t unpin(void *address)
{
    struct cudart_memory *memory = cudart_memory_find((uint64_t)(uintptr_t)address);
    struct host_command command = {.op = HOST_OP_unpin, .unpin.host = (uint64_t)(uintptr_t)address};
    cudaError_t error = cudart_ask(&command);
    if (!error && memory && memory->kind == HOST_MEMORY_REGISTERED) {
        cudart_early_forget(memory->address, memory->bytes);
        forget(memory);
    }
    return error;
}

API cudaError_t cudaHostRegister(void *address, size_t bytes, unsigned flags)
{
    return CALL(pin(address, bytes, flags));
}

API cudaError_t cudaHostUnregister(void *address)
{
    return CALL(unpin(address));
}

static cudaError_t device_pointer(void **device, void *host, unsigned flags)
{
    struct cudart_memory *memory = cudart_memory_find((uint64_t)(uintptr_t)host);
    if (!device || flags || !memory || memory->kind == HOST_MEMORY_DEVICE) return cudaErrorInvalidValue;
    *device = host;
    if (memory->kind == HOST_MEMORY_REGISTERED) {
        memory->reached = 1;
        *device = (void *)(uintptr_t)(memory->twin + ((uint64_t)(uintptr_t)host - memory->address));
    }
    return cudaSuccess;
}

API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    return CALL(device_pointer(device, host, flags));
}

static cudaError_t host_flags(unsigned *flags, void *host)
{
    const struct cudart_memory *memory = cudart_memory_find((uint64_t)(uintptr_t)host);
    if (!flags || !memory || (memory->kind != HOST_MEMORY_PINNED && memory->kind != HOST_MEMORY_REGISTERED))
        return cudaErrorInvalidValue;
    *flags = memory->flags | cudaHostAllocMapped; // with unified addressing all pinned memory is mapped
    return cudaSuccess;
}

API cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    return CALL(host_flags(flags, host));
}

static cudaError_t refresh(const struct cudart_memory *memory, int to_host)
{
    char *host = (char *)(uintptr_t)memory->address;
    cudaError_t error = cudaSuccess;
    for (uint64_t done = 0; done < memory->bytes && !error;) {
        uint64_t bytes = memory->bytes - done < HOST_DATA ? memory->bytes - done : HOST_DATA;
        struct host_command command = {
            .op = HOST_OP_refresh,
            .refresh = {.address = memory->twin + done, .bytes = bytes, .to_host = (uint32_t)to_host}};
        if (!to_host) memcpy(cudart_data(), host + done, bytes);
        error = cudart_ask(&command);
        if (to_host && !error) memcpy(host + done, cudart_data(), bytes);
        done += bytes;
    }
    return error;
}

cudaError_t cudart_memory_refresh(int to_host)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && !error; ++i)
        if (known[i].kind == HOST_MEMORY_REGISTERED && known[i].reached) error = refresh(&known[i], to_host);
    return error;
}

// ---------------------------------------------------------------- managed memory
static cudaError_t alloc_managed(void **address, size_t bytes, unsigned flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return cudart_memory_alloc(address, bytes, HOST_MEMORY_MANAGED, 0, 0, 0);
}

API cudaError_t cudaMallocManaged(void **address, size_t bytes, unsigned flags)
{
    return CALL(alloc_managed(address, bytes, flags));
}

static cudaError_t must_be_managed(const void *address, size_t bytes)
{
    const struct cudart_memory *memory = cudart_memory_find((uint64_t)(uintptr_t)address);
    if (!memory || memory->kind != HOST_MEMORY_MANAGED || !bytes) return cudaErrorInvalidValue;
    return memory->address + memory->bytes - (uint64_t)(uintptr_t)address < bytes ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t known_device(int device)
{
    return device >= -1 && device < (int)cudart_hello()->devices ? cudaSuccess : cudaErrorInvalidDevice;
}

static cudaError_t advise(const void *address, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
    if (advice > cudaMemAdviseUnsetReadMostly && known_device(device)) return cudaErrorInvalidDevice;
    return must_be_managed(address, bytes); // advice changes no result, and the time model has no pages
}

static cudaError_t prefetch(const void *address, size_t bytes, int device, cudaStream_t stream)
{
    if (known_device(device)) return cudaErrorInvalidDevice;
    cudaError_t error = must_be_managed(address, bytes);
    if (error) return error;
    struct cudart_work work = {.command = {.op = HOST_OP_prefetch,
                                           .prefetch = {.address = (uint64_t)(uintptr_t)address,
                                                        .bytes = bytes,
                                                        .target = device < 0 ? HOST_NO_PEER : (uint32_t)device}}};
    return cudart_stream_submit(stream, &work);
}

static int device_of(struct cudaMemLocation location)
{
    return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

#if CUDART_VERSION < 13000
API cudaError_t cudaMemAdvise(const void *address, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
    return CALL(advise(address, bytes, advice, device));
}

API cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes, int device, cudaStream_t stream)
{
    return CALL(prefetch(address, bytes, device, stream));
}
#define cudaMemAdvise cudaMemAdvise_v2
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#endif
API cudaError_t cudaMemAdvise(const void *address, size_t bytes, enum cudaMemoryAdvise advice,
                              struct cudaMemLocation location)
{
    return CALL(advise(address, bytes, advice, device_of(location)));
}

API cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes, struct cudaMemLocation location, unsigned flags,
                                     cudaStream_t stream)
{
    return CALL(flags ? cudaErrorInvalidValue : prefetch(address, bytes, device_of(location), stream));
}

API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *address, size_t bytes, unsigned flags)
{
    return CALL(!cudart_stream_find(stream) || flags > cudaMemAttachSingle
                    ? cudaErrorInvalidValue
                    : must_be_managed(address, bytes ? bytes : 1));
}

// ---------------------------------------------------------------- questions
static cudaError_t memory_info(size_t *free_bytes, size_t *total)
{
    struct host_command command = {.op = HOST_OP_memory_info};
    struct host_reply reply;
    if (!free_bytes || !total) return cudaErrorInvalidValue;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    *free_bytes = reply.address;
    *total = reply.bytes;
    return error;
}

API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    return CALL(memory_info(free_bytes, total));
}

static cudaError_t attributes(struct cudaPointerAttributes *out, const void *address)
{
    static const enum cudaMemoryType type[] = {[HOST_MEMORY_DEVICE] = cudaMemoryTypeDevice,
                                               [HOST_MEMORY_PINNED] = cudaMemoryTypeHost,
                                               [HOST_MEMORY_MANAGED] = cudaMemoryTypeManaged,
                                               [HOST_MEMORY_REGISTERED] = cudaMemoryTypeHost,
                                               [HOST_MEMORY_NONE] = cudaMemoryTypeUnregistered};
    struct host_command command = {.op = HOST_OP_pointer, .pointer.address = (uint64_t)(uintptr_t)address};
    struct host_reply reply;
    if (!out) return cudaErrorInvalidValue;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    if (error) return error;
    uint32_t kind = reply.kind <= HOST_MEMORY_NONE ? reply.kind : HOST_MEMORY_NONE;
    void *pointer = (void *)(uintptr_t)address;
    *out = (struct cudaPointerAttributes){.type = type[kind], .device = (int)reply.device};
    if (kind == HOST_MEMORY_NONE) out->device = cudaInvalidDeviceId;
    if (kind == HOST_MEMORY_NONE || kind == HOST_MEMORY_PINNED || kind == HOST_MEMORY_MANAGED)
        out->hostPointer = pointer;
    if (kind != HOST_MEMORY_NONE) out->devicePointer = pointer;
    if (kind == HOST_MEMORY_REGISTERED) {
        out->hostPointer = pointer;
        out->devicePointer = (void *)(uintptr_t)reply.twin;
    }
    return cudaSuccess;
}

API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *address)
{
    return CALL(attributes(out, address));
}
