// A call of the API: what every public function enters and leaves through.
//
//     API cudaError_t cudaFree(void *address) { return CALL(cudart_memory_free(address)); }
//
// Entering takes the one lock, notes which function was called and from where, and starts the runner if there is none
// yet. Leaving keeps the error for cudaGetLastError, gives the lock back, and runs what the call left to be run without
// it (host functions of streams).
#ifndef CUDART_CALL_H
#define CUDART_CALL_H

#include <stdint.h>

#include "cudart/include/cuda_runtime_api.h"
#include "wire/host.h"

#define API __attribute__((visibility("default")))
#define CALL(expression) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave(expression))
// For functions that report an error without making it the thread's last one, as those that ask for errors do.
#define CALL_QUIETLY(expression) (cudart_enter(__func__, __builtin_return_address(0)), cudart_leave_quietly(expression))

// What a host thread has of its own.
struct cudart_thread {
    uint32_t number; // 0 the first to call
    int known;       // 1: number is given
    int device;      // current
    int depth;       // of calls within calls: the outermost counts
    cudaError_t last;
    int launch_failed;       // 1: `last` came from a launch, which returns it to nobody
    struct host_place place; // of the call under way
    struct host_place launch_place;
    const char *name; // of the public function
};
extern __thread struct cudart_thread cudart_thread;

void cudart_enter(const char *name, const void *from);
cudaError_t cudart_leave(cudaError_t);
cudaError_t cudart_leave_quietly(cudaError_t);
// The lock alone, for the signal handler.
void cudart_lock(void);
void cudart_unlock(void);
// A wrapper of a public function says whom it was called by; CALL in the function then takes that place.
void cudart_from(const void *from);
// The call is a launch made of <<<>>>: its place is where the configuration was pushed.
void cudart_place_is(const struct host_place *);
struct host_place cudart_place_of(const void *address);

// Sends a command (device, thread and place are filled in) and takes what the reply announces: printed text, copies
// that ended. Ends the program when the runner is gone. Returns the reply's result.
cudaError_t cudart_send(struct host_command *, struct host_reply *, int *descriptor);
// The same for a command of which the result alone matters.
cudaError_t cudart_ask(struct host_command *);
unsigned char *cudart_data(void); // the data area, HOST_DATA bytes
const struct host_reply *cudart_hello(void);

// Runs `function` when the call is left.
void cudart_afterwards(void (*function)(void *), void *argument);

// 1: the current device's context is broken by a fault, and every call will say so.
int cudart_sticky(void);
// Tells the user what an error code cannot: "warpwise: cudaMalloc: …" on stderr.
void cudart_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Ends the program with exit code 2: "warpwise: …".
_Noreturn void cudart_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
