// This file declares the scheduler of the host program's threads; see turn.c. Only one scheduled thread runs at a time.
#ifndef CUDART_TURN_H
#define CUDART_TURN_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

// Allows scheduling, because the runner asks for deterministic results. Scheduling begins with the first thread that
// the program creates.
void cudart_turn_allow(void);
// Returns 1 if the calling thread is scheduled, and is in the program's own code.
int cudart_turn_on(void);

struct cudart_turn_thread;
// Adds a thread that is about to be created. Returns the new thread's record, or NULL if threads are not scheduled.
struct cudart_turn_thread *cudart_turn_add(void);
// Removes the record of a thread that could not be created.
void cudart_turn_drop(struct cudart_turn_thread *);
// Makes the calling thread the thread of the record, and waits for the thread's first turn.
void cudart_turn_start(struct cudart_turn_thread *);
// Waits until the thread has ended. Returns 0, or -1 if the thread is not scheduled.
int cudart_turn_join(pthread_t);
// Stores the pthread_t of a thread in its record. The creator of the thread calls cudart_turn_name() in its own turn.
void cudart_turn_name(struct cudart_turn_thread *, pthread_t);

// Adds `ns` nanoseconds to the calling thread's virtual time, and lets every thread act that has a smaller virtual
// time.
void cudart_turn_pass(uint64_t ns);
// Blocks the calling thread until another thread calls cudart_turn_wake() for `object`, or until the thread's virtual
// time reaches the deadline. Returns 1 if the deadline came first, else 0.
int cudart_turn_block(const void *object, uint64_t deadline_ps);
// Wakes up to `most` threads that are blocked at `object`, in the order in which they blocked. Returns the number of
// woken threads.
unsigned cudart_turn_wake(const void *object, unsigned most);
#define CUDART_TURN_NEVER UINT64_MAX
// Returns the deadline at which `clock`, as the program reads it, shows the time *at. NULL stands for no deadline.
uint64_t cudart_turn_deadline(clockid_t clock, const struct timespec *at);
// Returns the deadline that is `ns` nanoseconds after the calling thread's virtual time.
uint64_t cudart_turn_after(uint64_t ns);

// The functions from here on are for the calls of the CUDA Runtime API. A thread calls cudart_turn_enter() before a
// call, and cudart_turn_leave() after it. If `waits` is 1, cudart_turn_leave() returns when the runner says that the
// thread's wait is over.
void cudart_turn_enter(void);
void cudart_turn_leave(int waits);
// Adds `more` (1 or -1) to the nesting depth of the calling thread's CUDA calls. While the depth is not 0, the thread
// keeps its turn.
void cudart_turn_hold(int more);
// Fills in the fields of a command that describe the calling thread's virtual time.
struct host_command;
void cudart_turn_fill(struct host_command *);
// Sets the calling thread's virtual time, which comes from the runner's reply.
void cudart_turn_is(uint64_t host_ps);
// Stores the calling thread's virtual time in *ps. Returns 1, or 0 if the thread is not scheduled.
int cudart_turn_time(int64_t *ps);
// Returns 1 if the order of the threads was not determined by virtual time, and stores in *place where the thread that
// caused this made its last CUDA call.
struct host_place;
int cudart_turn_undetermined(struct host_place *place);

#endif
