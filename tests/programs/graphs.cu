// Graphs: put together by hand, captured, one within another; nodes asked for and changed, before and after they were
// instantiated; a graph of the same shape in the place of another. And what a stream is told about itself.
#include <cstring>

#include "check.h"

__global__ void add(int *p, int what)
{
    atomicAdd(p, what);
}

static int called;
static void CUDART_CB call(void *by)
{
    called += *(int *)by;
}

static int launch(cudaGraphExec_t exec, cudaStream_t stream, int *d)
{
    int value = -1;
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

// Fills with ones, adds 5 in two threads, calls.
static cudaGraph_t by_hand(int *d, int *one, cudaGraphNode_t node[3])
{
    int five = 5;
    void *arguments[] = {&d, &five};
    cudaGraph_t graph;
    cudaMemsetParams fill = {};
    fill.dst = d;
    fill.value = 1;
    fill.elementSize = 4;
    fill.width = fill.height = 1;
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(2);
    kernel.kernelParams = arguments;
    cudaHostNodeParams host = {call, one};
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemsetNode(&node[0], graph, nullptr, 0, &fill));
    OK(cudaGraphAddKernelNode(&node[1], graph, &node[0], 1, &kernel));
    OK(cudaGraphAddHostNode(&node[2], graph, &node[1], 1, &host));
    return graph;
}

static void changes(int *d, cudaStream_t stream)
{
    int one = 1, ten = 10, *given;
    cudaGraphNode_t node[3];
    cudaGraphExec_t exec;
    cudaKernelNodeParams kernel;
    cudaMemsetParams fill;
    cudaHostNodeParams host;
    cudaGraph_t graph = by_hand(d, &one, node);
    OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    EXPECT(launch(exec, stream, d) == 11 && called == 1);

    OK(cudaGraphKernelNodeGetParams(node[1], &kernel));
    EXPECT(kernel.func == (void *)add && kernel.blockDim.x == 2 && *(int *)kernel.kernelParams[1] == 5);
    memcpy(&given, kernel.kernelParams[0], sizeof given);
    EXPECT(given == d);
    int seven = 7;
    void *arguments[] = {&d, &seven};
    kernel.kernelParams = arguments;
    kernel.blockDim = dim3(1);
    OK(cudaGraphExecKernelNodeSetParams(exec, node[1], &kernel)); // of the executable graph alone
    EXPECT(launch(exec, stream, d) == 8);
    OK(cudaGraphMemsetNodeGetParams(node[0], &fill));
    EXPECT(fill.dst == d && fill.value == 1 && fill.width == 1 && fill.elementSize == 4);
    fill.value = 100;
    OK(cudaGraphExecMemsetNodeSetParams(exec, node[0], &fill));
    OK(cudaGraphHostNodeGetParams(node[2], &host));
    host.userData = &ten;
    OK(cudaGraphExecHostNodeSetParams(exec, node[2], &host));
    called = 0;
    EXPECT(launch(exec, stream, d) == 107 && called == 10);
    EXPECT(cudaGraphExecKernelNodeSetParams(exec, node[0], &kernel) == cudaErrorInvalidValue);

    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(exec, graph, &info)); // as the graph still is
    EXPECT(launch(exec, stream, d) == 11);
    OK(cudaGraphKernelNodeSetParams(node[1], &kernel));
    OK(cudaGraphExecUpdate(exec, graph, &info));
    EXPECT(launch(exec, stream, d) == 8);
    cudaGraphExecUpdateResult result; // CUDA 11's form
    OK(cudaGraphExecUpdate(exec, graph, nullptr, &result));
    EXPECT(result == cudaGraphExecUpdateSuccess);

    cudaGraph_t outer, other;
    cudaGraphNode_t first, inner, last;
    OK(cudaGraphCreate(&outer, 0));
    OK(cudaGraphAddChildGraphNode(&inner, outer, nullptr, 0, graph));
    OK(cudaGraphAddKernelNode(&last, outer, &inner, 1, &kernel));
    EXPECT(cudaGraphExecUpdate(exec, outer, &info) == cudaErrorGraphExecUpdateFailure && info.result);
    cudaGetLastError();
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, outer, 0));
    EXPECT(launch(exec, stream, d) == 15);
    OK(cudaGraphExecDestroy(exec));

    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 3, 0, stream>>>(d, 2);
    OK(cudaStreamEndCapture(stream, &other));
    size_t count = 1;
    OK(cudaGraphGetNodes(other, &first, &count));
    OK(cudaGraphKernelNodeGetParams(first, &kernel));
    EXPECT(count == 1 && kernel.blockDim.x == 3 && *(int *)kernel.kernelParams[1] == 2);
    OK(cudaGraphDestroy(outer));
    OK(cudaGraphDestroy(other));
    OK(cudaGraphDestroy(graph));
}

int main()
{
    int *d;
    cudaStream_t stream, twin;
    OK(cudaMalloc(&d, sizeof *d));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreate(&twin));
    changes(d, stream);

    cudaLaunchAttributeValue window = {}, told = {};
    window.accessPolicyWindow.base_ptr = d;
    window.accessPolicyWindow.num_bytes = 4;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    OK(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &window));
    OK(cudaStreamCopyAttributes(twin, stream));
    OK(cudaStreamGetAttribute(twin, cudaLaunchAttributeAccessPolicyWindow, &told));
    EXPECT(told.accessPolicyWindow.base_ptr == d && told.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
    OK(cudaStreamDestroy(stream));
    OK(cudaStreamDestroy(twin));
    OK(cudaFree(d));
    return failed;
}
