// See hostile.h. The C library fills memory with garbage when malloc() returns the memory and when free() takes the
// memory back (mallopt(3), M_PERTURB). The linker replaces each call of an allocation function with a call of the
// __wrap_ function below. The __real_ functions are the C library's own allocation functions (ld(1), --wrap). In a
// static program, calls inside the C library are replaced, too.
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

// Calls ALLOCATOR(name, parameters, arguments) for each allocation function. The __real_ functions are weak symbols,
// because libcudart links this file without --wrap.
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
