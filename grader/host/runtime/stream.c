// Implements streams. The runner process, which holds the devices, identifies a stream by its number, whereas a
// cudaStream_t points to libcudart's data about the stream. In the CUDA Runtime API, the default streams have small
// numbers instead of pointers as handles. The handles 0 and 1 mean the legacy default stream. The handle 2 means the
// host thread's own default stream, which libcudart creates at its first use in that thread.
#include "host/runtime/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/runtime/callback.h"
#include "host/runtime/copy.h"
#include "host/runtime/device.h"
#include "host/runtime/event.h"
#include "host/runtime/graph.h"
#include "host/runtime/memory.h"

static struct CUstream_st *streams; // list of the streams that the program created
static struct CUstream_st legacy;
static __thread struct CUstream_st *own[HOST_DEVICES]; // per-thread default streams
static unsigned long long ids = 2;

static cudaError_t make(struct CUstream_st **out, unsigned flags, int priority)
{
    struct host_command command = {.op = HOST_OP_stream_create,
                                   .stream_create = {.flags = flags, .priority = priority}};
    struct host_reply reply;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    if (error) return error;
    struct CUstream_st *stream = alloc_zeroed(1, sizeof *stream);
    *stream = (struct CUstream_st){
        .handle = reply.stream, .device = cudart_thread.device, .flags = flags, .priority = priority, .id = ++ids};
    *out = stream;
    return cudaSuccess;
}

struct CUstream_st *cudart_stream_find(cudaStream_t handle)
{
    int device = cudart_thread.device;
    if (!handle || handle == cudaStreamLegacy) {
        legacy.device = device;
        return &legacy;
    }
    if (handle == cudaStreamPerThread) {
        if (!own[device] && make(&own[device], HOST_STREAM_PER_THREAD, 0)) return NULL;
        return own[device];
    }
    for (struct CUstream_st *s = streams; s; s = s->next)
        if (s == handle) return s;
    return NULL;
}

static cudaError_t create(cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || flags & ~(unsigned)cudaStreamNonBlocking) return cudaErrorInvalidValue;
    cudaError_t error = make(out, flags, priority);
    if (error) return error;
    (*out)->next = streams;
    streams = *out;
    return cudaSuccess;
}

API cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return CALL(create(out, 0, 0));
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    return CALL(create(out, flags, 0));
}

static cudaError_t create_with_priority(cudaStream_t *out, unsigned flags, int priority)
{
    const struct host_device *d = cudart_device_facts(cudart_thread.device);
    if (priority > d->priority_least) priority = d->priority_least; // a stream with a lower number goes first
    if (priority < d->priority_greatest) priority = d->priority_greatest;
    return create(out, flags, priority);
}

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    return CALL(create_with_priority(out, flags, priority));
}

static void unlink_stream(struct CUstream_st *stream)
{
    struct CUstream_st **at = &streams;
    while (*at && *at != stream) at = &(*at)->next;
    if (*at) *at = stream->next;
    free(stream);
}

static cudaError_t destroy(cudaStream_t handle)
{
    struct CUstream_st *stream = (uintptr_t)handle > 2 ? cudart_stream_find(handle) : NULL;
    if (!stream) return cudaErrorInvalidResourceHandle;
    struct host_command command = {.op = HOST_OP_stream_destroy, .stream_destroy.stream = stream->handle};
    cudaError_t error = cudart_ask(&command);
    unlink_stream(stream);
    return error;
}

API cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return CALL(destroy(stream));
}

void cudart_stream_reset(int device)
{
    for (struct CUstream_st *s = streams, *next; s; s = next) {
        next = s->next;
        if (s->device == device) unlink_stream(s);
    }
    free(own[device]);
    own[device] = NULL;
}

// ---------------------------------------------------------------- questions
#define ASK_STREAM(name, type, value)                                                                                  \
    API cudaError_t name(cudaStream_t handle, type *out)                                                               \
    {                                                                                                                  \
        cudart_enter(__func__, __builtin_return_address(0));                                                           \
        const struct CUstream_st *stream = out ? cudart_stream_find(handle) : NULL;                                    \
        if (stream) *out = value;                                                                                      \
        return cudart_leave(stream ? cudaSuccess : out ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);      \
    }
