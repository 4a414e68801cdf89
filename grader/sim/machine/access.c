// Executes memory instructions; access.h states the contracts.
//
// Technique. The lanes of an access with generic addresses are grouped by memory space. The lanes of an access to
// global memory are grouped by region (a buffer or a variable). Nearly always all lanes of an access form one group,
// and the address check of a lane costs a subtraction and two comparisons. The files shared.c and shared_lanes.c handle
// shared memory, because accesses to shared memory are checked for races.
#include "sim/machine/access.h"

#include <string.h>

#include "device/banks.h"
#include "device/coalesce.h"
#include "ptx/ptx.h"
#include "sim/core/access.h"
#include "sim/core/region.h"
#include "sim/core/vector_level.h"
#include "sim/hazard/diagnose.h"
#include "sim/hazard/heap.h"
#include "sim/hazard/origin.h"
#include "sim/hazard/race.h"
#include "sim/hazard/sync.h"
#include "sim/machine/atomic.h"
#include "sim/machine/conflict.h"
#include "sim/machine/memory.h"
#include "sim/machine/shared.h"
#include "sim/machine/snapshot.h"
#include "sim/machine/transfer.h"
#include "sim/timing/l1.h"
#include "sim/timing/waits.h"

// Holds pointers to the operands of one memory access: the registers to load, to store or to combine with memory. A
// register is an array with one value for each lane. Only the fields of struct job that the kind of access needs are
// set; the other fields are NULL.
struct job {
    void *const *load;
    struct sim_validity *valid;
    const void *const *store;
    const struct sim_validity *store_valid;
    void *result;
    const void *operand, *compare;
};

// With checks, SECTORS_AN_INSTRUCTION sectors of local memory, or an undefined value that is loaded, cost as much of
// the budget as one warp instruction.
enum { SECTORS_AN_INSTRUCTION = 8 };

// ---------------------------------------------------------------- counters

static void count_atomic(struct counters *c, struct sim_warp *w, const struct sim_access *a, const struct footprint *f,
                         uint32_t good)
{
    uint16_t operations[COALESCE_CELLS];
    uint32_t sum = 0;
    if (a->uniform && !a->returns) {
        // If ptxas knows that all lanes have one address, ptxas makes one lane execute the atomic for all lanes.
        operations[0] = 1;
        sum = 1;
    } else {
        coalesce_atomic(f, a->address, good, operations);
        for (uint32_t i = 0; i < f->cells; i++) sum += operations[i];
    }
    if (a->returns)
        c->global_atom_sectors += sum;
    else
        c->global_red_sectors += sum;
    if (w->block->l1) l1_request(w->block->l1, w, a, f, operations);
}

// Counts the sectors of an access to global memory, and passes the access to the simulated L1. `f` lists the lines and
// words that the lanes in `good` access.
static void count_lines(struct sim_warp *w, const struct sim_access *a, const struct footprint *f, uint32_t good)
{
    struct counters *c = access_counters(w, a);
    if (a->kind == ACCESS_ATOMIC) {
        count_atomic(c, w, a, f, good);
        return;
    }
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < f->cells; i++) sectors += (uint32_t)__builtin_popcount(coalesce_sectors_of(f->unit[i]));
    if (a->kind == ACCESS_READ)
        c->global_ld_sectors += sectors;
    else
        c->global_st_sectors += sectors;
    if (w->block->l1) l1_request(w->block->l1, w, a, f, NULL);
}

