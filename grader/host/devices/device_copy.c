// Implements copies and fills. The source of a copy is in a memory region of the devices or in the host's own memory,
// and so is the destination. The runner process cannot access the host's own memory. The commands `put`
// and `get` therefore move bytes of the host's own memory, piece by piece, through the data area, which the program
// shares with the runner.
//
// The bytes of an asynchronous copy to pinned memory are written later, when the host's virtual clock has passed the
// end of the copy (struct devices_delivery). A program that reads the destination of an asynchronous copy too early
// therefore sees the old bytes, as on a real GPU. If another operation must come after an asynchronous copy, the
// machine (the runner process) writes the bytes of the copy before it executes the other operation.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "host/devices/devices.h"
#include "sim/machine/memory.h"

enum {
    STAGED_AT_ONCE = 64 << 10, // maximum bytes of a pageable copy that the driver copies before the call returns
    BYTES_AN_INST = 512,       // bytes that the simulator copies or fills in about the time of one warp instruction
    ROWS_AN_INST = 1,          // rows of a strided area that take this time besides their bytes
    PAGE = 4096,
    PAGES_MIN = 64, // from this number of pages on, returning pages to the kernel is cheaper than clearing the pages
};

// ---------------------------------------------------------------- boxes

// Returns the number of bytes from the first to the last byte of the strided 3D memory area `b` (`depth` slices of
// `height` rows of `width` bytes), gaps included. Returns 0 if the memory area is empty. Returns UINT64_MAX if the
// distances b->pitch between rows or b->slice between slices would let rows overlap or overflow 64 bits.
static uint64_t extent(const struct host_box *b, uint64_t width, uint64_t height, uint64_t depth)
{
    uint64_t rows, slices, all;
    if (!width || !height || !depth) return 0;
    if (height > 1 && b->pitch < width) return UINT64_MAX;
    if (__builtin_mul_overflow(height - 1, b->pitch, &rows) || __builtin_mul_overflow(depth - 1, b->slice, &slices) ||
        __builtin_add_overflow(rows, width, &rows) || __builtin_add_overflow(rows, slices, &all))
        return UINT64_MAX;
    if (depth > 1 && b->slice < rows) return UINT64_MAX; // otherwise rows could overlap
    return all;
}

// Copies `bytes` bytes between a strided memory area and the array `packed`, which holds the memory area's rows without
// gaps. The strided memory area begins at `at` and has the pitch and slice of `b`. `offset` says how many bytes of the
// memory area's rows come before the first byte to copy, gaps not counted. If into_box is 1, the bytes go from `packed`
// to the strided memory area, else to `packed`.
static void copy_rows(uint8_t *at, const struct host_box *b, uint64_t width, uint64_t height, uint64_t offset,
                      uint64_t bytes, uint8_t *packed, int into_box)
{
    while (bytes) {
        uint64_t row = offset / width, in_row = offset % width, n = width - in_row < bytes ? width - in_row : bytes;
        uint8_t *place = at + row / height * b->slice + row % height * b->pitch + in_row;
        if (into_box)
            memcpy(place, packed, n);
        else
            memcpy(packed, place, n);
        packed += n;
        offset += n;
        bytes -= n;
    }
}

// Charges the copy or the fill of `rows` rows of `width` bytes, as devices_spend() does.
static int spend(struct devices *m, uint64_t width, uint64_t rows)
{
    return devices_spend(m, rows * width / BYTES_AN_INST + (rows > 1 ? rows / ROWS_AN_INST : 0));
}

// ---------------------------------------------------------------- deliveries

static void hand_over(struct devices_delivery *d)
{
    struct host_box box = {.pitch = d->pitch, .slice = d->slice};
    copy_rows(d->to, &box, d->width, d->height, 0, d->width * d->height * d->depth, d->bytes, 1);
    free(d->bytes);
}

void devices_deliver(struct devices *m, const struct devices_order *order)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->ndeliveries; i++) {
        struct devices_delivery *d = &m->delivery[i];
        const struct devices_op *op = &m->op[d->ticket];
        if (order ? devices_order_has(order, op->stream, op->issued) : virtual_clock_is_done(m->clock, d->ticket))
            hand_over(d);
        else
            m->delivery[kept++] = *d;
    }
    m->ndeliveries = kept;
}

// ---------------------------------------------------------------- the sides of a copy

