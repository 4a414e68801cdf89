// Finds races in global memory, between threads of one block and of different blocks.
//
// Theory of operation. The rules are those of shadow.h: two accesses to one byte by two threads, at least one of them a
// write, not both strong with a scope that includes the other thread, and neither ordered before the other. Threads of
// one block are ordered as in shared memory. Threads of different blocks are ordered only by release/acquire
// synchronisation (sync.h). The end of a kernel orders everything, so each launch starts with empty cells.
//
// Cells. Every accessed word has a cell. In arrays with narrower elements, or accessed by narrower elements, every byte
// has one. A cell holds the latest plain write, the plain readers since that write, the latest strong write and the
// latest strong read. The readers are sets of lanes of one warp that read at one stamp. A reader or writer that knows
// an older access stands for it: an access that races with the older one races with the newer one too. So the readers
// that are kept do not know each other. RACE_READERS such sets are kept: all warps of a block and a few of other
// blocks. A race with a reader beyond can be missed. Of several strong accesses that are unordered among each other,
// the latest stands for all, as in shadow.h. A report always names an access that took place, with its own stamp, that
// this thread does not know.
//
// Blocks that run in parallel. Then only accesses of the own block are compared. If two blocks access a word and one of
// them writes, conflict.c detects it, the launch is repeated with interleaved blocks, and its findings are those of
// that run. Otherwise a word that was written belongs to one block, and its cell is that block's alone. Locks, each for
// some cells of an array, keep the cells consistent. While blocks are interleaved, all accesses are seen, in a fixed
// order.
//
// What costs nothing. An array that the launch only reads needs no cells. So reads are not recorded until the launch is
// found to have read and written the same array. Then the launch starts again, with reads of that array recorded
// (sim_memory_retry). Which arrays a launch writes is a property of the launch, so the outcome does not depend on
// timing. Arrays of words that are accessed by bytes are handled likewise.
#ifndef SIM_HAZARD_RACE_H
#define SIM_HAZARD_RACE_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/core/region.h"

enum { RACE_READERS = 40 };

// Returns the cells for `units` units of 1 << shift bytes. The caller frees them with race_map_free.
struct race_map *race_map_new(uint64_t units, uint32_t shift);
void race_map_free(struct race_map *);

// Returns 1 if the access need not be recorded, because the launch has only read the array so far. If it turns out that
// more must be recorded, it requests a repetition of the launch (sim_memory_retry). Thread-safe.
int race_is_only_read(struct sim_memory *, struct sim_region *, const struct sim_access *);
// Checks and records the access of the lanes in `good`, which all lie within the region. For stores, `row` holds the
// values, and each lane's value is stored when that lane is checked. So stores of equal values can be told from others.
void race_access(struct sim_warp *, const struct sim_access *, struct sim_region *, uint32_t good,
                 const void *const row[]);

#endif
