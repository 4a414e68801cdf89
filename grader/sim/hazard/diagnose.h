// Builds findings about memory accesses. A finding names the array, the offset in the array and the array's size.
#ifndef SIM_HAZARD_DIAGNOSE_H
#define SIM_HAZARD_DIAGNOSE_H

#include "sim/core/access.h"
#include "sim/core/region.h"

// Identifies the array that an address belongs to. The fields `buffer`, `offset` and `extent` of struct diagnose_target
// mean the same as the fields of the same names in struct finding. The field `var` is the index of a variable in the
// module, or -1 if no variable is known.
struct diagnose_target {
    int32_t buffer, var;
    int64_t offset;
    uint64_t extent;
};
// Returns the buffer or .global variable that owns the range of device addresses (span, core/region.h) in which the
// address lies. If no buffer and no .global variable owns the address, the fields `buffer` and `var` of the result are
// -1, and `offset` is the address itself.
struct diagnose_target diagnose_global(struct sim_memory *, uint64_t address);
// Returns the .shared variable that a shared-memory address belongs to. `symbol` is the index of the variable from
// which the program computed the address, or -1 if that variable is unknown. If `symbol` is -1, diagnose_shared()
// returns the last variable that starts at or before the address, or else the first variable. If the kernel has no
// .shared variable, the field `var` of the result is -1.
struct diagnose_target diagnose_shared(const struct sim_memory *, int32_t symbol, uint64_t address);

// Records a finding of kind `kind` about one lane's access. `space`: enum memory_space. `at` is the global address, or,
// in another memory space, the offset in that space.
void diagnose_access(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                     enum finding_kind kind, uint64_t at);
// Charges the launch's budget of instructions for one finding, as diagnose_finding() does.
void diagnose_charge(const struct sim_warp *);
// Returns the finding that diagnose_access() would record, without recording it. The caller may fill in further fields
// of the returned finding.
struct finding diagnose_finding(const struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane,
                                enum finding_kind kind, uint64_t at);

#endif
