// std::atomic: three threads claim ranges with compare_exchange, devices large ones and the host small ones
// not passed: too slow
#include "lab8.h"

#include <atomic>
#include <thread>

static std::atomic<int> next_number;
static unsigned *buf_in[2], *buf_out[2];
static int large, small;

static bool claim(int size, int n, int &first, int &count)
{
    int seen = next_number.load();
    do {
        if (seen >= n) return false;
        first = seen;
        count = n - seen < size ? n - seen : size;
    } while (!next_number.compare_exchange_weak(seen, first + count));
    return true;
}

void prepare(unsigned **in, unsigned **out, int n)
{
    large = n / 16 + 1;
    small = n / 400 + 1;
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaMalloc(&buf_in[d], large * sizeof(unsigned));
        cudaMalloc(&buf_out[d], large * sizeof(unsigned));
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    next_number = 0;
    auto device_thread = [=](int d) {
        int first, count;
        cudaSetDevice(d);
        while (claim(large, n, first, count)) {
            cudaMemcpyAsync(buf_in[d], in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice);
            work<<<(count + 255) / 256, 256>>>(buf_in[d], buf_out[d], count);
            cudaMemcpyAsync(out + first, buf_out[d], count * sizeof(unsigned), cudaMemcpyDeviceToHost);
            cudaStreamSynchronize(0);
        }
    };
    std::thread zero(device_thread, 0), one(device_thread, 1);
    int first, count;
    while (claim(small, n, first, count)) work_on_host(in + first, out + first, count);
    zero.join();
    one.join();
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaFree(buf_in[d]);
        cudaFree(buf_out[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
