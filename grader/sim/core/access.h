// Inside of the memory half: what the parts of a warp's access share. The executor needs memory.h alone.
#ifndef SIM_CORE_ACCESS_H
#define SIM_CORE_ACCESS_H

#include <stdint.h>
#include <string.h>

#include "device/banks.h"
#include "sim/core/isa.h"
#include "sim/core/memory.h"
#include "sim/core/region.h"

struct footprint; // device/coalesce.h

// The data of one access: for each lane the host address of its first element.
struct access_lanes {
    uint32_t mask;
    uint8_t *host[WARP_LANES];
};

static inline const struct sim_launch *access_launch(const struct sim_warp *w)
{
    return w->block->worker->launch;
}

static inline struct counters *access_counters(const struct sim_warp *w, const struct sim_access *a)
{
    return &w->block->worker->op[a->op];
}

static inline uint32_t access_total_bytes(const struct sim_access *a)
{
    return (uint32_t)a->bytes * a->count;
}

static inline void access_was_read(struct sim_region *r)
{
    if (!__atomic_load_n(&r->was_read, __ATOMIC_RELAXED)) __atomic_store_n(&r->was_read, 1, __ATOMIC_RELAXED);
}

// Notes which blocks touch which words of global memory: the lanes of `a`, all in the region (machine/access.c). Lanes'
// addresses are looked at only where the region's units are bytes.
#define access_touch_region SIM_NAME(access_touch_region)
void access_touch_region(struct sim_warp *w, const struct sim_access *a, const struct sim_region *r, uint32_t good,
                         const struct footprint *words);

// What an access of these lanes costs in passes through the banks: as a part of what it was merged into.
static inline struct bank_cost access_cost(const struct sim_access *a, const uint64_t address[WARP_LANES],
                                           uint32_t mask)
{
    uint32_t bytes = access_total_bytes(a);
    enum bank_kind kind = a->kind == ACCESS_WRITE ? BANKS_STORE : BANKS_LOAD;
    if (a->merged == SIM_MERGED_AWAY) return (struct bank_cost){0, 0};
    if (!a->merged) return banks_access(address, mask, bytes > 16 ? 16 : bytes, kind);
    uint64_t whole[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++) whole[l] = address[l] & ~(uint64_t)(a->merged - 1u);
    return banks_access(whole, mask, a->merged, kind);
}

// Moves data between rows and the lanes' host memory (machine/move.c).
#define access_load_lanes SIM_NAME(access_load_lanes)
#define access_store_lanes SIM_NAME(access_store_lanes)
#define access_zero_lanes SIM_NAME(access_zero_lanes)
void access_load_lanes(const struct sim_access *a, const struct access_lanes *lanes, void *const row[]);
void access_store_lanes(const struct sim_access *a, const struct access_lanes *lanes, const void *const row[]);
void access_zero_lanes(const struct sim_access *a, uint32_t mask, void *const row[]);

// One atomic at `host` with the operand bits given: the new value is stored, the old one returned. With `shared_host`
// 1 other host threads may do the same at this moment.
uint64_t access_atomic(const struct sim_access *a, uint8_t *host, uint64_t operand, uint64_t compare, int shared_host);
// 1 when atomics of this kind by several blocks may come in any order: integers, result unused.
int access_commutes(const struct sim_access *a);

// Element `lane` of a row.
static inline uint64_t access_row_get(const void *row, uint32_t lane, uint32_t row_bytes)
{
    uint64_t value = 0;
    memcpy(&value, (const uint8_t *)row + lane * row_bytes, row_bytes);
    return value;
}

// A load's element e of a lane, at `at` in the space, has these undefined bits.
static inline void access_undefined(struct sim_validity *v, const struct sim_access *a, uint32_t space, uint32_t e,
                                    uint32_t lane, uint64_t at, uint64_t bits)
{
    uint64_t all = a->bytes == 8 ? ~0ull : (1ull << 8 * a->bytes) - 1;
    int extends = a->sign && bits >> (8 * a->bytes - 1) & 1;
    v->lanes[e] |= 1u << lane;
    v->value[e][lane] = (struct sim_undefined){.bits = extends ? bits | ~all : bits,
                                               .address = at,
                                               .op = space == SPACE_LOCAL ? UINT32_MAX : a->op,
                                               .symbol = a->symbol,
                                               .space = (uint8_t)space,
                                               .bytes = a->bytes,
                                               .copied = 1,
                                               .moved = bits != all || (space == SPACE_LOCAL && a->bytes < 4)};
}

// The undefined bits of a store's element.
static inline uint64_t access_undefined_bits(const struct sim_validity *v, uint32_t e, uint32_t lane)
{
    return v && v->lanes[e] >> lane & 1 ? v->value[e][lane].bits : 0;
}

// 1 when an atomic that found `old` has written: all do but a compare-and-swap that failed.
static inline int access_has_written(const struct sim_access *a, uint64_t old, const void *compare, uint32_t lane)
{
    if (a->atom != PTX_ATOM_CAS || !compare) return 1;
    uint64_t wanted = access_row_get(compare, lane, a->row_bytes);
    return memcmp(&old, &wanted, a->bytes) == 0;
}

// The lanes of `a` in shared memory (machine/shared_access.c); addresses are offsets in the window.
#define shared_load SIM_NAME(shared_load)
#define shared_store SIM_NAME(shared_store)
void shared_load(struct sim_warp *w, const struct sim_access *a, void *const row[], struct sim_validity *);
void shared_store(struct sim_warp *w, const struct sim_access *a, const void *const row[], const struct sim_validity *);
void shared_atomic(struct sim_warp *w, const struct sim_access *a, void *result, const void *operand,
                   const void *compare);
// The lanes of `a` whose element lies within one array and is aligned; the others are reported.
uint32_t shared_good(const struct sim_warp *w, const struct sim_access *a);

#endif
