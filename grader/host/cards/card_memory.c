// Implements device memory of the cards (real GPUs), page-locked memory, and the commands that copy and fill memory.
//
// New allocations get ascending addresses, except that the runner keeps page-locked memory that the program has
// released, and hands it out again at its old address. Runner and program map page-locked memory at the same address.
// The addresses of page-locked memory are far from those that an operating system assigns to a process's own memory.
// The cards' memory has addresses that no process maps, and the table c->memory translates these addresses to the
// driver's addresses. An address that the table c->memory does not contain belongs to the program's own pageable
// memory.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/memory.h"
#include "host/cards/cards.h"

enum { PAGE = 4096, MEMORIES = 4096, ROWS_MOST = 4096, PLACES = 64 };
static const uint64_t DEVICE_FIRST = UINT64_C(0x300000000000), PINNED_FIRST = UINT64_C(0x180000000000);
static const uint64_t ADDRESS_GRAIN = 2 << 20, ELSEWHERE = UINT64_C(1) << 36, PINNED_MOST = UINT64_C(4) << 30;
static const uint64_t DEVICE_MOST = UINT64_C(1) << 40;

struct card_memory *card_memory_find(const struct cards *c, uint64_t address, uint64_t bytes)
{
    for (uint32_t i = c->nmemory; i--;) {
        struct card_memory *m = &c->memory[i];
        if (m->kind == HOST_MEMORY_NONE || address < m->address || address - m->address > m->bytes) continue;
        if (bytes <= m->bytes - (address - m->address)) return m;
    }
    return NULL;
}

// Returns a free entry of the table c->memory, or NULL if the table is full.
static struct card_memory *entry(struct cards *c)
{
    if (!c->memory) c->memory = alloc_zeroed(MEMORIES, sizeof *c->memory);
    for (uint32_t i = 0; i < c->nmemory; ++i)
        if (c->memory[i].kind == HOST_MEMORY_NONE && !c->memory[i].data) return &c->memory[i];
    if (c->nmemory == MEMORIES) return NULL;
    struct card_memory *m = &c->memory[c->nmemory++];
    *m = (struct card_memory){.kind = HOST_MEMORY_NONE, .descriptor = -1};
    return m;
}

// ---------------------------------------------------------------- page-locked memory
static void *map(struct cards *c, uint64_t bytes, int descriptor)
{
    if (!c->next_pinned) c->next_pinned = PINNED_FIRST;
    for (int place = 0; place < PLACES; ++place) {
        void *wish = (void *)(uintptr_t)c->next_pinned;
        void *at = mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, descriptor, 0);
        c->next_pinned += at == wish ? (bytes + ADDRESS_GRAIN) / ADDRESS_GRAIN * ADDRESS_GRAIN : ELSEWHERE;
        if (at == wish) return at;
        if (at != MAP_FAILED) munmap(at, bytes);
    }
    return NULL;
}

static void drop(struct cards *c, struct card_memory *m)
{
    cards_result(c, c->driver->unpin((void *)(uintptr_t)m->data));
    munmap((void *)(uintptr_t)m->data, m->mapped);
    close(m->descriptor);
    c->pinned_bytes -= m->mapped;
    *m = (struct card_memory){.kind = HOST_MEMORY_NONE, .descriptor = -1};
}

// Returns page-locked memory of `mapped` bytes that the program released and the runner kept. Returns NULL if the
// runner kept no page-locked memory of exactly `mapped` bytes. Before returning NULL, kept() frees other kept memory,
// until `mapped` new bytes fit into the limit PINNED_MOST or no kept memory is left.
static struct card_memory *kept(struct cards *c, uint64_t mapped)
{
    for (uint32_t i = 0; i < c->nmemory; ++i) {
        struct card_memory *m = &c->memory[i];
        if (m->kind == HOST_MEMORY_NONE && m->data && m->mapped == mapped) return m;
    }
    for (uint32_t i = 0; i < c->nmemory && c->pinned_bytes + mapped > PINNED_MOST; ++i)
        if (c->memory[i].kind == HOST_MEMORY_NONE && c->memory[i].data) drop(c, &c->memory[i]);
    return NULL;
}

