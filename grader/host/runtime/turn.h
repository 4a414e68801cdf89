// This file declares the scheduler of the host program's threads; see turn.c. Of the threads that turn.c schedules,
// only one runs at a time. The last function creates a thread of libcudart's own, which is scheduled like them
// (thread.c).
#ifndef HOST_RUNTIME_TURN_H
#define HOST_RUNTIME_TURN_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

// Allows turn.c to schedule the program's threads, because the runner process (which simulates the devices) asks for
// deterministic results. The scheduling begins when the program creates its first thread.
void cudart_turn_allow(void);
// Returns 1 if turn.c schedules the calling thread, and the thread is not in a CUDA call.
int cudart_turn_on(void);

struct cudart_turn_thread;
// Adds a thread that is about to be created to the threads that turn.c schedules. Returns the scheduler's data about
// the new thread, or NULL if turn.c does not schedule the new thread.
struct cudart_turn_thread *cudart_turn_add(void);
// Removes the scheduler's data about a thread that could not be created.
void cudart_turn_drop(struct cudart_turn_thread *);
// Connects the scheduler's data about a new thread with the calling thread, and waits for the thread's first turn.
void cudart_turn_start(struct cudart_turn_thread *);
// Waits until the thread has ended. Returns 0, or -1 if turn.c does not schedule the thread.
int cudart_turn_join(pthread_t);
// Stores the pthread_t of a new thread in the scheduler's data about the thread. The thread that created the new thread
// calls cudart_turn_name() in its own turn.
void cudart_turn_name(struct cudart_turn_thread *, pthread_t);

// Adds `ns` nanoseconds to the calling thread's virtual time, and lets the threads with a smaller virtual time act
// first.
void cudart_turn_pass(uint64_t ns);
// Blocks the calling thread until another thread calls cudart_turn_wake() for `object`, or until the thread's virtual
// time reaches `deadline_ps`. Returns 1 if the deadline came first, else 0.
int cudart_turn_block(const void *object, uint64_t deadline_ps);
// Wakes up to `most` threads that are blocked at `object`, in the order in which they blocked. Returns the number of
// woken threads.
unsigned cudart_turn_wake(const void *object, unsigned most);
#define CUDART_TURN_NEVER UINT64_MAX
// Takes the turn, if the calling thread has lost it, and keeps it until cudart_turn_hold(-1) or until the thread
// blocks. A thread calls cudart_turn_keep() before it tests the condition for which it will block, so that no other
// thread can wake it between the test and cudart_turn_block().
void cudart_turn_keep(void);
// Returns the scheduler's data about the calling thread, or NULL if turn.c does not schedule the thread.
struct cudart_turn_thread *cudart_turn_self(void);
// Returns 1 if the thread has lost its turn because it computed for long, and has come back since cudart_turn_works()
// was called. Returns 0 if the thread did not lose its turn, sleeps, or has computed for too long. `t` may be NULL.
int cudart_turn_works(struct cudart_turn_thread *t);
// Returns the deadline at which `clock`, as the program reads it, shows the time *at. If `at` is NULL, returns
// CUDART_TURN_NEVER, which means that there is no deadline.
uint64_t cudart_turn_deadline(clockid_t clock, const struct timespec *at);
// Returns the deadline that is `ns` nanoseconds after the calling thread's virtual time.
uint64_t cudart_turn_after(uint64_t ns);

// The functions from cudart_turn_enter() to the end of turn.h serve the calls of the CUDA Runtime API. A thread calls
// cudart_turn_enter() before each API call, and cudart_turn_leave() after each API call. If `waits` is 1,
// cudart_turn_leave() returns when the runner process says that the thread's wait for a device is over.
void cudart_turn_enter(void);
void cudart_turn_leave(int waits);
// Adds `more` (1 or -1) to the nesting depth of the calling thread's CUDA calls. While this nesting depth is not 0, the
// thread keeps its turn.
void cudart_turn_hold(int more);
// Fills in the fields of a command that describe the calling thread's virtual time.
struct host_command;
void cudart_turn_fill(struct host_command *);
// Sets the calling thread's virtual time, which comes from the runner's reply.
void cudart_turn_is(uint64_t host_ps);
// Stores the calling thread's virtual time in *ps. Returns 1, or 0 if turn.c does not schedule the thread.
int cudart_turn_time(int64_t *ps);
// Returns 1 if the order of the threads was not determined by virtual time. Stores in *place the position in the
// program's code where the thread that caused the undetermined order was found, or the position of this thread's last
// CUDA call.
struct host_place;
int cudart_turn_undetermined(struct host_place *place);

// Creates a detached thread that calls function(argument). The creation of this thread takes no virtual time. Returns 0
// or an error number.
int cudart_thread_serve(void *(*function)(void *), void *argument);

#endif
