// Copies array elements between a warp's registers and host memory. The register for element e is the array row[e],
// which holds a->row_bytes bytes for each lane (a: the struct sim_access).
#ifndef SIM_MACHINE_TRANSFER_H
#define SIM_MACHINE_TRANSFER_H

#include "sim/core/access.h"
#include "sim/core/vector_level.h"

// Holds the host addresses that the lanes of one memory access use.
struct access_lanes {
    uint32_t mask;             // lanes that take part
    uint8_t *host[WARP_LANES]; // [lane]: host address of the lane's first element
};

#define transfer_load SIM_NAME(transfer_load)
#define transfer_store SIM_NAME(transfer_store)
#define transfer_zero SIM_NAME(transfer_zero)
// Copies the lanes' elements from host memory to registers. Elements that are narrower than a lane's value in the
// register are sign- or zero-extended.
void transfer_load(const struct sim_access *, const struct access_lanes *, void *const row[]);
// Copies the lanes' elements from registers to host memory, and truncates values that are wider than an element in
// memory.
void transfer_store(const struct sim_access *, const struct access_lanes *, const void *const row[]);
// Sets the registers row[e] to 0 in the lanes of `mask`.
void transfer_zero(const struct sim_access *, uint32_t mask, void *const row[]);

#endif
