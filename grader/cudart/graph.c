// Implements graphs. A graph node holds the operation that a stream would have received, and the list of the nodes that
// must come before it. Instantiation sorts a graph's nodes topologically, and keeps the order in which nodes were added
// where possible. The launch of a graph submits its nodes to the stream one after another. Executing the nodes one
// after another gives the same results as every other legal order. The nodes that a GPU could execute concurrently are
// executed sequentially here, so a graph launch may take longer.
#include "cudart/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cudart/copy.h"
#include "cudart/launch.h"

static struct CUgraph_st *graphs;
static struct CUgraphExec_st *execs;

static int is_graph(cudaGraph_t graph)
{
    const struct CUgraph_st *g = graphs;
    while (g && g != graph) g = g->next;
    return g != NULL;
}

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

void cudart_graph_put(struct CUgraphNode_st *node, const struct cudart_work *work)
{
    node->work = *work;
    if (work->data) memcpy(node->parameters, work->data, work->command.launch.param_bytes);
    node->work.data = work->data ? node->parameters : NULL;
}

static void depend(cudaGraphNode_t node, cudaGraphNode_t on)
{
    for (size_t i = 0; i < node->count; ++i)
        if (node->after[i] == on) return;
    node->after = alloc_resize(node->after, node->count + 1, sizeof *node->after);
    node->after[node->count++] = on;
}

static cudaGraphNode_t add(cudaGraph_t graph, enum cudaGraphNodeType type, const struct cudart_work *work)
{
    cudaGraphNode_t node = alloc_zeroed(1, sizeof *node);
    node->type = type;
    node->graph = graph;
    node->index = graph->count;
    node->source = node;
    if (work) cudart_graph_put(node, work);
    graph->node = alloc_resize(graph->node, graph->count + 1, sizeof *graph->node);
    return graph->node[graph->count++] = node;
}

// ---------------------------------------------------------------- graphs by hand
static cudaGraph_t make(void)
{
    cudaGraph_t graph = alloc_bytes(sizeof *graph);
    *graph = (struct CUgraph_st){.next = graphs};
    return graphs = graph;
}

static cudaError_t create(cudaGraph_t *out, unsigned flags)
{
    if (!out || flags) return cudaErrorInvalidValue;
    *out = make();
    return cudaSuccess;
}

API cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags)
{
    return CALL(create(out, flags));
}

static cudaError_t destroy(cudaGraph_t graph)
{
    if (!is_graph(graph)) return cudaErrorInvalidValue;
    struct CUgraph_st **at = &graphs;
    while (*at != graph) at = &(*at)->next;
    *at = graph->next;
    for (size_t i = 0; i < graph->count; ++i) {
        free(graph->node[i]->after);
        free(graph->node[i]->argument);
        free(graph->node[i]);
    }
    free(graph->node);
    free(graph);
    return cudaSuccess;
}

API cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return CALL(destroy(graph));
}

static cudaError_t clone(cudaGraph_t *out, cudaGraph_t graph)
{
    if (!out || !is_graph(graph)) return cudaErrorInvalidValue;
    cudaGraph_t copy = make();
    for (size_t i = 0; i < graph->count; ++i) add(copy, graph->node[i]->type, &graph->node[i]->work);
    for (size_t i = 0; i < graph->count; ++i)
        for (size_t k = 0; k < graph->node[i]->count; ++k)
            depend(copy->node[i], copy->node[graph->node[i]->after[k]->index]);
    *out = copy;
    return cudaSuccess;
}

API cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph)
{
    return CALL(clone(out, graph));
}

