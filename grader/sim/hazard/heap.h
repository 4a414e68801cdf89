// Keeps track of the heap blocks that malloc() of device code takes from a heap, and that free() gives back.
//
// All sizes and offsets are in bytes. An offset counts from the start of the heap.
#ifndef SIM_HAZARD_HEAP_H
#define SIM_HAZARD_HEAP_H

#include <stdint.h>

#include "engine/finding.h"

struct heap;

enum { HEAP_ALIGNMENT = 16 };
#define HEAP_FULL UINT64_MAX

// Says whether memory of the heap may be accessed.
enum heap_state {
    HEAP_TAKEN,   // the bytes lie in one heap block
    HEAP_FREED,   // the bytes lie in a heap block that was freed
    HEAP_OUTSIDE, // at least one byte lies in no heap block
};

// Describes a heap block: its place in the heap, and the calls of malloc() and free().
struct heap_block {
    uint64_t offset, bytes;
    struct finding_place made, freed; // freed: valid after the heap block was freed
};

// Returns an empty heap of `bytes` bytes. The caller frees the heap with heap_free().
struct heap *heap_new(uint64_t bytes);
void heap_free(struct heap *);
// Takes a heap block of `bytes` bytes. `made` is the call of malloc(). Adds to *steps the number of heap blocks and
// units of 16 bytes that the search visited. Returns the heap block's offset, a multiple of HEAP_ALIGNMENT, or
// HEAP_FULL.
uint64_t heap_take(struct heap *, uint64_t bytes, const struct finding_place *made, uint64_t *steps);
// Gives back the heap block that starts at an offset. `freed` is the call of free(). Returns HEAP_TAKEN, or HEAP_FREED
// if the heap block was freed before, or HEAP_OUTSIDE if no heap block starts at this offset.
enum heap_state heap_give(struct heap *, uint64_t offset, const struct finding_place *freed);
// Returns the state of the bytes [offset, offset + bytes).
enum heap_state heap_state_of(const struct heap *, uint64_t offset, uint64_t bytes);
// Returns the heap block to which a good or bad access at an offset most probably belongs, or NULL if there is none.
// The returned struct is valid until the next call of heap_take() or heap_restore().
const struct heap_block *heap_block_near(const struct heap *, uint64_t offset);
// Saves the state of the heap, returns to the saved state, and drops the saved state.
void heap_save(struct heap *);
void heap_restore(struct heap *);
void heap_forget(struct heap *);

#endif
