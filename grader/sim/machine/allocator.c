// Theory of operation. The heap from which malloc() of device code takes memory is a region of global memory with a
// table of its heap blocks (hazard/heap.h). Each device has one heap. The first launch of a kernel that contains calls
// of malloc() or free() creates the heap, whose size then stays fixed (CUDA C++ Programming Guide, "Dynamic Global
// Memory Allocation"). Which memory malloc() returns depends on the calls of other blocks. The first call of malloc()
// or free() while blocks run in parallel therefore counts as a conflict between blocks, and the launch is repeated
// interleaved, on one host thread (grid.c). All calls of malloc() and free() of a launch therefore run on one host
// thread. The table of heap blocks needs no lock, and the addresses that malloc() returns do not depend on the number
// of host threads. If a kernel contains a call of malloc() or free(), for example in a destructor, but never executes
// the call, its blocks still run in parallel.
//
// In the race check, malloc() and free() order no accesses of different threads. The bytes of a new heap block count as
// never written, and the race check forgets earlier accesses to these bytes. A call of free() counts as a write to all
// bytes of the heap block. A thread that used a heap block must therefore synchronise, for example at a barrier, before
// another thread frees the heap block.
//
// The file timing/cost.c states how long a call of malloc() or free() takes.
#include "sim/machine/allocator.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "sim/core/access.h"
#include "sim/core/program.h"
#include "sim/core/region.h"
#include "sim/hazard/diagnose.h"
#include "sim/hazard/finding_log.h"
#include "sim/hazard/heap.h"
#include "sim/hazard/race.h"
#include "sim/machine/frame.h"
#include "sim/machine/memory.h"
#include "sim/machine/snapshot.h"
#include "sim/machine/warp.h"

// Visited units of the heap, or bytes of new memory, that cost as much of the budget as one warp instruction.
enum { STEPS_AN_INSTRUCTION = 64, BYTES_AN_INSTRUCTION = 32 };

static struct sim_region *heap_of(const struct sim_memory *m, int owner)
{
    for (uint32_t i = 0; i < m->nregions; i++) {
        struct sim_region *r = m->region[i];
        if (r && r->alive && r->heap && r->owner == owner) return r;
    }
    return NULL;
}

int allocator_open(struct sim_memory *m, int owner, uint64_t bytes)
{
    m->heap = heap_of(m, owner);
    if (m->heap) return 0;
    int index = sim_memory_map(m, bytes, NULL, owner, 0);
    if (index < 0) return -1;
    m->heap = m->region[index];
    m->heap->element = 1; // objects of any type: accesses are recorded byte by byte
    m->heap->buffer = -1;
    m->heap->heap = heap_new(bytes);
    return 0;
}

void allocator_close(struct sim_memory *m, int owner)
{
    struct sim_region *r = heap_of(m, owner);
    if (r) sim_memory_unmap(m, (int)r->index);
    m->heap = NULL;
}

// Returns 1 if one host thread runs all blocks of the launch. If blocks run in parallel, records a conflict between
// blocks, so that the launch is repeated on one host thread, and returns 0.
static int alone(struct warp *w)
{
    struct sim_memory *m = w->memory.block->worker->launch->memory;
    if (!m->serial) __atomic_store_n(&m->conflict, 1, __ATOMIC_RELAXED);
    return m->serial != 0;
}

// Returns the op that findings name for a call of malloc() or free() at op `op`. If the call stands in a header's
// function, such as operator new, the result is the op in the student's file that called this function.
static uint32_t call_of(const struct warp *w, uint32_t op)
{
    const struct sim_program *p = w->memory.block->worker->launch->program;
    for (const struct frame *f = w->frame; f && program_op_place(p, op).file != FILE_STUDENT; f = f->parent)
        op = f->call;
    return op;
}

// Returns the source position of an op, together with the block index and thread index of the lane that executes the
// op.
static struct finding_place place_of(const struct warp *w, uint32_t op, uint32_t lane)
{
    struct finding_place place = program_op_place(w->memory.block->worker->launch->program, op);
    finding_log_place(&place, &w->memory, lane);
    return place;
}

uint64_t allocator_take(struct warp *w, uint32_t op, uint32_t lane, uint64_t bytes)
{
    struct sim_region *r = w->memory.block->worker->launch->memory->heap;
    if (!alone(w)) return 0;
    struct finding_place made = place_of(w, call_of(w, op), lane);
    uint64_t steps = 0, from = heap_take(r->heap, bytes, &made, &steps), to = from + bytes;
    w->memory.block->extra_work += 1 + steps / STEPS_AN_INSTRUCTION;
    if (from == HEAP_FULL) return 0;
    w->memory.block->extra_work += bytes / BYTES_AN_INSTRUCTION;
    if (r->snapshot) snapshot_keep_range(r->snapshot, r, from, to);
    memset(r->written + from / 4, 0, (bytes + 3) / 4);
    if (r->race) race_forget(r->race, from, to);
    return r->base + from;
}

// Returns a struct sim_access that describes a call of free() by one lane as a write of one byte at the freed address,
// for findings and the race check.
static struct sim_access access_of(uint32_t op, uint32_t lane, uint64_t address)
{
    struct sim_access a = {.space = SPACE_GLOBAL,
                           .kind = ACCESS_WRITE,
                           .bytes = 1,
                           .count = 1,
                           .op = op,
                           .mask = 1u << lane,
                           .symbol = -1};
    a.address[lane] = address;
    return a;
}

void allocator_give(struct warp *w, uint32_t op, uint32_t lane, uint64_t address)
{
    const struct sim_memory *m = w->memory.block->worker->launch->memory;
    w->memory.block->extra_work++;
    if (!address || !alone(w)) return;
    struct sim_region *r = region_at(m, address);
    uint32_t call = call_of(w, op);
    struct finding_place freed = place_of(w, call, lane);
    struct sim_access a = access_of(call, lane, address);
    enum heap_state was = HEAP_OUTSIDE;
    if (r && r->heap && address - r->base < r->bytes) was = heap_give(r->heap, address - r->base, &freed);
    if (was == HEAP_TAKEN)
        race_discard(&w->memory, &a, r, heap_block_near(r->heap, address - r->base)->bytes);
    else if (m->checks & CHECK_BOUNDS)
        diagnose_access(&w->memory, &a, SPACE_GLOBAL, lane, was == HEAP_FREED ? FINDING_double_free : FINDING_bad_free,
                        address);
}
