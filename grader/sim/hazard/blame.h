// Makes findings of memory accesses: names the array, the offset in it and its extent.
#ifndef SIM_HAZARD_BLAME_H
#define SIM_HAZARD_BLAME_H

#include "sim/core/memory.h"
#include "sim/core/region.h"

// What an address belongs to. Fields as in struct finding.
struct blame_target {
    int32_t buffer, var;
    int64_t offset;
    uint64_t extent;
};
struct blame_target blame_global(struct sim_memory *, uint64_t address);
// `symbol`: variable the address is known to derive from, or -1; then the array it lies in or behind.
struct blame_target blame_shared(const struct sim_memory *, int32_t symbol, uint64_t address);

// Records that this lane's access is a `kind` (FINDING_out_of_bounds, …). `at` is the address as the access has it.
void blame_access(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                  enum finding_kind kind, uint64_t at);
// The finding for that, not yet recorded: for findings that have more to say.
struct finding blame_finding(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                             enum finding_kind kind, uint64_t at);
// A variable's name as the student wrote it: of "_ZZ9l2_tile16E2As" "As".
void blame_demangle(char out[FINDING_SYMBOL], const char *name);

#endif
