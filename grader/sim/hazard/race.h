// Finds races in global memory, between threads of one block and of different blocks.
//
// Theory of operation. The rules are those of shadow.h. A race is two accesses to one byte by two threads, at least one
// of which writes. Neither access of a race is ordered before the other access. If both accesses are strong and the
// scope of each includes the other thread, there is no race. Threads of one block are ordered as in shared memory.
// Threads of different blocks are ordered only by release/acquire synchronisation (sync.h). The end of a kernel orders
// everything, so each launch starts with empty cells.
//
// Cells. Every accessed word has a cell. If the array's elements, or the accesses to the array, are narrower than a
// word, every byte of the array has a cell. A cell holds the latest plain write, the plain readers since that write,
// the latest strong write and the latest strong read. A plain reader is a set of lanes of one warp that read at one
// stamp. If an older access is ordered before a newer reader or writer, the cell keeps only the newer access. Keeping
// the newer access is enough, because an access that races with the older access also races with the newer access. So
// the readers in a cell are unordered among each other. A cell has room for RACE_READERS such sets: all warps of a
// block and a few warps of other blocks. A race with a reader beyond this limit can be missed. Of several strong
// accesses that are unordered among each other, the cell keeps the latest, as in shadow.h. A report always names an
// access that took place. The check uses the stamp of the reported access itself.
//
// Parallel blocks. While blocks run in parallel, only accesses of the same block are compared. If two blocks access a
// word and at least one of the two blocks writes the word, conflict.c detects this conflict. The launch is then
// repeated with interleaved blocks, and the findings are those of the repeated run. Without a conflict, only one block
// accesses a word that is written, so the word's cell belongs to that block alone. Locks keep the cells consistent;
// each lock protects some of an array's cells. While blocks are interleaved, all accesses are compared, in a fixed
// order.
//
// Arrays without cells. An array that the launch only reads needs no cells. So reads are not recorded until the launch
// has both read and written the same array. Then the launch starts again and records the reads of that array
// (sim_memory_retry). Whether a launch writes an array does not depend on timing, so the outcome does not depend on
// timing either. If a launch accesses an array of words by narrower elements, the launch also starts again, with one
// cell for each byte.
#ifndef SIM_HAZARD_RACE_H
#define SIM_HAZARD_RACE_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/core/region.h"

enum { RACE_READERS = 40 }; // sets of plain readers that a cell holds at most

// Returns empty cells for `units` units of 1 << shift bytes. The caller frees the cells with race_map_free().
struct race_map *race_map_new(uint64_t units, uint32_t shift);
void race_map_free(struct race_map *);

// Returns 1 if the access need not be recorded, because the launch has only read the array so far. If the
// launch has read and written the array without recording the reads, or if the access is narrower than the array's
// cells, the function also asks for a second run of the launch (sim_memory_retry).
// Thread-safe.
int race_is_only_read(struct sim_memory *, struct sim_region *, const struct sim_access *);
// Checks and records the access of the lanes in `good`, whose addresses must all lie within the region. For stores,
// `row` holds the values: row[e] is the row of element e. The function stores each lane's value when it checks that
// lane. So a store of the value already in memory is recognised even if another lane has just stored that value.
void race_access(struct sim_warp *, const struct sim_access *, struct sim_region *, uint32_t good,
                 const void *const row[]);

#endif
