// a CUDA graph built node by node: memcpy, kernel, memcpy for each chunk; its parameters come from the graph API
#include "lab6.h"
#include <algorithm>
#include <vector>

static unsigned *d_in, *d_out;
static cudaGraph_t graph;
static cudaGraphExec_t executable;
static cudaStream_t launch_stream;

void prepare(unsigned **in, unsigned **out, int n)
{
    const std::size_t bytes = std::max(n, 1) * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaStreamCreate(&launch_stream);
    cudaGraphCreate(&graph, 0);
    const int chunks = 8, chunk = std::max(1, (n + chunks - 1) / chunks);
    for (int first = 0; first < n; first += chunk) {
        int count = std::min(chunk, n - first);
        cudaGraphNode_t to, kernel, from;
        cudaGraphAddMemcpyNode1D(&to, graph, nullptr, 0, d_in + first, *in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice);
        unsigned *a = d_in + first, *b = d_out + first;
        void *arguments[] = {&a, &b, &count};
        cudaKernelNodeParams p = {};
        p.func = (void *)work;
        p.gridDim = dim3((count + 255) / 256);
        p.blockDim = dim3(256);
        p.kernelParams = arguments;
        cudaGraphAddKernelNode(&kernel, graph, &to, 1, &p);
        cudaGraphAddMemcpyNode1D(&from, graph, &kernel, 1, *out + first, d_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
    }
    cudaGraphInstantiate(&executable, graph, 0);
}

void pipeline(const unsigned *, unsigned *, int)
{
    cudaGraphLaunch(executable, launch_stream);
    cudaStreamSynchronize(launch_stream);
}

void finish(unsigned *in, unsigned *out)
{
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(launch_stream);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
