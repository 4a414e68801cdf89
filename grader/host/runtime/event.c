// Implements CUDA events, and the order between streams that events cause. An event that was recorded during stream
// capture marks a position in the captured graph. A stream that waits for an event of a captured graph joins the
// capture.
#include "host/runtime/event.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "host/runtime/graph.h"
#include "host/runtime/stream.h"

static struct CUevent_st *events;

static struct CUevent_st *find(cudaEvent_t handle)
{
    for (struct CUevent_st *e = events; e; e = e->next)
        if (e == handle) return e;
    return NULL;
}

static cudaError_t create(cudaEvent_t *out, unsigned flags)
{
    if (!out || flags & ~7u) return cudaErrorInvalidValue;
    struct host_command command = {.op = HOST_OP_event_create, .event_create.flags = flags & 3};
    struct host_reply reply;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    if (error) return error;
    struct CUevent_st *event = alloc_zeroed(1, sizeof *event);
    *event = (struct CUevent_st){.handle = reply.event, .device = cudart_thread.device, .flags = flags, .next = events};
    *out = events = event;
    return cudaSuccess;
}

API cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return CALL(create(out, 0));
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    return CALL(create(out, flags));
}

static void unlink_event(struct CUevent_st *event)
{
    struct CUevent_st **at = &events;
    while (*at && *at != event) at = &(*at)->next;
    if (*at) *at = event->next;
    free(event);
}

static cudaError_t destroy(cudaEvent_t handle)
{
    struct CUevent_st *event = find(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    struct host_command command = {.op = HOST_OP_event_destroy, .event_destroy.event = event->handle};
    cudaError_t error = cudart_ask(&command);
    unlink_event(event);
    return error;
}

API cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return CALL(destroy(event));
}

void cudart_event_reset(int device)
{
    for (struct CUevent_st *e = events, *next; e; e = next) {
        next = e->next;
        if (e->device == device) unlink_event(e);
    }
}

// ---------------------------------------------------------------- recording and waiting
static cudaError_t record(cudaEvent_t handle, cudaStream_t stream, unsigned flags)
{
    struct CUevent_st *event = find(handle);
    struct CUstream_st *s = cudart_stream_find(stream);
    if (!event || !s) return cudaErrorInvalidResourceHandle;
    if (flags) return cudaErrorInvalidValue;
    event->capture = s->capture;
    event->behind = s->behind;
    if (s->capture) return cudaSuccess;
    struct cudart_work work = {.command = {.op = HOST_OP_event_record, .event_record.event = event->handle}};
    return cudart_stream_submit(stream, &work);
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return CALL(record(event, stream, 0));
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    return CALL(record(event, stream, flags));
}

static cudaError_t wait_in(cudaStream_t stream, cudaEvent_t handle, unsigned flags)
{
    struct CUevent_st *event = find(handle);
    struct CUstream_st *s = cudart_stream_find(stream);
    if (!event || !s) return cudaErrorInvalidResourceHandle;
    if (flags) return cudaErrorInvalidValue;
    if (event->capture) return cudart_graph_join(s, event->capture, event->behind);
    if (s->capture) {
        cudart_stream_refuse(s);
        return cudaErrorStreamCaptureIsolation;
    }
    struct cudart_work work = {.command = {.op = HOST_OP_stream_wait, .stream_wait.event = event->handle}};
    return cudart_stream_submit(stream, &work);
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    return CALL(wait_in(stream, event, flags));
}

static cudaError_t ask(cudaEvent_t handle, enum host_op op)
{
    struct CUevent_st *event = find(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    if (event->capture) return cudaErrorCapturedEvent;
    struct host_command command = {.op = op,
                                   .event_sync.event = event->handle}; // struct host_event_query has the same field
    return cudart_ask(&command);
}

API cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return CALL(ask(event, HOST_OP_event_sync));
}

API cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return CALL(ask(event, HOST_OP_event_query));
}

static cudaError_t elapsed(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    const struct CUevent_st *from = find(start), *to = find(end);
    if (!ms) return cudaErrorInvalidValue;
    if (!from || !to || (from->flags | to->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
    struct host_command command = {.op = HOST_OP_event_elapsed,
                                   .event_elapsed = {.start = from->handle, .end = to->handle}};
    struct host_reply reply;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    if (!error) *ms = (float)((double)reply.time / 1e9);
    return error;
}

API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return CALL(elapsed(ms, start, end));
}
