// Implements the memory of the devices: device memory, page-locked memory of the host (pinned), managed memory, and
// host memory that the program registered. Each allocation of the host program is a region of the simulator's memory.
// The bytes of an allocation are anonymous memory, or a memory file (memfd) that the host program maps at the address
// that the devices use. Memory files are sealed, so that a hostile host program cannot shrink the files.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/memory.h"
#include "host/devices/devices.h"
#include "sim/machine/allocator.h"
#include "sim/machine/memory.h"

enum { PAGE = 4096, POOL_STEP = 32 << 20 };
// EXAM_MOST limits the bytes that the program of a host test may have allocated at a time. The test cases of a lab need
// a fifth of EXAM_MOST. If a program could allocate more than EXAM_MOST bytes, the runner process would exceed its own
// memory limit and die. If the runner process died, the program would get no error code for the allocation that
// exceeded the limit.
static const uint64_t EXAM_MOST = UINT64_C(512) << 20;

int devices_find(const struct devices *m, uint64_t address, uint64_t bytes, int *freed)
{
    const struct sim_memory *memory = m->memory;
    uint64_t slot = address >> REGION_SHIFT;
    const struct sim_region *r = slot < REGION_SLOTS ? memory->slot[slot] : NULL;
    if (freed) *freed = r && !r->alive && address >= r->base && address - r->base <= r->bytes;
    if (!r || !r->alive || address < r->base) return -1;
    uint64_t offset = address - r->base;
    return offset <= r->bytes && bytes <= r->bytes - offset ? (int)r->index : -1;
}

struct devices_memory *devices_memory_of(struct devices *m, int region)
{
    ALLOC_GROW(m->mem, m->mem_capacity, region + 1);
    while (m->nmem <= (uint32_t)region) m->mem[m->nmem++].kind = HOST_MEMORY_NONE;
    return &m->mem[region];
}

// Maps `mapped` bytes of zeros. If `shared` is 1, the mapped bytes are in a memory file, and *descriptor receives the
// file's descriptor. If `shared` is 0, the mapped bytes are anonymous memory. Returns NULL if memory runs out.
static uint8_t *back(uint64_t mapped, int shared, int *descriptor)
{
    *descriptor = -1;
    if (shared) {
        *descriptor = memory_make_shared("warpwise-memory", mapped);
        if (*descriptor < 0) return NULL;
    }
    int flags = shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *at = mmap(NULL, mapped, PROT_READ | PROT_WRITE, flags, *descriptor, 0);
    if (at != MAP_FAILED) return at;
    if (*descriptor >= 0) close(*descriptor);
    return NULL;
}

// Maps `bytes` bytes of memory of the kind `kind` (enum host_kind) for the command's device, as a new region. Returns
// the index of the new region, or -1 if memory runs out.
static int map_region(struct devices_call *c, uint32_t kind, uint64_t bytes)
{
    struct devices *m = c->m;
    int descriptor, shared = kind == HOST_MEMORY_PINNED || kind == HOST_MEMORY_MANAGED;
    uint64_t mapped = (bytes + PAGE - 1) / PAGE * PAGE + PAGE;
    if (m->io && (mapped > EXAM_MOST || m->mapped > EXAM_MOST - mapped)) return -1;
    uint8_t *data = back(mapped, shared, &descriptor);
    if (!data) return -1;
    int owner = kind == HOST_MEMORY_DEVICE ? (int)c->command->device : -1;
    int written = shared || kind == HOST_MEMORY_REGISTERED || !m->options.checks;
    int region = sim_memory_map(m->memory, bytes, data, owner, written);
    if (region < 0) {
        munmap(data, mapped);
        if (descriptor >= 0) close(descriptor);
        return -1;
    }
    struct devices_memory *a = devices_memory_of(m, region);
    free(a->access);
    *a = (struct devices_memory){.kind = (uint8_t)kind,
                                 .device = (uint8_t)c->command->device,
                                 .descriptor = descriptor,
                                 .data = data,
                                 .bytes = bytes,
                                 .mapped = mapped,
                                 .origin = c->command->place};
    m->mapped += mapped;
    struct host_trace *s = m->trace;
    s->allocations++;
    s->allocated_bytes += bytes;
    if (kind == HOST_MEMORY_DEVICE || kind == HOST_MEMORY_MANAGED) {
        struct devices_device *d = &m->device[a->device];
        d->allocated += bytes;
        if (d->allocated > s->most_bytes) s->most_bytes = d->allocated;
    }
    return region;
}

// Allocates memory like map_region(). Refuses the command if the simulator runs out of memory, although the simulated
// device has enough memory.
static int allocate(struct devices_call *c, uint32_t kind, uint64_t bytes)
{
    int region = map_region(c, kind, bytes);
    if (region < 0)
        devices_refuse(c, "the simulator has no memory for %" PRIu64 " bytes, which the device would have", bytes);
    return region;
}

