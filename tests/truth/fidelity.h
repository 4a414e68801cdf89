// A launch of one of the tables of tests/truth, as a card and as the simulator saw it.
#ifndef TRUTH_FIDELITY_H
#define TRUTH_FIDELITY_H

#include <stdint.h>

#include "engine/observation.h"

enum { TRUTH_ROWS = 256 };
#define TRUTH_ABSENT UINT64_MAX // the card's counter was not measured in this row

// What both have: the simulator's counter, the card's column in the tables.
#define TRUTH_COUNTERS(X)                                                                                              \
    X(warp_inst, "inst")                                                                                               \
    X(thread_inst, "thread_inst")                                                                                      \
    X(global_ld_requests, "global_ld_requests")                                                                        \
    X(global_ld_sectors, "global_ld_sectors")                                                                          \
    X(global_ld_l1_hit_sectors, "global_ld_l1_hit_sectors")                                                            \
    X(global_st_requests, "global_st_requests")                                                                        \
    X(global_st_sectors, "global_st_sectors")                                                                          \
    X(local_ld_requests, "local_ld_requests")                                                                          \
    X(local_ld_sectors, "local_ld_sectors")                                                                            \
    X(local_st_requests, "local_st_requests")                                                                          \
    X(local_st_sectors, "local_st_sectors")                                                                            \
    X(global_red_requests, "global_red_requests")                                                                      \
    X(global_red_sectors, "global_red_sectors")                                                                        \
    X(global_atom_requests, "global_atom_requests")                                                                    \
    X(global_atom_sectors, "global_atom_sectors")                                                                      \
    X(shared_ld_inst, "shared_ld_inst")                                                                                \
    X(shared_ld_wavefronts, "shared_ld_wavefronts")                                                                    \
    X(shared_st_inst, "shared_st_inst")                                                                                \
    X(shared_st_wavefronts, "shared_st_wavefronts")                                                                    \
    X(shared_atom_inst, "shared_atom_inst")                                                                            \
    X(shared_atom_wavefronts, "shared_atom_wavefronts")                                                                \
    X(lsu_wavefronts, "lsu_wavefronts")                                                                                \
    X(l2_ld_sectors, "l2_read_sectors")                                                                                \
    X(l2_st_sectors, "l2_write_sectors")                                                                               \
    X(dram_ld_bytes, "dram_read_bytes")                                                                                \
    X(dram_st_bytes, "dram_write_bytes")

struct truth_row {
    char kernel[64], kind[8]; // what the arguments are: see fidelity.c
    uint32_t grid[2], block[2], shared;
    long dim[3];
    char values; // r: random, u: uniform bins, s: skewed, c: one bin
    double card_us, sim_us;
    uint32_t card_registers;
    struct counters card;
    // The wavefronts of shared memory of one block alone on the card: not measured, what the model says, or other.
    enum { ALONE_UNKNOWN, ALONE_EXACT, ALONE_DIFFERS } alone;
    struct observation *sim; // of the sampled launch
    double full_us;          // time of all blocks executed; 0: not measured
};

// Prints the table and the figures of rows first … rows - 1; pairs may have their other half before these. Writes the
// same as a CSV file. (figures.c)
void truth_print(const struct truth_row *, int first, int rows);
void truth_write(const struct truth_row *, int rows, const char *path);

#endif
