// Computes the footprint (the touched cache lines or sectors) and the L1 cost of a warp's access, as coalesce.h
// describes. The functions of coalesce.c process the lanes of a warp in ascending order. A footprint is a list of
// cells; each cell is a cache line or a sector that the access touches. A lane mostly accesses the same cache line or
// sector as the previous lane, or a cache line or sector that no lane has accessed yet. For speed, find_cell()
// therefore searches the list of touched cache lines or sectors from its end to its start.
#include "device/coalesce.h"

static uint32_t *find_cell(struct footprint *out, uint64_t cell)
{
    for (uint32_t i = out->cells; i-- > 0;) {
        if (out->cell[i] == cell) return &out->unit[i];
    }
    out->cell[out->cells] = cell;
    out->unit[out->cells] = 0;
    return &out->unit[out->cells++];
}

void coalesce_footprint(struct footprint *out, const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes,
                        uint32_t unit_shift)
{
    out->cells = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t first = address[__builtin_ctz(left)] >> unit_shift;
        uint64_t last = (address[__builtin_ctz(left)] + bytes - 1) >> unit_shift;
        while (first <= last) {
            uint32_t from = first & 31;
            uint64_t count = last - first + 1 < 32 - from ? last - first + 1 : 32 - from;
            *find_cell(out, first >> 5) |= (uint32_t)(((uint64_t)1 << count) - 1) << from;
            first += count;
        }
    }
}

void coalesce_atomic(const struct footprint *f, const uint64_t address[COALESCE_LANES], uint32_t mask,
                     uint16_t operations[COALESCE_CELLS])
{
    for (uint32_t i = 0; i < f->cells; i++) {
        uint8_t lanes[32] = {0}, busiest[4] = {0};
        for (uint32_t left = mask; left; left &= left - 1) {
            uint64_t word = address[__builtin_ctz(left)] / 4;
            if (word / 32 != f->cell[i]) continue;
            uint8_t n = ++lanes[word % 32];
            if (n > busiest[word % 32 / 8]) busiest[word % 32 / 8] = n;
        }
        operations[i] = (uint16_t)(busiest[0] + busiest[1] + busiest[2] + busiest[3]);
    }
}

struct coalesced coalesce(const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes)
{
    struct footprint f;
    coalesce_footprint(&f, address, mask, bytes, 2);
    struct coalesced c = {.requests = mask != 0, .lines = f.cells};
    for (uint32_t i = 0; i < f.cells; i++) c.sectors += (uint32_t)__builtin_popcount(coalesce_sectors_of(f.unit[i]));
    c.bytes = (uint32_t)__builtin_popcount(mask) * bytes;
    return c;
}
