// Computes the transactions of an access on Kepler GPUs as segment.h describes. The lines and segments of an access are
// computed with the functions of coalesce.h. The code in this file joins 32-byte segments into transactions, which only
// Kepler GPUs do.
#include "device/segment.h"

static void add(struct segments *s, uint64_t address, uint32_t segments)
{
    s->item[s->count++] = (struct transaction){address, segments * SEGMENT_BYTES};
    s->bytes += segments * SEGMENT_BYTES;
}

void segment_transactions(struct segments *out, const uint64_t address[COALESCE_LANES], uint32_t mask, uint32_t bytes,
                          int cached)
{
    struct footprint f;
    out->count = out->bytes = 0;
    coalesce_footprint(&f, address, mask, bytes, 2);
    for (uint32_t i = 0; i < f.cells; i++) {
        uint64_t line = f.cell[i] * COALESCE_LINE;
        uint32_t asked = cached ? 0xf : coalesce_sectors_of(f.unit[i]);
        for (uint32_t size = 4; size; size /= 2) {
            uint32_t group = (1u << size) - 1;
            for (uint32_t at = 0; at < 4; at += size) {
                if ((asked >> at & group) != group) continue;
                add(out, line + (uint64_t)at * SEGMENT_BYTES, size);
                asked &= ~(group << at);
            }
        }
    }
}
