// Allocates heap memory for callers that cannot continue without the memory. Each function of alloc.h ends the program
// when memory runs out, so no caller checks for NULL. The caller owns the returned memory and frees the memory with
// free(). Callers may request 0 bytes from each function of alloc.h.
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

enum { ALLOC_ALIGNMENT = 64 }; // in bytes: the size of a cache line and of an AVX-512 register

// Returns zeroed memory for `count` elements of `size` bytes each.
void *alloc_zeroed(size_t count, size_t size);
// Returns zeroed memory that the caller will write as a whole. Large arrays then take fewer page faults.
void *alloc_dense(size_t bytes);
// Allocates memory with undefined content. The function alloc_bytes() allocates `bytes` bytes, and alloc_array()
// allocates `count` elements of `size` bytes each.
void *alloc_bytes(size_t bytes);
void *alloc_array(size_t count, size_t size);
// Returns memory for `count` elements of `size` bytes, aligned to ALLOC_ALIGNMENT bytes, with undefined content. The
// size of the memory block is rounded up to a multiple of ALLOC_ALIGNMENT bytes.
void *alloc_aligned(size_t count, size_t size);
// Resizes the array `old` to `count` elements of `size` bytes, as realloc() does. `old` may be NULL. Elements that
// alloc_resize() adds have undefined content.
void *alloc_resize(void *old, size_t count, size_t size);
// Resizes `old` from `had` elements to `count` elements of `size` bytes each; `had` must not exceed `count`. Elements
// that alloc_extend() adds are zero.
void *alloc_extend(void *old, size_t had, size_t count, size_t size);
// Returns a copy of the `bytes` bytes at `from`.
void *alloc_copy(const void *from, size_t bytes);
// Returns a copy of the string `text`. A copy made by alloc_strndup() holds at most the first `length` bytes of `text`,
// and a NUL.
char *alloc_strdup(const char *text);
char *alloc_strndup(const char *text, size_t length);

// Returns `memory`, a pointer that another library allocated. Ends the program if `memory` is NULL.
void *alloc_checked(void *memory);

// Makes room for `count` elements in `array`. The integer variable `capacity` holds the number of elements that fit
// into `array`. If `capacity` is too small, ALLOC_GROW resizes `array`, makes `capacity` at least 1.5 times as large
// and sets new elements to zero.
#define ALLOC_GROW(array, capacity, count)                                                                             \
    do {                                                                                                               \
        size_t had_ = (size_t)(capacity), count_ = (size_t)(count);                                                    \
        if (count_ <= had_) break;                                                                                     \
        count_ += had_ / 2 + 16;                                                                                       \
        (array) = alloc_extend((array), had_, count_, sizeof *(array));                                                \
        (capacity) = count_;                                                                                           \
    } while (0)

// Reports that memory ran out and ends the program. The argument `bytes` is the requested size, SIZE_MAX if the size
// does not fit in size_t, or 0 if the size is unknown. The default definition of alloc_failed() calls die(). This
// project's libcudart runs in the student's process and defines its own alloc_failed().
_Noreturn void alloc_failed(size_t bytes);

#endif