static cudaError_t add_behind(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                              enum cudaGraphNodeType type, const struct cudart_work *work)
{
    if (!out || !is_graph(graph) || (count && !after)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
        if (!after[i] || after[i]->graph != graph) return cudaErrorInvalidValue;
    *out = add(graph, type, work);
    for (size_t i = 0; i < count; ++i) depend(*out, after[i]);
    return cudaSuccess;
}
#define NODE cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count

cudaError_t cudart_graph_kernel(const struct cudaKernelNodeParams *p, unsigned char parameters[HOST_PARAM_BYTES],
                                struct cudart_work *work)
{
    if (!p) return cudaErrorInvalidValue;
    if (p->extra) cudart_stop("kernel nodes with 'extra' arguments are not implemented");
    struct cudart_launch l = {p->func, p->gridDim, p->blockDim, p->sharedMemBytes, p->kernelParams, 0};
    return cudart_launch_work(&l, parameters, work);
}

static cudaError_t add_kernel(NODE, const struct cudaKernelNodeParams *p)
{
    unsigned char parameters[HOST_PARAM_BYTES];
    struct cudart_work work;
    cudaError_t error = cudart_graph_kernel(p, parameters, &work);
    return error ? error : add_behind(out, graph, after, count, cudaGraphNodeTypeKernel, &work);
}

API cudaError_t cudaGraphAddKernelNode(NODE, const struct cudaKernelNodeParams *p)
{
    return CALL(add_kernel(out, graph, after, count, p));
}

cudaError_t cudart_graph_copy(const struct cudart_copy *c, struct cudart_work *work)
{
    *work = (struct cudart_work){.data = NULL};
    return cudart_copy_command(c, &work->command);
}

static cudaError_t add_copy(NODE, const struct cudart_copy *c)
{
    struct cudart_work work;
    cudaError_t error = cudart_graph_copy(c, &work);
    return error ? error : add_behind(out, graph, after, count, cudaGraphNodeTypeMemcpy, &work);
}

static cudaError_t add_copy_3d(NODE, const struct cudaMemcpy3DParms *p)
{
    struct cudart_copy c;
    cudaError_t error = cudart_copy_3d(p, &c);
    c.async = 1;
    return error ? error : add_copy(out, graph, after, count, &c);
}

API cudaError_t cudaGraphAddMemcpyNode(NODE, const struct cudaMemcpy3DParms *p)
{
    return CALL(add_copy_3d(out, graph, after, count, p));
}

API cudaError_t cudaGraphAddMemcpyNode1D(NODE, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    struct cudart_copy c = {.to = cudart_copy_row(to),
                            .from = cudart_copy_row(from),
                            .width = bytes,
                            .height = 1,
                            .depth = 1,
                            .kind = kind,
                            .async = 1};
    return CALL(add_copy(out, graph, after, count, &c));
}

cudaError_t cudart_graph_fill(const struct cudaMemsetParams *p, struct cudart_work *work)
{
    if (!p || !p->dst || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return cudaErrorInvalidValue;
    *work = (struct cudart_work){.command = {.op = HOST_OP_fill,
                                             .fill = {.to = {.address = (uint64_t)(uintptr_t)p->dst, .pitch = p->pitch},
                                                      .width = p->width * p->elementSize,
                                                      .height = p->height,
                                                      .depth = 1,
                                                      .value = p->value,
                                                      .element = p->elementSize,
                                                      .async = 1}}};
    return cudaSuccess;
}

static cudaError_t add_fill(NODE, const struct cudaMemsetParams *p)
{
    struct cudart_work work;
    cudaError_t error = cudart_graph_fill(p, &work);
    return error ? error : add_behind(out, graph, after, count, cudaGraphNodeTypeMemset, &work);
}

API cudaError_t cudaGraphAddMemsetNode(NODE, const struct cudaMemsetParams *p)
{
    return CALL(add_fill(out, graph, after, count, p));
}

cudaError_t cudart_graph_host(const struct cudaHostNodeParams *p, struct cudart_work *work)
{
    if (!p || !p->fn) return cudaErrorInvalidValue;
    *work = (struct cudart_work){.command = {.op = HOST_OP_host_function}, .function = p->fn, .argument = p->userData};
    return cudaSuccess;
}

static cudaError_t add_host(NODE, const struct cudaHostNodeParams *p)
{
    struct cudart_work work;
    cudaError_t error = cudart_graph_host(p, &work);
    return error ? error : add_behind(out, graph, after, count, cudaGraphNodeTypeHost, &work);
}

API cudaError_t cudaGraphAddHostNode(NODE, const struct cudaHostNodeParams *p)
{
    return CALL(add_host(out, graph, after, count, p));
}

API cudaError_t cudaGraphAddEmptyNode(NODE)
{
    return CALL(add_behind(out, graph, after, count, cudaGraphNodeTypeEmpty, NULL));
}

// Adds copies of a child graph's nodes to a graph. The roots of the child graph come after the nodes `after`. After the
// copied nodes of the child graph comes one more node, which represents the child graph in the parent graph.
static cudaError_t add_child(NODE, cudaGraph_t child)
{
    if (!is_graph(child) || child == graph) return cudaErrorInvalidValue;
    cudaError_t error = add_behind(out, graph, after, count, cudaGraphNodeTypeEmpty, NULL);
    if (error) return error;
    cudaGraphNode_t first = *out, last = add(graph, cudaGraphNodeTypeGraph, NULL);
    size_t base = graph->count;
    depend(last, first);
    for (size_t i = 0; i < child->count; ++i) {
        cudaGraphNode_t node = add(graph, child->node[i]->type, &child->node[i]->work);
        depend(node, first);
        depend(last, node);
    }
    for (size_t i = 0; i < child->count; ++i)
        for (size_t k = 0; k < child->node[i]->count; ++k)
            depend(graph->node[base + i], graph->node[base + child->node[i]->after[k]->index]);
    *out = last;
    return cudaSuccess;
}

API cudaError_t cudaGraphAddChildGraphNode(NODE, cudaGraph_t child)
{
    return CALL(add_child(out, graph, after, count, child));
}

static cudaError_t add_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count)
{
    if (!is_graph(graph) || (count && (!from || !to))) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
        if (!from[i] || !to[i] || from[i]->graph != graph || to[i]->graph != graph) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) depend(to[i], from[i]);
    return cudaSuccess;
}

