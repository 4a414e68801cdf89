// This file defines events (cudaEvent_t) as libcudart stores them.
#ifndef HOST_RUNTIME_EVENT_H
#define HOST_RUNTIME_EVENT_H

#include "host/runtime/call.h"

struct CUevent_st {
    uint32_t handle; // the runner's number of the event
    int device;
    unsigned flags;
    cudaGraph_t capture;    // the graph, if the event was recorded in a capturing stream
    cudaGraphNode_t behind; // the last node before the event in the graph
    struct CUevent_st *next;
};
// Frees all CUDA events that belong to the device.
void cudart_event_reset(int device);

#endif
