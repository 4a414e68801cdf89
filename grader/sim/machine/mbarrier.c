// Implements mbarriers, barriers that a kernel keeps in 64-bit words of shared memory; core/mbarrier.h states the
// contracts. Bits 0 to 19 of an mbarrier's word hold the number of arrivals that the current phase still needs. Bits 20
// to 39 of an mbarrier's word hold the number of arrivals that each phase expects. Bits 40 to 63 of an mbarrier's word
// hold the number of completed phases. Devices use another layout of the mbarrier word, on which programs must not
// rely.
#include "sim/core/mbarrier.h"

#include <string.h>

#include "sim/core/warp.h"
#include "sim/hazard/sync.h"

enum { COUNT_BITS = 20, COUNT_MASK = (1 << COUNT_BITS) - 1 };

static uint64_t word_of(uint32_t pending, uint32_t expected, uint32_t phase)
{
    return (uint64_t)phase << 2 * COUNT_BITS | (uint64_t)expected << COUNT_BITS | pending;
}

static uint32_t expected_of(uint64_t word)
{
    return (uint32_t)(word >> COUNT_BITS) & COUNT_MASK;
}

uint64_t mbarrier_fresh(uint32_t arrivals)
{
    return word_of(arrivals & COUNT_MASK, arrivals & COUNT_MASK, 0);
}

uint32_t mbarrier_phase(uint64_t word)
{
    return (uint32_t)(word >> 2 * COUNT_BITS);
}

uint32_t mbarrier_pending(uint64_t word)
{
    return (uint32_t)word & COUNT_MASK;
}

uint64_t mbarrier_arrived(uint64_t word, uint32_t atom, uint32_t arrivals)
{
    uint32_t pending = mbarrier_pending(word), expected = expected_of(word), phase = mbarrier_phase(word);
    if (atom == MBARRIER_DROP) expected = expected > arrivals ? expected - arrivals : 0;
    if (pending > arrivals || !arrivals) return word_of(pending - arrivals, expected, phase);
    return word_of(expected, expected, phase + 1);
}

// Returns the value of lane `lane` in the 64-bit register at offset `row` of the warp's register file.
static uint64_t wide(const struct warp *w, uint32_t row, uint32_t lane)
{
    uint64_t value;
    memcpy(&value, w->rows + row + 8 * lane, 8);
    return value;
}

void mbarrier_word(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        uint64_t word = mbarrier_fresh(warp_row(w, op->a)[i]);
        memcpy(w->rows + op->d + 8 * i, &word, 8);
    }
}

void mbarrier_count(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        warp_row(w, op->d)[i] = mbarrier_pending(wide(w, op->a, i));
    }
}

void mbarrier_test(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint32_t done = 0, *d = warp_pred(w, op->d);
    if (w->memory.block->worker->launch->request->without & WITHOUT_BLOCK_BARRIERS) {
        *d |= mask;
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left), now = mbarrier_phase(wide(w, op->a, i));
        int is_over = op->mode ? (now & 1) != (warp_row(w, op->b)[i] & 1) : now != mbarrier_phase(wide(w, op->b, i));
        if (is_over) done |= 1u << i;
    }
    *d = (*d & ~mask) | done;
    if (done) sync_acquire(&w->memory, done);
    if (done != mask) warp_yield(w, op);
}
