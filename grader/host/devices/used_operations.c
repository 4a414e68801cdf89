// Finds the operations of a host test that the outputs come from. A lab counts only these as work that overlaps: a
// kernel that computes nothing, or a copy of bytes that nobody reads, may stand beside the work, but is none of it.
//
// Each device memory region has a list of the operations that wrote its bytes last, in the timed part: copies, and
// launches of the lab's kernel. When such an operation reads the bytes of others, an edge leads from the reader to each
// of these writers. When the test is over, the copies to the host that brought the outputs are known, and the edges
// lead from them to the launches that computed the outputs, and on to the copies that brought the inputs. Operations
// have rising tickets and read only what earlier operations wrote, so one pass from the last edge to the first is
// enough. An operation that wrote mostly bytes that were never used is not used itself (SHARE); a program may copy a
// whole array to each of its devices.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/devices/devices.h"
#include "sim/machine/memory.h"

enum {
    SHARE = 16,          // an operation is used if at least one of so many bytes that it wrote is
    ENTRIES_AN_INST = 64 // entries of a list that are moved in about the time of one warp instruction
};

static struct devices_memory *device_memory(struct devices *m, int region)
{
    struct devices_memory *a = region < 0 ? NULL : devices_memory_of(m, region);
    return a && (a->kind == HOST_MEMORY_DEVICE || a->kind == HOST_MEMORY_NONE) ? a : NULL; // NONE: a variable
}

// Returns the index of the first entry that ends behind the offset `from`.
static uint32_t first_behind(const struct devices_memory *a, uint64_t from)
{
    uint32_t low = 0, high = a->nwriters;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->writer[middle].to > from)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void devices_use_wrote(struct devices *m, int region, uint64_t from, uint64_t to, uint64_t ticket)
{
    struct devices_memory *a = device_memory(m, region);
    if (!a || from >= to || (!ticket && !a->nwriters)) return;
    uint32_t i = first_behind(a, from), k = i, n = 0;
    struct devices_writer fresh[3];
    while (k < a->nwriters && a->writer[k].from < to) k++;
    if (i < k && a->writer[i].from < from)
        fresh[n++] = (struct devices_writer){a->writer[i].from, from, a->writer[i].ticket};
    if (ticket) fresh[n++] = (struct devices_writer){from, to, ticket};
    if (i < k && a->writer[k - 1].to > to)
        fresh[n++] = (struct devices_writer){to, a->writer[k - 1].to, a->writer[k - 1].ticket};
    if (devices_spend(m, (a->nwriters - k) / ENTRIES_AN_INST)) return;
    ALLOC_GROW(a->writer, a->writers_capacity, (uint64_t)a->nwriters + 3);
    memmove(a->writer + i + n, a->writer + k, (a->nwriters - k) * sizeof *a->writer);
    memcpy(a->writer + i, fresh, n * sizeof *fresh);
    a->nwriters += n - (k - i);
}

static void add(struct devices *m, uint64_t reader, uint64_t writer, uint64_t bytes)
{
    ALLOC_GROW(m->edge, m->edges_capacity, m->nedges + 1);
    m->edge[m->nedges++] = (struct devices_edge){reader, writer, bytes};
}

void devices_use_begins(struct devices *m, uint64_t ticket, uint64_t bytes)
{
    add(m, ticket, 0, bytes);
}

void devices_use_read(struct devices *m, int region, uint64_t from, uint64_t to, uint64_t ticket)
{
    const struct devices_memory *a = device_memory(m, region);
    for (uint32_t i = a ? first_behind(a, from) : 0; a && i < a->nwriters && a->writer[i].from < to; i++) {
        const struct devices_writer *w = &a->writer[i];
        add(m, ticket, w->ticket, (w->to < to ? w->to : to) - (w->from > from ? w->from : from));
    }
}

void devices_use_end(struct devices *m, uint64_t *used)
{
    for (uint64_t end = m->nedges, begin; end; end = begin) {
        uint64_t reader = m->edge[end - 1].reader;
        for (begin = end; begin && m->edge[begin - 1].reader == reader;) begin--;
        if (!used[reader] || used[reader] < m->edge[begin].bytes / SHARE) continue;
        if (m->op[reader].span >= 0) m->trace->span[m->op[reader].span].used = 1;
        for (uint64_t i = begin + 1; i < end; i++) used[m->edge[i].writer] += m->edge[i].bytes;
    }
}
