// This file declares the functions that enter and leave a call of the CUDA Runtime API. Every public function of
// libcudart enters and leaves a call:
//
//     API cudaError_t cudaFree(void *address) { return CALL(cudart_memory_free(address)); }
//
// cudart_enter() takes libcudart's only lock, records the function and its caller, and starts the runner if there is no
// runner yet. cudart_leave() stores the error for cudaGetLastError and releases the lock. It then runs the host
// functions that cudart_afterwards() has deferred.
#ifndef CUDART_CALL_H
#define CUDART_CALL_H

#include <stdint.h>

#include "kit/runtime/cuda_runtime_api.h"
#include "wire/host.h"

#define API __attribute__((visibility("default")))
#define CALL(expression) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave(expression))
// CALL_QUIETLY is CALL for functions whose error does not become the thread's last error, such as cudaGetLastError
// itself.
#define CALL_QUIETLY(expression) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave_quietly(expression))

// The state that libcudart keeps for each host thread.
struct cudart_thread {
    uint32_t number;         // number of the thread; threads are numbered from 0 in the order of their first calls
    int known;               // 1: `number` is set
    int device;              // the current device
    int depth;               // nesting depth of calls; `place` and `name` belong to the outermost call
    cudaError_t last;        // the error that cudaGetLastError returns
    int launch_failed;       // 1: `last` came from a launch with <<<>>>, which cannot return its error
    struct host_place place; // place of the present call
    struct host_place launch_place; // place of the failed launch
    const char *name;               // name of the public function
};
extern __thread struct cudart_thread cudart_thread;

// Enters a call of the API. `name` is the public function, and `from` is the return address in the function's caller.
void cudart_enter(const char *name, const void *from);
// Both functions leave a call and return the call's result. cudart_leave() also makes an error the thread's last error.
cudaError_t cudart_leave(cudaError_t);
cudaError_t cudart_leave_quietly(cudaError_t);
// Takes or releases libcudart's lock without entering a call. The signal handler uses these functions.
void cudart_lock(void);
void cudart_unlock(void);
// Sets the return address that the next cudart_enter() uses instead of its argument. Wrappers of public functions call
// cudart_from().
void cudart_from(const void *from);
// Sets the place (struct host_place) of the present call. For a launch with <<<>>>, the place is where the program
// pushed the launch configuration.
void cudart_place_is(const struct host_place *);
// Returns the place (struct host_place in wire/host.h) of a return address in the program.
struct host_place cudart_place_of(const void *address);

// Sends a command and waits for its reply. cudart_send() fills in the command's device, thread and place. Printed text
// and ended copies that the reply announces are fetched when the call is left. `descriptor` is as in host_call()
// (wire/host.h). Ends the program if the runner has ended. Returns the reply's result.
cudaError_t cudart_send(struct host_command *, struct host_reply *, int *descriptor);
// Sends a command like cudart_send() and returns the reply's result. The caller needs no other field of the reply.
cudaError_t cudart_ask(struct host_command *);
// Returns the data area of the channel, HOST_DATA bytes. The channel owns the memory.
unsigned char *cudart_data(void);
// Returns the reply to the command `hello`.
const struct host_reply *cudart_hello(void);

// Defers `function` until the outermost call has released the lock. `function` then runs with `argument`.
void cudart_afterwards(void (*function)(void *), void *argument);

// Returns 1 if the current device has a sticky error. Every call returns a sticky error.
int cudart_sticky(void);
// Prints details of an error on stderr that the error code does not contain, as "warpwise: cudaMalloc: …".
void cudart_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Prints "warpwise: …" on stderr, and ends the program with exit code 2.
_Noreturn void cudart_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
