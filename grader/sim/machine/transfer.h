// Copies elements between register rows and host memory.
#ifndef SIM_MACHINE_TRANSFER_H
#define SIM_MACHINE_TRANSFER_H

#include "sim/core/access.h"
#include "sim/core/vector_level.h"

// Where the data of an access lies.
struct access_lanes {
    uint32_t mask;             // lanes that take part
    uint8_t *host[WARP_LANES]; // [lane]: host address of the lane's first element
};

#define transfer_load SIM_NAME(transfer_load)
#define transfer_store SIM_NAME(transfer_store)
#define transfer_zero SIM_NAME(transfer_zero)
// Copies the lanes' elements from memory to rows, extended to the rows' width.
void transfer_load(const struct sim_access *, const struct access_lanes *, void *const row[]);
// Copies the lanes' elements from rows to memory, cut to the element's width.
void transfer_store(const struct sim_access *, const struct access_lanes *, const void *const row[]);
// Sets the elements of the lanes in `mask` to 0 in the rows.
void transfer_zero(const struct sim_access *, uint32_t mask, void *const row[]);

#endif
