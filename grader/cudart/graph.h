// Graphs: work that is put together once and launched as often as one likes.
#ifndef CUDART_GRAPH_H
#define CUDART_GRAPH_H

#include "cudart/stream.h"

// What a capturing stream is given becomes a node behind the stream's last one.
cudaError_t cudart_graph_capture(struct CUstream_st *, const struct cudart_work *);
// The stream takes part in the capture, behind `node` too (NULL: the beginning).
cudaError_t cudart_graph_join(struct CUstream_st *, cudaGraph_t, cudaGraphNode_t node);

#endif
