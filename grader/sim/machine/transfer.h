// Copies elements between register rows and host memory.
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
// Copies the lanes' elements from host memory to register rows. Elements that are narrower than a lane of the register
// row are sign- or zero-extended.
void transfer_load(const struct sim_access *, const struct access_lanes *, void *const row[]);
// Copies the lanes' elements from register rows to host memory, and truncates values that are wider than an element in
// memory.
void transfer_store(const struct sim_access *, const struct access_lanes *, const void *const row[]);
// Sets the elements of the lanes in `mask` to 0 in the register rows.
void transfer_zero(const struct sim_access *, uint32_t mask, void *const row[]);

#endif