// Counts one request to global memory, its bytes and its wavefronts, for the lanes in `good`.
static void count_request(struct sim_warp *w, const struct sim_access *a, uint32_t good, uint32_t wavefronts)
{
    struct counters *c = access_counters(w, a);
    uint32_t lanes = (uint32_t)__builtin_popcount(good), bytes = lanes * access_total_bytes(a);
    if (!good) return;
    if (a->kind == ACCESS_ATOMIC) {
        if (a->returns)
            c->global_atom_requests++;
        else
            c->global_red_requests++;
        c->global_atomic_threads += lanes;
        c->lsu_wavefronts += banks_atomic_serial(a->address, good) + 1;
        return;
    }
    if (a->kind == ACCESS_READ) {
        c->global_ld_requests++;
        c->global_ld_bytes += bytes;
        c->lsu_wavefronts += wavefronts;
    } else {
        c->global_st_requests++;
        c->global_st_bytes += bytes;
        c->lsu_wavefronts += wavefronts + 1; // a store takes one more wavefront, for its addresses
    }
}

// ---------------------------------------------------------------- global memory

// Returns a mask of the good lanes, i.e. the lanes of `mask` whose access is aligned and lies within the region. Stores
// in `lanes` the mask of the good lanes, and the host address that each good lane accesses.
static uint32_t region_lanes(const struct sim_region *r, const struct sim_access *a, uint32_t mask,
                             struct access_lanes *lanes)
{
    uint32_t total = access_total_bytes(a), good = 0;
    if (r->bytes < total) return 0;
    uint64_t limit = r->bytes - total;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        uint64_t offset = a->address[l] - r->base;
        if (offset > limit || (offset & (total - 1))) continue;
        lanes->host[l] = r->data + offset;
        good |= 1u << l;
    }
    lanes->mask = good;
    return good;
}

// Removes from the mask of good lanes those whose access does not lie in one heap block. Returns the new mask.
static uint32_t heap_lanes(const struct sim_region *r, const struct sim_access *a, struct access_lanes *lanes)
{
    for (uint32_t left = lanes->mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (heap_state_of(r->heap, a->address[l] - r->base, access_total_bytes(a)) != HEAP_TAKEN)
            lanes->mask &= ~(1u << l);
    }
    return lanes->mask;
}

// Returns a mask in which bit k is 1 if byte k of a 4-byte word is one of the bytes [offset, offset + bytes). The bytes
// [offset, offset + bytes) must lie in one 4-byte word.
static uint32_t byte_bits(uint64_t offset, uint32_t bytes)
{
    return ((1u << bytes) - 1) << offset % 4;
}

// Returns 1 if all the bytes [offset, offset + bytes) of the region were written, where `bytes` is 1, 2, 4 or 8.
static int is_written(const struct sim_region *r, uint64_t offset, uint32_t bytes)
{
    if (bytes < 4) {
        uint32_t bits = byte_bits(offset, bytes);
        return (__atomic_load_n(&r->written[offset / 4], __ATOMIC_RELAXED) & bits) == bits;
    }
    for (uint32_t i = 0; i < bytes / 4; i++) {
        if (__atomic_load_n(&r->written[offset / 4 + i], __ATOMIC_RELAXED) != 0xf) return 0;
    }
    return 1;
}

static void set_written(struct sim_region *r, uint64_t offset, uint32_t bytes)
{
    if (bytes < 4) {
        uint8_t bits = (uint8_t)byte_bits(offset, bytes);
        if ((__atomic_load_n(&r->written[offset / 4], __ATOMIC_RELAXED) & bits) == bits) return;
        __atomic_fetch_or(&r->written[offset / 4], bits, __ATOMIC_RELAXED);
        return;
    }
    for (uint32_t i = 0; i < bytes / 4; i++) __atomic_store_n(&r->written[offset / 4 + i], 0xf, __ATOMIC_RELAXED);
}

// Returns a mask of the never-written bits of the element at `offset` in the region.
static uint64_t unwritten_bits(const struct sim_region *r, uint64_t offset, uint32_t bytes)
{
    uint64_t bits = 0;
    for (uint32_t b = 0; b < bytes; b++)
        if (!is_written(r, offset + b, 1)) bits |= 0xffull << 8 * b;
    return bits;
}

