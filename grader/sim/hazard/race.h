// Races in global memory, between threads of one block and of different blocks.
//
// Theory of operation. The rules are those of shadow.h: two accesses to one byte by two threads, at least one a write,
// not both strong with a scope that reaches the other, neither ordered before the other. Threads of one block are
// ordered by what orders them in shared memory; threads of different blocks by hand-overs alone (sync.h). The end
// of the kernel orders everything: each launch starts afresh.
//
// Cells. Every word that is touched (every byte, in arrays whose elements are narrower or that are accessed so) has its
// last plain write; its plain readers since, as sets of lanes of one warp that read at one stamp; its last strong write
// and last strong read. A reader or writer that knows an older access stands for it: whoever races with the older one
// races with the newer one too. So the readers kept know nothing of each other. RACE_READERS of these sets are kept,
// which are all warps of a block and a few of other blocks; of readers beyond, a race can be missed. Of several strong
// accesses that are unordered among themselves the last stands for all, as in shadow.h. Nothing is ever invented: what
// is reported is an access that took place, at its own stamp, and that this thread does not know.
//
// Blocks that run side by side. There, only accesses of the own block are looked at: when another block touched the
// word and one of the two wrote, conflict.c says so, the launch is repeated in turns, and its findings are those of
// that run. When none did, a word that was written belongs to one block, and its cell is that block's alone. A lock for
// some cells of an array at a time keeps the cells themselves sound. In turns, all is seen and in a fixed order.
//
// What costs nothing. An array that the launch only reads needs no cells. So reads are not recorded, until the launch
// is found to have read and written the same array: then it begins anew, and records them there (sim_memory_retry).
// Which arrays are written is a property of the launch, so the outcome does not depend on who found out when.
// Likewise for arrays of words that are accessed by bytes.
#ifndef SIM_HAZARD_RACE_H
#define SIM_HAZARD_RACE_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/core/region.h"

enum { RACE_READERS = 40 };

// Cells for `units` of 1 << shift bytes.
struct race_map *race_map_new(uint64_t units, uint32_t shift);
void race_map_free(struct race_map *);

// 1 when the access need not be recorded: so far the launch only reads the array. What turns out to be missing is
// noted, for the next attempt.
int race_is_only_read(struct sim_memory *, struct sim_region *, const struct sim_access *);
// The access of the lanes in `good`, all within the region: checks, records. For stores, `row` holds the values, and
// each lane's are stored as it is looked at, so that equal values are told apart from others.
void race_access(struct sim_warp *, const struct sim_access *, struct sim_region *, uint32_t good,
                 const void *const row[]);

#endif