#if CUDART_VERSION < 13000
API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                         size_t count)
{
    return CALL(add_edges(graph, from, to, count));
}
#else
API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                         const void *edges, size_t count)
{
    return CALL(edges ? cudaErrorNotSupported : add_edges(graph, from, to, count));
}
#endif

// ---------------------------------------------------------------- questions
// Writes at most *count nodes of a graph to `out`, and stores the number of written nodes in *count. If `out` is NULL,
// *count becomes the number of all nodes. If `roots` is 1, list() considers only root nodes.
static cudaError_t list(cudaGraph_t graph, cudaGraphNode_t *out, size_t *count, int roots)
{
    size_t found = 0;
    if (!count || !is_graph(graph)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->count; ++i) {
        if (roots && graph->node[i]->count) continue;
        if (out && found < *count) out[found] = graph->node[i];
        ++found;
    }
    if (out)
        for (size_t i = found; i < *count; ++i) out[i] = NULL;
    if (!out || found < *count) *count = found;
    return cudaSuccess;
}

API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *out, size_t *count)
{
    return CALL(list(graph, out, count, 0));
}

API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *out, size_t *count)
{
    return CALL(list(graph, out, count, 1));
}

static cudaError_t type_of(cudaGraphNode_t node, enum cudaGraphNodeType *out)
{
    if (!node || !out) return cudaErrorInvalidValue;
    *out = node->type;
    return cudaSuccess;
}

API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *out)
{
    return CALL(type_of(node, out));
}

// ---------------------------------------------------------------- executing
static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t graph)
{
    if (!out || !is_graph(graph)) return cudaErrorInvalidValue;
    cudaGraphExec_t exec = alloc_bytes(sizeof *exec);
    *exec = (struct CUgraphExec_st){.node = alloc_array(graph->count, sizeof *exec->node)};
    char *done = alloc_zeroed(graph->count, 1);
    for (size_t before = SIZE_MAX; exec->count != before;) {
        before = exec->count;
        for (size_t i = 0; i < graph->count; ++i) {
            const struct CUgraphNode_st *node = graph->node[i];
            size_t k = 0;
            while (k < node->count && done[node->after[k]->index]) ++k;
            if (done[i] || k < node->count) continue;
            done[i] = 1;
            exec->node[exec->count++] = *node;
        }
    }
    free(done);
    if (exec->count < graph->count) { // the graph has a cycle
        free(exec->node);
        free(exec);
        return cudaErrorInvalidValue;
    }
    exec->next = execs;
    *out = execs = exec;
    return cudaSuccess;
}

API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    return CALL(flags ? cudaErrorInvalidValue : instantiate(out, graph));
}

API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    return CALL(flags ? cudaErrorInvalidValue : instantiate(out, graph));
}

// Replaces the nodes of an executable graph by the nodes of `graph`, which must have the same number and types of
// nodes.
static cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *out)
{
    cudaGraphExec_t fresh;
    if (!cudart_graph_is_exec(exec) || !is_graph(graph) || !out) return cudaErrorInvalidValue;
    *out = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    cudaError_t error = instantiate(&fresh, graph);
    if (error) return error;
    execs = fresh->next;
    if (fresh->count != exec->count) out->result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < fresh->count && !out->result; ++i) {
        if (fresh->node[i].type != exec->node[i].type) out->result = cudaGraphExecUpdateErrorNodeTypeChanged;
        if (out->result) out->errorNode = fresh->node[i].source;
        fresh->node[i].source = exec->node[i].source;
    }
    cudaGraphExec_t loser = out->result ? fresh : exec;
    free(loser->node);
    if (!out->result) exec->node = fresh->node;
    free(fresh);
    return out->result ? cudaErrorGraphExecUpdateFailure : cudaSuccess;
}

