// Entering and leaving a call of the CUDA Runtime API; every public function does both.
//
//     API cudaError_t cudaFree(void *address) { return CALL(cudart_memory_free(address)); }
//
// Entering takes the one lock, notes the function and its caller, and starts the runner if there is none yet. Leaving
// keeps the error for cudaGetLastError, releases the lock, and then runs the host functions that the call left for
// later.
#ifndef CUDART_CALL_H
#define CUDART_CALL_H

#include <stdint.h>

#include "cudart/include/cuda_runtime_api.h"
#include "wire/host.h"

#define API __attribute__((visibility("default")))
#define CALL(expression) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave(expression))
// The same for functions whose error does not become the thread's last error, such as cudaGetLastError itself.
#define CALL_QUIETLY(expression) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave_quietly(expression))

// The state of a host thread.
struct cudart_thread {
    uint32_t number;                // in the order of first calls, from 0
    int known;                      // 1: `number` is set
    int device;                     // the current device
    int depth;                      // nesting of calls; place and name are those of the outermost call
    cudaError_t last;               // for cudaGetLastError
    int launch_failed;              // 1: `last` came from a launch with <<<>>>, which cannot return it
    struct host_place place;        // of the present call
    struct host_place launch_place; // of the failed launch
    const char *name;               // of the public function
};
extern __thread struct cudart_thread cudart_thread;

// Enters a call; `name` is the public function, `from` the return address in its caller.
void cudart_enter(const char *name, const void *from);
// Leave a call with its result, and return the result. cudart_leave also makes an error the thread's last error.
cudaError_t cudart_leave(cudaError_t);
cudaError_t cudart_leave_quietly(cudaError_t);
// Take and release the lock alone, for the signal handler.
void cudart_lock(void);
void cudart_unlock(void);
// Sets the return address that the next cudart_enter takes instead of its own, for wrappers of public functions.
void cudart_from(const void *from);
// Sets the place of the present call: for a launch with <<<>>>, where the configuration was pushed.
void cudart_place_is(const struct host_place *);
// Returns the place of a return address.
struct host_place cudart_place_of(const void *address);

// Sends a command and waits for its reply; device, thread and place of the command are filled in here. What the reply
// announces (printed text, ended copies) is fetched when the call is left. *descriptor is as in host_call. Ends the
// program if the runner is gone. Returns the reply's result.
cudaError_t cudart_send(struct host_command *, struct host_reply *, int *descriptor);
// Does the same for a command whose result alone matters.
cudaError_t cudart_ask(struct host_command *);
// Returns the data area, HOST_DATA bytes.
unsigned char *cudart_data(void);
// Returns the reply to `hello`.
const struct host_reply *cudart_hello(void);

// Lets `function` run after the outermost call has released the lock.
void cudart_afterwards(void (*function)(void *), void *argument);

// Returns 1 if the current device has a sticky error, which every call returns.
int cudart_sticky(void);
// Prints what an error code cannot say: "warpwise: cudaMalloc: …" on stderr.
void cudart_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Prints "warpwise: …" on stderr, and ends the program with exit code 2.
_Noreturn void cudart_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
