// Computes for how long operations of a host program overlap, and for how long an engine (kernels, a kind of copy, or
// the host) works alone. A span is an operation in the timeline of the host program, and an edge is the time at which a
// span starts or ends. No operation starts or ends between two neighbouring edges, so the same operations run all the
// time between them. The functions of timeline.c therefore go from edge to edge (start or end of an operation), and
// examine the running operations once at each edge.
#include <string.h>

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

// Returns an operation (span) that runs at time `now` if all operations that run at this time use the same engine
// (kernels, a kind of copy, or the host) of the same device. Returns NULL if operations that run at time `now` use
// different engines or devices, or if no operation runs. Sets *busy to 1 if any operation runs at `now`, otherwise to
// 0.
static const struct lab_span *only_one(const struct lab_timeline *t, uint64_t now, int *busy)
{
    const struct lab_span *one = NULL;
    *busy = 0;
    for (uint32_t i = 0; i < t->count; ++i) {
        const struct lab_span *s = &t->span[i];
        if (s->start_ps > now || now >= s->end_ps) continue;
        *busy = 1;
        if (one && (s->engine != one->engine || s->device != one->device)) return NULL;
        one = s;
    }
    return one;
}

uint64_t lab_alone(const struct lab_timeline *t, uint64_t alone[LAB_ENGINES])
{
    uint64_t idle = 0;
    memset(alone, 0, LAB_ENGINES * sizeof *alone);
    for (uint64_t now = 0, next; now < t->time_ps; now = next) {
        int busy;
        const struct lab_span *one = only_one(t, now, &busy);
        next = next_edge(t, now);
        if (next > t->time_ps) next = t->time_ps;
        if (one) alone[one->engine] += next - now;
        if (!busy) idle += next - now;
    }
    return idle;
}