// Checks loads and atomics for reads of bytes that were never written. If `valid` is not NULL, records the undefined
// bits in `valid`, and undef.c adds a finding where the loaded value matters. If `valid` is NULL, adds a finding for
// each read of never-written bytes at once. The bytes that were read stay marked as unwritten, so that the number of
// threads that read unwritten bytes does not depend on the order of blocks.
static void check_written(struct sim_warp *w, const struct sim_access *a, const struct sim_region *r, uint32_t good,
                          struct sim_validity *valid)
{
    if (r->all_written || !(access_launch(w)->memory->checks & CHECK_WRITTEN)) return;
    for (uint32_t left = good; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        for (uint32_t e = 0; e < a->count; e++) {
            uint64_t at = a->address[l] + e * a->bytes;
            if (is_written(r, at - r->base, a->bytes)) continue;
            if (valid)
                access_undefined(valid, a, SPACE_GLOBAL, e, l, at, unwritten_bits(r, at - r->base, a->bytes));
            else
                diagnose_access(w, a, SPACE_GLOBAL, l, FINDING_never_written, at);
        }
    }
}

// Marks as written all bytes that the lanes in `good` store. A byte stays marked as unwritten if all bits that are
// stored to it are undefined.
static void mark_written(const struct sim_access *a, struct sim_region *r, uint32_t good, const struct sim_validity *v)
{
    if (r->all_written) return;
    for (uint32_t left = good; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        for (uint32_t e = 0; e < a->count; e++) {
            uint64_t offset = a->address[l] - r->base + e * a->bytes, bits = access_undefined_bits(v, e, l);
            if (!bits) set_written(r, offset, a->bytes);
            for (uint32_t b = 0; bits && b < a->bytes; b++)
                if ((bits >> 8 * b & 0xff) != 0xff) set_written(r, offset + b, 1);
        }
    }
}

void access_touch_region(struct sim_warp *w, const struct sim_access *a, const struct sim_region *r, uint32_t good,
                         const struct footprint *words)
{
    struct sim_memory *m = access_launch(w)->memory;
    if (r->snapshot && a->kind != ACCESS_READ) snapshot_keep(r->snapshot, r, words);
    if (r->touched[0]) sim_memory_touch(r, a->kind, words);
    if (!r->conflict || __atomic_load_n(&m->conflict, __ATOMIC_RELAXED)) return;
    struct footprint bytes;
    const struct footprint *f = words;
    if (r->unit_shift == 0) {
        coalesce_footprint(&bytes, a->address, good, access_total_bytes(a), 0);
        f = &bytes;
    }
    uint32_t who = conflict_block(w->block->linear);
    int met = 0;
    // An atomic with block scope does not commute with the atomics of other blocks.
    if (a->kind == ACCESS_ATOMIC && atomic_commutes(a) && !sync_is_block_scoped(a)) {
        who = conflict_commuting(a->atom, a->atom_type >= PTX_S8 && a->atom_type <= PTX_S64, a->bytes);
    } else if (a->kind != ACCESS_WRITE) {
        met = conflict_touch(r->conflict, f, r->base >> r->unit_shift >> 5, who, CONFLICT_READ);
    }
    if (a->kind != ACCESS_READ)
        met |= conflict_touch(r->conflict, f, r->base >> r->unit_shift >> 5, who, CONFLICT_WRITE);
    if (met) __atomic_store_n(&m->conflict, 1, __ATOMIC_RELAXED);
}

