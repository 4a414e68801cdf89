// Looks up the functions of the C library that libcudart replaces. dlsym(RTLD_NEXT) finds the functions of the library
// that comes after libcudart in the search order of the dynamic linker.
#define _GNU_SOURCE
#include "host/runtime/real.h"

#include <dlfcn.h>
#include <string.h>

#ifdef __x86_64__
#define REAL_CONDITION "GLIBC_2.3.2"
#else
#define REAL_CONDITION NULL
#endif

#define REAL(type, name, parameters, version) type(*cudart_real_##name) parameters;
#include "host/runtime/real.def"
#undef REAL

static void *find(const char *name, const char *version)
{
    void *at = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
    return at ? at : dlsym(RTLD_NEXT, name);
}

void cudart_real_load(void)
{
    static int loaded;
    if (__atomic_load_n(&loaded, __ATOMIC_ACQUIRE)) return;
    void *at; // ISO C has no conversion from void * to a pointer to a function, so the bytes are copied
#define REAL(type, name, parameters, version)                                                                          \
    at = find(#name, version);                                                                                         \
    memcpy(&cudart_real_##name, &at, sizeof at);
#include "host/runtime/real.def"
#undef REAL
    __atomic_store_n(&loaded, 1, __ATOMIC_RELEASE);
}
