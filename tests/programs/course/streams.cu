// One stream and four: copy in, compute, copy out, in pieces that overlap; with the time of each stream by its events.
//
//   streams [N] [LOAD]
#include "check.h"

enum { STREAMS = 4 };

__global__ void work(const int *in, int *out, int n, int load)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int t = 0, v = in[i];
    for (int k = 0; k < load; k++) t = (t + v * 5) % 10;
    out[i] = t;
}

struct lane { // a stream with its two events
    cudaStream_t stream;
    cudaEvent_t from, to;
};

static void piece(const struct lane *l, const int *in, int *out, int *device_in, int *device_out, int n, int load)
{
    CHECK(cudaEventRecord(l->from, l->stream));
    CHECK(cudaMemcpyAsync(device_in, in, n * sizeof *in, cudaMemcpyHostToDevice, l->stream));
    work<<<(n + 255) / 256, 256, 0, l->stream>>>(device_in, device_out, n, load);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(out, device_out, n * sizeof *out, cudaMemcpyDeviceToHost, l->stream));
    CHECK(cudaEventRecord(l->to, l->stream));
}

// All of it in `count` streams. Milliseconds from the first event to the last.
static float pipeline(struct lane *lane, int count, const int *in, int *out, int *device_in, int *device_out, int n, int load)
{
    float ms, most = 0;
    for (int s = 0; s < count; s++) {
        int first = (int)((long long)n * s / count), next = (int)((long long)n * (s + 1) / count);
        piece(&lane[s], in + first, out + first, device_in + first, device_out + first, next - first, load);
    }
    int polls = 0;
    while (cudaStreamQuery(lane[count - 1].stream) == cudaErrorNotReady) polls++; // the host could do something else
    CHECK(cudaDeviceSynchronize());
    for (int s = 0; s < count; s++) {
        CHECK(cudaEventElapsedTime(&ms, lane[s].from, lane[s].to));
        printf("  stream %d: %.3f ms\n", s, ms);
        REQUIRE(ms > 0);
        CHECK(cudaEventElapsedTime(&ms, lane[0].from, lane[s].to));
        if (ms > most) most = ms;
    }
    printf("%d stream%s: %.3f ms, %d polls\n", count, count > 1 ? "s" : "", most, polls);
    REQUIRE(polls > 0);
    return most;
}

static void compare(const int *in, int *out, int n, int load)
{
    for (int i = 0; i < n; i++) {
        int t = 0;
        for (int k = 0; k < load; k++) t = (t + in[i] * 5) % 10;
        REQUIRE(out[i] == t);
        out[i] = -1;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1 << 20), load = argument(argc, argv, 2, 16);
    int *in, *out, *device_in, *device_out;
    CHECK(cudaMallocHost(&in, n * sizeof *in)); // pinned: the only memory that a copy can leave to the device
    CHECK(cudaMallocHost(&out, n * sizeof *out));
    CHECK(cudaMalloc(&device_in, n * sizeof *device_in));
    CHECK(cudaMalloc(&device_out, n * sizeof *device_out));
    for (int i = 0; i < n; i++) in[i] = i % 10;
    struct lane lane[STREAMS];
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamCreate(&lane[s].stream));
        CHECK(cudaEventCreate(&lane[s].from));
        CHECK(cudaEventCreate(&lane[s].to));
    }

    float one = pipeline(lane, 1, in, out, device_in, device_out, n, load);
    compare(in, out, n, load);
    float four = pipeline(lane, STREAMS, in, out, device_in, device_out, n, load);
    compare(in, out, n, load);
    printf("%.2f times as fast\n", one / four);
    REQUIRE(four < one);

    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaEventDestroy(lane[s].from));
        CHECK(cudaEventDestroy(lane[s].to));
        CHECK(cudaStreamDestroy(lane[s].stream));
    }
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return 0;
}
