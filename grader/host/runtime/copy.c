// Implements copies. The runner process (which simulates the devices) executes copies, but the runner cannot access the
// pageable memory of the program's process. For copies of pageable memory, libcudart therefore moves the bytes through
// the data area of its channel to the runner process, row after row without gaps, in pieces of at most HOST_DATA bytes.
#include "host/runtime/copy.h"

#include <string.h>

#include "host/runtime/early_access.h"
#include "host/runtime/memory.h"
#include "host/runtime/stream.h"
#include "host/runtime/symbol.h"
#include "host/runtime/unchecked.h"

struct host_box cudart_copy_row(const void *address)
{
    return (struct host_box){.address = (uint64_t)(uintptr_t)address};
}

// ---------------------------------------------------------------- moving bytes
static char *row_at(const struct host_box *box, const struct host_copy *c, uint64_t row)
{
    uint64_t height = c->height ? c->height : 1;
    return (char *)(uintptr_t)(box->address + row % height * box->pitch + row / height * box->slice);
}

// Moves `bytes` bytes of a copy between host memory, where the copy's rows may have gaps, and the channel's data area,
// where the rows follow each other without gaps. `offset` says how many bytes of the copy's rows come before the first
// byte to move, gaps not counted. If `put` is 1, move() copies the bytes from host memory to the channel's data area,
// else from the data area to host memory.
static void move(const struct host_copy *c, uint64_t offset, uint64_t bytes, int put)
{
    unsigned char *packed = cudart_data();
    const struct host_box *box = put ? &c->from : &c->to;
    while (bytes) {
        uint64_t column = offset % c->width, n = c->width - column < bytes ? c->width - column : bytes;
        char *at = row_at(box, c, offset / c->width) + column;
        if (put)
            memcpy(packed, at, n);
        else
            memcpy(at, packed, n);
        packed += n;
        offset += n;
        bytes -= n;
    }
}

static cudaError_t transfer(const struct host_copy *c, int put)
{
    uint64_t total = c->width * c->height * c->depth;
    for (uint64_t done = 0; done < total;) {
        uint64_t bytes = total - done < HOST_DATA ? total - done : HOST_DATA;
        struct host_command command = {.op = put ? HOST_OP_put : HOST_OP_get};
        command.put = (struct host_put){.offset = done, .bytes = bytes}; // struct host_get has the same fields
        if (put) move(c, done, bytes, 1);
        cudaError_t error = cudart_ask(&command);
        if (error) return error;
        if (!put) move(c, done, bytes, 0);
        done += bytes;
    }
    return cudaSuccess;
}

static int is_pageable(const struct host_box *box)
{
    const struct cudart_memory *memory = cudart_memory_find(box->address);
    return !memory || (memory->kind == HOST_MEMORY_REGISTERED && memory->address <= box->address);
}

static void copy_on_host(const struct host_copy *c)
{
    for (uint64_t row = 0; row < c->height * c->depth; ++row)
        memmove(row_at(&c->to, c, row), row_at(&c->from, c, row), c->width);
}

cudaError_t cudart_copy_run(struct host_command *command)
{
    struct host_reply reply;
    const struct host_copy *c = &command->copy;
    cudaError_t error = cudart_send(command, &reply, NULL);
    if (error) return error;
    if (reply.transfer == HOST_TRANSFER_PUT) return transfer(c, 1);
    if (reply.transfer == HOST_TRANSFER_GET) return transfer(c, 0);
    if (is_pageable(&c->to) && is_pageable(&c->from)) copy_on_host(c);
    if (!c->async) return cudaSuccess;
    uint64_t rows = c->depth == 1 ? c->height : 1; // of several slices only the first row is watched
    cudart_early_watch(reply.ticket, c->to.address, c->to.pitch, c->width, rows, 1);
    cudart_early_watch(reply.ticket, c->from.address, c->from.pitch, c->width, rows, 0);
    return cudaSuccess;
}

