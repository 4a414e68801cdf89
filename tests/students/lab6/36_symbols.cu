// device buffers as static __device__ arrays: a ring of four slots, cudaMemcpyToSymbolAsync and FromSymbolAsync
#include "lab6.h"

constexpr int kSlots = 4, kChunk = 1 << 18;
__device__ unsigned slot_in[kSlots][kChunk];
__device__ unsigned slot_out[kSlots][kChunk];
static unsigned *address_in, *address_out;
static cudaStream_t stream[kSlots];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaGetSymbolAddress((void **)&address_in, slot_in);
    cudaGetSymbolAddress((void **)&address_out, slot_out);
    for (auto &s : stream) cudaStreamCreate(&s);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int slot = 0;
    for (long long first = 0; first < n; first += kChunk, slot = (slot + 1) % kSlots) {
        int count = n - first < kChunk ? (int)(n - first) : kChunk;
        size_t bytes = count * sizeof(unsigned), offset = (size_t)slot * kChunk * sizeof(unsigned);
        // a slot belongs to a stream, so its next filling comes behind its last emptying
        cudaMemcpyToSymbolAsync(slot_in, in + first, bytes, offset, cudaMemcpyHostToDevice, stream[slot]);
        work<<<(count + 255) / 256, 256, 0, stream[slot]>>>(address_in + slot * kChunk, address_out + slot * kChunk, count);
        cudaMemcpyFromSymbolAsync(out + first, slot_out, bytes, offset, cudaMemcpyDeviceToHost, stream[slot]);
    }
    for (auto s : stream) cudaStreamSynchronize(s);
}

void finish(unsigned *in, unsigned *out)
{
    for (auto s : stream) cudaStreamDestroy(s);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
