// Implements executable graphs: their instantiation, update and launch.
//
// Instantiation sorts a graph's nodes topologically, and keeps the order in which nodes were added where possible.
// After sorting the nodes, instantiation distributes them over lanes. A lane of a graph is a sequence of nodes on one
// device, like a stream; a GPU executes different lanes concurrently. A node continues the lane of one of its
// predecessors if no other node has continued that lane. A node may also continue a lane whose last node always
// precedes this node in the graph. Any other node begins a new lane, up to LANES lanes, the number of hardware queues
// of a GPU. The lanes are a greedy cover of the graph by chains of nodes, as in list scheduling.
//
// The launch of a graph submits the nodes in their topological order, each node to the stream of its lane. The first
// lane uses the stream of the launch; every other lane has a stream of its own. If a node depends on a node of another
// lane, an event orders the two nodes. Every lane waits for the begin of the launch, and the stream of the launch waits
// for the ends of all lanes. The launch of a graph therefore behaves like one operation of its stream.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/runtime/callback.h"
#include "host/runtime/graph.h"

enum { LANES = 32 };

struct graph_step {
    size_t *after; // [count]: the positions of the node's predecessors in the order of execution; owned
    size_t count;
    size_t lane;
    int marked;     // 1: `event` exists, because a node of another lane comes after this node
    uint32_t event; // an event of the runner
};
struct graph_lane {
    int device;
    size_t last;      // position of the lane's last node
    int own;          // 1: `stream` exists
    uint32_t stream;  // a stream of the runner
    uint32_t current; // the stream that the lane uses in the present launch: `stream`, or the stream of the launch
};

static struct CUgraphExec_st *execs;

int cudart_graph_is_exec(cudaGraphExec_t exec)
{
    const struct CUgraphExec_st *e = execs;
    while (e && e != exec) e = e->next;
    return e != NULL;
}

struct CUgraphNode_st *cudart_graph_node_of(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    for (size_t i = 0; cudart_graph_is_exec(exec) && i < exec->count; ++i)
        if (exec->node[i].source == node) return &exec->node[i];
    return NULL;
}

// ---------------------------------------------------------------- commands to the runner
// Sends a command for the device `device`, which need not be the calling thread's current device. Returns the reply's
// result.
static cudaError_t send_for(int device, struct host_command *command, struct host_reply *reply)
{
    int current = cudart_thread.device;
    cudart_thread.device = device;
    cudaError_t error = cudart_send(command, reply, NULL);
    cudart_thread.device = current;
    return error;
}

static cudaError_t make_event(int device, uint32_t *event)
{
    struct host_command command = {.op = HOST_OP_event_create, .event_create.flags = HOST_EVENT_NO_TIMING};
    struct host_reply reply;
    cudaError_t error = send_for(device, &command, &reply);
    *event = reply.event;
    return error;
}

static cudaError_t make_stream(struct graph_lane *lane)
{
    struct host_command command = {.op = HOST_OP_stream_create,
                                   .stream_create.flags = HOST_STREAM_NON_BLOCKING | HOST_STREAM_PER_THREAD};
    struct host_reply reply;
    if (lane->own) return cudaSuccess;
    cudaError_t error = send_for(lane->device, &command, &reply);
    lane->stream = reply.stream;
    lane->own = !error;
    return error;
}

static void destroy_event(int device, uint32_t event)
{
    struct host_reply reply;
    send_for(device, &(struct host_command){.op = HOST_OP_event_destroy, .event_destroy.event = event}, &reply);
}

static void destroy_stream(const struct graph_lane *lane)
{
    struct host_reply reply;
    if (!lane->own) return;
    send_for(lane->device, &(struct host_command){.op = HOST_OP_stream_destroy, .stream_destroy.stream = lane->stream},
             &reply);
}

static cudaError_t mark(int device, uint32_t event, uint32_t stream)
{
    struct host_reply reply;
    return send_for(device,
                    &(struct host_command){
                        .op = HOST_OP_event_record, .in_graph = 1, .event_record = {.event = event, .stream = stream}},
                    &reply);
}

static cudaError_t wait_for(int device, uint32_t stream, uint32_t event)
{
    struct host_reply reply;
    return send_for(device,
                    &(struct host_command){
                        .op = HOST_OP_stream_wait, .in_graph = 1, .stream_wait = {.stream = stream, .event = event}},
                    &reply);
}

