// pageable memory from new[], a thread for each device because the copies make their thread wait
// not passed: too slow
#include "lab8.h"

#include <thread>

static unsigned *di[2], *dn[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    *in = new unsigned[n];
    *out = new unsigned[n];
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&di[d], (n / 2 + 1) * sizeof(unsigned));
        cudaMalloc(&dn[d], (n / 2 + 1) * sizeof(unsigned));
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const int h = n / 40, half = (n - h) / 2, other = n - h - half;
    auto device = [&](int d, int at, int count) {
        if (count == 0) return;
        cudaSetDevice(d);
        cudaMemcpy(di[d], in + at, count * sizeof(unsigned), cudaMemcpyHostToDevice);
        work<<<(count + 255) / 256, 256>>>(di[d], dn[d], count);
        cudaMemcpy(out + at, dn[d], count * sizeof(unsigned), cudaMemcpyDeviceToHost);
    };
    std::thread a([&] { device(0, 0, half); }), b([&] { device(1, half, other); });
    work_on_host(in + half + other, out + half + other, h);
    a.join();
    b.join();
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaFree(di[d]);
        cudaFree(dn[d]);
    }
    delete[] in;
    delete[] out;
}
