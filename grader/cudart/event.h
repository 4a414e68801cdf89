// Events.
#ifndef CUDART_EVENT_H
#define CUDART_EVENT_H

#include "cudart/call.h"

struct CUevent_st {
    uint32_t handle; // the runner's
    int device;
    unsigned flags;
    cudaGraph_t capture;    // recorded in a stream that captured into this graph …
    cudaGraphNode_t behind; // … behind this node
    struct CUevent_st *next;
};
void cudart_event_reset(int device); // all of the device are gone

#endif
