// Copies, and the commands that make the runner execute them.
#ifndef CUDART_COPY_H
#define CUDART_COPY_H

#include "cudart/call.h"

// Returns the box of a single row at `address`.
struct host_box cudart_copy_row(const void *address);
// A copy of `width` bytes of each of `height` rows of `depth` slices. async 1: it is submitted to the stream as work.
struct cudart_copy {
    struct host_box to, from;
    size_t width, height, depth;
    enum cudaMemcpyKind kind;
    int async;
    cudaStream_t stream;
};
// Executes or submits a copy.
cudaError_t cudart_copy(const struct cudart_copy *);
// Translate a copy to its command, and the parameters of cudaMemcpy3D to a copy. Return 0 or an error.
cudaError_t cudart_copy_command(const struct cudart_copy *, struct host_command *);
cudaError_t cudart_copy_3d(const struct cudaMemcpy3DParms *, struct cudart_copy *);
// Sends the command of a copy, and moves the bytes of pageable memory.
cudaError_t cudart_copy_run(struct host_command *);

#endif
