// one CUDA graph over both devices: the capture forks from device 0's stream to device 1's by an event, and joins again
#include "lab8.h"

static unsigned *g_in[2], *g_out[2];
static cudaStream_t g_stream[2];
static cudaEvent_t g_fork, g_join;
static cudaGraphExec_t g_exec;
static int g_host;

static void branch(int d, const unsigned *in, unsigned *out, int count)
{
    if (count == 0) return;
    cudaSetDevice(d);
    cudaMemcpyAsync(g_in[d], in, count * sizeof(unsigned), cudaMemcpyHostToDevice, g_stream[d]);
    work<<<(count + 255) / 256, 256, 0, g_stream[d]>>>(g_in[d], g_out[d], count);
    cudaMemcpyAsync(out, g_out[d], count * sizeof(unsigned), cudaMemcpyDeviceToHost, g_stream[d]);
}

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&g_in[d], (n / 2 + 1) * sizeof(unsigned));
        cudaMalloc(&g_out[d], (n / 2 + 1) * sizeof(unsigned));
        cudaStreamCreate(&g_stream[d]);
        cudaEventCreateWithFlags(d ? &g_join : &g_fork, cudaEventDisableTiming);
    }
    g_host = n / 64;
    const int half = (n - g_host) / 2;
    cudaGraph_t graph;

    cudaSetDevice(0);
    cudaStreamBeginCapture(g_stream[0], cudaStreamCaptureModeGlobal);
    cudaEventRecord(g_fork, g_stream[0]);
    cudaStreamWaitEvent(g_stream[1], g_fork, 0);
    branch(0, *in, *out, half);
    branch(1, *in + half, *out + half, n - g_host - half);
    cudaEventRecord(g_join, g_stream[1]);
    cudaStreamWaitEvent(g_stream[0], g_join, 0);
    cudaStreamEndCapture(g_stream[0], &graph);
    cudaGraphInstantiate(&g_exec, graph, 0);
    cudaGraphDestroy(graph);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    cudaSetDevice(0);
    cudaGraphLaunch(g_exec, g_stream[0]);
    work_on_host(in + n - g_host, out + n - g_host, g_host);
    cudaStreamSynchronize(g_stream[0]);
}

void finish(unsigned *in, unsigned *out)
{
    cudaGraphExecDestroy(g_exec);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaEventDestroy(d ? g_join : g_fork);
        cudaStreamDestroy(g_stream[d]);
        cudaFree(g_in[d]);
        cudaFree(g_out[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
