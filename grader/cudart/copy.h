// This file declares copies, and the functions that send copies to the runner as commands.
#ifndef CUDART_COPY_H
#define CUDART_COPY_H

#include "cudart/call.h"

// Returns the box of a single row at `address`.
struct host_box cudart_copy_row(const void *address);
// A copy of `depth` slices of `height` rows of `width` bytes. async 1: the copy is submitted to the stream as work.
struct cudart_copy {
    struct host_box to, from;
    size_t width, height, depth;
    enum cudaMemcpyKind kind;
    int async;
    cudaStream_t stream;
};
// Executes a copy, or submits the copy to its stream if copy->async is 1. Returns 0 or an error.
cudaError_t cudart_copy(const struct cudart_copy *);
// cudart_copy_command() translates a copy to a command. cudart_copy_3d() translates the parameters of cudaMemcpy3D to a
// copy. Both return 0 or an error.
cudaError_t cudart_copy_command(const struct cudart_copy *, struct host_command *);
cudaError_t cudart_copy_3d(const struct cudaMemcpy3DParms *, struct cudart_copy *);
// Sends the command of a copy, and moves the bytes of pageable memory. Returns 0 or an error.
cudaError_t cudart_copy_run(struct host_command *);

#endif
