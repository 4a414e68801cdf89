// Graphs with branches: captured from forked streams, a diamond by hand, over two devices; the branches of a graph
// overlap, and every edge of the graph still orders.
#include <vector>

#include "check.h"

enum { COUNT = 1 << 20, BYTES = COUNT * sizeof(int), BRANCHES = 4 };

__global__ void add(int *p, int n, int what)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += what;
}

__global__ void sum(int *out, const int *a, const int *b)
{
    *out = 10 * *a + *b;
}

static float ms_of(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaEvent_t from, to;
    float ms = 0;
    OK(cudaEventCreate(&from));
    OK(cudaEventCreate(&to));
    OK(cudaEventRecord(from, stream));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaEventRecord(to, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaEventElapsedTime(&ms, from, to));
    OK(cudaEventDestroy(from));
    OK(cudaEventDestroy(to));
    return ms;
}

// A branch for each stream: copy in, add 1, copy out. With streams 1 the same in a single chain.
static cudaGraphExec_t captured(cudaStream_t *stream, int streams, int *in, int *out, int *d)
{
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, stream[0]));
    for (int b = 0; b < BRANCHES; ++b) {
        int piece = COUNT / BRANCHES, at = b * piece;
        cudaStream_t s = stream[b % streams];
        if (s != stream[0]) OK(cudaStreamWaitEvent(s, fork, 0));
        OK(cudaMemcpyAsync(d + at, in + at, piece * sizeof(int), cudaMemcpyHostToDevice, s));
        add<<<piece / 256, 256, 0, s>>>(d + at, piece, 1);
        OK(cudaMemcpyAsync(out + at, d + at, piece * sizeof(int), cudaMemcpyDeviceToHost, s));
        if (s == stream[0]) continue;
        OK(cudaEventRecord(join, s));
        OK(cudaStreamWaitEvent(stream[0], join, 0));
    }
    OK(cudaStreamEndCapture(stream[0], &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph)); // the executable graph does not need it any more
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    return exec;
}

static void overlap(cudaStream_t *stream, int *d)
{
    int *in, *out;
    OK(cudaMallocHost(&in, BYTES));
    OK(cudaMallocHost(&out, BYTES));
    for (int i = 0; i < COUNT; ++i) in[i] = i;
    cudaGraphExec_t row = captured(stream, 1, in, out, d), branches = captured(stream, BRANCHES, in, out, d);
    float in_row = ms_of(row, stream[0]);
    for (int again = 0; again < 2; ++again) {
        for (int i = 0; i < COUNT; ++i) out[i] = 0;
        float forked = ms_of(branches, stream[0]);
        EXPECT(forked < 0.8f * in_row);
        int wrong = 0;
        for (int i = 0; i < COUNT; ++i) wrong += out[i] != i + 1;
        EXPECT(!wrong);
    }
    OK(cudaGraphLaunch(branches, 0)); // in the default stream, which later operations wait for
    OK(cudaMemcpy(out, d, BYTES, cudaMemcpyDeviceToHost));
    EXPECT(out[COUNT - 1] == COUNT);
    OK(cudaGraphExecDestroy(row));
    OK(cudaGraphExecDestroy(branches));
    OK(cudaFreeHost(in));
    OK(cudaFreeHost(out));
}

static cudaGraphNode_t kernel(cudaGraph_t graph, const std::vector<cudaGraphNode_t> &after, void *function,
                              void **arguments)
{
    cudaKernelNodeParams p = {};
    cudaGraphNode_t node;
    p.func = function;
    p.gridDim = dim3(1);
    p.blockDim = dim3(1);
    p.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &p));
    return node;
}

// first -> left, right -> last, twice in a row: every value depends on the order.
static void diamond(cudaStream_t stream, int *d)
{
    int one = 1, n = 1, *left = d + 1, *right = d + 2, value[3];
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    void *first[] = {&d, &n, &one}, *to_left[] = {&left, &d, &d}, *last[] = {&d, &left, &right},
         *to_right_alone[] = {&right, &d, &d};
    OK(cudaGraphCreate(&graph, 0));
    std::vector<cudaGraphNode_t> after;
    for (int round = 0; round < 2; ++round) {
        cudaGraphNode_t a = kernel(graph, after, (void *)add, first), b = kernel(graph, {a}, (void *)sum, to_left),
                        c = kernel(graph, {a}, (void *)sum, to_right_alone);
        after = {kernel(graph, {b, c}, (void *)sum, last)};
    }
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaMemset(d, 0, 3 * sizeof *d));
    ms_of(exec, stream);
    OK(cudaMemcpy(value, d, sizeof value, cudaMemcpyDeviceToHost));
    // 1 -> 11, 11 -> 121; 122 -> 1342, 1342 -> 14762
    EXPECT(value[0] == 14762 && value[1] == 1342 && value[2] == 1342);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

// The second device's part of a captured graph runs on the second device.
static void two_devices(cudaStream_t first, int *d)
{
    int devices = 0, *other, value = 0, from;
    cudaStream_t second;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaGetDeviceCount(&devices));
    if (devices < 2) return;
    OK(cudaSetDevice(1));
    OK(cudaMalloc(&other, sizeof *other));
    OK(cudaMemset(other, 0, sizeof *other));
    OK(cudaStreamCreate(&second));
    OK(cudaEventCreate(&join));
    OK(cudaSetDevice(0));
    OK(cudaEventCreate(&fork));
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, first));
    OK(cudaStreamWaitEvent(second, fork, 0));
    add<<<1, 1, 0, first>>>(d, 1, 1);
    OK(cudaSetDevice(1));
    add<<<1, 1, 0, second>>>(other, 1, 7);
    OK(cudaEventRecord(join, second));
    OK(cudaSetDevice(0));
    OK(cudaStreamWaitEvent(first, join, 0));
    OK(cudaStreamEndCapture(first, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, first));
    OK(cudaStreamSynchronize(first));
    OK(cudaMemcpy(&value, other, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT(value == 7);
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, other));
    OK(cudaGetDevice(&from));
    EXPECT(a.device == 1 && from == 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    OK(cudaStreamDestroy(second));
    OK(cudaFree(other));
}

int main()
{
    int *d;
    cudaStream_t stream[BRANCHES];
    OK(cudaMalloc(&d, BYTES));
    for (auto &s : stream) OK(cudaStreamCreate(&s));
    overlap(stream, d);
    diamond(stream[0], d);
    two_devices(stream[0], d);
    for (auto s : stream) OK(cudaStreamDestroy(s));
    OK(cudaFree(d));
    return failed;
}
