// Finds races in global memory, between threads of one block and of different blocks.
//
// Theory of operation. Races in global memory follow the rules of shadow.h. A race is two accesses to one byte by two
// threads, at least one of which writes. Neither access of a race is ordered before the other access. Two accesses do
// not race if both are strong and the scope of each includes the thread of the other. Threads of one block are ordered
// by the same synchronisation as for shared memory (shadow.h). Threads of different blocks are ordered only by
// release/acquire synchronisation (sync.h). All accesses of one launch are ordered before those of the next launch, so
// each launch starts with empty cells.
//
// Cells. Every accessed word of global memory has a shadow cell. If the array's elements, or the accesses to the array,
// are narrower than a word, every byte of the array has a cell. A cell holds the latest plain write, the plain readers
// since that write, the latest strong write and the latest strong read. The lanes of one warp that read the cell's word
// at the same clock value form one reader set. If an older access is ordered before a newer read or write, the cell
// keeps only the newer access. Keeping the newer access is enough, because an access that races with the older access
// also races with the newer access. As a consequence, no reader in a cell is ordered before another reader in the cell.
// A cell has room for RACE_READERS reader sets: enough for all warps of a block and a few warps of other blocks. If a
// word has more than RACE_READERS reader sets, a race with one of these readers can be missed. Of several strong
// accesses that are unordered among each other, a cell keeps only the latest, as in shadow.h. A race report always
// names an earlier access that took place. Whether an access races with a recorded access is decided by the stamp of
// that recorded access itself.
//
// Parallel blocks. While blocks run in parallel, the race check compares only accesses of the same block. If two blocks
// access a word and at least one of the two blocks writes the word, conflict.c detects this conflict. After a conflict
// between blocks, the launch is repeated with interleaved blocks, and only the findings of the repeated run count.
// Without a conflict between blocks, only one block accesses a word that is written, so the word's cell belongs to that
// block alone. Mutexes keep the cells consistent between host threads; each mutex protects some of an array's cells.
// While one host thread runs the blocks interleaved, the race check compares the accesses of all blocks, in a fixed
// order.
//
// Arrays without cells. An array that the launch only reads needs no cells. Reads of an array are therefore not
// recorded until the launch has both read and written that array. Once a launch has read and written one array, it
// starts again and records the reads of that array (sim_memory_retry). Whether a launch writes an array does not depend
// on timing, so the findings do not depend on timing either. If an access is narrower than a word and the array has one
// cell for each word, the launch starts again with one cell for each byte.
#ifndef SIM_HAZARD_RACE_H
#define SIM_HAZARD_RACE_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/core/region.h"

enum { RACE_READERS = 40 }; // sets of plain readers that a cell holds at most

// Returns a map of empty cells for `units` units of memory, each of 1 << shift bytes. The caller must free the map with
// race_map_free().
struct race_map *race_map_new(uint64_t units, uint32_t shift);
void race_map_free(struct race_map *);

// Returns 1 if the access need not be recorded, because the launch does not record reads of the array or will run again
// anyway. Requests a second run of the launch (sim_memory_retry) if the launch has read and written the array without
// recording the reads. An access narrower than the array's cells also makes the function request a second run of the
// launch. Thread-safe.
int race_is_only_read(struct sim_memory *, struct sim_region *, const struct sim_access *);
// Checks the access of the lanes in `good` for races and records the access. The addresses of these lanes must all lie
// within the memory region. For a store, `row` holds the values: row[e] has the value of element e for each lane. The
// function race_access() stores each lane's value to memory when it checks that lane. A store of the value already in
// memory is therefore recognised even if another lane has just stored that value.
void race_access(struct sim_warp *, const struct sim_access *, struct sim_region *, uint32_t good,
                 const void *const row[]);

#endif