int devices_share(struct devices_call *c, uint64_t address)
{
    struct devices *m = c->m;
    int index = devices_find(m, address, 0, NULL), descriptor;
    if (index < 0 || m->io) return -1; // a host test identifies host memory by its allocations
    struct devices_memory *a = devices_memory_of(m, index);
    struct sim_region *r = m->memory->region[index];
    uint64_t mapped = (r->bytes + PAGE - 1) / PAGE * PAGE + PAGE;
    if (a->kind == HOST_MEMORY_NONE) {
        uint8_t *data = back(mapped, 1, &descriptor);
        if (!data) return -1;
        memcpy(data, r->data, r->bytes);
        sim_memory_remap(m->memory, index, data);
        *a = (struct devices_memory){.kind = HOST_MEMORY_MANAGED,
                                     .device = (uint8_t)c->command->device,
                                     .variable = 1,
                                     .descriptor = descriptor,
                                     .data = data,
                                     .bytes = r->bytes,
                                     .mapped = mapped};
        m->mapped += mapped;
    }
    c->descriptor = a->descriptor;
    return 0;
}

void devices_release_region(struct devices *m, int region)
{
    struct devices_memory *a = &m->mem[region];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->ndeliveries; i++) { // the target memory of these deliveries is freed
        struct devices_delivery *d = &m->delivery[i];
        if (d->to >= a->data && d->to < a->data + a->mapped)
            free(d->bytes);
        else
            m->delivery[kept++] = *d;
    }
    m->ndeliveries = kept;
    if (a->kind == HOST_MEMORY_DEVICE || a->kind == HOST_MEMORY_MANAGED) m->device[a->device].allocated -= a->bytes;
    if (a->pooled) m->device[a->device].pooled -= a->bytes;
    sim_memory_unmap(m->memory, region);
    munmap(a->data, a->mapped);
    m->mapped -= a->mapped;
    if (a->descriptor >= 0) close(a->descriptor);
    free(a->given);
    free(a->writer);
    a->kind = HOST_MEMORY_NONE;
    a->data = NULL;
    a->given = NULL;
    a->writer = NULL;
    a->nwriters = 0;
    a->writers_capacity = 0;
    a->naccesses = 0;
}

// Counts an allocation as part of the device's memory pools, which keep the memory that the program has released. If
// the pools must grow, they grow by whole steps of POOL_STEP bytes, which takes as much virtual time as an ordinary
// allocation.
static void take_from_pool(struct devices_call *c, struct devices_memory *a)
{
    struct devices_device *d = devices_device_of(c);
    a->pooled = 1;
    d->pooled += a->bytes;
    if (d->pooled <= d->pool) return;
    d->pool = (d->pooled + POOL_STEP - 1) / POOL_STEP * POOL_STEP;
    virtual_clock_spend(c->m->clock, (uint64_t)host_op_ns[HOST_OP_alloc] * 1000);
}

uint32_t devices_alloc(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_alloc *q = &c->command->alloc;
    uint32_t index;
    if (q->kind > HOST_MEMORY_MANAGED || !q->bytes || q->flags > 7 || q->ordered > 1) return HOST_INVALID_VALUE;
    if (!devices_stream_of(c, q->stream, &index)) return HOST_INVALID_RESOURCE;
    uint64_t room = (uint64_t)m->profile->memory_bytes - devices_device_of(c)->allocated;
    if (q->bytes > room) return HOST_OUT_OF_MEMORY;
    int region = allocate(c, q->kind, q->bytes);
    if (region < 0) return HOST_OUT_OF_MEMORY;
    if (q->ordered) take_from_pool(c, &m->mem[region]);
    c->reply->address = m->memory->region[region]->base;
    c->descriptor = m->mem[region].descriptor;
    c->reply->bytes = m->mem[region].mapped;
    return HOST_SUCCESS;
}

// Returns the index of the region of the given kind that begins at `address`, or -1.
static int allocation_at(const struct devices *m, uint64_t address, uint32_t kind)
{
    int region = devices_find(m, address, 0, NULL);
    if (region < 0 || (uint32_t)region >= m->nmem || m->mem[region].kind != kind || m->mem[region].variable) return -1;
    return m->memory->region[region]->base == address ? region : -1;
}

uint32_t devices_release(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_release *q = &c->command->release;
    uint32_t index;
    if (q->kind > HOST_MEMORY_MANAGED || q->ordered > 1) return HOST_INVALID_VALUE;
    if (!devices_stream_of(c, q->stream, &index)) return HOST_INVALID_RESOURCE;
    int region = allocation_at(m, q->address, q->kind), freed = 0;
    if (region < 0) {
        devices_find(m, q->address, 0, &freed);
        if (freed)
            devices_defect_add(
                m, &(struct host_trace_finding){.defect = DEFECT_USE_AFTER_FREE, .place = c->command->place});
        return HOST_INVALID_VALUE;
    }
    devices_defect_release(c, region);
    if (!q->ordered) devices_wait_device(m, m->mem[region].device); // cudaFree waits for the device
    devices_release_region(m, region);
    return HOST_SUCCESS;
}

