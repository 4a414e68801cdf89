// Overlap in a host program's timeline. Between two edges, beginnings or ends of spans, nothing changes: so it is
// enough to look once at each such stretch.
#include "lab/lab.h"

static uint64_t next_edge(const struct lab_timeline *t, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < t->count; ++i) {
        const struct lab_span *s = &t->span[i];
        if (s->start_ps > now && s->start_ps < next) next = s->start_ps;
        if (s->end_ps > now && s->end_ps < next) next = s->end_ps;
    }
    return next;
}

static int two_keys(const struct lab_timeline *t, uint64_t now, int (*key)(const struct lab_span *))
{
    int first = -1;
    for (uint32_t i = 0; i < t->count; ++i) {
        const struct lab_span *s = &t->span[i];
        int k = s->start_ps <= now && now < s->end_ps ? key(s) : -1;
        if (k >= 0 && first >= 0 && k != first) return 1;
        if (k >= 0) first = k;
    }
    return 0;
}

uint64_t lab_overlap(const struct lab_timeline *t, int (*key)(const struct lab_span *))
{
    uint64_t sum = 0;
    for (uint64_t now = 0, next; (next = next_edge(t, now)) != UINT64_MAX; now = next)
        if (two_keys(t, now, key)) sum += next - now;
    return sum;
}
