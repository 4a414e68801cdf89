// Makes findings of memory accesses: names the array, the offset in it and its extent.
#ifndef SIM_HAZARD_DIAGNOSE_H
#define SIM_HAZARD_DIAGNOSE_H

#include "sim/core/access.h"
#include "sim/core/region.h"

// What an address belongs to. Fields as in struct finding.
struct diagnose_target {
    int32_t buffer, var;
    int64_t offset;
    uint64_t extent;
};
struct diagnose_target diagnose_global(struct sim_memory *, uint64_t address);
// `symbol`: variable the address is known to derive from, or -1; then the array it lies in or behind.
struct diagnose_target diagnose_shared(const struct sim_memory *, int32_t symbol, uint64_t address);

// Records that this lane's access is a `kind` (FINDING_out_of_bounds, …). `at` is the address as the access has it.
void diagnose_access(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                     enum finding_kind kind, uint64_t at);
// The finding for that, not yet recorded: for findings that have more to say.
struct finding diagnose_finding(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                                enum finding_kind kind, uint64_t at);

#endif