// ---------------------------------------------------------------- registered memory

// Returns the index of the region of the registered memory that contains the host's address, or -1.
static int registered_at(const struct devices *m, uint64_t host)
{
    for (uint32_t i = 0; i < m->nmem; i++) {
        const struct devices_memory *a = &m->mem[i];
        if (a->kind == HOST_MEMORY_REGISTERED && host >= a->host && host - a->host < a->bytes) return (int)i;
    }
    return -1;
}

uint32_t devices_pin(struct devices_call *c)
{
    const struct host_pin *q = &c->command->pin;
    if (!q->host || !q->bytes || q->bytes > UINT64_MAX - q->host || q->bytes > (uint64_t)c->m->profile->memory_bytes)
        return HOST_INVALID_VALUE;
    if (devices_find(c->m, q->host, 0, NULL) >= 0) return HOST_INVALID_VALUE;
    if (registered_at(c->m, q->host) >= 0) return HOST_ALREADY_REGISTERED;
    int region = allocate(c, HOST_MEMORY_REGISTERED, q->bytes);
    if (region < 0) return HOST_OUT_OF_MEMORY;
    c->m->mem[region].host = q->host;
    c->reply->address = c->m->memory->region[region]->base;
    return HOST_SUCCESS;
}

uint32_t devices_unpin(struct devices_call *c)
{
    int region = registered_at(c->m, c->command->unpin.host);
    if (region < 0 || c->m->mem[region].host != c->command->unpin.host) return HOST_NOT_REGISTERED;
    devices_release_region(c->m, region);
    return HOST_SUCCESS;
}

uint32_t devices_refresh(struct devices_call *c)
{
    const struct host_refresh *q = &c->command->refresh;
    int region = devices_find(c->m, q->address, q->bytes, NULL);
    if (q->bytes > HOST_DATA || region < 0 || (uint32_t)region >= c->m->nmem ||
        c->m->mem[region].kind != HOST_MEMORY_REGISTERED)
        return HOST_INVALID_VALUE;
    uint8_t *at = c->m->mem[region].data + (q->address - c->m->memory->region[region]->base);
    if (q->to_host)
        memcpy(c->data, at, q->bytes);
    else
        memcpy(at, c->data, q->bytes);
    c->reply->bytes = q->bytes;
    return HOST_SUCCESS;
}

// ---------------------------------------------------------------- questions

uint32_t devices_pointer(struct devices_call *c)
{
    const struct devices *m = c->m;
    uint64_t address = c->command->pointer.address;
    int region = devices_find(m, address, 0, NULL), host = region < 0;
    if (host) region = registered_at(m, address);
    c->reply->kind = HOST_MEMORY_NONE;
    if (region < 0) return HOST_SUCCESS;
    const struct sim_region *r = m->memory->region[region];
    const struct devices_memory *a = (uint32_t)region < m->nmem ? &m->mem[region] : NULL;
    c->reply->kind = !a || a->kind == HOST_MEMORY_NONE ? HOST_MEMORY_DEVICE : a->kind; // NONE: a variable
    c->reply->device = r->owner >= 0 ? (uint32_t)r->owner : a ? a->device : 0;
    c->reply->address = host ? a->host : r->base;
    c->reply->bytes = r->bytes;
    if (c->reply->kind == HOST_MEMORY_REGISTERED) c->reply->twin = host ? r->base : a->host;
    return HOST_SUCCESS;
}

uint32_t devices_memory_info(struct devices_call *c)
{
    uint64_t total = (uint64_t)c->m->profile->memory_bytes, used = devices_device_of(c)->allocated;
    c->reply->address = used < total ? total - used : 0;
    c->reply->bytes = total;
    return HOST_SUCCESS;
}

uint32_t devices_device_reset(struct devices_call *c)
{
    struct devices *m = c->m;
    uint32_t device = c->command->device;
    devices_wait_device(m, device);
    for (uint32_t i = 0; i < m->nmem; i++)
        if (m->mem[i].data && !m->mem[i].variable && m->mem[i].device == device) devices_release_region(m, (int)i);
    for (uint32_t k = m->options.devices; k < m->nstreams; k++)
        if (m->stream[k].device == device) m->stream[k].alive = 0;
    for (uint32_t k = 0; k < m->nevents; k++)
        if (m->event[k].device == device) m->event[k].alive = 0;
    struct devices_device *d = devices_device_of(c);
    d->sticky = d->fault = d->peers = d->pools = 0;
    d->pooled = d->pool = 0;
    if (d->workspace) sim_memory_unmap(m->memory, devices_find(m, d->workspace, 0, NULL));
    d->workspace = 0;
    allocator_close(m->memory, (int)device);
    return HOST_SUCCESS;
}
