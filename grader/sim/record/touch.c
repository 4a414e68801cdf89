// Records which elements of arrays the lanes of a warp access.
//
// What an op accesses is found before the op is executed, because a load may overwrite the register with its own
// address. Writes are recorded after the op, with the values that are then in memory.
#include "sim/record/state.h"

#include <string.h>

#include "sim/machine/reach.h"

// Returns the index of the shared array that an access belongs to: the one that the address was made from, or else the
// last that begins at or before it.
static int32_t shared_array(const struct recorder *r, const struct sim_memory_op *m, uint64_t address)
{
    const struct sim_memory *memory = r->launch->memory;
    int32_t last = -1;
    if (m->access.symbol >= 0 && r->array_of_var[m->access.symbol] >= 0) {
        const struct recording_array *a = &r->head.array[r->array_of_var[m->access.symbol]];
        if (a->shared) return r->array_of_var[m->access.symbol];
    }
    for (uint32_t i = 0; i < memory->nextents; i++)
        if (memory->extent[i].var >= 0 && (memory->extent[i].lo <= address || last < 0))
            last = r->array_of_var[memory->extent[i].var];
    return last;
}

static int32_t global_array(const struct recorder *r, const struct sim_region *region)
{
    if (!region) return -1;
    if (region->var >= 0) return region->module == r->program->module ? r->array_of_var[region->var] : -1;
    return region->buffer >= 0 && region->buffer < ENGINE_BUFFERS ? r->array_of_buffer[region->buffer] : -1;
}

// Notes that the open step writes bytes of local memory, where variables may be.
static void note_local(struct recorder *r, uint64_t at, uint32_t bytes)
{
    if (at < r->open.local_lo) r->open.local_lo = at;
    if (at + bytes > r->open.local_hi) r->open.local_hi = at + bytes;
}

// Finds the element that a lane accesses in shared or global memory. `before` is what the lane before it reaches, whose
// array *t has already, because neighbours mostly access one array; the first lane has NULL.
static void find(const struct recorder *r, const struct sim_memory_op *m, const struct reach *to,
                 const struct reach *before, struct touch *t)
{
    uint64_t address = to->address + (to->space == SPACE_SHARED ? SIM_SHARED_WINDOW : 0);
    t->host = to->host;
    if (to->space == SPACE_SHARED)
        t->array = shared_array(r, m, to->address);
    else if (!before || before->space != SPACE_GLOBAL || before->region != to->region)
        t->array = global_array(r, to->region);
    t->element = (int64_t)address;
    if (t->array < 0) return;
    const struct recording_array *a = &r->head.array[t->array];
    t->element = (int64_t)(address - a->base) >> __builtin_ctz(a->bytes); // rounds down
}

// Records element `e` of what the lanes in `mask` access, which lies in one array with elements of `bytes` bytes.
static void record_element(struct recorder *r, const struct sim_access *a, uint32_t mask, uint32_t e, uint32_t bytes,
                           uint32_t tag)
{
    int32_t array = r->touch[__builtin_ctz(mask)].array;
    struct recording_event *event = &r->event;
    event->tag = tag;
    event->mask = mask;
    event->undefined = 0;
    event->index = (uint32_t)array; // -1: RECORDING_NO_ARRAY
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        const struct touch *t = &r->touch[l];
        event->element[l] = t->element + (array < 0 ? (int64_t)e * bytes : (int64_t)e);
        if (tag == RECORDING_READ) continue;
        event->value[l] = 0;
        if (t->host)
            memcpy(&event->value[l], t->host + e * bytes, bytes < a->bytes ? bytes : a->bytes);
        else
            event->undefined |= 1u << l;
    }
    recorder_put(r, event);
}

// Records the access of the lanes in r->touching: an event for each array, and for each element of a vector.
static void record(struct recorder *r, const struct sim_access *a, uint32_t tag)
{
    for (uint32_t on = r->touching, same; on; on &= ~same) {
        int32_t array = r->touch[__builtin_ctz(on)].array;
        uint32_t bytes = array < 0 ? a->bytes : r->head.array[array].bytes;
        uint32_t count = (access_total_bytes(a) + bytes - 1) / bytes;
        same = 0;
        for (uint32_t left = on; left; left &= left - 1)
            if (r->touch[__builtin_ctz(left)].array == array) same |= left & -left;
        for (uint32_t e = 0; e < count; e++) record_element(r, a, same, e, bytes, tag);
    }
}

void touch_before(struct recorder *r, struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_memory_op *m = reach_memory_op(w, op);
    struct reach to[WARP_LANES];
    const struct reach *before = NULL;
    r->touching = 0;
    if (!m) return;
    uint32_t on = warp_guard(w, op, mask);
    reach_lanes(w, m, op, on, to);
    for (uint32_t left = on; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (to[l].space == SPACE_LOCAL && m->access.kind != ACCESS_READ)
            note_local(r, to[l].address, access_total_bytes(&m->access));
        if (to[l].space != SPACE_SHARED && to[l].space != SPACE_GLOBAL) continue;
        if (before) r->touch[l].array = r->touch[before - to].array;
        find(r, m, &to[l], before, &r->touch[l]);
        before = &to[l];
        r->touching |= 1u << l;
    }
    if (r->touching && m->access.kind == ACCESS_READ) record(r, &m->access, RECORDING_READ);
}

void touch_after(struct recorder *r, struct warp *w, const struct sim_op *op)
{
    const struct sim_memory_op *m = reach_memory_op(w, op);
    if (!r->touching) return;
    if (m->access.kind == ACCESS_WRITE) record(r, &m->access, RECORDING_WRITE);
    if (m->access.kind == ACCESS_ATOMIC) record(r, &m->access, RECORDING_ATOMIC);
}
