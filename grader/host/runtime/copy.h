// This file declares memory copies (cudaMemcpy and its variants), and the functions that send copies to the runner
// process as commands.
#ifndef HOST_RUNTIME_COPY_H
#define HOST_RUNTIME_COPY_H

#include "host/runtime/call.h"

// Returns a struct host_box that describes memory of a single row, which begins at `address`.
struct host_box cudart_copy_row(const void *address);
// Describes a copy of `depth` slices of `height` rows of `width` bytes. If `async` is 1, the copy is submitted to the
// stream; if `async` is 0, it is executed at once.
struct cudart_copy {
    struct host_box to, from;
    size_t width, height, depth;
    enum cudaMemcpyKind kind;
    int async;
    cudaStream_t stream;
};
// Returns a copy of `bytes` consecutive bytes that is executed at once.
struct cudart_copy cudart_copy_line(void *to, const void *from, size_t bytes, enum cudaMemcpyKind);
// Executes a copy, or submits the copy to its stream if copy->async is 1. Returns 0 or a cudaError_t.
cudaError_t cudart_copy(const struct cudart_copy *);
// Translates a copy to a command of the host protocol (cudart_copy_command()), or the parameters of cudaMemcpy3D to a
// copy (cudart_copy_3d()). The functions cudart_copy_command() and cudart_copy_3d() return 0 or a cudaError_t.
cudaError_t cudart_copy_command(const struct cudart_copy *, struct host_command *);
cudaError_t cudart_copy_3d(const struct cudaMemcpy3DParms *, struct cudart_copy *);
// Sends the command of a copy to the runner, and moves the bytes of pageable memory through the data area (the part of
// the shared memory for bulk data). Returns 0 or a cudaError_t.
cudaError_t cudart_copy_run(struct host_command *);

#endif