static void atomic_lanes(struct sim_warp *w, const struct sim_access *a, const struct access_lanes *lanes,
                         const struct job *job, int shared_host)
{
    for (uint32_t left = lanes->mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        uint64_t compare = job->compare ? access_row_get(job->compare, l, a->row_bytes) : 0;
        for (uint32_t e = 0, row = l; e < a->count; e++, row += WARP_LANES) {
            uint64_t operand = access_row_get(job->operand, row, a->row_bytes), at = a->address[l] + e * a->bytes;
            uint64_t old = atomic_apply(a, lanes->host[l] + e * a->bytes, operand, compare, shared_host);
            if (a->space == SPACE_GLOBAL) {
                int has_written = access_has_written(a, old, job->compare, l);
                sync_read(w, a, SPACE_GLOBAL, l, at);
                if (access_launch(w)->waits)
                    waits_read(w, a, SPACE_GLOBAL, at, !memcmp(lanes->host[l] + e * a->bytes, &old, a->bytes));
                if (has_written) sync_write(w, a, SPACE_GLOBAL, l, at);
                if (has_written) waits_write(w, a, SPACE_GLOBAL, at);
            }
            if (job->result) memcpy((uint8_t *)job->result + row * a->row_bytes, &old, a->row_bytes);
        }
    }
}

// Passes strong loads and stores of the lanes in `good` to sync.h, because strong accesses can order threads (PTX
// memory model).
static void hand_over(struct sim_warp *w, const struct sim_access *a, uint32_t good)
{
    for (uint32_t left = sync_is_strong(a) ? good : 0; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        for (uint64_t at = a->address[l]; at < a->address[l] + access_total_bytes(a); at += a->bytes) {
            if (a->kind == ACCESS_READ) {
                sync_read(w, a, SPACE_GLOBAL, l, at);
                waits_read(w, a, SPACE_GLOBAL, at, 1);
            } else {
                sync_write(w, a, SPACE_GLOBAL, l, at);
                waits_write(w, a, SPACE_GLOBAL, at);
            }
        }
    }
}

// Executes an access to global memory for the lanes whose addresses lie in region r.
static void global_region(struct sim_warp *w, const struct sim_access *a, struct sim_region *r,
                          const struct access_lanes *lanes, const struct job *job)
{
    struct footprint f;
    coalesce_footprint(&f, a->address, lanes->mask, access_total_bytes(a), 2);
    access_touch_region(w, a, r, lanes->mask, &f);
    if (r->race) race_access(w, a, r, lanes->mask, f.cells, job->store);
    if (access_reads(a)) {
        region_mark_read(r);
        check_written(w, a, r, lanes->mask, job->valid);
    }
    if (a->kind == ACCESS_READ)
        transfer_load(a, lanes, job->load);
    else if (a->kind == ACCESS_WRITE)
        transfer_store(a, lanes, job->store);
    else
        atomic_lanes(w, a, lanes, job, 1);
    if (a->kind != ACCESS_ATOMIC) hand_over(w, a, lanes->mask);
    if (a->kind != ACCESS_READ) mark_written(a, r, lanes->mask, job->store_valid);
    count_lines(w, a, &f, lanes->mask);
}

// Sets the values that a load returns, or the results of an atomic, to 0 for the lanes in `mask`.
static void zero_results(const struct sim_access *a, uint32_t mask, const struct job *job)
{
    if (job->load) transfer_zero(a, mask, job->load);
    for (uint32_t e = 0; job->result && e < a->count; e++) {
        void *row[1] = {(uint8_t *)job->result + e * WARP_LANES * a->row_bytes};
        struct sim_access one = {.count = 1, .row_bytes = a->row_bytes};
        transfer_zero(&one, mask, row);
    }
}

// Handles the lanes in `mask`, whose address is bad. A lane with a bad address reads 0 and stores nothing. Adds a
// finding of the kind `kind` for each lane with a bad address.
static void refuse(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t mask, uint32_t kind,
                   const struct job *job)
{
    zero_results(a, mask, job);
    if (!(access_launch(w)->memory->checks & CHECK_BOUNDS)) return;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        diagnose_access(w, a, space, l, (enum finding_kind)kind, a->address[l]);
    }
}

