// This file defines streams as libcudart stores them, and the operations that a program submits to streams.
#ifndef HOST_RUNTIME_STREAM_H
#define HOST_RUNTIME_STREAM_H

#include "host/runtime/call.h"

struct CUstream_st {
    uint32_t handle; // the runner's number of the stream
    int device;
    unsigned flags;
    int priority;
    unsigned long long id;
    cudaGraph_t capture;    // the graph to which submitted work is added; NULL: the stream does not capture
    cudaGraphNode_t behind; // the last node of the stream; the next node comes after this node
    int origin;             // 1: the capture began in this stream
    int broken;             // 1: an operation that cannot be captured has invalidated the capture
    cudaLaunchAttributeValue window, policy; // attributes that are stored but have no effect
    struct CUstream_st *next;
};
// Returns the stream of a handle, or NULL if no stream has the handle. Also accepts the handles of the default streams
// (0, 1 and 2).
struct CUstream_st *cudart_stream_find(cudaStream_t);

// Describes an operation that a program submits to a stream.
struct cudart_work {
    struct host_command command; // the operation, without its stream
    const void *data;            // launch: the parameters, owned by the caller
    const void *kernel;          // launch: the address of the kernel's host function
    cudaHostFn_t function;       // host function: the function to call with `argument`
    void *argument;
};
// Submits an operation to a stream. If the stream captures into a graph, cudart_stream_submit() adds the operation to
// the graph and does not execute the operation. Returns 0 or a cudaError_t.
cudaError_t cudart_stream_submit(cudaStream_t, const struct cudart_work *);
// Executes an operation in a stream, even if the stream captures into a graph. `stream` is the number by which the
// runner process knows the stream. Returns 0 or a cudaError_t.
cudaError_t cudart_work_run(const struct cudart_work *, uint32_t stream);
// Invalidates the capture of a stream, because the program called an API function that cannot be captured. Returns
// cudaErrorStreamCaptureUnsupported, which most API functions that call cudart_stream_refuse() return to the program.
cudaError_t cudart_stream_refuse(struct CUstream_st *);
// Ends the capture into the graph for all streams that took part in the capture. Returns 1 if the capture was
// invalidated.
int cudart_stream_release(cudaGraph_t);
// Frees all CUDA streams that belong to the device.
void cudart_stream_reset(int device);

#endif
