// Events of the program.
#ifndef CUDART_EVENT_H
#define CUDART_EVENT_H

#include "cudart/call.h"

struct CUevent_st {
    uint32_t handle; // the runner's number of the event
    int device;
    unsigned flags;
    cudaGraph_t capture;    // if the event was recorded in a capturing stream: the graph
    cudaGraphNode_t behind; // and the last node before the event
    struct CUevent_st *next;
};
// Frees all events of the device.
void cudart_event_reset(int device);

#endif
