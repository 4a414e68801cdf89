// This file declares how libcudart runs the host functions that a program enqueues in streams (cudaLaunchHostFunc); see
// callback.c.
#ifndef HOST_RUNTIME_CALLBACK_H
#define HOST_RUNTIME_CALLBACK_H

#include "host/runtime/call.h"

// Enqueues the host function call function(argument) in the runner's stream with the number `stream`. Only the
// implementation of an API call may call cudart_callback_add().
cudaError_t cudart_callback_add(uint32_t stream, cudaHostFn_t function, void *argument);
// Calls the stream's host functions that have not been called yet, because the program is about to submit other work to
// the stream. Releases libcudart's lock meanwhile.
void cudart_callback_force(uint32_t stream);
// Calls function(argument), a host function that the program enqueued in the stream, at the end of the present API
// call. The stream may not have reached the host function in virtual time. After the call of cudart_callback_now(), the
// runner process reports no read of the results of the stream's earlier operations as too early.
cudaError_t cudart_callback_now(uint32_t stream, cudaHostFn_t function, void *argument);
// Notes that the program has waited for the operations whose numbers are in `tickets` (`bytes` bytes of uint64_t).
void cudart_callback_over(const unsigned char *tickets, uint64_t bytes);
// Waits, at the end of an API call, until libcudart has called each host function whose preceding work in its stream
// the program has waited for. If `waits` is 1, the API call itself waited for a device, and cudart_callback_drain()
// also waits until the called host functions have ended.
void cudart_callback_drain(int waits);

#endif
