// Checks addresses in shared memory and executes atomics on shared memory. Loads and stores of shared memory are in
// shared_lanes.c, and the race check is in hazard/shadow.c.
#include "sim/machine/shared.h"

#include <string.h>

#include "device/banks.h"
#include "ptx/type.h"
#include "sim/core/access.h"
#include "sim/core/mbarrier.h"
#include "sim/hazard/copies.h"
#include "sim/hazard/diagnose.h"
#include "sim/hazard/shadow.h"
#include "sim/hazard/sync.h"
#include "sim/machine/atomic.h"
#include "sim/timing/waits.h"

// Returns the shared array within which an access must lie, or NULL if there is none. If the access names a .shared
// variable, extent_of() returns the array of that variable. If the access names no variable, extent_of() returns the
// array that contains the address.
static const struct shared_extent *extent_of(const struct sim_memory *m, int32_t symbol, uint64_t address)
{
    for (uint32_t i = 0; i < m->nextents; i++) {
        const struct shared_extent *e = &m->extent[i];
        if (symbol >= 0 ? e->var == symbol : address >= e->lo && address < e->hi) return e;
    }
    return NULL;
}

// Returns the kind of finding for a lane's bad address in shared memory, or FINDING_KINDS if the address is good.
static uint32_t fault_of(const struct sim_memory *m, const struct sim_access *a, uint64_t address)
{
    uint32_t total = access_total_bytes(a);
    const struct shared_extent *e = extent_of(m, a->symbol, address);
    if (!e || address < e->lo || address >= e->hi || e->hi - address < total) return FINDING_out_of_bounds;
    return address & (total - 1) ? FINDING_misaligned : FINDING_KINDS;
}

uint32_t shared_good(const struct sim_warp *w, const struct sim_access *a)
{
    const struct sim_memory *m = access_launch(w)->memory;
    uint32_t good = 0;
    for (uint32_t left = a->mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left), fault = fault_of(m, a, a->address[l]);
        if (fault == FINDING_KINDS) {
            good |= 1u << l;
        } else if (m->checks & CHECK_BOUNDS) {
            diagnose_access(w, a, SPACE_SHARED, l, (enum finding_kind)fault, a->address[l]);
        }
    }
    return good;
}

// Returns 1 if an atomic on shared memory adds 1 in all lanes and its result is unused. NVIDIA's ptxas compiles
// atomicAdd(&x, 1) with an unused result to ATOMS.POPC.INC. The SASS instruction ATOMS.POPC.INC adds the number of
// lanes at each address, so lanes with the same address are not serialised. The simulator tests the values of the
// atomic's operand, because the simulator does not know whether the operand is a constant. Arrivals of a warp at one
// mbarrier are combined alike: on an H200, a kernel of 14.7 million such arrivals (tests/students/lab2,
// 34_barrier_memcpy_async) leaves at most six cycles of the LSU for each.
static int counts_ones(const struct sim_access *a, uint32_t lanes, const void *operand)
{
    if (a->returns || a->atom != PTX_ATOM_ADD || a->bytes != 4 || a->atom_type == PTX_F32) return 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        if (access_row_get(operand, (uint32_t)__builtin_ctz(left), a->row_bytes) != 1) return 0;
    }
    return 1;
}

// Updates the tracking of asynchronous copies after a lane's arrival at an mbarrier. `old` is the mbarrier's word
// before the arrival. The arrival at an mbarrier may stand for asynchronous copies of the lane, or may complete the
// mbarrier's phase.
static void follow_copies(struct sim_warp *w, const struct sim_access *a, uint32_t lane, uint64_t old)
{
    struct sim_shadow *s = w->block->shadow;
    uint32_t at = (uint32_t)a->address[lane];
    uint64_t now;
    if (!s) return;
    memcpy(&now, w->block->shared + at, sizeof now);
    if (a->atom == MBARRIER_COPIES) copies_bind(s, w->id * WARP_LANES + lane, at);
    if (mbarrier_phase(now) != mbarrier_phase(old)) copies_complete(s, at);
}

// Follows who waits for whom (timing/waits.h) through a lane's atomic, or its arrival at an mbarrier. `old` is the
// value before it.
static void follow_waits(struct sim_warp *w, const struct sim_access *a, uint32_t lane, uint64_t old,
                         const void *compare)
{
    uint64_t at = a->address[lane], now;
    if (mbarrier_is_atom(a->atom)) {
        memcpy(&now, w->block->shared + at, sizeof now);
        waits_arrive(w, a, at, mbarrier_phase(now) != mbarrier_phase(old));
        return;
    }
    waits_read(w, a, SPACE_SHARED, at, !memcmp(w->block->shared + at, &old, a->bytes));
    if (access_has_written(a, old, compare, lane)) waits_write(w, a, SPACE_SHARED, at);
}

void shared_atomic(struct sim_warp *w, const struct sim_access *a, void *result, const void *operand,
                   const void *compare)
{
    uint32_t good = shared_good(w, a);
    int left_out = access_launch(w)->request->without & WITHOUT_SHARED_ATOMICS && !mbarrier_is_atom(a->atom);
    for (uint32_t left = a->mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        uint64_t old = 0;
        if (left_out && good >> l & 1) {
            memcpy(&old, w->block->shared + a->address[l], a->bytes);
        } else if (good >> l & 1) {
            if (w->block->shadow) shadow_atomic(w, a, l, (uint32_t)a->address[l]);
            old = atomic_apply(a, w->block->shared + a->address[l], access_row_get(operand, l, a->row_bytes),
                               compare ? access_row_get(compare, l, a->row_bytes) : 0, 0);
            if (mbarrier_is_atom(a->atom)) follow_copies(w, a, l, old);
            if (waits_count(w)) follow_waits(w, a, l, old, compare);
            if (w->block->shadow && access_has_written(a, old, compare, l))
                sync_write(w, a, SPACE_SHARED, l, a->address[l]);
        }
        if (result) memcpy((uint8_t *)result + l * a->row_bytes, &old, a->row_bytes);
    }
    struct counters *c = access_counters(w, a);
    int ones = counts_ones(a, good, operand) || mbarrier_is_atom(a->atom);
    uint32_t serial = ones ? 1 : banks_atomic_serial(a->address, good);
    uint32_t wavefronts = banks_access(a->address, good, a->bytes, ones ? BANKS_STORE : BANKS_ATOMIC).wavefronts;
    if (a->atom == PTX_ATOM_CAS || mbarrier_is_atom(a->atom)) wavefronts *= 2;
    c->shared_atom_inst++;
    c->shared_atom_serial += serial;
    c->shared_atom_wavefronts += wavefronts;
    c->lsu_wavefronts += wavefronts;
}