struct side {
    int region;           // -1: the side is in no region
    uint8_t *at;          // NULL: the host's own memory
    uint8_t kind, device; // kind: enum host_kind; PAGEABLE for the host's own memory
    const struct host_box *box;
    uint64_t extent, offset;
};
enum { PAGEABLE = HOST_MEMORY_NONE };

static uint32_t find_side(struct devices_call *c, const struct host_box *box, uint64_t width, uint64_t height,
                          uint64_t depth, struct side *s)
{
    struct devices *m = c->m;
    int freed;
    *s = (struct side){.box = box, .kind = PAGEABLE, .extent = extent(box, width, height, depth)};
    if (s->extent == UINT64_MAX) return HOST_INVALID_PITCH;
    if (box->address >= SIM_CONST_WINDOW && box->address < SIM_CONST_WINDOW + m->memory->constant_bytes) {
        uint64_t offset = box->address - SIM_CONST_WINDOW;
        if (s->extent > m->memory->constant_bytes - offset) return HOST_INVALID_VALUE;
        s->region = -1;
        s->at = m->memory->constant + offset;
        s->kind = HOST_MEMORY_DEVICE;
        s->device = (uint8_t)c->command->device;
        return HOST_SUCCESS;
    }
    s->region = devices_find(m, box->address, s->extent, &freed);
    if (s->region < 0) {
        if (freed)
            devices_defect_add(
                m, &(struct host_trace_finding){.defect = DEFECT_USE_AFTER_FREE, .place = c->command->place});
        uint64_t slot = box->address >> REGION_SHIFT;
        int ours = slot < REGION_SLOTS && m->memory->slot[slot] && box->address >= m->memory->slot[slot]->base;
        return ours ? HOST_INVALID_VALUE : HOST_SUCCESS; // behind the end of an allocation, or in the host's own memory
    }
    const struct sim_region *r = m->memory->region[s->region];
    s->offset = box->address - r->base;
    s->at = r->data + s->offset;
    s->device = r->owner >= 0 ? (uint8_t)r->owner : (uint8_t)c->command->device;
    s->kind = HOST_MEMORY_DEVICE;
    if ((uint32_t)s->region < m->nmem && m->mem[s->region].kind != HOST_MEMORY_NONE) s->kind = m->mem[s->region].kind;
    return HOST_SUCCESS;
}

// Returns 1 if the copy's side `s` (its source or its destination) is in memory of the host. In a host test, managed
// memory also counts as memory of the host (test_run.c).
static int is_host(const struct devices *m, const struct side *s)
{
    return s->kind == PAGEABLE || s->kind == HOST_MEMORY_PINNED || s->kind == HOST_MEMORY_REGISTERED ||
           (s->kind == HOST_MEMORY_MANAGED && m->io);
}

// Returns 1 if the program registered the whole range as its own page-locked memory (cudaHostRegister).
static int is_registered(const struct devices *m, uint64_t host, uint64_t bytes)
{
    for (uint32_t i = 0; i < m->nmem; i++) {
        const struct devices_memory *a = &m->mem[i];
        if (a->kind == HOST_MEMORY_REGISTERED && host >= a->host && host - a->host <= a->bytes &&
            bytes <= a->bytes - (host - a->host))
            return 1;
    }
    return 0;
}

static uint32_t check_direction(const struct host_copy *q, const struct side *to, const struct side *from)
{
    if (q->direction > HOST_ANY_DIRECTION) return HOST_INVALID_COPY_DIRECTION;
    if (q->direction == HOST_ANY_DIRECTION) return HOST_SUCCESS;
    int to_device = q->direction == HOST_H2D || q->direction == HOST_D2D;
    int from_device = q->direction == HOST_D2H || q->direction == HOST_D2D;
    if ((to_device && !to->at) || (from_device && !from->at)) return HOST_INVALID_VALUE;
    if ((!to_device && to->kind == HOST_MEMORY_DEVICE) || (!from_device && from->kind == HOST_MEMORY_DEVICE))
        return HOST_INVALID_VALUE;
    return HOST_SUCCESS;
}

struct plan {
    struct side to, from;
    uint64_t bytes;
    uint32_t span; // enum host_trace_span_kind
    int pinned;    // 1: the host's side is page-locked
    struct clock_op op;
};

