// dynamic split from one thread: cudaEventQuery says whether a device wants its next chunk, the host takes bites meanwhile
#include "lab8.h"

#define DEVICES 2
#define DEPTH 2 // chunks that a device holds at a time

static unsigned *from[DEVICES][DEPTH], *into[DEVICES][DEPTH];
static cudaStream_t stream[DEVICES][DEPTH];
static cudaEvent_t done[DEVICES][DEPTH];
static int chunk;

void prepare(unsigned **in, unsigned **out, int n)
{
    chunk = n / 10 + 1;
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < DEVICES; d++) {
        cudaSetDevice(d);
        for (int s = 0; s < DEPTH; s++) {
            cudaMalloc(&from[d][s], chunk * sizeof(unsigned));
            cudaMalloc(&into[d][s], chunk * sizeof(unsigned));
            cudaStreamCreate(&stream[d][s]);
            cudaEventCreateWithFlags(&done[d][s], cudaEventDisableTiming);
        }
    }
}

static void hand_over(int d, int s, const unsigned *in, unsigned *out, int count)
{
    cudaSetDevice(d);
    cudaMemcpyAsync(from[d][s], in, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[d][s]);
    work<<<(count + 255) / 256, 256, 0, stream[d][s]>>>(from[d][s], into[d][s], count);
    cudaMemcpyAsync(out, into[d][s], count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[d][s]);
    cudaEventRecord(done[d][s], stream[d][s]);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const int bite = n / 300 + 1;
    int low = 0, high = n; // [low, high) is still to be done
    while (low < high) {
        for (int s = 0; s < DEPTH; s++) {
            for (int d = 0; d < DEVICES && low < high; d++) {
                if (cudaEventQuery(done[d][s]) == cudaErrorNotReady) continue;
                int count = high - low < chunk ? high - low : chunk;
                hand_over(d, s, in + low, out + low, count);
                low += count;
            }
        }
        if (low < high) {
            int count = high - low < bite ? high - low : bite;
            high -= count;
            work_on_host(in + high, out + high, count);
        }
    }
    for (int d = 0; d < DEVICES; d++)
        for (int s = 0; s < DEPTH; s++) cudaEventSynchronize(done[d][s]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < DEVICES; d++) {
        cudaSetDevice(d);
        for (int s = 0; s < DEPTH; s++) {
            cudaEventDestroy(done[d][s]);
            cudaStreamDestroy(stream[d][s]);
            cudaFree(from[d][s]);
            cudaFree(into[d][s]);
        }
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
