// Streams, events, functions on the host, and graphs.
#include "check.h"

#include <vector>

__global__ void add(int *p, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += value;
}

static int called;
static void note(void *value)
{
    called += *(int *)value;
}
static void note_status(cudaStream_t, cudaError_t status, void *value)
{
    if (status == cudaSuccess) called += *(int *)value;
}

static const int n = 1 << 16, chunks = 4, chunk = n / chunks;

static void pipeline()
{
    int *host, *device;
    cudaStream_t stream[chunks];
    cudaEvent_t start, end;
    OK(cudaMallocHost(&host, n * sizeof(int)));
    OK(cudaMalloc(&device, n * sizeof(int)));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    for (int i = 0; i < n; i++) host[i] = i;
    OK(cudaEventRecord(start));
    for (int c = 0; c < chunks; c++) {
        OK(cudaStreamCreate(&stream[c]));
        int *h = host + c * chunk, *d = device + c * chunk;
        OK(cudaMemcpyAsync(d, h, chunk * sizeof(int), cudaMemcpyHostToDevice, stream[c]));
        add<<<chunk / 256, 256, 0, stream[c]>>>(d, chunk, 7);
        OK(cudaMemcpyAsync(h, d, chunk * sizeof(int), cudaMemcpyDeviceToHost, stream[c]));
    }
    for (int c = 0; c < chunks; c++) OK(cudaStreamSynchronize(stream[c]));
    OK(cudaEventRecord(end));
    OK(cudaEventSynchronize(end));
    float ms = 0;
    OK(cudaEventElapsedTime(&ms, start, end));
    EXPECT(ms > 0);
    for (int i = 0; i < n; i++) EXPECT(host[i] == i + 7);
    for (int c = 0; c < chunks; c++) OK(cudaStreamDestroy(stream[c]));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaFreeHost(host));
    OK(cudaFree(device));
}

static void host_functions()
{
    int one = 1, ten = 10;
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaLaunchHostFunc(stream, note, &one));
    OK(cudaStreamAddCallback(stream, note_status, &ten, 0));
    OK(cudaStreamSynchronize(stream));
    EXPECT(called == 11);
    OK(cudaStreamQuery(stream));
    OK(cudaStreamDestroy(stream));
}

static void graph()
{
    int *device, value = 0;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes;
    OK(cudaMalloc(&device, sizeof(int)));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(device, 0, sizeof(int), stream));
    add<<<1, 1, 0, stream>>>(device, 1, 2);
    add<<<1, 1, 0, stream>>>(device, 1, 3);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 3);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) OK(cudaGraphLaunch(exec, stream));
    OK(cudaMemcpyAsync(&value, device, sizeof value, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(value == 5);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(device));
}

int main()
{
    pipeline();
    host_functions();
    graph();
    return failed;
}
