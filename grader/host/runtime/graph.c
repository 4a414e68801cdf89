// Implements graphs that a program builds by hand or captures from streams. A graph node holds the operation that a
// stream would have received, and the list of the nodes that must come before it. graph_exec.c executes graphs.
#include "host/runtime/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/runtime/copy.h"
#include "host/runtime/launch.h"

static struct CUgraph_st *graphs;

int cudart_graph_is_graph(cudaGraph_t graph)
{
    const struct CUgraph_st *g = graphs;
    while (g && g != graph) g = g->next;
    return g != NULL;
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
    node->device = cudart_thread.device;
    node->graph = graph;
    node->index = graph->count;
    node->source = node;
    if (work) cudart_graph_put(node, work);
    graph->node = alloc_resize(graph->node, graph->count + 1, sizeof *graph->node);
    return graph->node[graph->count++] = node;
}

// Adds a copy of another graph's node, without the node's dependencies.
static cudaGraphNode_t add_copy_of(cudaGraph_t graph, const struct CUgraphNode_st *node)
{
    cudaGraphNode_t copy = add(graph, node->type, &node->work);
    copy->device = node->device;
    return copy;
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
    if (!cudart_graph_is_graph(graph)) return cudaErrorInvalidValue;
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
    if (!out || !cudart_graph_is_graph(graph)) return cudaErrorInvalidValue;
    cudaGraph_t copy = make();
    for (size_t i = 0; i < graph->count; ++i) add_copy_of(copy, graph->node[i]);
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
    if (!out || !cudart_graph_is_graph(graph) || (count && !after)) return cudaErrorInvalidValue;
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
    struct cudart_copy c = cudart_copy_line(to, from, bytes, kind);
    c.async = 1;
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
    if (!cudart_graph_is_graph(child) || child == graph) return cudaErrorInvalidValue;
    cudaError_t error = add_behind(out, graph, after, count, cudaGraphNodeTypeEmpty, NULL);
    if (error) return error;
    cudaGraphNode_t first = *out, last = add(graph, cudaGraphNodeTypeGraph, NULL);
    size_t base = graph->count;
    depend(last, first);
    for (size_t i = 0; i < child->count; ++i) {
        cudaGraphNode_t node = add_copy_of(graph, child->node[i]);
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
    if (!cudart_graph_is_graph(graph) || (count && (!from || !to))) return cudaErrorInvalidValue;
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
    return CALL(edges ? cudart_refuse(cudaErrorNotSupported, "data of edges are not supported")
                      : add_edges(graph, from, to, count));
}
#endif

// ---------------------------------------------------------------- questions
// Writes at most *count nodes of a graph to `out`, and stores the number of written nodes in *count. If `out` is NULL,
// *count becomes the number of all nodes. If `roots` is 1, list() considers only root nodes.
static cudaError_t list(cudaGraph_t graph, cudaGraphNode_t *out, size_t *count, int roots)
{
    size_t found = 0;
    if (!count || !cudart_graph_is_graph(graph)) return cudaErrorInvalidValue;
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
    node->device = stream->device;
    if (stream->behind) depend(node, stream->behind);
    stream->behind = node;
    return cudaSuccess;
}

cudaError_t cudart_graph_join(struct CUstream_st *stream, cudaGraph_t graph, cudaGraphNode_t behind)
{
    if (!cudart_graph_is_graph(graph)) return cudaErrorInvalidResourceHandle; // the capture has ended
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