static struct card_memory *make_pinned(struct cards *c, uint64_t mapped)
{
    if (c->pinned_bytes + mapped > PINNED_MOST) return NULL;
    struct card_memory *m = entry(c);
    int fd = m ? memory_make_shared("warpwise-memory", mapped) : -1;
    void *at = fd < 0 ? NULL : map(c, mapped, fd);
    if (at && !c->driver->pin(at, mapped, PIN_PORTABLE)) {
        *m = (struct card_memory){.kind = HOST_MEMORY_NONE,
                                  .address = (uint64_t)(uintptr_t)at,
                                  .data = (uint64_t)(uintptr_t)at,
                                  .mapped = mapped,
                                  .descriptor = fd};
        c->pinned_bytes += mapped;
        return m;
    }
    if (at) munmap(at, mapped);
    if (fd >= 0) close(fd);
    return NULL;
}

static uint32_t alloc_pinned(struct card_call *q, uint64_t bytes)
{
    if (bytes > PINNED_MOST) return HOST_OUT_OF_MEMORY;
    uint64_t mapped = (bytes + PAGE - 1) / PAGE * PAGE;
    struct card_memory *m = kept(q->c, mapped);
    if (!m) m = make_pinned(q->c, mapped);
    if (!m) return HOST_OUT_OF_MEMORY;
    m->kind = HOST_MEMORY_PINNED;
    m->device = q->command->device;
    m->bytes = bytes;
    q->reply->address = m->address;
    q->reply->bytes = mapped;
    q->reply->lasting = 1;
    q->descriptor = m->descriptor;
    return HOST_SUCCESS;
}

// ---------------------------------------------------------------- allocation
static uint32_t alloc_device(struct card_call *q, uint64_t bytes)
{
    struct cards *c = q->c;
    uint64_t data;
    if (!c->next_device) c->next_device = DEVICE_FIRST;
    uint64_t address = c->next_device;
    if (bytes > DEVICE_MOST || address > DEVICE_FIRST + 16 * DEVICE_MOST) return HOST_OUT_OF_MEMORY;
    struct card_memory *m = entry(c);
    uint32_t result = m ? cards_result(c, c->driver->alloc(&data, bytes)) : HOST_OUT_OF_MEMORY;
    if (result) return result;
    *m = (struct card_memory){.kind = HOST_MEMORY_DEVICE,
                              .device = q->command->device,
                              .address = address,
                              .bytes = bytes,
                              .data = data,
                              .descriptor = -1};
    c->next_device += (bytes + ADDRESS_GRAIN) / ADDRESS_GRAIN * ADDRESS_GRAIN;
    q->reply->address = address;
    return HOST_SUCCESS;
}

uint32_t card_alloc(struct card_call *q)
{
    const struct host_alloc *a = &q->command->alloc;
    if (a->kind > HOST_MEMORY_MANAGED || !a->bytes) return HOST_INVALID_VALUE;
    if (!card_stream_of(q, a->stream)) return HOST_INVALID_RESOURCE;
    if (a->kind == HOST_MEMORY_DEVICE) return alloc_device(q, a->bytes);
    if (a->kind == HOST_MEMORY_PINNED) return alloc_pinned(q, a->bytes);
    return cards_void(q->c, VOID_MANAGED, "");
}

// Executes the command `release`, which frees memory. In the runner for real GPUs, not only cudaFree but also
// cudaFreeAsync waits for the device.
uint32_t card_release(struct card_call *q)
{
    struct cards *c = q->c;
    const struct host_release *r = &q->command->release;
    struct card_memory *m = card_memory_find(c, r->address, 0);
    if (!m || m->kind != r->kind || m->address != r->address) return HOST_INVALID_VALUE;
    uint32_t result = m->kind == HOST_MEMORY_PINNED ? cards_synchronize(c) : HOST_SUCCESS;
    cards_enter(c, m->device);
    if (!result) result = cards_result(c, c->driver->synchronize());
    if (!result && m->kind == HOST_MEMORY_DEVICE) result = cards_result(c, c->driver->free(m->data));
    if (m->kind == HOST_MEMORY_DEVICE) m->data = 0;
    m->kind = HOST_MEMORY_NONE;
    return result;
}

uint32_t card_pointer(struct card_call *q)
{
    const struct card_memory *m = card_memory_find(q->c, q->command->pointer.address, 0);
    q->reply->kind = m ? m->kind : HOST_MEMORY_NONE;
    if (!m) return HOST_SUCCESS;
    q->reply->device = m->device;
    q->reply->address = m->address;
    q->reply->bytes = m->bytes;
    return HOST_SUCCESS;
}

