// a CUDA graph, captured in prepare() from streams that fork and join by events; pipeline() launches it
#include "lab6.h"

#define STREAMS 8

static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];
static cudaEvent_t fork_event, join_event[STREAMS];
static cudaGraph_t graph;
static cudaGraphExec_t exec;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)(n ? n : 1) * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&join_event[s], cudaEventDisableTiming);
    }
    cudaEventCreateWithFlags(&fork_event, cudaEventDisableTiming);

    cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork_event, stream[0]);
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0; s < STREAMS; ++s) {
        if (s > 0) cudaStreamWaitEvent(stream[s], fork_event, 0);
        int first = s * chunk, count = n - first < chunk ? n - first : chunk;
        if (count > 0) {
            cudaMemcpyAsync(device_in + first, *in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
            work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
            cudaMemcpyAsync(*out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
        }
        if (s > 0) {
            cudaEventRecord(join_event[s], stream[s]);
            cudaStreamWaitEvent(stream[0], join_event[s], 0);
        }
    }
    cudaStreamEndCapture(stream[0], &graph);
    cudaGraphInstantiate(&exec, graph, 0);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    cudaGraphLaunch(exec, stream[0]);
    cudaStreamSynchronize(stream[0]);
}

void finish(unsigned *in, unsigned *out)
{
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaEventDestroy(fork_event);
    for (int s = 0; s < STREAMS; ++s) {
        cudaEventDestroy(join_event[s]);
        cudaStreamDestroy(stream[s]);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