ASK_STREAM(cudaStreamGetFlags, unsigned int, stream->flags &cudaStreamNonBlocking)
ASK_STREAM(cudaStreamGetPriority, int, stream->priority)
ASK_STREAM(cudaStreamGetDevice, int, stream->device)
ASK_STREAM(cudaStreamGetId, unsigned long long, stream == &legacy ? 1 : stream->id)
ASK_STREAM(cudaStreamIsCapturing, enum cudaStreamCaptureStatus,
           stream->broken    ? cudaStreamCaptureStatusInvalidated
           : stream->capture ? cudaStreamCaptureStatusActive
                             : cudaStreamCaptureStatusNone)

cudaError_t cudart_stream_refuse(struct CUstream_st *stream)
{
    stream->broken = 1;
    return cudaErrorStreamCaptureUnsupported;
}

static int leave_capture(struct CUstream_st *stream, cudaGraph_t graph)
{
    if (!stream || stream->capture != graph) return 0;
    int broken = stream->broken;
    stream->capture = NULL;
    stream->behind = NULL;
    stream->origin = stream->broken = 0;
    return broken;
}

int cudart_stream_release(cudaGraph_t graph)
{
    int broken = 0;
    for (struct CUstream_st *s = streams; s; s = s->next) broken |= leave_capture(s, graph);
    for (int device = 0; device < HOST_DEVICES; ++device) broken |= leave_capture(own[device], graph);
    return broken;
}

static cudaError_t wait_for(cudaStream_t handle, enum host_op op)
{
    struct CUstream_st *stream = cudart_stream_find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->capture) return cudart_stream_refuse(stream);
    struct host_command command = {.op = op, .stream_sync.stream = stream->handle};
    return cudart_ask(&command);
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return CALL(wait_for(stream, HOST_OP_stream_sync));
}

API cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return CALL(wait_for(stream, HOST_OP_stream_query)); // struct host_stream_sync has the same field
}

// ---------------------------------------------------------------- work
// Sets the field `stream` of a command.
static void put_stream(struct host_command *c, uint32_t stream)
{
    switch ((enum host_op)c->op) {
    case HOST_OP_copy:
        c->copy.stream = stream;
        break;
    case HOST_OP_fill:
        c->fill.stream = stream;
        break;
    case HOST_OP_prefetch:
        c->prefetch.stream = stream;
        break;
    case HOST_OP_launch:
        c->launch.stream = stream;
        break;
    case HOST_OP_host_function:
        c->host_function.stream = stream;
        break;
    case HOST_OP_event_record:
        c->event_record.stream = stream;
        break;
    case HOST_OP_stream_wait:
        c->stream_wait.stream = stream;
        break;
    default:
        cudart_stop("operation %u belongs to no stream", c->op);
    }
}

cudaError_t cudart_work_run(const struct cudart_work *work, uint32_t stream)
{
    struct host_command command = work->command;
    cudaError_t error;
    put_stream(&command, stream);
    switch ((enum host_op)command.op) {
    case HOST_OP_copy:
        return cudart_copy_run(&command);
    case HOST_OP_launch:
        error = cudart_memory_refresh(0);
        if (error) return error;
        memcpy(cudart_data(), work->data, command.launch.param_bytes);
        error = cudart_ask(&command);
        if (!error) error = cudart_memory_refresh(1);
        return error;
    case HOST_OP_host_function:
        return cudart_callback_now(stream, work->function, work->argument);
    default:
        return cudart_ask(&command);
    }
}

// Returns 1 if the operation cannot use the host's memory: a fill or copy within devices, or a launch whose arguments
// point to no memory of the host. Such an operation takes nothing from a host function before it.
static int is_within_devices(const struct cudart_work *work)
{
    const struct host_command *c = &work->command;
    if (c->op == HOST_OP_fill) return cudart_memory_is_device(c->fill.to.address);
    if (c->op == HOST_OP_copy)
        return cudart_memory_is_device(c->copy.to.address) && cudart_memory_is_device(c->copy.from.address);
    if (c->op != HOST_OP_launch || cudart_memory_is_shared()) return 0;
    for (uint32_t at = 0; at + sizeof(uint64_t) <= c->launch.param_bytes; at += sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, (const char *)work->data + at, sizeof value);
        if (cudart_memory_find(value) && !cudart_memory_is_device(value)) return 0;
    }
    return 1;
}

