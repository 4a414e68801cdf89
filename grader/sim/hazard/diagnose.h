// Makes the findings of memory accesses: names the array, the offset in it and its extent.
#ifndef SIM_HAZARD_DIAGNOSE_H
#define SIM_HAZARD_DIAGNOSE_H

#include "sim/core/access.h"
#include "sim/core/region.h"

// The array that an address belongs to. The fields are those of struct finding.
struct diagnose_target {
    int32_t buffer, var;
    int64_t offset;
    uint64_t extent;
};
struct diagnose_target diagnose_global(struct sim_memory *, uint64_t address);
// `symbol`: the variable that the address is derived from; -1: unknown, then the array that holds or precedes it.
struct diagnose_target diagnose_shared(const struct sim_memory *, int32_t symbol, uint64_t address);

// Records a finding of that kind about a lane's access. `at` is the address as the access has it.
void diagnose_access(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                     enum finding_kind kind, uint64_t at);
// Returns that finding without recording it, for callers that add to it.
struct finding diagnose_finding(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                                enum finding_kind kind, uint64_t at);

#endif
