// This file declares the functions of the host that a stream calls (cudaLaunchHostFunc); see callback.c.
#ifndef CUDART_CALLBACK_H
#define CUDART_CALLBACK_H

#include "cudart/call.h"

// Enqueues function(argument) in the runner's stream with the number `stream`, within a call of the API.
cudaError_t cudart_callback_add(uint32_t stream, cudaHostFn_t function, void *argument);
// Calls the stream's functions that have not been called yet, because the stream is about to get other work. Releases
// libcudart's lock meanwhile.
void cudart_callback_force(uint32_t stream);
// Calls function(argument) after the present call of the API, and accuses nobody of reading too early what comes before
// it in the stream.
cudaError_t cudart_callback_now(uint32_t stream, cudaHostFn_t function, void *argument);
// Takes the numbers (tickets) of operations that the program has waited for, as cudart_hazard_over() does.
void cudart_callback_over(const unsigned char *tickets, uint64_t bytes);
// Waits, at the end of a call of the API, until the functions that the call waited for have been called. If `waits` is
// 0, the call waited for nothing, and functions that have begun need not end.
void cudart_callback_drain(int waits);

#endif