// ---------------------------------------------------------------- copies
// Stores in *bytes the number of bytes from the first to the last byte of the strided 3D memory area `b` (`depth`
// slices of `height` rows of `width` bytes), gaps included. Returns 0, or -1 if *bytes exceeds DEVICE_MOST.
static int extent(const struct host_box *b, uint64_t width, uint64_t height, uint64_t depth, uint64_t *bytes)
{
    unsigned __int128 all =
        (unsigned __int128)b->slice * (depth - 1) + (unsigned __int128)b->pitch * (height - 1) + width;
    *bytes = (uint64_t)all;
    return all > DEVICE_MOST ? -1 : 0;
}

static int is_fitting(uint64_t width, uint64_t height, uint64_t depth)
{
    return width && height && depth && width <= DEVICE_MOST && height <= ROWS_MOST && depth <= ROWS_MOST &&
           height * depth <= ROWS_MOST;
}

static uint64_t row_at(const struct host_box *b, uint64_t height, uint64_t row)
{
    return b->address + row % height * b->pitch + row / height * b->slice;
}

// Completes a copy or fill: waits for the stream `s` if the operation is synchronous (`async` is 0). Returns the result
// of the copy or fill as enum host_result.
static uint32_t finish(struct card_call *q, int error, uint32_t async, const struct card_stream *s)
{
    if (!error && !async) error = q->c->driver->stream_sync(s->stream);
    q->reply->ticket = 1;
    return cards_result(q->c, error);
}

uint32_t card_copy(struct card_call *q)
{
    struct cards *c = q->c;
    const struct host_copy *p = &q->command->copy;
    uint64_t to_bytes, from_bytes;
    const struct card_stream *s = card_stream_of(q, p->stream);
    if (!s) return HOST_INVALID_RESOURCE;
    if (!p->width || !p->height || !p->depth) return HOST_SUCCESS;
    if (p->direction > HOST_ANY_DIRECTION) return HOST_INVALID_COPY_DIRECTION;
    if (!is_fitting(p->width, p->height, p->depth) || extent(&p->to, p->width, p->height, p->depth, &to_bytes) ||
        extent(&p->from, p->width, p->height, p->depth, &from_bytes))
        return cards_void(c, VOID_ROWS, "");
    const struct card_memory *to = card_memory_find(c, p->to.address, to_bytes);
    const struct card_memory *from = card_memory_find(c, p->from.address, from_bytes);
    if (!to || !from) return cards_void(c, VOID_PAGEABLE, "");
    cards_enter(c, s->device);
    int error = 0;
    for (uint64_t row = 0; row < p->height * p->depth && !error; ++row) {
        uint64_t t = row_at(&p->to, p->height, row), f = row_at(&p->from, p->height, row);
        error = c->driver->copy(to->data + (t - to->address), from->data + (f - from->address), p->width, s->stream);
        if (!error) card_io_note(c, ACT_COPY, t, f, p->width);
    }
    return finish(q, error, p->async, s);
}

uint32_t card_fill(struct card_call *q)
{
    struct cards *c = q->c;
    const struct host_fill *f = &q->command->fill;
    uint64_t bytes;
    const struct card_stream *s = card_stream_of(q, f->stream);
    if (!s) return HOST_INVALID_RESOURCE;
    if (!f->width || !f->height || !f->depth) return HOST_SUCCESS;
    if (f->element != 1 || !is_fitting(f->width, f->height, f->depth) ||
        extent(&f->to, f->width, f->height, f->depth, &bytes))
        return cards_void(c, VOID_ROWS, "");
    const struct card_memory *m = card_memory_find(c, f->to.address, bytes);
    if (!m || m->kind != HOST_MEMORY_DEVICE) return HOST_INVALID_VALUE;
    cards_enter(c, s->device);
    int error = 0;
    for (uint64_t row = 0; row < f->height * f->depth && !error; ++row) {
        uint64_t t = row_at(&f->to, f->height, row);
        error = c->driver->fill_bytes(m->data + (t - m->address), (unsigned char)f->value, f->width, s->stream);
        card_io_note(c, ACT_WRITE, t, 0, f->width);
    }
    return finish(q, error, f->async, s);
}
