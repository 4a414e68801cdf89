// Describes one memory instruction of a warp: the accessed addresses, and the undefined bits of the loaded or stored
// values.
#ifndef SIM_CORE_ACCESS_H
#define SIM_CORE_ACCESS_H

#include <stdint.h>
#include <string.h>

#include "device/banks.h"
#include "engine/engine.h"
#include "ptx/modifier.h"
#include "sim/core/launch.h"

struct sim_access {
    uint8_t space;     // enum memory_space; SPACE_NONE: a generic address, whose space is determined for each lane
    uint8_t kind;      // enum access_kind
    uint8_t bytes;     // bytes of one element: 1, 2, 4, 8
    uint8_t count;     // elements of the vector: 1, 2, 4, 8
    uint8_t sign;      // 1: a load extends the sign into a wider register
    uint8_t row_bytes; // bytes of a register for each lane: 4 or 8 (narrower registers use 4)
    uint8_t sem;       // enum ptx_sem
    uint8_t scope;     // enum ptx_scope
    uint8_t cache;     // enum ptx_cache
    uint8_t nc;        // 1: ld.global.nc
    uint8_t atom;      // enum ptx_atom or enum sim_mbarrier_atom; valid for ACCESS_ATOMIC only
    uint8_t atom_type; // enum ptx_type
    uint8_t returns;   // 1: atom whose result is used; 0: red
    uint8_t async;     // 1: the load or the store of a cp.async
    uint8_t uniform;   // 1: an atomic of which all lanes have the same address and the same constant operand
    uint8_t counted;   // 1: tally.c counts this instruction; 0: the access itself counts the instruction
    uint8_t merged;    // shared memory: bytes of the wider access into which ptxas merges this access; 0: not merged;
                       // SIM_MERGED_AWAY: merged, and another access of the group counts for this access
    uint8_t data;      // bit SPACE_SHARED, SPACE_GLOBAL: volatile access in a kernel without flags there (lower/flag.c)
    uint32_t op;       // index of the op in the program
    uint32_t mask;     // lanes that take part
    int32_t symbol;    // index in module->var of the variable that the address is derived from; -1: unknown
    uint32_t part;     // number, from 1, of the source variable within that .local variable; 0: unknown
    uint32_t lo, hi;   // if `part` is set: the access must lie in bytes [lo, hi) of a thread's local memory. The range
                       // includes the previous variable if the address may point to that variable's end.
    uint64_t address[WARP_LANES]; // valid for the lanes in `mask`: offsets in the space's window, or generic addresses
};

enum { SIM_MERGED_AWAY = 255 }; // value of sim_access.merged

// Describes a value that has undefined (never written) bits, and names the load instruction that returned the value,
// or the shuffle that read it from a lane outside of the shuffle.
struct sim_undefined {
    uint64_t bits;    // mask of the undefined bits
    uint64_t address; // address of the element from which the value was loaded
    uint32_t op;      // op of the load, or, if `space` is SPACE_REGISTER, of a shuffle, as frame_site counts;
                      // UINT32_MAX: the value came from registers or local memory
    int32_t symbol;   // sim_access.symbol of the load
    uint8_t space, bytes;
    uint8_t copied; // 1: the value is unchanged since it was loaded
    uint8_t moved;  // 1: the value is unchanged and may be padding: part of an element, or narrower than a word
};
// Lists the values with undefined bits that one memory instruction of a warp loads or stores.
struct sim_validity {
    uint32_t lanes[8];                         // [element]: mask of the lanes whose value has undefined bits
    struct sim_undefined value[8][WARP_LANES]; // [element][lane]: valid for the lanes in `lanes`
};

// Returns the kernel launch that the warp belongs to.
static inline const struct sim_launch *access_launch(const struct sim_warp *w)
{
    return w->block->worker->launch;
}

// Returns the performance counters that the warp's host thread keeps for the instruction that makes the access.
static inline struct counters *access_counters(const struct sim_warp *w, const struct sim_access *a)
{
    return &w->block->worker->op[a->op];
}

// Returns the number of bytes that each lane of a memory instruction loads or stores.
static inline uint32_t access_total_bytes(const struct sim_access *a)
{
    return (uint32_t)a->bytes * a->count;
}

// Returns the bank conflicts and wavefronts of an access by the lanes in `mask`. If the compiler ptxas merges several
// accesses into one wider access, one of them gets the cost of the merged access, and the others cost nothing.
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

// Returns the value of lane `lane` in the register `row`, an array that holds `row_bytes` bytes for each lane.
static inline uint64_t access_row_get(const void *row, uint32_t lane, uint32_t row_bytes)
{
    uint64_t value = 0;
    memcpy(&value, (const uint8_t *)row + lane * row_bytes, row_bytes);
    return value;
}

// Returns a mask of the first lane in `lanes` and of the next lanes in `lanes` that access the same address as the
// first. Because neighbouring lanes with one address are checked together, a word that a whole warp reads is checked
// only once.
static inline uint32_t access_neighbours(const struct sim_access *a, uint32_t lanes)
{
    uint32_t first = (uint32_t)__builtin_ctz(lanes), same = 1u << first;
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (a->address[lane] != a->address[first]) break;
        same |= 1u << lane;
    }
    return same;
}

// Records in `v` that element `e` of the vector that a lane loaded has the undefined bits `bits`. `at` is the address
// from which the element was loaded.
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

// Returns a mask of the undefined bits in element `e` of the vector that a lane loads or stores, or 0 if `v` is NULL.
static inline uint64_t access_undefined_bits(const struct sim_validity *v, uint32_t e, uint32_t lane)
{
    return v && v->lanes[e] >> lane & 1 ? v->value[e][lane].bits : 0;
}

// Returns 1 if the access needs a value in memory. An exchange often serves as a store: unoptimised code keeps its
// result, which nobody uses.
static inline int access_reads(const struct sim_access *a)
{
    return a->kind != ACCESS_WRITE && (a->kind != ACCESS_ATOMIC || a->atom != PTX_ATOM_EXCH);
}

// Returns 1 if an atomic instruction that read the value `old` also wrote to memory. Every atomic writes, except a
// compare-and-swap that failed.
static inline int access_has_written(const struct sim_access *a, uint64_t old, const void *compare, uint32_t lane)
{
    if (a->atom != PTX_ATOM_CAS || !compare) return 1;
    uint64_t wanted = access_row_get(compare, lane, a->row_bytes);
    return memcmp(&old, &wanted, a->bytes) == 0;
}

// Returns the memory space of a generic address, and stores the address's offset within the space in *offset. The
// windows of the generic address space begin 1 TiB apart. The 512 GiB of addresses below a window's base also belong to
// the window, so that an access with a negative index is reported in the right space.
static inline uint32_t access_resolve(uint64_t address, uint64_t *offset)
{
    uint64_t window = (address + (SIM_BUFFER_STRIDE << 3)) >> 40 << 40;
    uint32_t space = window == SIM_SHARED_WINDOW  ? SPACE_SHARED
                     : window == SIM_LOCAL_WINDOW ? SPACE_LOCAL
                     : window == SIM_CONST_WINDOW ? SPACE_CONST
                     : window == SIM_PARAM_WINDOW ? SPACE_PARAM
                                                  : SPACE_GLOBAL;
    *offset = space == SPACE_GLOBAL ? address : address - window;
    return space;
}

#endif
