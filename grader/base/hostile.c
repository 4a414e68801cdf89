// See hostile.h. In the hostile build, malloc() fills memory with garbage before returning the memory, and free() fills
// freed memory with garbage (mallopt(3), M_PERTURB). In the hostile build, the linker option --wrap (ld(1)) replaces
// each call of malloc() with a call of __wrap_malloc(). Calls of calloc(), realloc() and the other allocation functions
// are replaced like calls of malloc(). The function __real_malloc() is the C library's own malloc(). In a statically
// linked program, the linker option --wrap also replaces allocation calls inside the C library.
#include "base/hostile.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static unsigned long every; // N: every N-th allocation fails; 0: no allocation fails
static unsigned long asked; // number of allocations so far, in all threads

__attribute__((constructor)) void hostile_begin(void)
{
    const char *fails = getenv("WARPWISE_MEMORY_FAILS");
    if (!HOSTILE_BUILD) return;
    mallopt(M_PERTURB, HOSTILE_BYTE);
    if (fails) every = strtoul(fails, NULL, 10);
}

static int fails(void)
{
    if (!every || __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED) % every) return 0;
    errno = ENOMEM;
    return 1;
}

// Expands ALLOCATOR(name, parameters, arguments) for each allocation function. The symbols __real_malloc, __real_calloc
// and the like are weak, because libcudart links hostile.c without the linker option --wrap.
#define ALLOCATORS(ALLOCATOR)                                                                                          \
    ALLOCATOR(malloc, (size_t bytes), (bytes))                                                                         \
    ALLOCATOR(calloc, (size_t count, size_t bytes), (count, bytes))                                                    \
    ALLOCATOR(realloc, (void *old, size_t bytes), (old, bytes))                                                        \
    ALLOCATOR(aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes))                                     \
    ALLOCATOR(strdup, (const char *text), (text))                                                                      \
    ALLOCATOR(strndup, (const char *text, size_t length), (text, length))
#define WRAP(name, parameters, arguments)                                                                              \
    void *__real_##name parameters __attribute__((weak));                                                              \
    void *__wrap_##name parameters;                                                                                    \
    void *__wrap_##name parameters                                                                                     \
    {                                                                                                                  \
        return fails() ? NULL : __real_##name arguments;                                                               \
    }
ALLOCATORS(WRAP)
