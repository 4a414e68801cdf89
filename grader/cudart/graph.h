// Graphs: work that is put together once and launched as often as one likes.
#ifndef CUDART_GRAPH_H
#define CUDART_GRAPH_H

#include "cudart/copy.h"
#include "cudart/stream.h"

struct CUgraphNode_st {
    enum cudaGraphNodeType type;
    struct cudart_work work; // not of an empty node
    unsigned char parameters[HOST_PARAM_BYTES];
    cudaGraphNode_t source; // itself; of an executable graph's, the node that it was made of
    void **argument;        // of a kernel, once it was asked for them: into parameters; owned
    cudaGraphNode_t *after; // owned
    size_t count;
    size_t index; // in its graph
    cudaGraph_t graph;
};
struct CUgraph_st {
    cudaGraphNode_t *node; // owned, each too
    size_t count;
    struct CUgraph_st *next; // of all that live
};
struct CUgraphExec_st {
    struct CUgraphNode_st *node; // copies, in the order they are run
    size_t count;
    struct CUgraphExec_st *next;
};

// What a capturing stream is given becomes a node behind the stream's last one.
cudaError_t cudart_graph_capture(struct CUstream_st *, const struct cudart_work *);
// The stream takes part in the capture, behind `node` too (NULL: the beginning).
cudaError_t cudart_graph_join(struct CUstream_st *, cudaGraph_t, cudaGraphNode_t node);

int cudart_graph_is_exec(cudaGraphExec_t);
// The copy of a node in an executable graph; NULL: there is none.
struct CUgraphNode_st *cudart_graph_node_of(cudaGraphExec_t, cudaGraphNode_t);
// The work becomes the node's, with a launch's parameters.
void cudart_graph_put(struct CUgraphNode_st *, const struct cudart_work *);
// The work of a node that is described so; a kernel's `parameters` as in cudart_launch_work.
cudaError_t cudart_graph_kernel(const struct cudaKernelNodeParams *, unsigned char parameters[HOST_PARAM_BYTES],
                                struct cudart_work *);
cudaError_t cudart_graph_copy(const struct cudart_copy *, struct cudart_work *);
cudaError_t cudart_graph_fill(const struct cudaMemsetParams *, struct cudart_work *);
cudaError_t cudart_graph_host(const struct cudaHostNodeParams *, struct cudart_work *);

#endif