static void plan_time(const struct devices *m, const struct host_copy *q, struct plan *p)
{
    const struct device_profile *d = m->profile;
    const struct side *host = is_host(m, &p->to) ? &p->to : &p->from;
    p->pinned = host->kind != PAGEABLE || is_registered(m, host->box->address, host->extent);
    int64_t mbs = 0;
    if (is_host(m, &p->from) && !is_host(m, &p->to)) {
        p->span = SPAN_H2D;
        p->op.engine = CLOCK_WRITE;
        mbs = p->pinned || p->bytes <= STAGED_AT_ONCE ? d->host_write_mbs : d->host_pageable_mbs;
    } else if (is_host(m, &p->to) && !is_host(m, &p->from)) {
        p->span = SPAN_D2H;
        p->op.engine = CLOCK_READ;
        mbs = p->pinned ? d->host_read_mbs : d->host_pageable_mbs;
    } else if (is_host(m, &p->to)) {
        p->span = SPAN_D2H;
        p->op.engine = CLOCK_NONE;
        return;
    } else if (p->to.device != p->from.device || (q->to_device != q->from_device)) {
        p->span = SPAN_PEER;
        p->op.engine = CLOCK_PEER;
        mbs = d->peer_mbs;
    } else {
        p->span = SPAN_D2D;
        p->op.engine = CLOCK_COMPUTE;
        p->op.demand = 1000;
        p->op.work_ps = virtual_clock_bytes_ps(p->bytes, d->dram_read_gbs * 1000) +
                        virtual_clock_bytes_ps(p->bytes, d->dram_write_gbs * 1000);
    }
    p->op.direct = (uint8_t)(p->pinned && p->op.engine <= CLOCK_READ);
    p->op.work_ps += virtual_clock_bytes_ps(p->bytes, mbs) + (uint64_t)d->copy_ns * 1000;
}

// ---------------------------------------------------------------- doing it

static void deliver_later(struct devices *m, const struct plan *p, const struct host_copy *q, uint64_t ticket,
                          uint8_t *bytes)
{
    ALLOC_GROW(m->delivery, m->deliveries_capacity, m->ndeliveries + 1);
    m->delivery[m->ndeliveries++] = (struct devices_delivery){.ticket = ticket,
                                                              .to = p->to.at,
                                                              .bytes = bytes,
                                                              .width = q->width,
                                                              .height = q->height,
                                                              .depth = q->depth,
                                                              .pitch = q->to.pitch,
                                                              .slice = q->to.slice};
}

// Copies bytes between two memory regions of the devices. For an asynchronous copy to pinned memory, the bytes are
// written later (deliver_later()).
static void copy_regions(struct devices *m, const struct plan *p, const struct host_copy *q, uint64_t ticket)
{
    uint8_t *packed = alloc_bytes(p->bytes);
    copy_rows(p->from.at, &q->from, q->width, q->height, 0, p->bytes, packed, 0);
    if (p->to.kind == HOST_MEMORY_PINNED && q->async) {
        deliver_later(m, p, q, ticket, packed);
        return;
    }
    copy_rows(p->to.at, &q->to, q->width, q->height, 0, p->bytes, packed, 1);
    free(packed);
}

static void begin_transfer(struct devices_call *c, const struct plan *p, const struct host_copy *q)
{
    int put = !p->from.at;
    c->m->transfer = (struct devices_transfer){.kind = put ? HOST_TRANSFER_PUT : HOST_TRANSFER_GET,
                                               .box = put ? q->to : q->from,
                                               .width = q->width,
                                               .height = q->height,
                                               .depth = q->depth,
                                               .at = put ? p->to.at : p->from.at,
                                               .offset = put ? p->to.offset : p->from.offset,
                                               .region = put ? p->to.region : p->from.region};
    c->reply->transfer = c->m->transfer.kind;
}

static void count(struct host_trace *s, const struct plan *p)
{
    s->copies++;
    if (p->span == SPAN_H2D) s->h2d_bytes += p->bytes;
    if (p->span == SPAN_D2H) s->d2h_bytes += p->bytes;
}

static uint32_t find_sides(struct devices_call *c, const struct host_copy *q, struct plan *p)
{
    uint32_t result = find_side(c, &q->to, q->width, q->height, q->depth, &p->to);
    if (!result) result = find_side(c, &q->from, q->width, q->height, q->depth, &p->from);
    if (!result) result = check_direction(q, &p->to, &p->from);
    if (q->to_device != HOST_NO_PEER && q->to_device >= c->m->options.devices) result = HOST_INVALID_DEVICE;
    if (q->from_device != HOST_NO_PEER && q->from_device >= c->m->options.devices) result = HOST_INVALID_DEVICE;
    return result;
}