// Reports the lanes in `bad`, whose address belongs to region r but is out of bounds, freed or misaligned.
static void refuse_slot(struct sim_warp *w, const struct sim_access *a, const struct sim_region *r, uint32_t bad,
                        const struct job *job)
{
    uint32_t outside = 0, freed = 0, total = access_total_bytes(a);
    for (uint32_t left = bad; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        uint64_t offset = a->address[l] - r->base;
        enum heap_state state = r->heap ? heap_state_of(r->heap, offset, total) : HEAP_TAKEN;
        if (r->bytes < total || offset > r->bytes - total || state == HEAP_OUTSIDE)
            outside |= 1u << l;
        else if (state == HEAP_FREED)
            freed |= 1u << l;
    }
    bad &= ~(outside | freed);
    if (outside) refuse(w, a, SPACE_GLOBAL, outside, FINDING_out_of_bounds, job);
    if (freed) refuse(w, a, SPACE_GLOBAL, freed, FINDING_after_free, job);
    if (bad) refuse(w, a, SPACE_GLOBAL, bad, FINDING_misaligned, job);
}

static void global_access(struct sim_warp *w, const struct sim_access *a, const struct job *job)
{
    struct sim_memory *m = access_launch(w)->memory;
    uint32_t all_good = 0;
    for (uint32_t left = a->mask; left;) {
        struct access_lanes lanes;
        struct sim_region *r = region_at(m, a->address[__builtin_ctz(left)]);
        uint32_t good = r ? region_lanes(r, a, left, &lanes) : 0;
        if (good && r->heap) good = heap_lanes(r, a, &lanes);
        uint32_t mine = good;
        for (uint32_t rest = left & ~good; rest; rest &= rest - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(rest);
            if (region_at(m, a->address[l]) == r) mine |= 1u << l;
        }
        if (!r)
            refuse(w, a, SPACE_GLOBAL, mine, FINDING_bad_address, job);
        else if (mine & ~good)
            refuse_slot(w, a, r, mine & ~good, job);
        if (good) global_region(w, a, r, &lanes, job);
        all_good |= good;
        left &= ~mine;
    }
    count_request(w, a, all_good, access_cost(a, a->address, all_good).wavefronts);
}

// ---------------------------------------------------------------- local memory

// Returns the device address of a byte of local memory. Devices interleave local memory: the same 4-byte word of the 32
// lanes lies in 128 consecutive bytes. `offset` is the byte's offset in the lane's local memory.
static uint64_t interleaved(uint64_t offset, uint32_t lane)
{
    return offset / 4 * 128 + lane * 4 + offset % 4;
}

static void count_local(struct sim_warp *w, const struct sim_access *a, uint32_t good)
{
    if (!good) return;
    struct counters *c = access_counters(w, a);
    uint32_t total = access_total_bytes(a), sectors = 0;
    for (uint32_t at = 0; at < total; at += 4) {
        uint64_t address[WARP_LANES] = {0};
        for (uint32_t left = good; left; left &= left - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(left);
            address[l] = interleaved(a->address[l] + at, l);
        }
        struct coalesced one = coalesce(address, good, total < 4 ? total : 4);
        sectors += one.sectors;
    }
    c->lsu_wavefronts += (total + 3) / 4;
    if (w->local_valid) w->block->extra_work += sectors / SECTORS_AN_INSTRUCTION;
    if (a->kind == ACCESS_READ)
        c->local_ld_requests++, c->local_ld_sectors += sectors;
    else
        c->local_st_requests++, c->local_st_sectors += sectors;
}

// Records in `valid` that element e of lane l, loaded from local memory, has the undefined bits `bits`. If an undefined
// value was stored at the loaded address of local memory, also records in `valid` the load that produced this undefined
// value.
static void local_undefined(struct sim_warp *w, const struct sim_access *a, uint32_t e, uint32_t l, uint64_t bits,
                            struct sim_validity *valid)
{
    uint64_t at = a->address[l] + e * a->bytes;
    const struct sim_undefined *from = origin_of(w, l, at);
    access_undefined(valid, a, SPACE_LOCAL, e, l, at, bits);
    w->block->extra_work++;
    if (!from) return;
    bits = valid->value[e][l].bits;
    valid->value[e][l] = *from;
    valid->value[e][l].bits = bits;
    valid->value[e][l].moved = 0;
}

