// Replaces the C library's functions with which threads wait for each other: mutexes, condition variables, read-write
// locks, barriers, spin locks and semaphores. turn.c schedules the threads.
//
// The state of a mutex, a lock or a semaphore stays in the C library's object. A thread that turn.c schedules tries to
// take the mutex, lock or semaphore, and blocks in the scheduler as long as it is taken. Each release of a mutex, lock
// or semaphore wakes the threads that are blocked at it; these threads try again in the order of virtual time. Only the
// scheduler knows which threads wait at a condition variable. The scheduler identifies an object by its address, so
// that objects with static initialisers need no preparation. A thread keeps its turn from its try until it blocks, so
// that no release between the two is missed. If turn.c does not schedule the program's threads, each
// function of thread_lock.c only calls the C library's own function.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>

#include "base/alloc.h"
#include "host/runtime/call.h"
#include "host/runtime/real.h"
#include "host/runtime/turn.h"

// LOCK_NS and WAIT_NS are the times in ns that calls of the functions of thread_lock.c take on the virtual clock. The
// values of LOCK_NS and WAIT_NS are estimates for calls without contention.
enum { LOCK_NS = 20, WAIT_NS = 500 };

// ---------------------------------------------------------------- mutexes
static int take_mutex(pthread_mutex_t *mutex, uint64_t deadline)
{
    int error, late = 0;
    cudart_turn_keep();
    while ((error = cudart_real_pthread_mutex_trylock(mutex)) == EBUSY && !late)
        late = cudart_turn_block(mutex, deadline);
    cudart_turn_hold(-1);
    return error == EBUSY ? ETIMEDOUT : error;
}

API int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_mutex_lock(mutex);
    cudart_turn_pass(LOCK_NS);
    return take_mutex(mutex, CUDART_TURN_NEVER);
}

API int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    cudart_real_load();
    cudart_turn_pass(LOCK_NS);
    return cudart_real_pthread_mutex_trylock(mutex);
}

API int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *at)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_mutex_timedlock(mutex, at);
    cudart_turn_pass(LOCK_NS);
    return take_mutex(mutex, cudart_turn_deadline(CLOCK_REALTIME, at));
}

static int release_mutex(pthread_mutex_t *mutex)
{
    int error = cudart_real_pthread_mutex_unlock(mutex);
    if (!error) cudart_turn_wake(mutex, UINT_MAX);
    return error;
}

API int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    cudart_real_load();
    return release_mutex(mutex);
}

// ---------------------------------------------------------------- condition variables
static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline)
{
    cudart_turn_pass(WAIT_NS);
    cudart_turn_keep();
    int error = release_mutex(mutex), late = error ? 0 : cudart_turn_block(condition, deadline);
    cudart_turn_hold(-1);
    if (error) return error;
    error = take_mutex(mutex, CUDART_TURN_NEVER);
    return error ? error : late ? ETIMEDOUT : 0;
}

API int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_cond_wait(condition, mutex);
    return wait_for(condition, mutex, CUDART_TURN_NEVER);
}

// The clock of a condition variable is an attribute that cannot be read portably. glibc stores it in bit 1 of the word
// __wrefs (nptl/pthread_cond_wait.c).
static clockid_t clock_of(const pthread_cond_t *condition)
{
#ifdef __GLIBC__
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
#else
    (void)condition;
    return CLOCK_REALTIME;
#endif
}

API int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *at)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_cond_timedwait(condition, mutex, at);
    return wait_for(condition, mutex, cudart_turn_deadline(clock_of(condition), at));
}

API int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                               const struct timespec *at)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_cond_clockwait(condition, mutex, clock, at);
    return wait_for(condition, mutex, cudart_turn_deadline(clock, at));
}

// Calls the C library's pthread_cond_signal() if no scheduled thread waits at the condition variable, because a thread
// that turn.c does not schedule may wait there.
API int pthread_cond_signal(pthread_cond_t *condition)
{
    cudart_real_load();
    cudart_turn_pass(LOCK_NS);
    if (cudart_turn_wake(condition, 1)) return 0;
    return cudart_real_pthread_cond_signal(condition);
}

API int pthread_cond_broadcast(pthread_cond_t *condition)
{
    cudart_real_load();
    cudart_turn_pass(LOCK_NS);
    cudart_turn_wake(condition, UINT_MAX);
    return cudart_real_pthread_cond_broadcast(condition);
}

// ---------------------------------------------------------------- read-write locks
API int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    int error;
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_rwlock_rdlock(l);
    cudart_turn_pass(LOCK_NS);
    cudart_turn_keep();
    while ((error = cudart_real_pthread_rwlock_tryrdlock(l)) == EBUSY) cudart_turn_block(l, CUDART_TURN_NEVER);
    cudart_turn_hold(-1);
    return error;
}

