// Memory from the heap for callers that cannot go on without it. Each function here ends the program when memory runs
// out, so no caller checks for NULL. The caller owns the memory and passes it to free(). A size of 0 is allowed.
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

enum { ALLOC_ALIGNMENT = 64 }; // bytes: a cache line, and one AVX-512 register

// Returns `count` elements of `size` bytes, all zero.
void *alloc_zeroed(size_t count, size_t size);
// Returns `bytes` bytes, or `count` elements of `size` bytes, with undefined content.
void *alloc_bytes(size_t bytes);
void *alloc_array(size_t count, size_t size);
// The same, aligned to ALLOC_ALIGNMENT bytes. The memory extends to a multiple of ALLOC_ALIGNMENT.
void *alloc_aligned(size_t count, size_t size);
// Resizes `old` (NULL: nothing yet) to `count` elements of `size` bytes, as realloc does. New elements are undefined.
void *alloc_resize(void *old, size_t count, size_t size);
// Resizes `old` from `had` to `count` elements of `size` bytes; had <= count. New elements are zero.
void *alloc_extend(void *old, size_t had, size_t count, size_t size);
// Returns a copy of the `bytes` bytes at `from`.
void *alloc_copy(const void *from, size_t bytes);
// Returns a copy of `text`, or of its first `length` bytes at most, with a NUL at the end.
char *alloc_strdup(const char *text);
char *alloc_strndup(const char *text, size_t length);

// Returns `memory`, which another library allocated; ends the program if it is NULL.
void *alloc_checked(void *memory);

// Makes room for `count` elements in `array`. `capacity`, an integer variable, is the number of elements that fit; it
// grows by half at least. New elements are zero.
#define ALLOC_GROW(array, capacity, count)                                                                             \
    do {                                                                                                               \
        size_t had_ = (size_t)(capacity), count_ = (size_t)(count);                                                    \
        if (count_ <= had_) break;                                                                                     \
        count_ += had_ / 2 + 16;                                                                                       \
        (array) = alloc_extend((array), had_, count_, sizeof *(array));                                                \
        (capacity) = count_;                                                                                           \
    } while (0)

// Ends the program because there is no memory; `bytes`: the size asked for, SIZE_MAX if it does not fit in size_t, or 0
// if it is unknown. Calls die(); libcudart, which lives in a student's process, defines another one.
_Noreturn void alloc_failed(size_t bytes);

#endif
