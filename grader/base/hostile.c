// See hostile.h. The C library itself fills what malloc gives and what free takes (mallopt(3), M_PERTURB). The linker
// leads whoever allocates to a __wrap_ function here, and that to the C library's as __real_ (ld(1), --wrap); in a
// program that is linked statically, the C library as well.
#include "base/hostile.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static unsigned long every; // allocation fails; 0: none
static unsigned long asked; // allocations so far, of all threads

__attribute__((constructor)) void base_hostile_begin(void)
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

// ALLOCATOR(name, parameters, arguments). Weak, since nothing is wrapped where this file is linked unasked (libcudart).
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
