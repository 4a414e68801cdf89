// Describes an access while it is checked for races, and reports races. The rule is in race_rule.h.
#ifndef SIM_HAZARD_RACE_REPORT_H
#define SIM_HAZARD_RACE_REPORT_H

#include <stdint.h>

#include "engine/finding.h"
#include "sim/core/access.h"
#include "sim/hazard/shadow.h"

// Describes one access that a shadow cell remembers. Stamps (clock values) count from 1, and a stamp of 0 means that no
// access is recorded. A launched grid has fewer than 2^32 blocks, so `block` has 32 bits.
struct race_mark {
    uint32_t block, stamp;
    uint32_t who; // STAMP_ACCESS
};

// Describes lanes of one warp that read a word or byte, with no synchronisation of the warp between these reads.
struct race_set {
    struct race_mark mark; // the read of one of the lanes
    uint32_t lanes;
};

// Describes one warp's access to an element while it is checked.
struct race_touch {
    struct sim_warp *w;
    const struct sim_access *a;
    struct sim_shadow *s;
    const void *array; // the same for all accesses to a global array; NULL: shared memory
    uint32_t space;    // enum memory_space
    uint32_t block;
    uint64_t at;           // global address of the element, or its offset in the shared window
    uint32_t lanes;        // lanes that access the element
    uint32_t lane, thread; // the lane of `lanes` that is checked, and its thread
    uint32_t op;           // SHADOW_OPS if the op's index is too large to be stored in a cell
    uint8_t serial;        // 1: accesses of other blocks are compared, too
    uint8_t strong, narrow;
    uint8_t data;      // 1: a volatile access in a kernel without flags in this memory (lower/flag.c)
    uint8_t volatiles; // 1: the race is between two volatile accesses
    uint32_t reported; // mask of lanes whose race has been reported
};

// Reports a race between the current access by lane t->lane and the recorded access of `thread`. For each lane and
// element, at most one race is reported.
void race_report(struct race_touch *, enum finding_kind, struct race_mark, uint32_t thread, enum access_kind);

#endif
