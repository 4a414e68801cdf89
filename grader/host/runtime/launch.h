// This file declares the translation of a kernel launch to an operation for a stream (struct cudart_work).
#ifndef HOST_RUNTIME_LAUNCH_H
#define HOST_RUNTIME_LAUNCH_H

#include "host/runtime/call.h"
#include "host/runtime/stream.h"

struct cudart_launch {
    const void *function;
    struct dim3 grid, block;
    size_t shared;
    void **arguments;
    int cooperative;
};
// Translates a kernel launch to an operation for a stream. Writes the kernel's parameters to `parameters`, and makes
// the field `data` of the operation point to `parameters`. Returns 0 or a cudaError_t.
cudaError_t cudart_launch_work(const struct cudart_launch *, unsigned char parameters[HOST_PARAM_BYTES],
                               struct cudart_work *);

#endif