// Records in the L2 of the device of `s`, the copy's source or destination, that the copy has read or written its
// bytes. Does nothing if `s` is in memory of the host.
static void through_l2(struct devices *m, const struct side *s, const struct host_copy *q, int is_written)
{
    if (s->region < 0 || is_host(m, s)) return;
    struct devices_box b = {s->box->address, q->width, q->height, q->depth, s->box->pitch, s->box->slice};
    devices_l2_copied(m, s->device, &b, is_written);
}

uint32_t devices_copy(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_copy *q = &c->command->copy;
    struct plan p = {0};
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, q->stream, &index);
    if (!s) return HOST_INVALID_RESOURCE;
    uint32_t result = find_sides(c, q, &p);
    if (result || !p.to.extent) return result;
    p.bytes = q->width * q->height * q->depth; // at most the extent, so the product does not overflow
    if (spend(m, q->width, q->height * q->depth)) return HOST_LAUNCH_TIMEOUT;
    plan_time(m, q, &p);
    uint8_t device = s->device;
    struct host_trace_span span = {.kind = p.span,
                                   .device = device,
                                   .stream = q->stream,
                                   .pinned = (uint32_t)p.pinned,
                                   .bytes = p.bytes,
                                   .place = c->command->place};
    uint64_t ticket = devices_submit(c, index, &p.op, p.op.engine == CLOCK_NONE ? NULL : &span);
    c->reply->ticket = ticket;
    count(m->trace, &p);
    devices_deliver(m, &m->stream[index].order);
    devices_defect_access(c, p.from.region, p.from.offset, p.from.offset + p.from.extent, 0, index);
    devices_defect_access(c, p.to.region, p.to.offset, p.to.offset + p.to.extent, 1, index);
    devices_io_copied(m, &(struct devices_io_copy){.q = q,
                                                   .to = p.to.region,
                                                   .from = p.from.region,
                                                   .to_at = p.to.offset,
                                                   .from_at = p.from.offset,
                                                   .bytes = p.from.at,
                                                   .ticket = ticket,
                                                   .to_host = is_host(m, &p.to)});
    if (p.to.at) devices_cache_invalidate(m);
    through_l2(m, &p.from, q, 0);
    through_l2(m, &p.to, q, 1);
    if (p.to.at && p.from.at) {
        copy_regions(m, &p, q, ticket);
        if (p.to.region >= 0) sim_memory_mark_written(m->memory, p.to.region, p.to.offset, p.to.extent);
    } else if (p.to.at || p.from.at) {
        begin_transfer(c, &p, q);
    }
    int device_only = !is_host(m, &p.to) && !is_host(m, &p.from);
    if (p.pinned && q->async && !device_only) {
        ALLOC_GROW(m->waiting, m->waiting_capacity, m->nwaiting + 1);
        m->waiting[m->nwaiting++] = ticket;
    }
    int staged = !p.pinned && p.span == SPAN_H2D && p.bytes <= STAGED_AT_ONCE;
    if (device_only || staged) return HOST_SUCCESS;
    if (q->async && p.pinned) return HOST_SUCCESS;
    devices_wait(m, index, ticket);
    return devices_fault(m, device, 1);
}

static uint32_t move_piece(struct devices_call *c, uint32_t kind, uint64_t offset, uint64_t bytes)
{
    struct devices_transfer *t = &c->m->transfer;
    uint64_t all = t->width * t->height * t->depth;
    if (t->kind != kind || offset != t->done || bytes > HOST_DATA || bytes > all - t->done) return HOST_INVALID_VALUE;
    int put = kind == HOST_TRANSFER_PUT;
    copy_rows(t->at, &t->box, t->width, t->height, offset, bytes, c->data, put);
    if (put && t->region >= 0)
        sim_memory_mark_written(c->m->memory, t->region, t->offset, extent(&t->box, t->width, t->height, t->depth));
    t->done += bytes;
    c->reply->bytes = bytes;
    if (t->done == all) t->kind = HOST_TRANSFER_NONE;
    return HOST_SUCCESS;
}

uint32_t devices_put(struct devices_call *c)
{
    return move_piece(c, HOST_TRANSFER_PUT, c->command->put.offset, c->command->put.bytes);
}

uint32_t devices_get(struct devices_call *c)
{
    return move_piece(c, HOST_TRANSFER_GET, c->command->get.offset, c->command->get.bytes);
}

// ---------------------------------------------------------------- fills