// ---------------------------------------------------------------- asking
cudaError_t cudart_copy_command(const struct cudart_copy *c, struct host_command *command)
{
    if ((unsigned)c->kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (!c->to.address || !c->from.address) return cudaErrorInvalidValue;
    if (c->height > 1 && (c->to.pitch < c->width || c->from.pitch < c->width)) return cudaErrorInvalidPitchValue;
    *command = (struct host_command){.op = HOST_OP_copy,
                                     .copy = {.to = c->to,
                                              .from = c->from,
                                              .width = c->width,
                                              .height = c->height,
                                              .depth = c->depth,
                                              .direction = c->kind,
                                              .async = (uint32_t)c->async,
                                              .to_device = HOST_NO_PEER,
                                              .from_device = HOST_NO_PEER}};
    return cudaSuccess;
}

// Says why the copy will fail, if it will: by its kind, or because a row does not fit into its memory.
static void foresee(const struct cudart_copy *c)
{
    const struct cudart_memory *side[] = {cudart_memory_find(c->to.address), cudart_memory_find(c->from.address)};
    const struct host_box *box[] = {&c->to, &c->from};
    // an enum host_direction
    unsigned right = cudart_memory_is_device(c->to.address) | (unsigned)cudart_memory_is_device(c->from.address) << 1;
    for (int i = 0; i < 2; ++i) {
        uint64_t left = side[i] ? side[i]->bytes - (box[i]->address - side[i]->address) : c->width;
        if (c->width > left) cudart_unchecked_because(HOST_REASON_SIZE, c->width, left);
    }
    int given = (int)c->kind;
    int is_wrong = given <= (int)cudaMemcpyDeviceToDevice && given != (int)right;
    for (int i = 0; i < 2; ++i) is_wrong &= !side[i] || side[i]->kind != HOST_MEMORY_MANAGED;
    if (is_wrong) cudart_unchecked_because(HOST_REASON_KIND, right, (uint64_t)given);
}

cudaError_t cudart_copy(const struct cudart_copy *c)
{
    struct cudart_work work = {0};
    if (!c->width || !c->height || !c->depth) return cudaSuccess;
    foresee(c);
    cudaError_t error = cudart_copy_command(c, &work.command);
    return error ? error : cudart_stream_submit(c->stream, &work);
}

struct cudart_copy cudart_copy_line(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return (struct cudart_copy){.to = cudart_copy_row(to),
                                .from = cudart_copy_row(from),
                                .width = bytes,
                                .height = 1,
                                .depth = 1,
                                .kind = kind};
}

static cudaError_t line(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, int async,
                        cudaStream_t stream)
{
    struct cudart_copy c = cudart_copy_line(to, from, bytes, kind);
    c.async = async;
    c.stream = stream;
    return cudart_copy(&c);
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return CALL(line(to, from, bytes, kind, 0, NULL));
}

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return CALL(line(to, from, bytes, kind, 1, stream));
}

static cudaError_t rows(struct host_box to, struct host_box from, size_t width, size_t height, enum cudaMemcpyKind kind,
                        int async, cudaStream_t stream)
{
    return cudart_copy(&(struct cudart_copy){.to = to,
                                             .from = from,
                                             .width = width,
                                             .height = height,
                                             .depth = 1,
                                             .kind = kind,
                                             .async = async,
                                             .stream = stream});
}
#define BOX(at, step) ((struct host_box){.address = (uint64_t)(uintptr_t)(at), .pitch = step})

API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                             size_t height, enum cudaMemcpyKind kind)
{
    return CALL(rows(BOX(to, to_pitch), BOX(from, from_pitch), width, height, kind, 0, NULL));
}

API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                  size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return CALL(rows(BOX(to, to_pitch), BOX(from, from_pitch), width, height, kind, 1, stream));
}

static struct host_box place_in(struct cudaPitchedPtr p, struct cudaPos at)
{
    struct host_box box = {.pitch = p.pitch, .slice = p.pitch * p.ysize};
    box.address = (uint64_t)(uintptr_t)p.ptr + at.x + at.y * box.pitch + at.z * box.slice;
    return box;
}

