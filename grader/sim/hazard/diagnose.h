// Builds findings about memory accesses. A finding names the array, the offset in the array and the array's size.
#ifndef SIM_HAZARD_DIAGNOSE_H
#define SIM_HAZARD_DIAGNOSE_H

#include "sim/core/access.h"
#include "sim/core/region.h"

// The array that an address belongs to. The fields have the same meaning as the fields of struct finding.
struct diagnose_target {
    int32_t buffer, var;
    int64_t offset;
    uint64_t extent;
};
// Returns the buffer or variable in whose span a global address lies. If no span contains the address, `buffer` and
// `var` are -1, and `offset` is the address.
struct diagnose_target diagnose_global(struct sim_memory *, uint64_t address);
// Returns the .shared variable that a shared address belongs to. `symbol`: the variable that the address is derived
// from. `symbol` -1: that variable is unknown, and the function returns the last variable that starts at or before the
// address, or else the first. If the kernel has no .shared variable, `var` is -1.
struct diagnose_target diagnose_shared(const struct sim_memory *, int32_t symbol, uint64_t address);

// Records a finding of kind `kind` about one lane's access. `space`: enum memory_space. `at`: the global address, or
// the offset in the space's window.
void diagnose_access(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                     enum finding_kind kind, uint64_t at);
// Returns the finding that diagnose_access() would record, without recording it. The caller may add to the finding.
struct finding diagnose_finding(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                                enum finding_kind kind, uint64_t at);

#endif
