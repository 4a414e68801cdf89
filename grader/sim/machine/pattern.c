// Computes the address patterns of memory accesses and their costs; pattern.h states the contracts.
#include "sim/machine/pattern.h"

#include <string.h>

#include "device/banks.h"
#include "sim/core/access.h"

enum { FAR = 1 << 30 }; // largest distance, in bytes, of a segment from the first lane's word

// Returns 1 if the eight lanes of a segment access one word or eight consecutive words. Sets *uniform to 1 if all lanes
// of the segment access the same word.
static int segment_shape(const uint64_t *address, int *uniform)
{
    uint64_t same = 0, next = 0;
    for (uint32_t i = 0; i < SEGMENT; i++) {
        same |= address[i] ^ address[0];
        next |= address[i] ^ (address[0] + 4 * i);
    }
    *uniform = !same;
    return !same || !next;
}

static int is_uniform(const struct pattern *s, uint32_t k)
{
    return s->uniform >> k & 1;
}

// Finds segments (groups of eight lanes) that access the same words, and sets the pattern's fields `again`, `twin` and
// `distinct`.
static void compare_segments(struct pattern *s)
{
    s->again = 0;
    s->distinct = !s->uniform;
    memset(s->twin, 0, sizeof s->twin);
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        if (!(s->active >> k & 1)) continue;
        for (uint32_t n = k; n < SEGMENTS; n++) {
            if (!(s->active >> n & 1)) continue;
            int32_t apart = s->at[n] - s->at[k];
            int same = apart == 0 && is_uniform(s, n) == is_uniform(s, k);
            if (same) s->twin[k] |= (uint8_t)(1 << n);
            if (same && n > k) s->again |= (uint8_t)(1 << n);
            if (n > k && apart > -4 * SEGMENT && apart < 4 * SEGMENT) s->distinct = 0;
        }
    }
}

// Returns the number of words that the busiest bank of shared memory must deliver, 1 to 4. Bit-sliced counters count,
// for all 32 banks at once, how many segments (groups of eight lanes) access each bank. Returns 0 if two segments of
// lanes share some but not all of their words, because the counters would then count shared words twice.
static uint32_t count_banks(const struct pattern *s)
{
    uint32_t ones = 0, twos = 0, fours = 0;
    if (s->span <= BANKS * BANK_BYTES) return 1;
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        if (!(s->active >> k & 1) || (s->again >> k & 1)) continue;
        for (uint32_t n = 0; n < k; n++) {
            int32_t apart = s->at[k] - s->at[n];
            if ((s->active >> n & 1) && !(s->twin[n] >> k & 1) && apart > -4 * SEGMENT && apart < 4 * SEGMENT) return 0;
        }
        uint32_t banks = is_uniform(s, k) ? 1 : 0xff, bank = (uint32_t)s->at[k] / BANK_BYTES % BANKS;
        banks = banks << bank | (uint32_t)((uint64_t)banks << bank >> BANKS);
        fours |= twos & ones & banks;
        twos ^= ones & banks;
        ones ^= banks;
    }
    return fours ? 4 : twos & ones ? 3 : twos ? 2 : 1;
}

// Returns 1 if all lanes take part and each half of the warp (16 lanes) accesses only words among 16 consecutive words.
// The word that the lowest lane of a half-warp accesses must be the first of the 16 consecutive words.
static int is_halves(const struct pattern *s)
{
    if (s->active != 0xf) return 0;
    for (uint32_t k = 0; k < SEGMENTS; k += 2) {
        int32_t apart = s->at[k + 1] - s->at[k], bytes = is_uniform(s, k + 1) ? 4 : 4 * SEGMENT;
        if (apart < 0 || apart + bytes > 8 * SEGMENT) return 0;
    }
    return 1;
}

int pattern_learn(struct pattern *s, const void *row, int wide, uint32_t mask, const struct sim_access *a)
{
    uint64_t address[WARP_LANES];
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    int64_t lo = INT32_MAX, hi = INT32_MIN;
    s->mask = 0;
    s->before = 0;
    s->active = s->uniform = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) address[i] = pattern_address(row, wide, i);
    const uint64_t origin = address[first];
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        uint32_t lanes = mask >> (k * SEGMENT) & 0xff;
        int uniform;
        if (!lanes) continue;
        if (lanes != 0xff || !segment_shape(address + k * SEGMENT, &uniform)) return 0;
        int64_t at = (int64_t)(address[k * SEGMENT] - origin), end = at + (uniform ? 4 : 4 * SEGMENT);
        if (at < -FAR || at > FAR || at % 4) return 0;
        s->at[k] = (int32_t)at;
        s->active |= (uint8_t)(1 << k);
        s->uniform |= (uint8_t)(uniform << k);
        if (at < lo) lo = at;
        if (end > hi) hi = end;
    }
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        s->delta[i] = mask >> i & 1 ? (int32_t)(address[i] - origin) : 0;
        address[i] = (uint64_t)(4ll * FAR + s->delta[i]); // the number of bank conflicts does not depend on the base
    }
    s->first = first;
    s->lo = (int32_t)lo;
    s->span = (uint32_t)(hi - lo);
    s->mask = mask;
    compare_segments(s);
    s->halves = (uint8_t)is_halves(s);
    for (uint32_t i = 0; i < WARP_LANES; i++) s->word[i] = (uint8_t)((s->delta[i] - s->at[i / 16 * 2]) / 4);
    uint32_t wavefronts = a->merged ? 0 : count_banks(s);
    struct bank_cost cost = wavefronts ? (struct bank_cost){wavefronts, wavefronts - 1} : access_cost(a, address, mask);
    s->wavefronts = (uint8_t)cost.wavefronts;
    s->conflicts = (uint8_t)cost.conflicts;
    return 1;
}

void pattern_flush(struct pattern *s, const struct sim_access *a, struct counters *c)
{
    uint64_t runs = s->runs, wavefronts = runs * s->wavefronts;
    uint64_t bytes = runs * 4 * (uint64_t)__builtin_popcount(s->mask);
    int reads = a->kind == ACCESS_READ;
    s->runs = 0;
    if (a->space == SPACE_SHARED) {
        if (!a->counted) *(reads ? &c->shared_ld_inst : &c->shared_st_inst) += runs;
        *(reads ? &c->shared_ld_wavefronts : &c->shared_st_wavefronts) += wavefronts;
        *(reads ? &c->shared_ld_conflicts : &c->shared_st_conflicts) += runs * s->conflicts;
    } else {
        *(reads ? &c->global_ld_requests : &c->global_st_requests) += runs;
        *(reads ? &c->global_ld_bytes : &c->global_st_bytes) += bytes;
        if (!reads) wavefronts += runs; // a store takes one more wavefront, for its addresses
    }
    c->lsu_wavefronts += wavefronts;
}
