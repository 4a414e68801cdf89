// Implements the gpu engine's operations on buffers in the memory of a real GPU.
//
// Each time the judge renews a buffer with gpu_buffer_renew(), the buffer moves to the next of its GPU_PLACES
// allocations. In its new allocation, the buffer begins at a varying multiple of 256 bytes. A kernel therefore cannot
// recognise an input by its address, and cannot reuse a result that an earlier launch has stored. The gpu engine does
// not free or replace a buffer's allocations between launches. New memory would disturb the measurement, because a
// kernel's first accesses to new memory wait for page tables.
#include "gpu/card.h"

enum { ALIGN = 256, OFFSETS = 16, WORD = 4 };

static uint64_t padded(uint64_t bytes)
{
    return (bytes + WORD - 1) / WORD * WORD;
}

// Moves the buffer to its next allocation, at a new offset. Returns 0, or -1 if the GPU's memory is full.
static int move(struct engine *e, struct gpu_buffer *b)
{
    uint64_t all = ENGINE_GUARD + ALIGN * (OFFSETS - 1) + padded(b->bytes) + ENGINE_GUARD;
    b->place = (b->place + 1) % GPU_PLACES;
    if (!b->at[b->place] && e->driver->alloc(&b->at[b->place], all)) return -1;
    b->data = b->at[b->place] + ENGINE_GUARD + ALIGN * (uint64_t)(e->fresh++ * 7 % OFFSETS);
    return 0;
}

static struct gpu_buffer *find(struct engine *e, int index)
{
    return index >= 0 && index < ENGINE_BUFFERS && e->buffer[index].data ? &e->buffer[index] : NULL;
}

// Returns the buffer number `index` if bytes [offset, offset + bytes) lie in the buffer or in its guard zones, else
// NULL.
static struct gpu_buffer *piece(struct engine *e, int index, int64_t offset, uint64_t bytes)
{
    struct gpu_buffer *b = find(e, index);
    if (e->spoilt || !b || offset < -ENGINE_GUARD || bytes > INT64_MAX) return NULL;
    uint64_t from = (uint64_t)(offset + ENGINE_GUARD), all = b->bytes + 2 * ENGINE_GUARD;
    return from <= all && bytes <= all - from ? b : NULL;
}

int gpu_buffer_alloc(struct engine *e, uint64_t bytes, uint32_t element)
{
    (void)element;
    if (e->spoilt || bytes > e->card.memory_bytes) return -1;
    for (int i = 0; i < ENGINE_BUFFERS; ++i) {
        if (e->buffer[i].data) continue;
        e->buffer[i].bytes = bytes;
        return move(e, &e->buffer[i]) ? -1 : i;
    }
    return -1;
}

int gpu_buffer_write(struct engine *e, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison)
{
    (void)poison;
    struct gpu_buffer *b = piece(e, buffer, offset, bytes);
    return !b || (bytes && e->driver->copy_in(b->data + (uint64_t)offset, data, bytes)) ? -1 : 0;
}

int gpu_buffer_read(struct engine *e, int buffer, int64_t offset, void *data, uint64_t bytes)
{
    struct gpu_buffer *b = piece(e, buffer, offset, bytes);
    return !b || (bytes && e->driver->copy_out(data, b->data + (uint64_t)offset, bytes)) ? -1 : 0;
}

int gpu_buffer_renew(struct engine *e, int buffer, int from, uint32_t word)
{
    struct gpu_buffer *b = find(e, buffer), *source = find(e, from);
    if (e->spoilt || !b || (from != -1 && (!source || source->bytes != b->bytes))) return -1;
    if (move(e, b)) return -1;
    uint64_t words = (padded(b->bytes) + 2 * ENGINE_GUARD) / WORD;
    if (e->driver->fill(b->data - ENGINE_GUARD, word, words, NULL)) return -1;
    return source && b->bytes && e->driver->copy_within(b->data, source->data, b->bytes, NULL) ? -1 : 0;
}

void gpu_buffer_free_all(struct engine *e)
{
    for (int i = 0; i < ENGINE_BUFFERS; ++i) {
        for (int p = 0; p < GPU_PLACES; ++p)
            if (e->buffer[i].at[p]) e->driver->free(e->buffer[i].at[p]);
        e->buffer[i] = (struct gpu_buffer){0};
    }
}
