// device buffers as static __device__ arrays, of which every device has its own; cudaMemcpyToSymbolAsync and FromSymbolAsync
#include "lab8.h"

constexpr int kSlots = 2, kChunk = 1 << 18;
__device__ unsigned slot_in[kSlots][kChunk];
__device__ unsigned slot_out[kSlots][kChunk];

static unsigned *in_address[2], *out_address[2];
static cudaStream_t stream[2][kSlots];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaGetSymbolAddress((void **)&in_address[d], slot_in);
        cudaGetSymbolAddress((void **)&out_address[d], slot_out);
        for (int s = 0; s < kSlots; s++) cudaStreamCreate(&stream[d][s]);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const int rest = n - n / 64;
    for (int c = 0, first = 0; first < rest; c++, first += kChunk) {
        const int d = c % 2, s = c / 2 % kSlots, count = rest - first < kChunk ? rest - first : kChunk;
        const size_t bytes = count * sizeof(unsigned), offset = s * sizeof slot_in[0];
        cudaSetDevice(d);
        cudaMemcpyToSymbolAsync(slot_in, in + first, bytes, offset, cudaMemcpyHostToDevice, stream[d][s]);
        work<<<(count + 255) / 256, 256, 0, stream[d][s]>>>(in_address[d] + s * kChunk, out_address[d] + s * kChunk, count);
        cudaMemcpyFromSymbolAsync(out + first, slot_out, bytes, offset, cudaMemcpyDeviceToHost, stream[d][s]);
    }
    work_on_host(in + rest, out + rest, n - rest);
    for (auto &of_device : stream)
        for (cudaStream_t s : of_device) cudaStreamSynchronize(s);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        for (cudaStream_t s : stream[d]) cudaStreamDestroy(s);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