API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *out)
{
    return CALL(update(exec, graph, out));
}

static cudaError_t destroy_exec(cudaGraphExec_t exec)
{
    if (!cudart_graph_is_exec(exec)) return cudaErrorInvalidValue;
    struct CUgraphExec_st **at = &execs;
    while (*at != exec) at = &(*at)->next;
    *at = exec->next;
    free(exec->node);
    free(exec);
    return cudaSuccess;
}

API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return CALL(destroy_exec(exec));
}

static cudaError_t launch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    if (!cudart_graph_is_exec(exec)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < exec->count && !error; ++i) {
        if (exec->node[i].type == cudaGraphNodeTypeEmpty || exec->node[i].type == cudaGraphNodeTypeGraph) continue;
        struct cudart_work work = exec->node[i].work;
        if (work.data) work.data = exec->node[i].parameters;
        error = cudart_stream_submit(stream, &work);
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

// ---------------------------------------------------------------- capture
static cudaError_t begin(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    struct CUstream_st *stream = cudart_stream_find(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    if (stream->capture) return cudaErrorIllegalState;
    if (!handle || handle == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
    stream->capture = make();
    stream->behind = NULL;
    stream->origin = 1;
    stream->broken = 0;
    return cudaSuccess;
}

API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return CALL(begin(stream, mode));
}

static enum cudaGraphNodeType type_of_work(const struct cudart_work *work)
{
    switch ((enum host_op)work->command.op) {
    case HOST_OP_launch:
        return cudaGraphNodeTypeKernel;
    case HOST_OP_copy:
    case HOST_OP_prefetch:
        return cudaGraphNodeTypeMemcpy;
    case HOST_OP_fill:
        return cudaGraphNodeTypeMemset;
    default:
        return cudaGraphNodeTypeHost;
    }
}

cudaError_t cudart_graph_capture(struct CUstream_st *stream, const struct cudart_work *work)
{
    int synchronous = (work->command.op == HOST_OP_copy && !work->command.copy.async) ||
                      (work->command.op == HOST_OP_fill && !work->command.fill.async);
    if (stream->broken) return cudaErrorStreamCaptureInvalidated;
    if (synchronous) return cudart_stream_refuse(stream);
    cudaGraphNode_t node = add(stream->capture, type_of_work(work), work);
    if (stream->behind) depend(node, stream->behind);
    stream->behind = node;
    return cudaSuccess;
}

cudaError_t cudart_graph_join(struct CUstream_st *stream, cudaGraph_t graph, cudaGraphNode_t behind)
{
    if (!is_graph(graph)) return cudaErrorInvalidResourceHandle; // the capture has ended
    if (stream->capture && stream->capture != graph) return cudaErrorStreamCaptureMerge;
    if (!stream->capture) {
        stream->capture = graph;
        stream->behind = behind;
        return cudaSuccess;
    }
    if (!behind || behind == stream->behind) return cudaSuccess;
    cudaGraphNode_t both = add(graph, cudaGraphNodeTypeEmpty, NULL);
    depend(both, behind);
    if (stream->behind) depend(both, stream->behind);
    stream->behind = both;
    return cudaSuccess;
}

static cudaError_t end(cudaStream_t handle, cudaGraph_t *out)
{
    struct CUstream_st *stream = cudart_stream_find(handle);
    if (!stream || !out) return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *out = NULL;
    if (!stream->capture) return cudaErrorIllegalState;
    if (!stream->origin) return cudaErrorStreamCaptureUnmatched;
    cudaGraph_t graph = stream->capture;
    int broken = cudart_stream_release(graph);
    if (broken) destroy(graph);
    if (broken) return cudaErrorStreamCaptureInvalidated;
    *out = graph;
    return cudaSuccess;
}

API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out)
{
    return CALL(end(stream, out));
}

API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static __thread enum cudaStreamCaptureMode current;
    enum cudaStreamCaptureMode old = current;
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed) return CALL(cudaErrorInvalidValue);
    current = *mode;
    *mode = old;
    return CALL(cudaSuccess);
}
