// style: OpenMP sections, one for each device and one for the host
#include "lab8.h"

namespace
{
constexpr int STREAMS = 6;
struct Device {
    unsigned *in = nullptr, *out = nullptr;
    cudaStream_t stream[STREAMS];
} device[2];

// Hands over all work of a device. The caller waits.
void submit(int d, const unsigned *from, unsigned *to, int n)
{
    cudaSetDevice(d);
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int k = 0; k * chunk < n; ++k) {
        int at = k * chunk, c = n - at < chunk ? n - at : chunk;
        cudaMemcpyAsync(device[d].in + at, from + at, c * sizeof *from, cudaMemcpyHostToDevice, device[d].stream[k]);
        work<<<(c + 255) / 256, 256, 0, device[d].stream[k]>>>(device[d].in + at, device[d].out + at, c);
        cudaMemcpyAsync(to + at, device[d].out + at, c * sizeof *to, cudaMemcpyDeviceToHost, device[d].stream[k]);
    }
}
void run(int d, const unsigned *from, unsigned *to, int n)
{
    submit(d, from, to, n);
    cudaDeviceSynchronize();
}
} // namespace

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaHostAlloc(in, n * sizeof **in, cudaHostAllocPortable);
    cudaHostAlloc(out, n * sizeof **out, cudaHostAllocPortable);
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaMalloc(&device[d].in, (n / 2 + 1) * sizeof(unsigned));
        cudaMalloc(&device[d].out, (n / 2 + 1) * sizeof(unsigned));
        for (auto &s : device[d].stream) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 60, rest = n - host, half = rest / 2;
#pragma omp parallel sections num_threads(3)
    {
#pragma omp section
        run(0, in, out, half);
#pragma omp section
        run(1, in + half, out + half, rest - half);
#pragma omp section
        if (host) work_on_host(in + rest, out + rest, host);
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        for (auto s : device[d].stream) cudaStreamDestroy(s);
        cudaFree(device[d].in);
        cudaFree(device[d].out);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