cudaError_t cudart_stream_submit(cudaStream_t handle, const struct cudart_work *work)
{
    struct CUstream_st *stream = cudart_stream_find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->capture) return cudart_graph_capture(stream, work);
    uint32_t number = stream->handle;
    if (work->command.op == HOST_OP_host_function) return cudart_callback_add(number, work->function, work->argument);
    if (!is_within_devices(work)) cudart_callback_force(number);
    return cudart_work_run(work, number);
}

// ---------------------------------------------------------------- attributes
// Returns a pointer to the stored value of a stream's attribute, or NULL if streams do not have the attribute. The
// attributes for the L2 access window and the synchronisation policy are stored but have no effect.
static cudaLaunchAttributeValue *attribute(struct CUstream_st *stream, cudaLaunchAttributeID which)
{
    if (which == cudaLaunchAttributeAccessPolicyWindow) return &stream->window;
    return which == cudaLaunchAttributeSynchronizationPolicy ? &stream->policy : NULL;
}

static cudaError_t exchange_attribute(cudaStream_t handle, cudaLaunchAttributeID which, cudaLaunchAttributeValue *value,
                                      int set)
{
    struct CUstream_st *stream = cudart_stream_find(handle);
    if (!stream || !value) return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    if (which == cudaLaunchAttributePriority) {
        if (set) stream->priority = value->priority;
        value->priority = stream->priority;
        return cudaSuccess;
    }
    cudaLaunchAttributeValue *at = attribute(stream, which);
    if (!at) return cudaErrorInvalidValue;
    *(set ? at : value) = *(set ? value : at);
    return cudaSuccess;
}

API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID which,
                                       const cudaLaunchAttributeValue *value)
{
    cudaLaunchAttributeValue copy = value ? *value : (cudaLaunchAttributeValue){.priority = 0};
    return CALL(exchange_attribute(stream, which, value ? &copy : NULL, 1));
}

API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID which,
                                       cudaLaunchAttributeValue *value)
{
    return CALL(exchange_attribute(stream, which, value, 0));
}

static cudaError_t copy_attributes(cudaStream_t to, cudaStream_t from)
{
    struct CUstream_st *t = cudart_stream_find(to), *f = cudart_stream_find(from);
    if (!t || !f) return cudaErrorInvalidResourceHandle;
    t->window = f->window;
    t->policy = f->policy;
    return cudaSuccess;
}

API cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    return CALL(copy_attributes(to, from));
}

API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument)
{
    struct cudart_work work = {.command = {.op = HOST_OP_host_function}, .function = function, .argument = argument};
    return CALL(function ? cudart_stream_submit(stream, &work) : cudaErrorInvalidValue);
}

struct callback {
    cudaStreamCallback_t function;
    cudaStream_t stream;
    void *argument;
};

static void run_callback(void *at)
{
    struct callback call = *(struct callback *)at;
    free(at);
    call.function(call.stream, cudaSuccess, call.argument);
}

static cudaError_t add_callback(cudaStream_t stream, cudaStreamCallback_t function, void *argument, unsigned flags)
{
    if (!function || flags) return cudaErrorInvalidValue;
    struct CUstream_st *s = cudart_stream_find(stream);
    if (s && s->capture) return cudart_stream_refuse(s);
    struct callback *call = alloc_bytes(sizeof *call);
    *call = (struct callback){function, stream, argument};
    struct cudart_work work = {.command = {.op = HOST_OP_host_function}, .function = run_callback, .argument = call};
    cudaError_t error = cudart_stream_submit(stream, &work);
    if (error) free(call);
    return error;
}

API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *argument,
                                      unsigned flags)
{
    return CALL(add_callback(stream, function, argument, flags));
}
