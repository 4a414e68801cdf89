// Defines the regions of global memory, the constant bank, and the memory state of a launch; machine/memory.h declares
// the functions.
//
// A region is one buffer or one .global variable of a module. Each region owns a range of device addresses, its span,
// which overlaps no other region's span. The length of a span is a multiple of 4 GiB; 4 GiB of device addresses are
// called a slot. The region's first byte lies in the middle of the range of addresses that the region owns. An address
// from an out-of-range index, even from a negative index, therefore usually lies in the array's range of addresses and
// identifies the array. The span of a region usually has 64 GiB, however small the region's buffer is. The span of a
// buffer of 28 GiB or more is larger than 64 GiB. If a host program has so many buffers that the device addresses run
// out, further buffers get smaller spans. The engine's buffers are regions 0 to ENGINE_BUFFERS - 1, and the index of an
// engine buffer determines its device addresses.
#ifndef SIM_CORE_REGION_H
#define SIM_CORE_REGION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/core/launch.h"

struct ptx_module;

enum {
    REGION_VARS = 1024,       // .global variables of a module
    REGION_SHIFT = 32,        // log2 of the bytes of a slot
    REGION_SPAN = 16,         // slots of a region: SIM_BUFFER_STRIDE
    REGION_SLOTS = 0x50 << 8, // below the windows, and below the addresses of programs and libraries on Linux
};

struct sim_region {
    uint64_t base;                   // device address of the first byte
    uint64_t bytes;                  // size in bytes, without guards
    uint32_t element;                // bytes of an element, for messages and for `unit_shift`
    uint32_t index;                  // in sim_memory.region
    int32_t owner;                   // in a host program: the device that owns the memory; -1: all devices
    int32_t buffer;                  // index of the engine's buffer or of the region; -1 for a variable
    int32_t var;                     // index in module->var; -1 for a buffer
    const struct ptx_module *module; // module of the variable
    uint32_t first, slots;           // first slot of the span, and number of slots
    uint8_t alive;                   // 0: freed; the span stays until another region needs it
    uint8_t hidden;                  // 1: not visible to the device of the next launch
    uint8_t was_read;                // 1: the launch read part of the region; relaxed atomic
    uint8_t all_written;             // 1: all bytes are initialised; `written` is NULL
    uint8_t *block;                  // the allocation: guard, data, guard; NULL: the caller owns `data`
    uint8_t *data;                   // host address of the first byte
    // [word]: bit b is set if byte b of the 4-byte word was written. NULL if all_written is 1.
    uint8_t *written;
    uint32_t *touched[2];            // a bit for each word read [0] and written [1] in this launch; NULL: not recorded
    struct heap *heap;               // heap blocks of malloc() in device code (hazard/heap.h); NULL: another region
    uint32_t unit_shift;             // log2 of the unit of `conflict` and `race` in bytes: 0 (bytes) or 2 (words)
    struct conflict_map *conflict;   // blocks that accessed each unit in this launch (conflict.c); NULL: not recorded
    struct snapshot *snapshot;       // contents that this launch overwrote; NULL: not kept
    struct race_map *race;           // accesses in this launch; NULL: races are not checked
    uint8_t race_read, race_written; // 1: the launch read, or wrote, the region; atomic
    uint8_t race_reads;              // 1: reads are recorded too, see race.h; relaxed atomic
    uint8_t race_narrow;             // 1: the launch accesses this array of words by narrower elements; relaxed atomic
};

// Describes one .shared variable of the running kernel, which occupies the bytes [lo, hi) of the shared window. The
// array sim_memory.extent is sorted by `lo`.
struct shared_extent {
    uint32_t lo, hi;
    int32_t var; // index in module->var; -1: the part that the system reserves
};

// Holds the addresses of the variables of one module.
struct region_vars {
    const struct ptx_module *module;
    uint64_t *address; // [module->nvars]: global address, or offset in the constant window
};

struct sim_memory {
    struct sim_region *slot[REGION_SLOTS]; // the region that owns the slot, or NULL
    struct sim_region **region;            // [nregions]; elements may be NULL
    uint32_t nregions, capacity;
    uint32_t next;     // slot at which the search for a free span begins
    uint8_t *constant; // the constant bank, zero-padded
    uint32_t constant_bytes;
    struct region_vars *vars; // [nmodules]
    uint32_t nmodules;
    int32_t owner;                   // owner of regions created from now on: see sim_region.owner
    const struct ptx_module *module; // module of the launch
    const uint64_t *var_address;     // addresses of the variables of `module`
    // The following fields belong to the current launch.
    struct shared_extent *extent; // extents of the kernel's .shared variables; owned by this struct
    uint32_t nextents;
    uint32_t checks;
    uint32_t watch; // 1: launches record the words that they access
    uint32_t track_conflicts;
    uint32_t conflict;             // 1: two blocks conflicted; relaxed atomic
    uint32_t strong;               // 1: the launch made a strong write; relaxed atomic
    uint32_t fenced;               // 1: every strong write is treated as a release (grid.c)
    uint32_t serial;               // 1: one host thread runs all blocks of this launch
    struct sync_locations *places; // locations in global memory; used in serial launches only (sync.h)
    struct sim_region *heap;       // the heap of the launch's device, if the launch calls malloc() or free()
    uint32_t race_retry;           // 1: a region's race_reads or race_narrow was set in this run; relaxed atomic
};

// Returns the region whose span (the range of device addresses that it owns) contains the address. Returns NULL if no
// region owns the address, or if the region is not visible to the device of the next launch. No region owns the first 4
// GiB of addresses.
static inline struct sim_region *region_at(const struct sim_memory *m, uint64_t address)
{
    uint64_t slot = address >> REGION_SHIFT;
    if (slot >= REGION_SLOTS) return NULL;
    struct sim_region *r = m->slot[slot];
    return r && r->alive && !r->hidden ? r : NULL;
}

// Returns the size of the engine's buffer number `buffer` in bytes, or 0 if the buffer does not exist.
static inline uint64_t region_buffer_bytes(const struct sim_memory *m, int buffer)
{
    if (buffer < 0 || buffer >= ENGINE_BUFFERS || !m->region[buffer] || !m->region[buffer]->alive) return 0;
    return m->region[buffer]->bytes;
}

// Returns the number of completely written 4-byte words in the engine's buffer number `buffer`. Returns 0 if the buffer
// does not exist, or was written as a whole by the host.
static inline uint64_t region_written_words(const struct sim_memory *m, int buffer)
{
    uint64_t bytes = region_buffer_bytes(m, buffer), words = 0;
    const uint8_t *written = bytes ? m->region[buffer]->written : NULL;
    for (uint64_t k = 0, eight; written && k < bytes / 4; k += 8) { // the map is padded with zeros
        memcpy(&eight, written + k, sizeof eight);
        if (eight == 0x0f0f0f0f0f0f0f0f) words += 8;
        for (; eight && eight != 0x0f0f0f0f0f0f0f0f; eight >>= 8) words += (eight & 0xff) == 0xf;
    }
    return words;
}

// Records that the launch read part of the region. Thread-safe.
static inline void region_mark_read(struct sim_region *r)
{
    if (!__atomic_load_n(&r->was_read, __ATOMIC_RELAXED)) __atomic_store_n(&r->was_read, 1, __ATOMIC_RELAXED);
}

#endif
