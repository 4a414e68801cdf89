// An arena is a set of allocations that are freed all at once. For example, one arena holds all data of a parsed PTX
// module or of a test case's plan. When memory runs out, the functions of arena.h end the program (base/alloc.h). Only
// an arena with a limit can return NULL for an allocation.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_chunk *chunks; // list of chunks, the newest first; owned
    size_t used;                // bytes used in the newest chunk
    size_t total;               // bytes handed out so far
    size_t limit;               // upper bound of `total` in bytes; 0: no limit
    int full;                   // 1 after an allocation failed because of the limit
};

// Returns `bytes` zero bytes, aligned to ALLOC_ALIGNMENT bytes and owned by the arena. Returns NULL if the allocation
// would exceed the arena's limit.
void *arena_alloc(struct arena *a, size_t bytes);
// Returns `count` zero elements of `size` bytes each, owned by the arena. Returns NULL if the allocation would exceed
// the arena's limit.
void *arena_array(struct arena *a, size_t count, size_t size);
// Returns a copy of the first `length` bytes of `text` with a NUL at the end, owned by the arena. Returns NULL if the
// allocation would exceed the arena's limit.
char *arena_strndup(struct arena *a, const char *text, size_t length);
// Returns the formatted text, owned by the arena. Returns NULL if the allocation would exceed the arena's limit.
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Moves all memory of the arena `from` to the arena `into`. Pointers to allocations of the arena `from` stay valid
// after arena_join(). After arena_join(), the arena `from` is empty and keeps its limit.
void arena_join(struct arena *into, struct arena *from);
// Frees all memory of the arena. After arena_free(), the arena is empty and can be used again.
void arena_free(struct arena *a);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

#endif
