// Detects conflicts between blocks; conflict.h states the contracts.
//
// Theory of operation. A conflict map records which blocks have accessed each unit of a memory region; a unit is a byte
// or a 4-byte word. A cell of a conflict map describes 32 consecutive bytes, or 32 consecutive 4-byte words, of the
// region. Each cell of a conflict map consists of the two records `writer` and `reader` and the mask `several`.
//   writer  {who, mask}: block `who` has written the units in mask
//   reader  {who, mask}: block `who` has read the units in mask
//   several mask of the units that two or more blocks have read
// The record `writer` (or `reader`) of a cell can name only one block. When a second block writes a byte or word of a
// cell that is not in the mask of the cell's record `writer`, `who` of this record becomes SPLIT. When a second block
// reads a byte or word of a cell that is not in the mask of the cell's record `reader`, `who` of the record `reader`
// becomes SPLIT. If `who` of a record is SPLIT, the array conflict_map.owner names, for each byte or word of the cell,
// the first block that wrote (or read) it. The array conflict_map.owner is allocated when the first cell needs it.
// Pages of conflict_map.owner that are never accessed cost no memory. Most launches do not need the array
// conflict_map.owner, because a block usually writes whole 128-byte lines. A read of bytes or words that are all in the
// mask `several` changes no record, because several blocks have already read them.
//
// Threads. Host threads change a cell of the conflict map with compare-and-swap. A host thread that moves a block's
// number from a record to conflict_map.owner also holds the lock of the conflict map. For each access, conflict_touch()
// first records that the block made a read or a write. After recording a read, conflict_touch() compares the read with
// the recorded writes; after recording a write, it compares the write with the recorded reads and writes. The atomic
// operations that record and compare accesses are sequentially consistent. Of two simultaneous accesses, at least one
// therefore sees the record of the other, and no conflict is missed. A conflict is reported only between accesses that
// were recorded, so no false conflict is reported. While a launch runs, its recorded accesses are never removed from a
// conflict map. Whether a conflict is found therefore does not depend on the order of the accesses.
#define _GNU_SOURCE
#include "sim/machine/conflict.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/die.h"

#define SPARSE ((uint64_t)1 << 30) // arrays of this size or more are mapped instead of allocated, in bytes
#define SPLIT 0xffffffffu          // as `who` of a cell: each byte or word of the cell has its own owner
#define COMMUTING 0xffffff00u      // plus a number for the kind of atomic: `who` for commuting atomics

struct conflict_map {
    uint64_t cells;
    uint64_t *cell[2]; // [enum conflict_touch][cells]: `who` in the low half, mask in the high half
    uint32_t *several; // [cells]: mask of the units that several blocks have read
    uint32_t
        *owner[2]; // [enum conflict_touch][units]: owner of each unit of the cells with `who` SPLIT; NULL: no such cell
    pthread_mutex_t lock;
};

// Returns an array of zeros whose pages cost no memory until they are written. A device buffer, and so its conflict
// map, may be larger than the host's memory. Large arrays are mapped without reservation, because calloc() could refuse
// to allocate them. The caller frees the array with sparse_free().
static void *sparse(uint64_t count, size_t size)
{
    if (count < SPARSE / size) return alloc_zeroed(count, size);
    void *at = mmap(NULL, count * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) alloc_failed(count * size);
    return at;
}

static void sparse_free(void *at, uint64_t count, size_t size)
{
    if (at && count >= SPARSE / size)
        munmap(at, count * size);
    else
        free(at);
}

struct conflict_map *conflict_map_new(uint64_t units)
{
    struct conflict_map *map = alloc_zeroed(1, sizeof *map);
    map->cells = units / 32 + 1;
    map->cell[0] = sparse(map->cells, sizeof(uint64_t));
    map->cell[1] = sparse(map->cells, sizeof(uint64_t));
    map->several = sparse(map->cells, sizeof(uint32_t));
    pthread_mutex_init(&map->lock, NULL);
    return map;
}

void conflict_map_free(struct conflict_map *map)
{
    if (!map) return;
    for (int i = 0; i < 2; i++) {
        sparse_free(map->cell[i], map->cells, sizeof(uint64_t));
        sparse_free(map->owner[i], map->cells * 32, sizeof(uint32_t));
    }
    sparse_free(map->several, map->cells, sizeof(uint32_t));
    pthread_mutex_destroy(&map->lock);
    free(map);
}

uint32_t conflict_unit_shift(uint32_t element)
{
    return element == 1 || element == 2 ? 0 : 2;
}

uint32_t conflict_block(uint64_t linear)
{
    return (uint32_t)(linear % (COMMUTING - 1)) + 1;
}

uint32_t conflict_commuting(uint32_t atom, uint32_t is_signed, uint32_t bytes)
{
    return COMMUTING + atom + (is_signed ? 16 : 0) + (bytes == 8 ? 32 : 0);
}

static uint64_t pack(uint32_t who, uint32_t mask)
{
    return (uint64_t)mask << 32 | who;
}

static uint32_t *owners(struct conflict_map *map, enum conflict_touch side)
{
    return __atomic_load_n(&map->owner[side], __ATOMIC_ACQUIRE);
}