// Records the origin of an undefined value, the load that produced the value, when lane l stores the value as element e
// in local memory. A store of a defined value clears the origin that was recorded for its address. The origin recorded
// for an address stays unchanged if a lane stores padding there, or stores a value back to the address from which it
// loaded the value.
static void keep_origin(struct sim_warp *w, const struct sim_access *a, uint32_t e, uint32_t l,
                        const struct sim_validity *v)
{
    uint64_t at = a->address[l] + e * a->bytes;
    const struct sim_undefined *value = access_undefined_bits(v, e, l) ? &v->value[e][l] : NULL;
    if (value && (value->moved || (value->space == SPACE_LOCAL && value->address == at))) return;
    origin_keep(w, l, at, a->bytes, value);
}

// Keeps track of undefined bits in local memory. For a load from local memory, records the undefined bits in
// job->valid. For a store or an atomic to local memory, marks the stored bits as defined or undefined.
static void local_validity(struct sim_warp *w, const struct sim_access *a, uint32_t good, const struct job *job)
{
    uint64_t frame = access_launch(w)->local_bytes;
    for (uint32_t left = good; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        uint8_t *state = w->local_valid + l * frame + a->address[l];
        for (uint32_t e = 0; e < a->count; e++, state += a->bytes) {
            uint64_t defined = ~0ull;
            if (a->kind == ACCESS_READ) {
                memcpy(&defined, state, a->bytes); // the host is little-endian
                if (job->valid && ~defined) local_undefined(w, a, e, l, ~defined, job->valid);
            } else {
                defined = ~access_undefined_bits(job->store_valid, e, l);
                memcpy(state, &defined, a->bytes);
                keep_origin(w, a, e, l, job->store_valid);
            }
        }
    }
}

static void local_access(struct sim_warp *w, const struct sim_access *a, const struct job *job)
{
    uint64_t frame = access_launch(w)->local_bytes, lo = a->part ? a->lo : 0, hi = a->part ? a->hi : frame;
    uint32_t total = access_total_bytes(a), outside = 0, misaligned = 0;
    struct access_lanes lanes = {.mask = 0};
    for (uint32_t left = a->mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (hi < total || a->address[l] > hi - total || a->address[l] < lo)
            outside |= 1u << l;
        else if (a->address[l] & (total - 1))
            misaligned |= 1u << l;
        else
            lanes.mask |= 1u << l;
        lanes.host[l] = w->local + l * frame + a->address[l];
    }
    if (outside) refuse(w, a, SPACE_LOCAL, outside, FINDING_out_of_bounds, job);
    if (misaligned) refuse(w, a, SPACE_LOCAL, misaligned, FINDING_misaligned, job);
    if (!lanes.mask) return;
    if (w->local_valid) local_validity(w, a, lanes.mask, job);
    if (a->kind == ACCESS_READ)
        transfer_load(a, &lanes, job->load);
    else if (a->kind == ACCESS_WRITE)
        transfer_store(a, &lanes, job->store);
    else
        atomic_lanes(w, a, &lanes, job, 0);
    count_local(w, a, lanes.mask);
}

// ---------------------------------------------------------------- constant memory and parameters

