// What stands behind memory.h: regions of global memory, the constant bank, and who wrote what.
//
// A region is one buffer or one .global variable of a module. It owns a span of addresses, in slots of 4 GiB, that
// reaches from half of it before its first byte to half of it behind, so that an index that runs away in either
// direction is still known by the array it started from. Spans are 64 GiB wide, but for those of a host program that
// has very many buffers. The engine's buffers are regions 0 … ENGINE_BUFFERS - 1, with the span of their number.
#ifndef SIM_CORE_REGION_H
#define SIM_CORE_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "ptx/ptx.h"
#include "sim/core/launch.h"

enum {
    REGION_VARS = 1024,       // .global variables of a module
    REGION_SHIFT = 32,        // of a slot
    REGION_SPAN = 16,         // slots of a region: SIM_BUFFER_STRIDE
    REGION_SLOTS = 0x50 << 8, // below the windows, and below where Linux puts programs and libraries
};

struct sim_region {
    uint64_t base;                   // device address of the first byte
    uint64_t bytes;                  // extent, guards not included
    uint32_t element;                // bytes of an element, for messages and for the grain of `owner`
    uint32_t index;                  // its number
    int32_t owner;                   // of a host program: the device whose memory it is; -1: any
    int32_t buffer;                  // engine's index, or its own number; -1 for a variable
    int32_t var;                     // module's index; -1 for a buffer
    const struct ptx_module *module; // of a variable
    uint32_t first, slots;           // its span
    uint8_t alive;                   // 0: freed; it keeps its span until another region needs it
    uint8_t hidden;                  // 1: not for the device whose launch comes next
    uint8_t was_read;                // in this launch; relaxed atomic
    uint8_t all_written;             // the host wrote all of it: `written` need not be looked at
    uint8_t *block;                  // what was allocated: guard, data, guard; NULL: data is the caller's
    uint8_t *data;                   // host address of the first byte
    // A byte for each 4-byte word: bit b set when byte b of the word was written. NULL while all_written.
    uint8_t *written;
    uint32_t *touched[2];            // words read and written in this launch: a bit each, 32 to a line; NULL: not noted
    uint32_t unit_shift;             // of the two below: bytes (0) or words (2)
    struct conflict_map *conflict;   // this launch's owners of units; NULL when nobody asks
    struct snapshot *snapshot;       // what this launch overwrote; NULL: nobody will want it back
    struct race_map *race;           // this launch's accesses of units; NULL when races are not checked
    uint8_t race_read, race_written; // in this launch; atomic
    uint8_t race_reads;              // race.h: its readers are to be recorded; relaxed atomic
    uint8_t race_narrow;             // an array of words that is accessed by bytes; relaxed atomic
};

// One .shared variable of the running kernel: [lo, hi) in the window; sorted by lo.
struct shared_extent {
    uint32_t lo, hi;
    int32_t var; // -1: what the system reserves
};

// The variables of one module, as placed.
struct region_vars {
    const struct ptx_module *module;
    uint64_t *address; // [module->nvars]: global address, or offset in the constant window
};

struct sim_memory {
    struct sim_region *slot[REGION_SLOTS]; // whose span it is; NULL: nobody's
    struct sim_region **region;            // [nregions]; NULL where there is none
    uint32_t nregions, capacity;
    uint32_t next;     // slot at which the search for a free span begins
    uint8_t *constant; // the constant bank, zero-padded
    uint32_t constant_bytes;
    struct region_vars *vars; // [nmodules]
    uint32_t nmodules;
    int32_t owner;                   // of regions made from now on
    const struct ptx_module *module; // the one at hand: of the launch
    const uint64_t *var_address;     // and its variables
    // Of the launch:
    struct shared_extent *extent; // of the kernel's .shared variables; owned
    uint32_t nextents;
    uint32_t checks;
    uint32_t watch; // 1: the words touched are noted
    uint32_t track_conflicts;
    uint32_t conflict;             // set once two blocks met; relaxed atomic
    uint32_t strong;               // 1: the launch has written strongly; relaxed atomic
    uint32_t fenced;               // 1: as if every strong write were a release (grid.c)
    uint32_t serial;               // 1: one host thread runs all blocks of this launch
    struct sync_locations *places; // sync.h: in global memory; of a serial launch
    uint32_t race_retry;           // 1: a region's race_reads or race_narrow was set in this run; relaxed atomic
};

// The region whose span the address lies in, or NULL. Slot 0 begins at address 0 and is nobody's.
static inline struct sim_region *region_at(const struct sim_memory *m, uint64_t address)
{
    uint64_t slot = address >> REGION_SHIFT;
    if (slot >= REGION_SLOTS) return NULL;
    struct sim_region *r = m->slot[slot];
    return r && r->alive && !r->hidden ? r : NULL;
}

// Returns the size of one of the engine's buffers in bytes, or 0 if there is no such buffer.
static inline uint64_t region_buffer_bytes(const struct sim_memory *m, int buffer)
{
    if (buffer < 0 || buffer >= ENGINE_BUFFERS || !m->region[buffer] || !m->region[buffer]->alive) return 0;
    return m->region[buffer]->bytes;
}

// Notes that the launch read some of the region. Thread-safe.
static inline void region_mark_read(struct sim_region *r)
{
    if (!__atomic_load_n(&r->was_read, __ATOMIC_RELAXED)) __atomic_store_n(&r->was_read, 1, __ATOMIC_RELAXED);
}

#endif