// Moves the block number in a cell's record `writer` or `reader` to conflict_map.owner, and sets `who` of the record to
// SPLIT. After split_cell(), conflict_map.owner holds the moved block number for each byte or word in the record's
// mask.
static void split_cell(struct conflict_map *map, enum conflict_touch side, uint64_t cell)
{
    pthread_mutex_lock(&map->lock);
    if (!map->owner[side]) {
        __atomic_store_n(&map->owner[side], sparse(map->cells * 32, sizeof(uint32_t)), __ATOMIC_RELEASE);
    }
    uint32_t *owner = map->owner[side] + cell * 32;
    uint64_t old = __atomic_load_n(&map->cell[side][cell], __ATOMIC_SEQ_CST);
    while ((uint32_t)old != SPLIT) {
        for (uint32_t left = (uint32_t)(old >> 32); left; left &= left - 1) {
            __atomic_store_n(&owner[__builtin_ctz(left)], (uint32_t)old, __ATOMIC_SEQ_CST);
        }
        if (__atomic_compare_exchange_n(&map->cell[side][cell], &old, pack(SPLIT, 0), 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
            break;
        }
    }
    pthread_mutex_unlock(&map->lock);
}

// Stores block number `who` in conflict_map.owner for those bytes or words in `mask` for which conflict_map.owner holds
// no block number yet. Returns a mask of the bytes or words in `mask` for which conflict_map.owner holds a block number
// other than `who`.
static uint32_t claim_units(struct conflict_map *map, enum conflict_touch side, uint64_t cell, uint32_t mask,
                            uint32_t who)
{
    uint32_t *owner = owners(map, side) + cell * 32;
    uint32_t others = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(left), old = __atomic_load_n(&owner[unit], __ATOMIC_SEQ_CST);
        if (old == 0 && __atomic_compare_exchange_n(&owner[unit], &old, who, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            continue;
        }
        if (old != who) others |= 1u << unit;
    }
    return others;
}

// Records in cell number `cell` of the conflict map that block `who` read (`side` is CONFLICT_READ) or wrote
// (CONFLICT_WRITE) the bytes or words in `mask`. Returns a mask of those bytes or words that another block has already
// read (for CONFLICT_READ) or written (for CONFLICT_WRITE).
static uint32_t claim(struct conflict_map *map, enum conflict_touch side, uint64_t cell, uint32_t mask, uint32_t who)
{
    uint64_t old = __atomic_load_n(&map->cell[side][cell], __ATOMIC_SEQ_CST);
    for (;;) {
        uint32_t owner = (uint32_t)old, owned = (uint32_t)(old >> 32);
        if (owner == SPLIT) return claim_units(map, side, cell, mask, who);
        if (owner == who && (mask & ~owned) == 0) return 0;
        if (owner == 0 || owner == who) {
            if (__atomic_compare_exchange_n(&map->cell[side][cell], &old, pack(who, owned | mask), 0, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST)) {
                return 0;
            }
            continue;
        }
        if ((mask & ~owned) == 0) return mask;
        split_cell(map, side, cell);
        old = pack(SPLIT, 0);
    }
}

// Returns 1 if a block other than `who` has read (`side` is CONFLICT_READ) or written (CONFLICT_WRITE) a byte or word
// in `mask` of cell number `cell` of the conflict map.
static int owned_by_other(struct conflict_map *map, enum conflict_touch side, uint64_t cell, uint32_t mask,
                          uint32_t who)
{
    uint64_t now = __atomic_load_n(&map->cell[side][cell], __ATOMIC_SEQ_CST);
    if ((uint32_t)now != SPLIT) return (uint32_t)now != 0 && (uint32_t)now != who && (mask & (uint32_t)(now >> 32));
    uint32_t *owner = owners(map, side) + cell * 32;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t unit = __atomic_load_n(&owner[__builtin_ctz(left)], __ATOMIC_SEQ_CST);
        if (unit && unit != who) return 1;
    }
    return 0;
}

// Records in cell number `cell` of the conflict map that block `who` has read the bytes or words in `mask`. Returns 1
// if another block has written a byte or word in `mask`.
static int touch_read(struct conflict_map *map, uint64_t cell, uint32_t mask, uint32_t who)
{
    uint32_t fresh = mask & ~__atomic_load_n(&map->several[cell], __ATOMIC_SEQ_CST);
    if (fresh) {
        uint32_t shared = claim(map, CONFLICT_READ, cell, fresh, who);
        if (shared) __atomic_fetch_or(&map->several[cell], shared, __ATOMIC_SEQ_CST);
    }
    return owned_by_other(map, CONFLICT_WRITE, cell, mask, who);
}

// Records in cell number `cell` of the conflict map that block `who` has written the bytes or words in `mask`. Returns
// 1 if another block has read or written a byte or word in `mask`.
static int touch_write(struct conflict_map *map, uint64_t cell, uint32_t mask, uint32_t who)
{
    if (claim(map, CONFLICT_WRITE, cell, mask, who)) return 1;
    if (mask & __atomic_load_n(&map->several[cell], __ATOMIC_SEQ_CST)) return 1;
    return owned_by_other(map, CONFLICT_READ, cell, mask, who);
}

int conflict_touch(struct conflict_map *map, const struct footprint *f, uint64_t first_cell, uint32_t who,
                   enum conflict_touch touch)
{
    for (uint32_t i = 0; i < f->cells; i++) {
        uint64_t cell = f->cell[i] - first_cell;
        BUG_ON(cell >= map->cells);
        int met =
            touch == CONFLICT_READ ? touch_read(map, cell, f->unit[i], who) : touch_write(map, cell, f->unit[i], who);
        if (met) return 1;
    }
    return 0;
}
