// Graphs: work that is put together once and launched any number of times.
#ifndef CUDART_GRAPH_H
#define CUDART_GRAPH_H

#include "cudart/copy.h"
#include "cudart/stream.h"

struct CUgraphNode_st {
    enum cudaGraphNodeType type;
    struct cudart_work work;                    // an empty node has none
    unsigned char parameters[HOST_PARAM_BYTES]; // of a kernel
    cudaGraphNode_t source; // the node itself; in an executable graph: the node that it is a copy of
    void **argument;        // of a kernel, once the program asked for it: pointers into `parameters`; owned
    cudaGraphNode_t *after; // [count]: the nodes that it comes after; owned
    size_t count;
    size_t index; // in its graph
    cudaGraph_t graph;
};
struct CUgraph_st {
    cudaGraphNode_t *node; // [count]; array and nodes are owned
    size_t count;
    struct CUgraph_st *next; // in the list of all graphs
};
struct CUgraphExec_st {
    struct CUgraphNode_st *node; // [count]: copies of a graph's nodes in the order of execution
    size_t count;
    struct CUgraphExec_st *next;
};

// Adds work to the graph that a stream captures into, as a node after the stream's last one.
cudaError_t cudart_graph_capture(struct CUstream_st *, const struct cudart_work *);
// Lets the stream join the capture into a graph, after `node` (NULL: at the graph's beginning).
cudaError_t cudart_graph_join(struct CUstream_st *, cudaGraph_t, cudaGraphNode_t node);

// Returns 1 if the handle is that of an executable graph.
int cudart_graph_is_exec(cudaGraphExec_t);
// Returns the copy of a node in an executable graph, or NULL.
struct CUgraphNode_st *cudart_graph_node_of(cudaGraphExec_t, cudaGraphNode_t);
// Makes the work that of the node, and copies a launch's parameters.
void cudart_graph_put(struct CUgraphNode_st *, const struct cudart_work *);
// Translate the parameters of a node to work; `parameters` of a kernel is as in cudart_launch_work. Return 0 or an
// error.
cudaError_t cudart_graph_kernel(const struct cudaKernelNodeParams *, unsigned char parameters[HOST_PARAM_BYTES],
                                struct cudart_work *);
cudaError_t cudart_graph_copy(const struct cudart_copy *, struct cudart_work *);
cudaError_t cudart_graph_fill(const struct cudaMemsetParams *, struct cudart_work *);
cudaError_t cudart_graph_host(const struct cudaHostNodeParams *, struct cudart_work *);

#endif
