// Implements all forms of cudaMemset, which fill memory with a value.
#include "host/runtime/call.h"
#include "host/runtime/stream.h"

static cudaError_t fill(struct host_box to, int value, struct cudaExtent extent, int async, cudaStream_t stream)
{
    if (!extent.width || !extent.height || !extent.depth) return cudaSuccess;
    if (!to.address) return cudaErrorInvalidValue;
    if (extent.height > 1 && to.pitch < extent.width) return cudaErrorInvalidPitchValue;
    struct cudart_work work = {.command = {.op = HOST_OP_fill,
                                           .fill = {.to = to,
                                                    .width = extent.width,
                                                    .height = extent.height,
                                                    .depth = extent.depth,
                                                    .value = (unsigned char)value,
                                                    .element = 1,
                                                    .async = (uint32_t)async}}};
    return cudart_stream_submit(stream, &work);
}
#define TO(at, step, slices) ((struct host_box){(uint64_t)(uintptr_t)(at), step, slices})
#define EXTENT(width, height) ((struct cudaExtent){width, height, 1})

API cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return CALL(fill(TO(to, 0, 0), value, EXTENT(bytes, 1), 0, NULL));
}

API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return CALL(fill(TO(to, 0, 0), value, EXTENT(bytes, 1), 1, stream));
}

API cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return CALL(fill(TO(to, pitch, 0), value, EXTENT(width, height), 0, NULL));
}

API cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    return CALL(fill(TO(to, pitch, 0), value, EXTENT(width, height), 1, stream));
}

API cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
    return CALL(fill(TO(to.ptr, to.pitch, to.pitch * to.ysize), value, extent, 0, NULL));
}

API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream)
{
    return CALL(fill(TO(to.ptr, to.pitch, to.pitch * to.ysize), value, extent, 1, stream));
}
