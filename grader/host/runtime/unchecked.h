// This file declares the list of calls that failed and whose error the program has not asked for.
#ifndef HOST_RUNTIME_UNCHECKED_H
#define HOST_RUNTIME_UNCHECKED_H

#include "host/runtime/call.h"

// Says why the calling thread's present call will fail. `a` and `b` are the numbers of the reason's sentence
// (host/border/failure.def).
void cudart_unchecked_because(enum host_reason, uint64_t a, uint64_t b);
// Says that the present call cannot return its error to the program, because it is a launch with <<<>>>.
void cudart_unchecked_silent(void);
// Adds the calling thread's present call, which failed with `error`, to the list. With cudaSuccess, only forgets what
// cudart_unchecked_because() and cudart_unchecked_silent() said.
void cudart_unchecked_add(cudaError_t error);
// Removes the calling thread's calls from the list, because the thread asks for its last error.
void cudart_unchecked_seen(void);
// Sends the listed calls to the runner process, in the order in which they failed, by `send`.
void cudart_unchecked_tell(void (*send)(struct host_command *));

#endif