// Executes a load from read-only memory. The kernel may load the bytes [lo, hi) of an address window, and `host` is the
// host address of the window's first byte. Stores and atomics to read-only memory are findings.
static void fixed_access(struct sim_warp *w, const struct sim_access *a, const struct job *job, uint8_t *host,
                         uint64_t lo, uint64_t hi)
{
    uint32_t total = access_total_bytes(a), outside = 0, misaligned = 0;
    struct access_lanes lanes = {.mask = 0};
    if (a->kind != ACCESS_READ) {
        refuse(w, a, a->space, a->mask, FINDING_read_only, job);
        return;
    }
    for (uint32_t left = a->mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        uint64_t at = a->address[l];
        if (at < lo || at >= hi || hi - at < total)
            outside |= 1u << l;
        else if (at & (total - 1))
            misaligned |= 1u << l;
        else
            lanes.mask |= 1u << l;
        lanes.host[l] = host + at;
    }
    if (outside) refuse(w, a, a->space, outside, FINDING_out_of_bounds, job);
    if (misaligned) refuse(w, a, a->space, misaligned, FINDING_misaligned, job);
    transfer_load(a, &lanes, job->load);
}

static void constant_access(struct sim_warp *w, const struct sim_access *a, const struct job *job)
{
    struct sim_memory *m = access_launch(w)->memory;
    uint64_t lo = 0, hi = m->constant_bytes;
    if (a->symbol >= 0 && m->module->var[a->symbol].space == PTX_CONST) {
        lo = m->var_address[a->symbol];
        hi = lo + m->module->var[a->symbol].bytes;
    }
    fixed_access(w, a, job, m->constant, lo, hi);
}

// ---------------------------------------------------------------- spaces

static void access_in_space(struct sim_warp *w, const struct sim_access *a, const struct job *job)
{
    switch (a->space) {
    case SPACE_GLOBAL:
        global_access(w, a, job);
        break;
    case SPACE_LOCAL:
        local_access(w, a, job);
        break;
    case SPACE_CONST:
        constant_access(w, a, job);
        break;
    case SPACE_PARAM:
        fixed_access(w, a, job, (uint8_t *)access_launch(w)->params, 0, access_launch(w)->param_bytes);
        break;
    case SPACE_SHARED:
        if (a->kind == ACCESS_READ)
            shared_load(w, a, job->load, job->valid);
        else if (a->kind == ACCESS_WRITE)
            shared_store(w, a, job->store, job->store_valid);
        else
            shared_atomic(w, a, job->result, job->operand, job->compare);
        break;
    default:
        refuse(w, a, a->space, a->mask, a->kind == ACCESS_READ ? FINDING_bad_address : FINDING_read_only, job);
        break;
    }
}

static void access_generic(struct sim_warp *w, const struct sim_access *a, const struct job *job)
{
    struct sim_access part = *a;
    for (uint32_t left = a->mask; left; left &= ~part.mask) {
        uint64_t offset;
        part.space = (uint8_t)access_resolve(a->address[__builtin_ctz(left)], &offset);
        part.mask = 0;
        for (uint32_t rest = left; rest; rest &= rest - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(rest);
            if (access_resolve(a->address[l], &offset) != part.space) continue;
            part.address[l] = offset;
            part.mask |= 1u << l;
        }
        access_in_space(w, &part, job);
    }
}

static void access_any(struct sim_warp *w, const struct sim_access *a, const struct job *job)
{
    if (a->space == SPACE_NONE)
        access_generic(w, a, job);
    else
        access_in_space(w, a, job);
}

void access_load(struct sim_warp *w, const struct sim_access *a, void *const row[], struct sim_validity *valid)
{
    struct job job = {.load = row, .valid = valid};
    for (uint32_t e = 0; valid && e < a->count; e++) valid->lanes[e] = 0;
    access_any(w, a, &job);
}

void access_store(struct sim_warp *w, const struct sim_access *a, const void *const row[],
                  const struct sim_validity *valid)
{
    struct job job = {.store = row, .store_valid = valid};
    access_any(w, a, &job);
}

void access_atomic(struct sim_warp *w, const struct sim_access *a, void *result, const void *operand,
                   const void *compare)
{
    struct job job = {.result = result, .operand = operand, .compare = compare};
    access_any(w, a, &job);
}
