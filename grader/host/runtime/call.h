// This file declares the functions that enter and leave a call of the CUDA Runtime API. Every public function of
// libcudart calls cudart_enter() first and cudart_leave() last, usually by the macro CALL.
//
//     API cudaError_t cudaFree(void *address) { return CALL(cudart_memory_free(address)); }
//
// cudart_enter() takes libcudart's only lock, records the function and its caller, and starts the runner process (which
// simulates the devices) if there is no runner yet. At the end of an API call, cudart_leave() stores the error for
// cudaGetLastError and releases libcudart's lock. After releasing the lock, cudart_leave() runs the host functions that
// cudart_afterwards() has deferred.
#ifndef HOST_RUNTIME_CALL_H
#define HOST_RUNTIME_CALL_H

#include <stdint.h>

#include "host/border/host.h"
#include "kit/runtime/cuda_runtime_api.h"

#define API __attribute__((visibility("default")))
#define CALL(expression) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave(expression))
// CALL_QUIETLY is like the macro CALL, but for functions whose error does not become the thread's last error, such as
// cudaGetLastError.
#define CALL_QUIETLY(expression) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave_quietly(expression))

// Holds the state that libcudart keeps for each host thread.
struct cudart_thread {
    uint32_t number;         // number of the thread; threads are numbered from 0 in the order of their first calls
    int known;               // 1: `number` is set
    int device;              // the current device
    int depth;               // nesting depth of calls; `place` and `name` belong to the outermost call
    cudaError_t last;        // the error that cudaGetLastError returns
    int waits;               // 1: the runner said that the thread must wait at the end of the call
    struct host_place place; // place of the present call
    const char *name;        // name of the public function
};
extern __thread struct cudart_thread cudart_thread;

// Begins a call of the CUDA Runtime API. `name` is the name of the public API function, and `from` is the return
// address of the program's call.
void cudart_enter(const char *name, const void *from);
// The functions cudart_leave() and cudart_leave_quietly() end a call of the API and return the call's result. Only
// cudart_leave() makes an error the thread's last error, which cudaGetLastError returns.
cudaError_t cudart_leave(cudaError_t);
cudaError_t cudart_leave_quietly(cudaError_t);
// The functions cudart_lock() and cudart_unlock() take and release libcudart's lock outside of an API call. The signal
// handler of early_access.c uses cudart_lock() and cudart_unlock().
void cudart_lock(void);
void cudart_unlock(void);
// Sets the return address that the next cudart_enter() records for the API call; that cudart_enter() then ignores its
// argument `from`. A wrapper of a public function calls cudart_from(), so that the position of the wrapper's caller is
// recorded.
void cudart_from(const void *from);
// Sets the position in the program's code that is recorded for the present API call. For a launch with <<<>>>, the
// recorded position is the position of the call that pushed the launch configuration.
void cudart_place_is(const struct host_place *);
// Translates a return address in the program to a position in the program's code (struct host_place in
// host/border/host.h).
struct host_place cudart_place_of(const void *address);

// Sends a command to the runner process (which simulates the devices) and waits for its reply. The fields `device`,
// `thread` and `place` of the command are filled in by cudart_send(). If the runner's reply announces text that kernels
// printed, or copies that have ended, libcudart fetches the text or the copies' numbers at the end of the API call.
// Stores in *descriptor the file descriptor that came with the reply, as host_call() does (host/border/host.h). If
// the runner process has ended, cudart_send() ends the program. Returns the reply's result.
cudaError_t cudart_send(struct host_command *, struct host_reply *, int *descriptor);
// Sends a command like cudart_send(), for callers that need only the result of the reply. Returns the reply's result.
cudaError_t cudart_ask(struct host_command *);
// Asks the runner process to simulate up to the virtual time `until` (ps), or until the first wait of a host thread for
// a device is over. Returns 1 if a wait is over, and stores the thread's number and its virtual time; else returns 0.
int cudart_progress(uint64_t until, uint32_t *number, uint64_t *ps);
// Connects to the runner process to which the environment variable HOST_ENVIRONMENT refers, if the variable is set and
// the program has not called the API yet.
void cudart_connect(void);
// Returns the data area of the channel to the runner process, HOST_DATA bytes. The channel owns the memory of the data
// area.
unsigned char *cudart_data(void);
// Returns the runner's reply to `hello`, the first command that libcudart sends.
const struct host_reply *cudart_hello(void);

// Calls function(argument) within a call of the API, but without libcudart's lock, because the function may wait for
// other threads, or call the API.
void cudart_outside(void (*function)(void *), void *argument);
// Defers the call function(argument) until the outermost API call has released libcudart's lock.
void cudart_afterwards(void (*function)(void *), void *argument);

// Returns 1 if the current device has a sticky error (an error that every later call returns).
int cudart_sticky(void);
// Prints on stderr, in the form "warpwise: cudaMalloc: …", details about an error of an API call that the error code
// does not tell.
void cudart_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Prints details like cudart_say() about a call that the simulator does not support, and records them in the host
// trace. Returns `error`.
cudaError_t cudart_refuse(cudaError_t error, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Prints "warpwise: …" on stderr, and ends the program with exit code 2.
_Noreturn void cudart_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
