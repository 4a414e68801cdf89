// Streams, and what is put into them.
#ifndef CUDART_STREAM_H
#define CUDART_STREAM_H

#include "cudart/call.h"

struct CUstream_st {
    uint32_t handle; // the runner's
    int device;
    unsigned flags;
    int priority;
    unsigned long long id;
    cudaGraph_t capture;                     // what is put into it becomes a node of this graph; NULL: not capturing
    cudaGraphNode_t behind;                  // the node that the next one comes after
    int origin;                              // 1: the capture began here
    int broken;                              // 1: something was done that a capture cannot hold
    cudaLaunchAttributeValue window, policy; // attributes, kept for who asks: caches and waiting are the device's own
    struct CUstream_st *next;
};
// The stream of a handle, the default ones included; NULL: there is none.
struct CUstream_st *cudart_stream_find(cudaStream_t);

// A piece of work for a stream.
struct cudart_work {
    struct host_command command; // its operation; the stream is filled in
    const void *data;            // a launch's parameters, copied by whoever keeps them
    const void *kernel;          // of a launch: the host's function
    cudaHostFn_t function;       // of a host function
    void *argument;
};
// Does the work, or adds it to the graph that the stream captures.
cudaError_t cudart_stream_submit(cudaStream_t, const struct cudart_work *);
// Does it, in the runner's stream.
cudaError_t cudart_work_run(const struct cudart_work *, uint32_t stream);
// What a capturing stream cannot do ends the capture with an error.
cudaError_t cudart_stream_refuse(struct CUstream_st *);
// The capture into this graph is over for all streams that took part. 1: one of them was broken.
int cudart_stream_release(cudaGraph_t);
// All streams of the device are gone.
void cudart_stream_reset(int device);

#endif
