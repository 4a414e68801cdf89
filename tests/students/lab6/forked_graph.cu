// style: a CUDA graph captured from forked streams
#include "lab6.h"
enum { S = 8 };
static unsigned *din, *dout;
static cudaStream_t st[S];
static cudaEvent_t fork_, join_[S];
void prepare(unsigned **in, unsigned **out, int n)
{
    size_t b = n * sizeof(unsigned);
    cudaMallocHost(in, b);
    cudaMallocHost(out, b);
    cudaMalloc(&din, b);
    cudaMalloc(&dout, b);
    for (auto &s : st) cudaStreamCreate(&s);
    cudaEventCreate(&fork_);
    for (auto &e : join_) cudaEventCreate(&e);
}
void pipeline(const unsigned *in, unsigned *out, int n)
{
    if (n == 0) return;
    int chunk = (n + S - 1) / S;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(st[0], cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork_, st[0]);
    for (int s = 0; s < S; s++) {
        int f = s * chunk, c = n - f < chunk ? n - f : chunk;
        if (c <= 0) break;
        if (s) cudaStreamWaitEvent(st[s], fork_, 0);
        cudaMemcpyAsync(din + f, in + f, c * 4, cudaMemcpyHostToDevice, st[s]);
        work<<<(c + 255) / 256, 256, 0, st[s]>>>(din + f, dout + f, c);
        cudaMemcpyAsync(out + f, dout + f, c * 4, cudaMemcpyDeviceToHost, st[s]);
        if (s) {
            cudaEventRecord(join_[s], st[s]);
            cudaStreamWaitEvent(st[0], join_[s], 0);
        }
    }
    cudaStreamEndCapture(st[0], &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, st[0]);
    cudaStreamSynchronize(st[0]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}
void finish(unsigned *in, unsigned *out)
{
    for (auto s : st) cudaStreamDestroy(s);
    for (auto e : join_) cudaEventDestroy(e);
    cudaEventDestroy(fork_);
    cudaFree(din);
    cudaFree(dout);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
