// Snapshots of global memory, copied as it is written: a launch that must be run again finds what it began with, and
// memory that it does not write costs nothing.
#ifndef SIM_MACHINE_SNAPSHOT_H
#define SIM_MACHINE_SNAPSHOT_H

#include <stdint.h>

#include "device/coalesce.h"

struct sim_region;
struct snapshot;

// A snapshot of a region as it is, and back to it; the snapshot stands until it is freed.
struct snapshot *snapshot_new(const struct sim_region *);
void snapshot_restore(struct snapshot *, struct sim_region *);
void snapshot_free(struct snapshot *);
// Before a warp writes to lines of the region: `lines` are the footprint of words. Thread-safe.
void snapshot_keep(struct snapshot *, const struct sim_region *, const struct footprint *lines);

#endif
