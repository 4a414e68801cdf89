// This file declares the translation of a kernel launch to work for a stream.
#ifndef CUDART_LAUNCH_H
#define CUDART_LAUNCH_H

#include "cudart/call.h"
#include "cudart/stream.h"

struct cudart_launch {
    const void *function;
    struct dim3 grid, block;
    size_t shared;
    void **arguments;
    int cooperative;
};
// Translates a launch to work. Writes the kernel's parameter block to `parameters`; work->data then points to
// `parameters`. Returns 0 or an error.
cudaError_t cudart_launch_work(const struct cudart_launch *, unsigned char parameters[HOST_PARAM_BYTES],
                               struct cudart_work *);

#endif
