// Finds races in global memory, between threads of one block and of different blocks.
//
// Theory of operation. The rule is that of shared memory (shadow.h, race_rule.h). Two things are added. Threads of
// different blocks are ordered only by release/acquire synchronisation (sync.h). And two strong accesses do not race
// only if the scope of each includes the thread of the other. All accesses of one launch are ordered before those of
// the next, so each launch starts with an empty record of accesses.
//
// Cells. A shadow cell is the record of the latest accesses to one word of global memory. If an array has elements
// narrower than a word, or is accessed in units narrower than a word, every byte of the array has a cell. A cell has
// room for RACE_READERS sets of readers, enough for all warps of a block and a few warps of other blocks. The earlier
// access that a report names has always taken place in the simulated execution.
//
// Parallel blocks. While blocks run in parallel, the race check compares only accesses of the same block. If two blocks
// access a word and at least one of the two blocks writes the word, conflict.c detects this conflict. After a conflict
// between blocks, one host thread runs the launch again with interleaved blocks, and only the findings of the repeated
// run count. Without a conflict between blocks, only one block accesses a word that is written, so the word's shadow
// cell belongs to that block alone. Mutexes keep the shadow cells consistent between host threads; each mutex protects
// some of an array's cells. While one host thread runs the blocks interleaved, the race check compares the accesses of
// all blocks, in a fixed order.
//
// Arrays without cells. An array that the launch only reads cannot have a race, so its reads need not be recorded in
// shadow cells. Reads of an array are not recorded until the launch has both read and written that array. Once a launch
// has read and written one array, it starts again and records the reads of that array (sim_memory_retry). Whether a
// launch writes an array does not depend on timing, so the findings do not depend on timing either. If an access is
// narrower than a word and the array has one shadow cell for each word, the launch starts again with one shadow cell
// for each byte.
#ifndef SIM_HAZARD_RACE_H
#define SIM_HAZARD_RACE_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/core/region.h"

enum { RACE_READERS = 40 }; // sets of plain readers that a cell holds at most

// Returns a map of empty shadow cells for `units` units of memory, each of 1 << shift bytes. The caller must free the
// map with race_map_free().
struct race_map *race_map_new(uint64_t units, uint32_t shift);
void race_map_free(struct race_map *);

// Returns 1 if the access need not be recorded, because the launch does not record reads of the array or will run again
// anyway. Requests a second run of the launch (sim_memory_retry) if the launch has read and written the array without
// recording the reads. Also requests a second run of the launch if the access is narrower than a word and the array has
// one shadow cell for each word. The function race_is_only_read() is thread-safe.
int race_is_only_read(struct sim_memory *, struct sim_region *, const struct sim_access *);
// Checks the access of the lanes in the mask `good` for races and records the access. The addresses of all lanes in
// `good` must lie within the memory region, in `lines` lines. For a store, `row` holds the values: row[e] has the value
// of element e for each lane. Stores each lane's value to memory when it checks that lane. A store of the value already
// in memory is therefore recognised even if another lane has just stored that value.
void race_access(struct sim_warp *, const struct sim_access *, struct sim_region *, uint32_t good, uint32_t lines,
                 const void *const row[]);
// Removes all recorded accesses to the bytes [from, to), because malloc() has allocated these bytes anew. race_forget()
// may be called only for a map with one shadow cell for each byte, in a launch whose blocks all run on one host thread.
void race_forget(struct race_map *, uint64_t from, uint64_t to);
// Checks a call of free() for races and records it, as if the calling lane made a plain write to all `bytes` bytes from
// the address of the access on. race_discard() may be called only for a region with one shadow cell for each byte, in a
// launch whose blocks all run on one host thread.
void race_discard(struct sim_warp *, const struct sim_access *, struct sim_region *, uint64_t bytes);

#endif
