// Takes snapshots of global memory by copying on write. A launch that must be run again starts from the snapshot.
// Memory that the launch does not write is not copied.
#ifndef SIM_MACHINE_SNAPSHOT_H
#define SIM_MACHINE_SNAPSHOT_H

#include <stdint.h>

#include "device/coalesce.h"

struct sim_region;
struct snapshot;

// snapshot_new() takes a snapshot of a region's bytes and of its map of written words, and snapshot_restore() restores
// the region from the snapshot. A snapshot may be restored several times. The caller frees the snapshot with
// snapshot_free().
struct snapshot *snapshot_new(const struct sim_region *);
void snapshot_restore(struct snapshot *, struct sim_region *);
void snapshot_free(struct snapshot *);
// Saves in the snapshot the bytes that a warp is about to write. The caller calls snapshot_keep() before each write to
// the region. `lines` lists the 128-byte lines to which the warp is about to write. Thread-safe.
void snapshot_keep(struct snapshot *, const struct sim_region *, const struct footprint *lines);
// Saves the bytes [from, to) of the region in the snapshot. Thread-safe.
void snapshot_keep_range(struct snapshot *, const struct sim_region *, uint64_t from, uint64_t to);

#endif
