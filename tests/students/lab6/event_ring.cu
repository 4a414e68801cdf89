// style: a ring of device buffers from cudaMallocAsync; events order copy in, kernel and copy out in three streams
#include "lab6.h"

namespace
{
constexpr int SLOTS = 4, CHUNK = 1 << 18;
unsigned *slot_in[SLOTS], *slot_out[SLOTS];
cudaStream_t upload, compute, download;
cudaEvent_t uploaded[SLOTS], computed[SLOTS], downloaded[SLOTS];
} // namespace

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof **in);
    cudaMallocHost(out, n * sizeof **out);
    cudaStreamCreate(&upload);
    cudaStreamCreate(&compute);
    cudaStreamCreate(&download);
    for (int k = 0; k < SLOTS; ++k) {
        cudaMallocAsync(&slot_in[k], CHUNK * sizeof(unsigned), upload);
        cudaMallocAsync(&slot_out[k], CHUNK * sizeof(unsigned), upload);
        cudaEventCreateWithFlags(&uploaded[k], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&computed[k], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&downloaded[k], cudaEventDisableTiming);
    }
    cudaStreamSynchronize(upload);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    for (int first = 0, k = 0; first < n; first += CHUNK, k = (k + 1) % SLOTS) {
        int count = n - first < CHUNK ? n - first : CHUNK;
        cudaStreamWaitEvent(upload, computed[k], 0);
        cudaMemcpyAsync(slot_in[k], in + first, count * sizeof *in, cudaMemcpyHostToDevice, upload);
        cudaEventRecord(uploaded[k], upload);
        cudaStreamWaitEvent(compute, uploaded[k], 0);
        cudaStreamWaitEvent(compute, downloaded[k], 0);
        work<<<(count + 255) / 256, 256, 0, compute>>>(slot_in[k], slot_out[k], count);
        cudaEventRecord(computed[k], compute);
        cudaStreamWaitEvent(download, computed[k], 0);
        cudaMemcpyAsync(out + first, slot_out[k], count * sizeof *out, cudaMemcpyDeviceToHost, download);
        cudaEventRecord(downloaded[k], download);
    }
    cudaStreamSynchronize(download);
}

void finish(unsigned *in, unsigned *out)
{
    for (int k = 0; k < SLOTS; ++k) {
        cudaFreeAsync(slot_in[k], upload);
        cudaFreeAsync(slot_out[k], upload);
        cudaEventDestroy(uploaded[k]);
        cudaEventDestroy(computed[k]);
        cudaEventDestroy(downloaded[k]);
    }
    cudaStreamSynchronize(upload);
    cudaStreamDestroy(upload);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(download);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
