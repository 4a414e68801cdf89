// Copies, as the runner is asked for them.
#ifndef CUDART_COPY_H
#define CUDART_COPY_H

#include "cudart/call.h"

// One row of `width` bytes, as a side of a copy.
struct host_box cudart_copy_row(const void *address);
// `width` bytes of each of `height` rows of `depth` slices; a piece of work if `async`, done at once if not.
struct cudart_copy {
    struct host_box to, from;
    size_t width, height, depth;
    enum cudaMemcpyKind kind;
    int async;
    cudaStream_t stream;
};
cudaError_t cudart_copy(const struct cudart_copy *);
// The command of a copy, and of what cudaMemcpy3D asks for. 0, or an error.
cudaError_t cudart_copy_command(const struct cudart_copy *, struct host_command *);
cudaError_t cudart_copy_3d(const struct cudaMemcpy3DParms *, struct cudart_copy *);
// Sends a copy and moves the bytes of pageable memory.
cudaError_t cudart_copy_run(struct host_command *);

#endif
