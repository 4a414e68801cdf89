// chunked pipeline: device memory for three small chunks only, a ring; stream order keeps a slot until its copy out is done
#include "lab8.h"

static constexpr int kDevices = 2;
static constexpr int kSlots = 3;
static constexpr int kChunk = 1 << 18;

struct Slot {
    unsigned *in, *out;
    cudaStream_t stream;
};
static Slot ring[kDevices][kSlots];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < kDevices; ++d) {
        cudaSetDevice(d);
        for (Slot &slot : ring[d]) {
            cudaMalloc(&slot.in, kChunk * sizeof(unsigned));
            cudaMalloc(&slot.out, kChunk * sizeof(unsigned));
            cudaStreamCreate(&slot.stream);
        }
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const int rest = n - n / 95;
    int turn = 0;
    for (int first = 0; first < rest; first += kChunk, ++turn) {
        const int count = rest - first < kChunk ? rest - first : kChunk;
        const int d = turn % kDevices;
        Slot &slot = ring[d][turn / kDevices % kSlots];
        cudaSetDevice(d);
        cudaMemcpyAsync(slot.in, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, slot.stream);
        work<<<(count + 255) / 256, 256, 0, slot.stream>>>(slot.in, slot.out, count);
        cudaMemcpyAsync(out + first, slot.out, count * sizeof(unsigned), cudaMemcpyDeviceToHost, slot.stream);
    }
    work_on_host(in + rest, out + rest, n - rest);
    for (auto &slots : ring)
        for (Slot &slot : slots) cudaStreamSynchronize(slot.stream);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < kDevices; ++d) {
        cudaSetDevice(d);
        for (Slot &slot : ring[d]) {
            cudaStreamDestroy(slot.stream);
            cudaFree(slot.in);
            cudaFree(slot.out);
        }
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
