// exceptions: every call goes through check(), which throws; compute() catches at its border, waits and rethrows nothing
#include "lab8.h"

#include <iostream>
#include <stdexcept>
#include <string>

class cuda_error : public std::runtime_error {
public:
    cuda_error(cudaError_t code, const char *what) : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code)) {}
};

static void check(cudaError_t code, const char *what)
{
    if (code != cudaSuccess) throw cuda_error(code, what);
}

struct Device {
    int id = -1;
    unsigned *in = nullptr, *out = nullptr;
    cudaStream_t stream = nullptr;

    void select() const { check(cudaSetDevice(id), "cudaSetDevice"); }
    void open(int number, int capacity)
    {
        id = number;
        select();
        check(cudaMalloc(&in, capacity * sizeof(unsigned)), "cudaMalloc in");
        check(cudaMalloc(&out, capacity * sizeof(unsigned)), "cudaMalloc out");
        check(cudaStreamCreate(&stream), "cudaStreamCreate");
    }
    void start(const unsigned *from, unsigned *to, int count)
    {
        if (count == 0) return;
        select();
        check(cudaMemcpyAsync(in, from, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream), "copy in");
        work<<<(count + 255) / 256, 256, 0, stream>>>(in, out, count);
        check(cudaGetLastError(), "work");
        check(cudaMemcpyAsync(to, out, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream), "copy out");
    }
    void wait() { check(cudaStreamSynchronize(stream), "wait"); }
    void close()
    {
        select();
        check(cudaStreamDestroy(stream), "cudaStreamDestroy");
        check(cudaFree(in), "cudaFree");
        check(cudaFree(out), "cudaFree");
    }
};
static Device devices[2];

void prepare(unsigned **in, unsigned **out, int n)
try {
    check(cudaMallocHost(in, n * sizeof(unsigned)), "cudaMallocHost in");
    check(cudaMallocHost(out, n * sizeof(unsigned)), "cudaMallocHost out");
    for (int d = 0; d < 2; ++d) devices[d].open(d, n / 2 + 1);
} catch (const cuda_error &e) {
    std::cerr << e.what() << '\n';
}

void compute(const unsigned *in, unsigned *out, int n)
{
    try {
        int host = n / 64, half = (n - host) / 2;
        devices[0].start(in, out, half);
        devices[1].start(in + half, out + half, n - host - half);
        work_on_host(in + n - host, out + n - host, host);
        for (Device &d : devices) d.wait();
    } catch (const std::exception &e) {
        std::cerr << "compute: " << e.what() << std::endl;
    }
}

void finish(unsigned *in, unsigned *out)
try {
    for (Device &d : devices) d.close();
    check(cudaFreeHost(in), "cudaFreeHost");
    check(cudaFreeHost(out), "cudaFreeHost");
} catch (...) {
    std::cerr << "finish failed\n";
}
