// the graph is captured anew in every pipeline() call and updated in place with cudaGraphExecUpdate where there is one
#include "lab6.h"
#define STREAMS 6
static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];
static cudaEvent_t event[STREAMS];
static cudaGraphExec_t exec;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamCreate(&stream[s]);
        cudaEventCreateWithFlags(&event[s], cudaEventDisableTiming);
    }
    exec = nullptr;
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeThreadLocal);
    cudaEventRecord(event[0], stream[0]);
    for (int s = 1; s < STREAMS; ++s) cudaStreamWaitEvent(stream[s], event[0], 0);
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
    }
    for (int s = 1; s < STREAMS; ++s) {
        cudaEventRecord(event[s], stream[s]);
        cudaStreamWaitEvent(stream[0], event[s], 0);
    }
    cudaStreamEndCapture(stream[0], &graph);
    cudaGraphExecUpdateResultInfo info;
    if (exec == nullptr || cudaGraphExecUpdate(exec, graph, &info) != cudaSuccess) {
        if (exec != nullptr) {
            cudaGetLastError();
            cudaGraphExecDestroy(exec);
        }
        cudaGraphInstantiate(&exec, graph, 0);
    }
    cudaGraphDestroy(graph);
    cudaGraphLaunch(exec, stream[0]);
    cudaStreamSynchronize(stream[0]);
}

void finish(unsigned *in, unsigned *out)
{
    cudaGraphExecDestroy(exec);
    for (int s = 0; s < STREAMS; ++s) {
        cudaEventDestroy(event[s]);
        cudaStreamDestroy(stream[s]);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
