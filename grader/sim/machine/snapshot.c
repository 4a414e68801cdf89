// Takes copy-on-write snapshots of regions; snapshot.h states the contracts.
//
// Theory of operation. A memory region is divided into chunks of CHUNK bytes. Before the first write to a chunk, the
// thread that will write copies the chunk and its map of written words under the snapshot's lock. When the chunk is
// copied, the copying thread sets the chunk's entry of the array `kept` to 1 with a release store. Every other thread
// writes to the chunk only after it has read a 1 from the chunk's entry of `kept`, either by an acquire load or under
// the snapshot's lock. No thread therefore writes to a chunk before the copy of the chunk is complete. The function
// snapshot_restore() copies the saved chunks back to the region and keeps the copies. The next run of the launch starts
// with the restored bytes, so the saved copies stay valid.
#include "sim/machine/snapshot.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "sim/core/region.h"

enum { CHUNK_SHIFT = 14, CHUNK = 1 << CHUNK_SHIFT, LINES_SHIFT = CHUNK_SHIFT - 7 };

struct piece { // the copy of one chunk: the chunk's bytes, followed by its part of the map of written words
    struct piece *next;
    uint64_t chunk;
    uint8_t bytes[];
};
struct snapshot {
    uint8_t *kept; // [chunks]: 1: the chunk has been copied
    uint64_t chunks;
    struct piece *pieces;
    pthread_mutex_t lock;
};

struct snapshot *snapshot_new(const struct sim_region *r)
{
    struct snapshot *s = alloc_zeroed(1, sizeof *s);
    s->chunks = r->bytes / CHUNK + 1;
    s->kept = alloc_zeroed(s->chunks, 1);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void snapshot_free(struct snapshot *s)
{
    if (!s) return;
    for (struct piece *p = s->pieces, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    pthread_mutex_destroy(&s->lock);
    free(s->kept);
    free(s);
}

// Returns the size of a chunk in bytes; the region's last chunk may be smaller than CHUNK.
static uint64_t bytes_of(const struct sim_region *r, uint64_t chunk)
{
    uint64_t from = chunk * CHUNK;
    return r->bytes - from < CHUNK ? r->bytes - from : CHUNK;
}

// Copies a chunk and its map of written words, unless another thread has copied the chunk already.
static void keep(struct snapshot *s, const struct sim_region *r, uint64_t chunk)
{
    pthread_mutex_lock(&s->lock);
    if (!s->kept[chunk]) {
        uint64_t bytes = bytes_of(r, chunk), words = (bytes + 3) / 4, map = r->all_written ? 0 : words;
        struct piece *p = alloc_bytes(sizeof *p + bytes + map);
        p->chunk = chunk;
        memcpy(p->bytes, r->data + chunk * CHUNK, bytes);
        if (map) memcpy(p->bytes + bytes, r->written + chunk * (CHUNK / 4), map);
        p->next = s->pieces;
        s->pieces = p;
        __atomic_store_n(&s->kept[chunk], 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&s->lock);
}

void snapshot_keep(struct snapshot *s, const struct sim_region *r, const struct footprint *lines)
{
    for (uint32_t i = 0; i < lines->cells; i++) {
        uint64_t chunk = (lines->cell[i] - r->base / COALESCE_LINE) >> LINES_SHIFT;
        BUG_ON(chunk >= s->chunks);
        if (!__atomic_load_n(&s->kept[chunk], __ATOMIC_ACQUIRE)) keep(s, r, chunk);
    }
}

void snapshot_keep_range(struct snapshot *s, const struct sim_region *r, uint64_t from, uint64_t to)
{
    for (uint64_t chunk = from / CHUNK; chunk * CHUNK < to; chunk++)
        if (!__atomic_load_n(&s->kept[chunk], __ATOMIC_ACQUIRE)) keep(s, r, chunk);
}

void snapshot_restore(struct snapshot *s, struct sim_region *r)
{
    for (const struct piece *p = s->pieces; p; p = p->next) {
        uint64_t bytes = bytes_of(r, p->chunk), words = (bytes + 3) / 4;
        memcpy(r->data + p->chunk * CHUNK, p->bytes, bytes);
        if (!r->all_written) memcpy(r->written + p->chunk * (CHUNK / 4), p->bytes + bytes, words);
    }
}
