// See alloc.h. A size of 0 is rounded up to 1, because malloc(0) and realloc(p, 0) may return NULL.
#define _GNU_SOURCE
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/die.h"

__attribute__((weak)) void alloc_failed(size_t bytes)
{
    if (bytes) die("out of memory (%zu bytes)", bytes);
    die("out of memory");
}

static size_t product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) alloc_failed(SIZE_MAX);
    return bytes ? bytes : 1;
}

static void *found(void *memory, size_t bytes)
{
    if (!memory) alloc_failed(bytes);
    return memory;
}

// Asks for huge pages for an array that will be written as a whole. Without them, the first writes to 64 MB cause
// 16,384 page faults, which take longer than the writes. An error changes nothing.
static void *dense(void *memory, size_t bytes)
{
    enum { PAGE = 4096, LEAST = 4 << 20 };
    uintptr_t from = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE, to = ((uintptr_t)memory + bytes) / PAGE * PAGE;
    if (bytes >= LEAST) madvise((void *)from, to - from, MADV_HUGEPAGE);
    return memory;
}

void *alloc_zeroed(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    return found(calloc(1, bytes), bytes);
}

void *alloc_bytes(size_t bytes)
{
    return alloc_array(bytes, 1);
}

void *alloc_array(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    return dense(found(malloc(bytes), bytes), bytes);
}

void *alloc_aligned(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    if (bytes > SIZE_MAX - ALLOC_ALIGNMENT) alloc_failed(bytes);
    bytes = (bytes + ALLOC_ALIGNMENT - 1) / ALLOC_ALIGNMENT * ALLOC_ALIGNMENT;
    return dense(found(aligned_alloc(ALLOC_ALIGNMENT, bytes), bytes), bytes);
}

void *alloc_dense(size_t bytes)
{
    return dense(alloc_zeroed(bytes, 1), bytes);
}

void *alloc_resize(void *old, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    return found(realloc(old, bytes), bytes);
}

void *alloc_extend(void *old, size_t had, size_t count, size_t size)
{
    char *array = alloc_resize(old, count, size);
    memset(array + had * size, 0, (count - had) * size);
    return array;
}

void *alloc_copy(const void *from, size_t bytes)
{
    void *copy = alloc_bytes(bytes);
    return bytes ? memcpy(copy, from, bytes) : copy;
}

char *alloc_strdup(const char *text)
{
    return found(strdup(text), 0);
}

char *alloc_strndup(const char *text, size_t length)
{
    return found(strndup(text, length), 0);
}

void *alloc_checked(void *memory)
{
    return found(memory, 0);
}
