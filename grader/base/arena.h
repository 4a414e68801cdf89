// Arena: memory that is freed all at once. Everything parsed or planned for one job lives in one arena.
// Running out of memory ends the program with die(): no caller checks for NULL.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_chunk *chunks; // newest first; owned
    size_t used;                // bytes used in the newest chunk
    size_t total;               // bytes handed out so far
    size_t limit;               // most bytes that may be handed out; 0: no limit
    int full;                   // set when the limit was hit: arena_alloc then returned NULL
};

// Zeroed memory, aligned to 64 bytes (a cache line, and one AVX-512 register). With a limit set, NULL beyond it.
void *arena_alloc(struct arena *a, size_t bytes);
// `count` elements of `size` bytes; an overflowing product counts as out of memory.
void *arena_array(struct arena *a, size_t count, size_t size);
char *arena_strndup(struct arena *a, const char *text, size_t length); // adds the NUL
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arena_join(struct arena *into, struct arena *from); // what `from` handed out is `into`'s; `from` is empty
void arena_free(struct arena *a);                        // frees all; the arena is empty and usable again

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

#endif