// ---------------------------------------------------------------- lanes
// Sets seen[k] to 1 for each node k that precedes the node i, directly or through other nodes, else to 0.
static void find_ancestors(const struct CUgraphExec_st *exec, size_t i, char *seen)
{
    memset(seen, 0, exec->count);
    for (size_t k = i + 1; k--;) {
        if (k != i && !seen[k]) continue;
        for (size_t a = 0; a < exec->step[k].count; ++a) seen[exec->step[k].after[a]] = 1;
    }
}

static int precedes_directly(const struct graph_step *step, size_t k)
{
    for (size_t a = 0; a < step->count; ++a)
        if (step->after[a] == k) return 1;
    return 0;
}

// Returns the index of the lane for the node i. The caller has filled the array seen[] by find_ancestors().
static size_t choose_lane(const struct CUgraphExec_st *exec, size_t i, const char *seen)
{
    size_t behind = SIZE_MAX, oldest = SIZE_MAX;
    for (size_t l = exec->lanes; l--;) {
        const struct graph_lane *lane = &exec->lane[l];
        if (lane->device != exec->node[i].device) continue;
        if (precedes_directly(&exec->step[i], lane->last)) return l;
        if (seen[lane->last]) behind = l;
        if (oldest == SIZE_MAX || lane->last < exec->lane[oldest].last) oldest = l;
    }
    if (behind != SIZE_MAX) return behind;
    return exec->lanes < LANES || oldest == SIZE_MAX ? exec->lanes : oldest;
}

static void plan_lanes(struct CUgraphExec_st *exec)
{
    char *seen = alloc_bytes(exec->count + 1);
    for (size_t i = 0; i < exec->count; ++i) {
        find_ancestors(exec, i, seen);
        size_t l = choose_lane(exec, i, seen);
        if (l == exec->lanes) {
            exec->lane = alloc_resize(exec->lane, ++exec->lanes, sizeof *exec->lane);
            exec->lane[l] = (struct graph_lane){.device = exec->node[i].device};
        }
        exec->lane[l].last = i;
        exec->step[i].lane = l;
    }
    free(seen);
}

// ---------------------------------------------------------------- instantiation
// Frees the memory of an executable graph, but not the streams and events that the runner process holds for the graph.
static void free_exec(struct CUgraphExec_st *exec)
{
    for (size_t i = 0; i < exec->count; ++i) free(exec->step[i].after);
    free(exec->step);
    free(exec->lane);
    free(exec->node);
    free(exec);
}

// Destroys the streams and events that the runner process holds for an executable graph.
static void release(struct CUgraphExec_st *exec)
{
    for (size_t l = 0; l < exec->lanes; ++l) {
        destroy_stream(&exec->lane[l]);
        exec->lane[l].own = 0;
    }
    for (size_t i = 0; i < exec->count; ++i) {
        if (exec->step[i].marked) destroy_event(exec->node[i].device, exec->step[i].event);
        exec->step[i].marked = 0;
    }
    for (int d = 0; d < HOST_DEVICES; ++d)
        if (exec->have_begin >> d & 1) destroy_event(d, exec->begin[d]);
    exec->have_begin = 0;
}

// Adds a copy of a graph's node to an executable graph. The array `position` gives for each node of the graph its
// position in the executable graph.
static void append(struct CUgraphExec_st *exec, const struct CUgraphNode_st *node, size_t *position)
{
    struct graph_step *step = &exec->step[exec->count];
    *step = (struct graph_step){.after = alloc_array(node->count + 1, sizeof *step->after), .count = node->count};
    for (size_t k = 0; k < node->count; ++k) step->after[k] = position[node->after[k]->index];
    position[node->index] = exec->count;
    exec->node[exec->count++] = *node;
}

// Creates an executable graph, without streams and events of the runner. Returns NULL if the graph has a cycle.
static struct CUgraphExec_st *build(cudaGraph_t graph)
{
    struct CUgraphExec_st *exec = alloc_zeroed(1, sizeof *exec);
    exec->node = alloc_array(graph->count + 1, sizeof *exec->node);
    exec->step = alloc_array(graph->count + 1, sizeof *exec->step);
    size_t *position = alloc_array(graph->count + 1, sizeof *position);
    for (size_t i = 0; i < graph->count; ++i) position[i] = SIZE_MAX;
    for (size_t before = SIZE_MAX; exec->count != before;) {
        before = exec->count;
        for (size_t i = 0; i < graph->count; ++i) {
            const struct CUgraphNode_st *node = graph->node[i];
            size_t k = 0;
            while (k < node->count && position[node->after[k]->index] != SIZE_MAX) ++k;
            if (position[i] == SIZE_MAX && k == node->count) append(exec, node, position);
        }
    }
    free(position);
    if (exec->count < graph->count) {
        free_exec(exec);
        return NULL;
    }
    plan_lanes(exec);
    return exec;
}

