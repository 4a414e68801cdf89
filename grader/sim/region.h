// What stands behind memory.h: regions of global memory, the constant bank, and who wrote what.
//
// A region is one buffer of the engine or one .global variable of the module. Region r owns the slot of addresses from
// half a stride before its first byte to half a stride behind it, so that an index that runs away in either direction
// is still known by the array it started from. Buffers take slots 0 … ENGINE_BUFFERS - 1, variables those behind.
#ifndef SIM_REGION_H
#define SIM_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "sim/launch.h"
#include "sim/memory.h"

enum {
    REGION_VARS = 1024,                          // .global variables of a module
    REGION_SLOTS = ENGINE_BUFFERS + REGION_VARS, // well below SIM_PARAM_WINDOW
};

struct sim_region {
    uint64_t base;    // device address of the first byte
    uint64_t bytes;   // extent, guards not included
    uint32_t element; // bytes of an element, for messages and for the grain of `owner`
    int32_t buffer;   // engine's index; -1 for a variable
    int32_t var;      // module's index; -1 for a buffer
    uint8_t alive;
    uint8_t was_read;    // in this launch; relaxed atomic
    uint8_t all_written; // the host wrote all of it: `written` need not be looked at
    uint8_t *block;      // what was allocated: guard, data, guard
    uint8_t *data;       // host address of the first byte
    // A byte for each 4-byte word: bit b set when byte b of the word was written. NULL while all_written.
    uint8_t *written;
    uint32_t unit_shift;             // of the two below: bytes (0) or words (2)
    struct conflict_map *conflict;   // this launch's owners of units; NULL when nobody asks
    struct race_map *race;           // this launch's accesses of units; NULL when races are not checked
    uint8_t race_read, race_written; // in this launch; atomic
};

// One .shared variable of the running kernel: [lo, hi) in the window; sorted by lo.
struct shared_extent {
    uint32_t lo, hi;
    int32_t var;
};

struct sim_memory {
    const struct ptx_module *module;
    struct sim_region region[REGION_SLOTS];
    uint32_t nregions; // slots in use, from 0
    uint8_t *constant; // the constant bank, zero-padded
    uint32_t constant_bytes;
    uint64_t *var_address; // [module->nvars]: global address, or offset in the constant window
    // Of the launch:
    struct shared_extent *extent; // of the kernel's .shared variables; owned
    uint32_t nextents;
    uint32_t checks;
    uint32_t track_conflicts;
    uint32_t conflict;                 // set once two blocks met; relaxed atomic
    uint32_t serial;                   // 1: one host thread runs all blocks of this launch
    struct handover_places *places;    // handover.h: in global memory; of a serial launch
    uint8_t race_reads[REGION_SLOTS];  // race.h: arrays whose readers are to be recorded; relaxed atomic
    uint8_t race_narrow[REGION_SLOTS]; // arrays of words that are accessed by bytes
    uint32_t race_retry;               // 1: one of them was found out in this run; relaxed atomic
};

// Fills m->extent for the kernel about to run.
void region_shared_extents(struct sim_memory *m, const struct sim_launch *launch);

// The region whose slot the address lies in, or NULL.
static inline struct sim_region *region_at(struct sim_memory *m, uint64_t address)
{
    uint64_t slot = (address + SIM_BUFFER_STRIDE / 2) >> 36;
    if (slot - 1 >= m->nregions) return NULL;
    struct sim_region *r = &m->region[slot - 1];
    return r->alive ? r : NULL;
}

#endif