static void fill_row(uint8_t *at, uint64_t width, uint32_t value, uint32_t element)
{
    if (element == 1) {
        memset(at, (int)(value & 0xff), width);
        return;
    }
    for (uint64_t i = 0; i + element <= width; i += element) memcpy(at + i, &value, element);
}

// Clears `width` bytes of anonymous memory. If the range contains at least PAGES_MIN whole pages, madvise() returns the
// whole pages to the operating system, and these pages read as zeros afterwards.
static void clear_row(uint8_t *at, uint64_t width)
{
    uint64_t before = -(uintptr_t)at % PAGE, pages = width > before ? (width - before) / PAGE * PAGE : 0;
    if (pages < PAGES_MIN * PAGE || madvise(at + before, pages, MADV_DONTNEED)) {
        memset(at, 0, width);
        return;
    }
    memset(at, 0, before);
    memset(at + before + pages, 0, width - before - pages);
}

uint32_t devices_fill(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_fill *q = &c->command->fill;
    struct side to;
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, q->stream, &index);
    if (!s) return HOST_INVALID_RESOURCE;
    if (q->element != 1 && q->element != 2 && q->element != 4) return HOST_INVALID_VALUE;
    uint32_t result = find_side(c, &q->to, q->width, q->height, q->depth, &to);
    if (result) return result;
    if (!to.extent) return HOST_SUCCESS;
    if (!to.at) return HOST_INVALID_VALUE;
    uint64_t bytes = q->width * q->height * q->depth;
    if (spend(m, q->width, q->height * q->depth)) return HOST_LAUNCH_TIMEOUT;
    struct clock_op op = {.engine = CLOCK_COMPUTE,
                          .demand = 1000,
                          .work_ps = virtual_clock_bytes_ps(bytes, m->profile->dram_write_gbs * 1000),
                          .drain_ps = (uint64_t)m->profile->kernel_ns * 1000};
    struct host_trace_span span = {
        .kind = SPAN_FILL, .device = s->device, .stream = q->stream, .bytes = bytes, .place = c->command->place};
    c->reply->ticket = devices_submit(c, index, &op, &span);
    m->trace->fills++;
    devices_deliver(m, &m->stream[index].order);
    devices_defect_access(c, to.region, to.offset, to.offset + to.extent, 1, index);
    int device = to.region >= 0 && (uint32_t)to.region < m->nmem && m->mem[to.region].kind == HOST_MEMORY_DEVICE;
    struct devices_box box = {q->to.address, q->width, q->height, q->depth, q->to.pitch, q->to.slice};
    if (device) devices_l2_copied(m, to.device, &box, 1);
    for (uint64_t z = 0; z < q->depth; z++) {
        for (uint64_t y = 0; y < q->height; y++) {
            uint64_t row = z * q->to.slice + y * q->to.pitch;
            if (!q->value && device)
                clear_row(to.at + row, q->width);
            else
                fill_row(to.at + row, q->width, q->value, q->element);
            devices_io_filled(m, to.region, to.offset + row, to.offset + row + q->width);
            if (to.region >= 0) sim_memory_mark_written(m->memory, to.region, to.offset + row, q->width);
        }
    }
    return HOST_SUCCESS;
}

uint32_t devices_prefetch(struct devices_call *c)
{
    const struct host_prefetch *q = &c->command->prefetch;
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, q->stream, &index);
    int region = devices_find(c->m, q->address, q->bytes, NULL);
    if (!s) return HOST_INVALID_RESOURCE;
    if (q->target != HOST_NO_PEER && q->target >= c->m->options.devices) return HOST_INVALID_DEVICE;
    if (region < 0 || (uint32_t)region >= c->m->nmem || c->m->mem[region].kind != HOST_MEMORY_MANAGED)
        return HOST_INVALID_VALUE;
    int to_host = q->target == HOST_NO_PEER;
    const struct device_profile *d = c->m->profile;
    struct clock_op op = {.engine = to_host ? CLOCK_READ : CLOCK_WRITE,
                          .direct = 1,
                          .work_ps = virtual_clock_bytes_ps(q->bytes, to_host ? d->host_read_mbs : d->host_write_mbs)};
    struct host_trace_span span = {.kind = to_host ? SPAN_D2H : SPAN_H2D,
                                   .device = s->device,
                                   .stream = q->stream,
                                   .pinned = 1,
                                   .bytes = q->bytes,
                                   .place = c->command->place};
    c->reply->ticket = devices_submit(c, index, &op, &span);
    return HOST_SUCCESS;
}
