// Keeps track of the heap blocks that malloc() of device code takes from a heap, and that free() gives back.
//
// All sizes and offsets are in bytes. An offset is the distance of a byte from the start of the heap.
#ifndef SIM_HAZARD_HEAP_H
#define SIM_HAZARD_HEAP_H

#include <stdint.h>

#include "engine/finding.h"

struct heap;

enum { HEAP_ALIGNMENT = 16 };
#define HEAP_FULL UINT64_MAX

// Says whether a range of bytes of the heap may be accessed.
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
// Allocates a heap block of `bytes` bytes. `made` describes the call of malloc(): its source position and its thread.
// Adds to *steps the number of heap blocks and of 16-byte units that the search for free memory visited. Returns the
// heap block's offset, a multiple of HEAP_ALIGNMENT, or HEAP_FULL.
uint64_t heap_take(struct heap *, uint64_t bytes, const struct finding_place *made, uint64_t *steps);
// Frees the heap block that starts at an offset of the heap. `freed` describes the call of free(): its source position
// and its thread. Returns HEAP_TAKEN if it freed the heap block, HEAP_FREED if the heap block was freed before, or
// HEAP_OUTSIDE if no heap block starts at this offset.
enum heap_state heap_give(struct heap *, uint64_t offset, const struct finding_place *freed);
// Returns whether the bytes [offset, offset + bytes) of the heap lie in an allocated heap block (HEAP_TAKEN), in a
// freed heap block (HEAP_FREED), or neither (HEAP_OUTSIDE).
enum heap_state heap_state_of(const struct heap *, uint64_t offset, uint64_t bytes);
// Returns the heap block for which an access at an offset of the heap was most probably meant, even if the access lies
// outside it. Returns NULL if no heap block is at or just before the offset. The returned struct is valid until the
// next call of heap_take() or heap_restore().
const struct heap_block *heap_block_near(const struct heap *, uint64_t offset);
// Saves the state of the heap (heap_save), returns to the saved state (heap_restore), or frees the saved state
// (heap_forget).
void heap_save(struct heap *);
void heap_restore(struct heap *);
void heap_forget(struct heap *);

#endif
