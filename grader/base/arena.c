// See arena.h. An arena is a list of chunks of memory. Each new chunk is twice as large as the arena's previous chunk,
// up to LARGEST_CHUNK bytes. For an allocation that is larger than the next chunk would be, the arena makes a chunk of
// the allocation's size.
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hostile.h"

enum { FIRST_CHUNK = HOSTILE_BUILD ? 64 : 64 << 10, LARGEST_CHUNK = HOSTILE_BUILD ? 64 : 16 << 20 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size; // size of the data that follow this header, in bytes
    char pad[ALLOC_ALIGNMENT - 2 * sizeof(size_t)];
};

static struct arena_chunk *new_chunk(struct arena *a, size_t bytes)
{
    size_t size = a->chunks ? a->chunks->size * 2 : FIRST_CHUNK;
    if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
    if (size < bytes) size = bytes;
    struct arena_chunk *chunk = alloc_aligned(1, sizeof *chunk + size);
    chunk->next = a->chunks;
    chunk->size = size;
    a->chunks = chunk;
    a->used = 0;
    return chunk;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) alloc_failed(bytes);
    size_t rounded = (bytes + ALLOC_ALIGNMENT - 1) / ALLOC_ALIGNMENT * ALLOC_ALIGNMENT;
    if (a->limit && a->total + rounded > a->limit) {
        a->full = 1;
        return NULL;
    }
    struct arena_chunk *chunk = a->chunks;
    if (!chunk || chunk->size - a->used < rounded) chunk = new_chunk(a, rounded);
    void *memory = (char *)(chunk + 1) + a->used;
    a->used += rounded;
    a->total += rounded;
    return memset(memory, 0, rounded);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) alloc_failed(SIZE_MAX);
    return arena_alloc(a, bytes);
}

char *arena_strndup(struct arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(a, (size_t)length + 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void arena_join(struct arena *into, struct arena *from)
{
    struct arena_chunk *last = from->chunks;
    if (!last) return;
    while (last->next) last = last->next;
    if (into->chunks) { // insert the chunks of `from` behind the first chunk of `into`, which is still being filled
        last->next = into->chunks->next;
        into->chunks->next = from->chunks;
    } else {
        into->chunks = from->chunks;
        into->used = from->used;
    }
    into->total += from->total;
    *from = (struct arena){.limit = from->limit};
}

void arena_free(struct arena *a)
{
    while (a->chunks) {
        struct arena_chunk *next = a->chunks->next;
        free(a->chunks);
        a->chunks = next;
    }
    a->used = a->total = 0;
    a->full = 0;
}
