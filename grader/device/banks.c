// Computes the cost of shared-memory accesses as banks.h describes. An access to shared memory takes one or more
// phases, and struct phase holds the distinct words that one phase accesses in each bank. The words of one bank form a
// list that the array `next` of struct phase links.
#include "device/banks.h"

#include <string.h>

struct phase {
    uint8_t head[BANKS];  // 1 + index of the last word added to the bank; 0: none
    uint8_t count[BANKS]; // distinct words accessed in the bank
    uint8_t next[BANKS_LANES * 4];
    uint64_t word[BANKS_LANES * 4];
    uint32_t words, busiest;
};

static void add_word(struct phase *p, uint64_t word, int shared)
{
    uint32_t bank = word % BANKS;
    for (uint32_t i = p->head[bank]; shared && i; i = p->next[i - 1]) {
        if (p->word[i - 1] == word) return;
    }
    p->word[p->words] = word;
    p->next[p->words] = p->head[bank];
    p->head[bank] = (uint8_t)++p->words;
    if (++p->count[bank] > p->busiest) p->busiest = p->count[bank];
}

// Returns 1 if every lane n in `mask` has the same address as lane n ^ `partner`. A lane n whose lane n ^ `partner` is
// not in `mask` has nothing to compare with and is skipped.
static int agree_in_pairs(const uint64_t *address, uint32_t mask, uint32_t partner)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), other = lane ^ partner;
        if ((mask >> other & 1) && address[lane] != address[other]) return 0;
    }
    return 1;
}

static uint32_t words_of(uint32_t bytes)
{
    return bytes <= BANK_BYTES ? 1 : bytes / BANK_BYTES;
}

// Returns the number of lanes that one phase of the access serves (banks.h explains the phases of an access).
static uint32_t phase_lanes(const uint64_t *address, uint32_t mask, uint32_t words, enum bank_kind kind)
{
    uint32_t lanes = BANKS_LANES / words;
    if (words > 1 && kind == BANKS_LOAD && (agree_in_pairs(address, mask, 1) || agree_in_pairs(address, mask, 2)))
        lanes *= 2;
    return lanes;
}

// Returns the lanes in `mask` that belong to the phase that starts at lane `at` and has `lanes` lanes.
static uint32_t phase_mask(uint32_t mask, uint32_t at, uint32_t lanes)
{
    return mask & (uint32_t)((((uint64_t)1 << lanes) - 1) << at);
}

enum { LEVELS = 4 };

// Computes the cost of a warp's access whose addresses do not descend from lane to lane, such as a strided access or a
// broadcast. Returns the number of distinct words in the busiest bank. Returns 0 if the addresses descend anywhere, or
// if a bank has more than LEVELS distinct words. If addresses never descend, a lane accesses a new word exactly if its
// word differs from the previous lane's word. Bit b of level[k] is 1 if the lanes processed so far access more than k
// distinct words in bank b.
static uint32_t busiest_ascending(const uint64_t *address, uint32_t mask)
{
    uint32_t level[LEVELS] = {0}, over = 0;
    uint64_t before = address[__builtin_ctz(mask)] / BANK_BYTES;
    level[0] = 1u << before % BANKS;
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        uint64_t word = address[__builtin_ctz(left)] / BANK_BYTES;
        if (word < before) return 0;
        uint32_t bank = (uint32_t)(word != before) << word % BANKS;
        over |= level[3] & bank;
        level[3] |= level[2] & bank;
        level[2] |= level[1] & bank;
        level[1] |= level[0] & bank;
        level[0] |= bank;
        before = word;
    }
    return over ? 0 : level[3] ? 4 : level[2] ? 3 : level[1] ? 2 : 1;
}

struct bank_cost banks_access(const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes, enum bank_kind kind)
{
    struct bank_cost cost = {0, 0};
    uint32_t words = words_of(bytes), lanes = phase_lanes(address, mask, words, kind), fewest = 0;
    uint32_t busiest = words == 1 && mask && kind != BANKS_ATOMIC ? busiest_ascending(address, mask) : 0;
    if (busiest) return (struct bank_cost){.wavefronts = busiest, .conflicts = busiest - 1};
    for (uint32_t at = 0; at < BANKS_LANES; at += lanes) {
        uint32_t part = phase_mask(mask, at, lanes);
        if (!part) continue;
        struct phase p;
        memset(p.head, 0, sizeof p.head);
        memset(p.count, 0, sizeof p.count);
        p.words = p.busiest = 0;
        for (uint32_t left = part; left; left &= left - 1) {
            uint64_t word = address[__builtin_ctz(left)] / BANK_BYTES;
            for (uint32_t i = 0; i < words; i++) add_word(&p, word + i, kind != BANKS_ATOMIC);
        }
        cost.wavefronts += p.busiest;
        fewest++;
    }
    cost.conflicts = cost.wavefronts - fewest;
    return cost;
}

// Assigns a word to the first pass (wavefront) of an access, from pass `from` on, in which the word's bank delivers no
// other word. If `shared` is 1, place_word() also accepts a pass in which the word's bank already delivers the same
// word to another lane.
static void place_word(struct bank_steps *out, uint32_t from, uint64_t word, uint32_t lane, int shared)
{
    uint32_t bank = word % BANKS, at = from;
    while (at < out->count && out->step[at].lanes[bank] && !(shared && out->step[at].word[bank] == word)) at++;
    if (at == BANKS_STEPS) return;
    if (at == out->count) out->count++;
    out->step[at].lanes[bank] |= 1u << lane;
    out->step[at].word[bank] = word;
}

void banks_steps(struct bank_steps *out, const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes,
                 enum bank_kind kind)
{
    uint32_t words = words_of(bytes), lanes = phase_lanes(address, mask, words, kind);
    memset(out, 0, sizeof *out);
    for (uint32_t at = 0; at < BANKS_LANES; at += lanes) {
        uint32_t from = out->count;
        for (uint32_t left = phase_mask(mask, at, lanes); left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            for (uint32_t i = 0; i < words; i++)
                place_word(out, from, address[lane] / BANK_BYTES + i, lane, kind != BANKS_ATOMIC);
        }
    }
}

uint32_t banks_atomic_serial(const uint64_t address[BANKS_LANES], uint32_t mask)
{
    uint32_t most = 0;
    for (uint32_t left = mask; left;) {
        uint64_t first = address[__builtin_ctz(left)];
        uint32_t same = 0;
        for (uint32_t rest = left; rest; rest &= rest - 1) {
            if (address[__builtin_ctz(rest)] == first) same |= rest & -rest;
        }
        uint32_t lanes = (uint32_t)__builtin_popcount(same);
        if (lanes > most) most = lanes;
        left &= ~same;
    }
    return most;
}