// Creates the streams and events that the launches of an executable graph need.
static cudaError_t prepare(struct CUgraphExec_st *exec)
{
    cudaError_t error = cudaSuccess;
    for (size_t l = 1; l < exec->lanes && !error; ++l) error = make_stream(&exec->lane[l]);
    for (size_t i = 0; i < exec->count; ++i) {
        for (size_t k = 0; k < exec->step[i].count; ++k) {
            struct graph_step *before = &exec->step[exec->step[i].after[k]];
            if (error || before->marked || before->lane == exec->step[i].lane) continue;
            error = make_event(exec->node[exec->step[i].after[k]].device, &before->event);
            before->marked = !error;
        }
    }
    for (size_t l = 0; l < exec->lanes; ++l) { // the end of a lane is the mark of its last node
        struct graph_step *last = &exec->step[exec->lane[l].last];
        if (error || last->marked) continue;
        error = make_event(exec->lane[l].device, &last->event);
        last->marked = !error;
    }
    return error;
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t graph)
{
    if (!out || !cudart_graph_is_graph(graph)) return cudaErrorInvalidValue;
    struct CUgraphExec_st *exec = build(graph);
    if (!exec) return cudaErrorInvalidValue;
    cudaError_t error = exec->lanes > 1 ? prepare(exec) : cudaSuccess;
    if (error) {
        release(exec);
        free_exec(exec);
        return error;
    }
    exec->next = execs;
    *out = execs = exec;
    return cudaSuccess;
}

#if CUDART_VERSION < 12000
// CUDA 11 also names a wrong node, and explains it in a log.
API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, cudaGraphNode_t *wrong, char *log,
                                     size_t bytes)
{
    if (wrong) *wrong = NULL;
    if (log && bytes) *log = '\0';
    return CALL(instantiate(out, graph));
}
#else
API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    return CALL(flags ? cudaErrorInvalidValue : instantiate(out, graph));
}
#endif

API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    return CALL(flags ? cudaErrorInvalidValue : instantiate(out, graph));
}

static int same_order(const struct CUgraphExec_st *a, const struct CUgraphExec_st *b)
{
    for (size_t i = 0; i < a->count; ++i) {
        size_t count = a->step[i].count;
        if (count != b->step[i].count || a->node[i].device != b->node[i].device) return 0;
        if (memcmp(a->step[i].after, b->step[i].after, count * sizeof *a->step[i].after)) return 0;
    }
    return 1;
}

// Exchanges the contents of two executable graphs, but not their positions in the list of executable graphs.
static void exchange(struct CUgraphExec_st *a, struct CUgraphExec_st *b)
{
    struct CUgraphExec_st old = *a;
    *a = *b;
    *b = old;
    b->next = a->next;
    a->next = old.next;
}

// Replaces the nodes of an executable graph by the nodes of `graph`, which must have the same number and types of
// nodes.
static cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *out)
{
    if (!cudart_graph_is_exec(exec) || !cudart_graph_is_graph(graph) || !out) return cudaErrorInvalidValue;
    *out = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    struct CUgraphExec_st *fresh = build(graph);
    if (!fresh) return cudaErrorInvalidValue;
    if (fresh->count != exec->count) out->result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < fresh->count && !out->result; ++i) {
        if (fresh->node[i].type != exec->node[i].type) out->result = cudaGraphExecUpdateErrorNodeTypeChanged;
        if (out->result) out->errorNode = fresh->node[i].source;
        fresh->node[i].source = exec->node[i].source;
    }
    if (!out->result && same_order(exec, fresh)) {
        memcpy(exec->node, fresh->node, exec->count * sizeof *exec->node);
    } else if (!out->result) {
        release(exec);
        exchange(exec, fresh);
    }
    free_exec(fresh);
    if (out->result) return cudaErrorGraphExecUpdateFailure;
    return exec->lanes > 1 ? prepare(exec) : cudaSuccess;
}

