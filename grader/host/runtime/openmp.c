// Schedules the threads of OpenMP programs where they divide work and enter critical sections. The compiler gcc
// translates OpenMP pragmas to calls of its library libgomp, and the dynamic linker finds libcudart's functions of the
// same name first.
//
// The library libgomp waits at futexes by system calls of its own, which turn.c handles as waiting outside of the
// scheduler. The file turn.c therefore determines when an OpenMP thread continues after a wait at a futex, but not in
// which order the threads act within libgomp. Each function of openmp.def therefore first gives up the thread's turn
// (cudart_turn_pass()), and a critical section is a mutex that turn.c schedules.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/runtime/call.h"
#include "host/runtime/real.h"
#include "host/runtime/turn.h"

enum { DIVIDE_NS = 50 }; // time of a call on the virtual clock; an estimate

#define LOOP_START long start, long end, long increment, long chunk, long *from, long *to
#define OPENMP(type, name, parameters, arguments)                                                                      \
    type name parameters;                                                                                              \
    API type name parameters                                                                                           \
    {                                                                                                                  \
        static type(*real) parameters;                                                                                 \
        void *at = dlsym(RTLD_NEXT, #name);                                                                            \
        cudart_real_load();                                                                                            \
        memcpy(&real, &at, sizeof at);                                                                                 \
        cudart_turn_pass(DIVIDE_NS);                                                                                   \
        return real arguments;                                                                                         \
    }
#include "host/runtime/openmp.def"

// ---------------------------------------------------------------- critical sections
static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER, atomics = PTHREAD_MUTEX_INITIALIZER;

void GOMP_critical_start(void);
API void GOMP_critical_start(void)
{
    pthread_mutex_lock(&critical);
}

void GOMP_critical_end(void);
API void GOMP_critical_end(void)
{
    pthread_mutex_unlock(&critical);
}

// Returns the mutex that stands for an OpenMP critical section with a name. For each name of a critical section, the
// compiler makes a pointer, which is NULL at first and whose address is `name`.
static pthread_mutex_t *mutex_of(void **name)
{
    pthread_mutex_t *mutex = __atomic_load_n((pthread_mutex_t **)name, __ATOMIC_ACQUIRE), *none = NULL;
    if (mutex) return mutex;
    mutex = alloc_bytes(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    if (__atomic_compare_exchange_n((pthread_mutex_t **)name, &none, mutex, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return mutex;
    free(mutex);
    return none;
}

void GOMP_critical_name_start(void **name);
API void GOMP_critical_name_start(void **name)
{
    pthread_mutex_lock(mutex_of(name));
}

void GOMP_critical_name_end(void **name);
API void GOMP_critical_name_end(void **name)
{
    pthread_mutex_unlock(mutex_of(name));
}

void GOMP_atomic_start(void);
API void GOMP_atomic_start(void)
{
    pthread_mutex_lock(&atomics);
}

void GOMP_atomic_end(void);
API void GOMP_atomic_end(void)
{
    pthread_mutex_unlock(&atomics);
}