cudaError_t cudart_copy_3d(const struct cudaMemcpy3DParms *p, struct cudart_copy *c)
{
    if (!p || !p->srcPtr.ptr || !p->dstPtr.ptr) return cudaErrorInvalidValue;
    if (p->srcArray || p->dstArray) cudart_stop("%s with a cudaArray is not implemented", cudart_thread.name);
    *c = (struct cudart_copy){.to = place_in(p->dstPtr, p->dstPos),
                              .from = place_in(p->srcPtr, p->srcPos),
                              .width = p->extent.width,
                              .height = p->extent.height,
                              .depth = p->extent.depth,
                              .kind = p->kind};
    return cudaSuccess;
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *p, int async, cudaStream_t stream)
{
    struct cudart_copy c;
    cudaError_t error = cudart_copy_3d(p, &c);
    c.async = async;
    c.stream = stream;
    return error ? error : cudart_copy(&c);
}

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return CALL(copy_3d(p, 0, NULL));
}

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return CALL(copy_3d(p, 1, stream));
}

// ---------------------------------------------------------------- between devices
static cudaError_t peers(const struct cudart_copy *c, int to_device, int from_device)
{
    struct cudart_work work = {0};
    int devices = (int)cudart_hello()->devices;
    if (to_device < 0 || to_device >= devices || from_device < 0 || from_device >= devices)
        return cudaErrorInvalidDevice;
    if (!c->width || !c->height || !c->depth) return cudaSuccess;
    cudaError_t error = cudart_copy_command(c, &work.command);
    work.command.copy.to_device = (uint32_t)to_device;
    work.command.copy.from_device = (uint32_t)from_device;
    return error ? error : cudart_stream_submit(c->stream, &work);
}

static cudaError_t peer_line(void *to, int to_device, const void *from, int from_device, size_t bytes, int async,
                             cudaStream_t stream)
{
    struct cudart_copy c = cudart_copy_line(to, from, bytes, cudaMemcpyDefault);
    c.async = async;
    c.stream = stream;
    return peers(&c, to_device, from_device);
}

API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    return CALL(peer_line(to, to_device, from, from_device, bytes, 0, NULL));
}

API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                    cudaStream_t stream)
{
    return CALL(peer_line(to, to_device, from, from_device, bytes, 1, stream));
}

static cudaError_t peer_3d(const struct cudaMemcpy3DPeerParms *p, int async, cudaStream_t stream)
{
    struct cudart_copy c;
    struct cudaMemcpy3DParms parms = {.srcArray = p->srcArray,
                                      .srcPos = p->srcPos,
                                      .srcPtr = p->srcPtr,
                                      .dstArray = p->dstArray,
                                      .dstPos = p->dstPos,
                                      .dstPtr = p->dstPtr,
                                      .extent = p->extent,
                                      .kind = cudaMemcpyDefault};
    cudaError_t error = cudart_copy_3d(&parms, &c);
    c.async = async;
    c.stream = stream;
    return error ? error : peers(&c, p->dstDevice, p->srcDevice);
}

API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return CALL(p ? peer_3d(p, 0, NULL) : cudaErrorInvalidValue);
}

API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return CALL(p ? peer_3d(p, 1, stream) : cudaErrorInvalidValue);
}

// ---------------------------------------------------------------- variables of device code
static cudaError_t with_symbol(const void *symbol, void *host, const void *host_source, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind, int async, cudaStream_t stream)
{
    uint64_t address, size;
    cudaError_t error = cudart_symbol(symbol, &address, &size);
    if (error) return error;
    if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
    void *device = (void *)(uintptr_t)(address + offset);
    return line(host ? host : device, host ? device : host_source, bytes, kind, async, stream);
}

API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                   enum cudaMemcpyKind kind)
{
    return CALL(with_symbol(symbol, NULL, from, bytes, offset, kind, 0, NULL));
}

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return CALL(with_symbol(symbol, NULL, from, bytes, offset, kind, 1, stream));
}

API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                     enum cudaMemcpyKind kind)
{
    return CALL(to ? with_symbol(symbol, to, NULL, bytes, offset, kind, 0, NULL) : cudaErrorInvalidValue);
}

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return CALL(to ? with_symbol(symbol, to, NULL, bytes, offset, kind, 1, stream) : cudaErrorInvalidValue);
}
