// Reads and changes the parameters of a CUDA graph's node, in the graph itself or in an executable graph. An executable
// graph contains copies of nodes, which the program names by the handles of the original nodes.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/runtime/graph.h"
#include "host/runtime/register.h"

// ---------------------------------------------------------------- changed
static cudaError_t change(struct CUgraphNode_st *node, enum cudaGraphNodeType type, cudaError_t error,
                          const struct cudart_work *work)
{
    if (!node || node->type != type) return cudaErrorInvalidValue;
    if (!error) cudart_graph_put(node, work);
    return error;
}

static cudaError_t set_kernel(struct CUgraphNode_st *node, const struct cudaKernelNodeParams *p)
{
    unsigned char parameters[HOST_PARAM_BYTES];
    struct cudart_work work;
    cudaError_t error = cudart_graph_kernel(p, parameters, &work);
    return change(node, cudaGraphNodeTypeKernel, error, &work);
}

static cudaError_t set_copy(struct CUgraphNode_st *node, struct cudart_copy *c, cudaError_t error)
{
    struct cudart_work work;
    c->async = 1;
    if (!error) error = cudart_graph_copy(c, &work);
    return change(node, cudaGraphNodeTypeMemcpy, error, &work);
}

static cudaError_t set_copy_3d(struct CUgraphNode_st *node, const struct cudaMemcpy3DParms *p)
{
    struct cudart_copy c = {.async = 1};
    cudaError_t error = p ? cudart_copy_3d(p, &c) : cudaErrorInvalidValue;
    return set_copy(node, &c, error);
}

static cudaError_t set_row(struct CUgraphNode_st *node, void *to, const void *from, size_t bytes,
                           enum cudaMemcpyKind kind)
{
    struct cudart_copy c = cudart_copy_line(to, from, bytes, kind);
    return set_copy(node, &c, cudaSuccess);
}

static cudaError_t set_fill(struct CUgraphNode_st *node, const struct cudaMemsetParams *p)
{
    struct cudart_work work;
    cudaError_t error = cudart_graph_fill(p, &work);
    return change(node, cudaGraphNodeTypeMemset, error, &work);
}

static cudaError_t set_host(struct CUgraphNode_st *node, const struct cudaHostNodeParams *p)
{
    struct cudart_work work;
    cudaError_t error = cudart_graph_host(p, &work);
    return change(node, cudaGraphNodeTypeHost, error, &work);
}

// The macro SETTER defines two functions: one for a node of a graph, and one for the node's copy in an executable
// graph.
#define SETTER(what, set, parameters, arguments)                                                                       \
    API cudaError_t cudaGraph##what(cudaGraphNode_t node, PARAMETERS parameters)                                       \
    {                                                                                                                  \
        return CALL(set(node, PARAMETERS arguments));                                                                  \
    }                                                                                                                  \
    API cudaError_t cudaGraphExec##what(cudaGraphExec_t exec, cudaGraphNode_t node, PARAMETERS parameters)             \
    {                                                                                                                  \
        return CALL(set(cudart_graph_node_of(exec, node), PARAMETERS arguments));                                      \
    }
#define PARAMETERS(...) __VA_ARGS__
SETTER(KernelNodeSetParams, set_kernel, (const struct cudaKernelNodeParams *p), (p))
SETTER(MemcpyNodeSetParams, set_copy_3d, (const struct cudaMemcpy3DParms *p), (p))
SETTER(MemcpyNodeSetParams1D, set_row, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
       (to, from, bytes, kind))
SETTER(MemsetNodeSetParams, set_fill, (const struct cudaMemsetParams *p), (p))
SETTER(HostNodeSetParams, set_host, (const struct cudaHostNodeParams *p), (p))

// ---------------------------------------------------------------- reading
// Stores the launch parameters of a kernel node in *out. The graph node owns the kernel's arguments and the array
// out->kernelParams, which points to the arguments.
static cudaError_t get_kernel(cudaGraphNode_t node, struct cudaKernelNodeParams *out)
{
    struct cudart_kernel *kernel;
    if (!node || !out || node->type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    cudaError_t error = cudart_kernel_find(node->work.kernel, &kernel);
    if (error) return error;
    node->argument = alloc_resize(node->argument, kernel->params + 1, sizeof *node->argument);
    for (unsigned i = 0; i < kernel->params; ++i) node->argument[i] = node->parameters + kernel->param[i].offset;
    const struct host_launch *l = &node->work.command.launch;
    *out = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)node->work.kernel,
                                         .gridDim = {l->grid[0], l->grid[1], l->grid[2]},
                                         .blockDim = {l->block[0], l->block[1], l->block[2]},
                                         .sharedMemBytes = (unsigned)l->shared,
                                         .kernelParams = node->argument};
    return cudaSuccess;
}

API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *out)
{
    return CALL(get_kernel(node, out));
}

static cudaError_t get_fill(cudaGraphNode_t node, struct cudaMemsetParams *out)
{
    if (!node || !out || node->type != cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
    const struct host_fill *f = &node->work.command.fill;
    unsigned element = f->element ? f->element : 1;
    *out = (struct cudaMemsetParams){.dst = (void *)(uintptr_t)f->to.address,
                                     .pitch = f->to.pitch,
                                     .value = f->value,
                                     .elementSize = element,
                                     .width = f->width / element,
                                     .height = f->height};
    return cudaSuccess;
}

API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *out)
{
    return CALL(get_fill(node, out));
}

static cudaError_t get_host(cudaGraphNode_t node, struct cudaHostNodeParams *out)
{
    if (!node || !out || node->type != cudaGraphNodeTypeHost) return cudaErrorInvalidValue;
    *out = (struct cudaHostNodeParams){node->work.function, node->work.argument};
    return cudaSuccess;
}

API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *out)
{
    return CALL(get_host(node, out));
}
