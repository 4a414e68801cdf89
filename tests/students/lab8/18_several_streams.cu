// four streams a device, depth first, both devices in turn chunk by chunk; the host's share in the middle of the array
#include "lab8.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static const int streams_per_device = 4, device_count = 2, block_size = 256;
static unsigned *din[device_count], *dout[device_count];
static cudaStream_t streams[device_count][streams_per_device];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, (size_t)n * 4);
    cudaMallocHost(out, (size_t)n * 4);
    for (int dev = 0; dev < device_count; dev++) {
        cudaSetDevice(dev);
        cudaMalloc(&din[dev], (size_t)n * 4);
        cudaMalloc(&dout[dev], (size_t)n * 4);
        for (int s = 0; s < streams_per_device; s++) cudaStreamCreate(&streams[dev][s]);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host_count = n / 90;
    int left = (n - host_count) / 2;                // device 0: [0, left)
    int right = left + host_count;                  // host: [left, right), device 1: [right, n)
    int begin[device_count] = {0, right}, end[device_count] = {left, n};

    for (int s = 0; s < streams_per_device; s++) {
        for (int dev = 0; dev < device_count; dev++) {
            int chunk = (end[dev] - begin[dev] + streams_per_device - 1) / streams_per_device;
            int offset = begin[dev] + s * chunk;
            int count = MIN(chunk, end[dev] - offset);
            if (count <= 0) continue;
            cudaSetDevice(dev);
            cudaMemcpyAsync(&din[dev][offset], &in[offset], count * 4ul, cudaMemcpyHostToDevice, streams[dev][s]);
            work<<<(count + block_size - 1) / block_size, block_size, 0, streams[dev][s]>>>(&din[dev][offset],
                                                                                          &dout[dev][offset], count);
            cudaMemcpyAsync(&out[offset], &dout[dev][offset], count * 4ul, cudaMemcpyDeviceToHost, streams[dev][s]);
        }
    }
    work_on_host(&in[left], &out[left], host_count);
    for (int dev = 0; dev < device_count; dev++)
        for (int s = 0; s < streams_per_device; s++) cudaStreamSynchronize(streams[dev][s]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int dev = 0; dev < device_count; dev++) {
        cudaSetDevice(dev);
        for (int s = 0; s < streams_per_device; s++) cudaStreamDestroy(streams[dev][s]);
        cudaFree(din[dev]);
        cudaFree(dout[dev]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
