// This file defines CUDA graphs as libcudart stores them. A program builds a graph once and launches the graph any
// number of times.
#ifndef HOST_RUNTIME_GRAPH_H
#define HOST_RUNTIME_GRAPH_H

#include "host/runtime/copy.h"
#include "host/runtime/stream.h"

struct CUgraphNode_st {
    enum cudaGraphNodeType type;
    int device;                                 // the device that executes the node
    struct cudart_work work;                    // the work of the node; unused in an empty node
    unsigned char parameters[HOST_PARAM_BYTES]; // parameters of a kernel node
    cudaGraphNode_t source;                     // the node itself; in an executable graph: the original node
    void **argument;                            // kernel node: pointers into `parameters`, created on demand; owned
    cudaGraphNode_t *after;                     // [count]: the nodes that come before this node; owned
    size_t count;
    size_t index; // index in the node's graph
    cudaGraph_t graph;
};
struct CUgraph_st {
    cudaGraphNode_t *node; // [count]; the array and the nodes are owned
    size_t count;
    struct CUgraph_st *next; // next graph in the list of all graphs
};
struct CUgraphExec_st {
    struct CUgraphNode_st *node; // [count]: copies of a graph's nodes in the order of execution
    size_t count;
    struct graph_step *step; // [count]: how each node is executed
    struct graph_lane *lane; // [lanes]
    size_t lanes;
    uint32_t begin[HOST_DEVICES]; // for each device: an event of the runner that marks the begin of a launch
    uint32_t have_begin;          // bit d: begin[d] exists
    struct CUgraphExec_st *next;
};

// Adds an operation to the graph that a stream captures into, as a node after the stream's last node. Returns 0 or a
// cudaError_t.
cudaError_t cudart_graph_capture(struct CUstream_st *, const struct cudart_work *);
// Makes the stream join the capture into a graph. In the graph, later operations of the stream come after `node` (NULL:
// at the graph's beginning). Returns 0 or a cudaError_t.
cudaError_t cudart_graph_join(struct CUstream_st *, cudaGraph_t, cudaGraphNode_t node);

// Returns 1 if the handle belongs to a graph.
int cudart_graph_is_graph(cudaGraph_t);
// Returns 1 if the handle belongs to an executable graph.
int cudart_graph_is_exec(cudaGraphExec_t);
// Returns the copy of a graph's node in an executable graph, or NULL.
struct CUgraphNode_st *cudart_graph_node_of(cudaGraphExec_t, cudaGraphNode_t);
// Sets the operation of a node, and copies the parameters of a kernel launch into the node.
void cudart_graph_put(struct CUgraphNode_st *, const struct cudart_work *);
// cudart_graph_kernel(), cudart_graph_copy(), cudart_graph_fill() and cudart_graph_host() translate the parameters of a
// graph node to an operation for a stream (struct cudart_work), and return 0 or a cudaError_t. The function
// cudart_graph_kernel() writes the kernel's parameters to `parameters`, to which the operation then points.
cudaError_t cudart_graph_kernel(const struct cudaKernelNodeParams *, unsigned char parameters[HOST_PARAM_BYTES],
                                struct cudart_work *);
cudaError_t cudart_graph_copy(const struct cudart_copy *, struct cudart_work *);
cudaError_t cudart_graph_fill(const struct cudaMemsetParams *, struct cudart_work *);
cudaError_t cudart_graph_host(const struct cudaHostNodeParams *, struct cudart_work *);

#endif