#if CUDART_VERSION < 12000
API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *wrong,
                                    enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {.result = cudaGraphExecUpdateSuccess};
    cudaError_t error = CALL(update(exec, graph, &info));
    if (wrong) *wrong = info.errorNode;
    if (result) *result = info.result;
    return error;
}
#else
API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *out)
{
    return CALL(update(exec, graph, out));
}
#endif

static cudaError_t destroy_exec(cudaGraphExec_t exec)
{
    if (!cudart_graph_is_exec(exec)) return cudaErrorInvalidValue;
    struct CUgraphExec_st **at = &execs;
    while (*at != exec) at = &(*at)->next;
    *at = exec->next;
    release(exec);
    free_exec(exec);
    return cudaSuccess;
}

API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return CALL(destroy_exec(exec));
}

// ---------------------------------------------------------------- launch
static int is_empty(const struct CUgraphNode_st *node)
{
    return node->type == cudaGraphNodeTypeEmpty || node->type == cudaGraphNodeTypeGraph;
}

static struct cudart_work work_of(const struct CUgraphNode_st *node)
{
    struct cudart_work work = node->work;
    if (work.data) work.data = node->parameters;
    return work;
}

// Submits all nodes of an executable graph to one stream. If the stream captures into another graph, the nodes are
// added to that graph.
static cudaError_t launch_in_row(const struct CUgraphExec_st *exec, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < exec->count && !error; ++i) {
        struct cudart_work work = work_of(&exec->node[i]);
        if (!is_empty(&exec->node[i])) error = cudart_stream_submit(stream, &work);
    }
    return error;
}

// Chooses the stream of each lane for a launch in `stream`. Makes the lanes with streams of their own wait for the
// earlier operations of `stream`.
static cudaError_t begin_lanes(struct CUgraphExec_st *exec, const struct CUstream_st *stream)
{
    cudaError_t error = cudaSuccess;
    int d = stream->device;
    if (!(exec->have_begin >> d & 1)) {
        error = make_event(d, &exec->begin[d]);
        if (error) return error;
        exec->have_begin |= 1u << d;
    }
    error = mark(d, exec->begin[d], stream->handle);
    for (size_t l = 0; l < exec->lanes && !error; ++l) {
        struct graph_lane *lane = &exec->lane[l];
        lane->current = stream->handle;
        if (!l && lane->device == d) continue;
        error = make_stream(lane);
        lane->current = lane->stream;
        if (!error) error = wait_for(lane->device, lane->current, exec->begin[d]);
    }
    return error;
}

static cudaError_t run_node(const struct CUgraphExec_st *exec, size_t i)
{
    const struct graph_step *step = &exec->step[i];
    const struct graph_lane *lane = &exec->lane[step->lane];
    cudaError_t error = cudaSuccess;
    for (size_t k = 0; k < step->count && !error; ++k) {
        const struct graph_step *before = &exec->step[step->after[k]];
        if (before->lane != step->lane) error = wait_for(lane->device, lane->current, before->event);
    }
    if (!error && !is_empty(&exec->node[i])) {
        struct cudart_work work = work_of(&exec->node[i]);
        int current = cudart_thread.device;
        cudart_thread.device = lane->device;
        error = cudart_work_run(&work, lane->current);
        cudart_thread.device = current;
    }
    if (!error && step->marked) error = mark(lane->device, step->event, lane->current);
    return error;
}

static cudaError_t launch(cudaGraphExec_t exec, cudaStream_t handle)
{
    const struct CUstream_st *stream = cudart_stream_find(handle);
    if (!cudart_graph_is_exec(exec)) return cudaErrorInvalidValue;
    if (!stream) return cudaErrorInvalidResourceHandle;
    int single = !exec->lanes || (exec->lanes == 1 && exec->lane[0].device == stream->device);
    if (single || stream->capture) return launch_in_row(exec, handle);
    cudart_callback_force(stream->handle);
    cudaError_t error = prepare(exec);
    if (!error) error = begin_lanes(exec, stream);
    for (size_t i = 0; i < exec->count && !error; ++i) error = run_node(exec, i);
    for (size_t l = 0; l < exec->lanes && !error; ++l) {
        const struct graph_lane *lane = &exec->lane[l];
        if (lane->current != stream->handle || lane->device != stream->device)
            error = wait_for(stream->device, stream->handle, exec->step[lane->last].event);
    }
    return error;
}

API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    return CALL(launch(exec, stream));
}

API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    return CALL(cudart_graph_is_exec(exec) && cudart_stream_find(stream) ? cudaSuccess : cudaErrorInvalidValue);
}