API int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    int error;
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_rwlock_wrlock(l);
    cudart_turn_pass(LOCK_NS);
    cudart_turn_keep();
    while ((error = cudart_real_pthread_rwlock_trywrlock(l)) == EBUSY) cudart_turn_block(l, CUDART_TURN_NEVER);
    cudart_turn_hold(-1);
    return error;
}

API int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    cudart_real_load();
    cudart_turn_pass(LOCK_NS);
    return cudart_real_pthread_rwlock_tryrdlock(l);
}

API int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    cudart_real_load();
    cudart_turn_pass(LOCK_NS);
    return cudart_real_pthread_rwlock_trywrlock(l);
}

API int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    cudart_real_load();
    int error = cudart_real_pthread_rwlock_unlock(l);
    if (!error) cudart_turn_wake(l, UINT_MAX);
    return error;
}

// ---------------------------------------------------------------- spin locks
API int pthread_spin_lock(pthread_spinlock_t *l)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_spin_lock(l);
    cudart_turn_pass(LOCK_NS);
    cudart_turn_keep();
    while (cudart_real_pthread_spin_trylock(l) == EBUSY) cudart_turn_block((const void *)l, CUDART_TURN_NEVER);
    cudart_turn_hold(-1);
    return 0;
}

API int pthread_spin_trylock(pthread_spinlock_t *l)
{
    cudart_real_load();
    cudart_turn_pass(LOCK_NS);
    return cudart_real_pthread_spin_trylock(l);
}

API int pthread_spin_unlock(pthread_spinlock_t *l)
{
    cudart_real_load();
    int error = cudart_real_pthread_spin_unlock(l);
    cudart_turn_wake((const void *)l, UINT_MAX);
    return error;
}

// ---------------------------------------------------------------- semaphores
static int take_semaphore(sem_t *semaphore, uint64_t deadline)
{
    int error = 0;
    cudart_turn_pass(LOCK_NS);
    cudart_turn_keep();
    while (!error && cudart_real_sem_trywait(semaphore)) {
        if (errno != EAGAIN)
            error = errno;
        else if (cudart_turn_block(semaphore, deadline))
            error = ETIMEDOUT;
    }
    cudart_turn_hold(-1);
    if (error) errno = error;
    return error ? -1 : 0;
}

API int sem_wait(sem_t *semaphore)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_sem_wait(semaphore);
    return take_semaphore(semaphore, CUDART_TURN_NEVER);
}

API int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict at)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_sem_timedwait(semaphore, at);
    return take_semaphore(semaphore, cudart_turn_deadline(CLOCK_REALTIME, at));
}

API int sem_trywait(sem_t *semaphore)
{
    cudart_real_load();
    cudart_turn_pass(LOCK_NS);
    return cudart_real_sem_trywait(semaphore);
}

API int sem_post(sem_t *semaphore)
{
    cudart_real_load();
    int error = cudart_real_sem_post(semaphore);
    if (!error) cudart_turn_wake(semaphore, UINT_MAX);
    return error;
}

// ---------------------------------------------------------------- barriers
// The C library cannot say how many threads have reached a barrier, so thread_lock.c itself counts the threads at each
// barrier that the program initialises.
static struct barrier {
    const pthread_barrier_t *at;
    unsigned threads, arrived;
} * barriers;
static size_t nbarriers, room;

static struct barrier *barrier_of(const pthread_barrier_t *at)
{
    for (size_t i = 0; i < nbarriers; ++i)
        if (barriers[i].at == at) return &barriers[i];
    return NULL;
}

API int pthread_barrier_init(pthread_barrier_t *restrict at, const pthread_barrierattr_t *restrict attributes,
                             unsigned threads)
{
    cudart_real_load();
    int error = cudart_real_pthread_barrier_init(at, attributes, threads);
    cudart_lock();
    struct barrier *b = barrier_of(at);
    if (!error && !b) {
        ALLOC_GROW(barriers, room, nbarriers + 1);
        b = &barriers[nbarriers++];
    }
    if (!error) *b = (struct barrier){.at = at, .threads = threads};
    cudart_unlock();
    return error;
}

API int pthread_barrier_wait(pthread_barrier_t *at)
{
    cudart_real_load();
    if (!cudart_turn_on()) return cudart_real_pthread_barrier_wait(at);
    cudart_turn_pass(WAIT_NS);
    struct barrier *b = barrier_of(at);
    if (!b) return cudart_real_pthread_barrier_wait(at);
    cudart_turn_keep();
    int is_last = ++b->arrived == b->threads;
    if (is_last) {
        b->arrived = 0;
        cudart_turn_wake(at, UINT_MAX);
    } else {
        cudart_turn_block(at, CUDART_TURN_NEVER);
    }
    cudart_turn_hold(-1);
    return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
