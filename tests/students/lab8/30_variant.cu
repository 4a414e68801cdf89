// std::variant: a worker is a device or the host; start() and wait() are visitors made of overloaded lambdas
#include "lab8.h"

#include <variant>
#include <vector>

struct on_host {
    int weight;
};
struct on_device {
    int weight;
    int id;
    unsigned *in, *out;
    cudaStream_t stream;
};
using worker = std::variant<on_device, on_host>;

template <class... F> struct overloaded : F... {
    using F::operator()...;
};
template <class... F> overloaded(F...) -> overloaded<F...>;

static std::vector<worker> workers;

static on_device make_device(int id, int weight, int capacity)
{
    on_device d{weight, id, nullptr, nullptr, nullptr};
    cudaSetDevice(id);
    cudaMalloc(&d.in, capacity * sizeof(unsigned));
    cudaMalloc(&d.out, capacity * sizeof(unsigned));
    cudaStreamCreate(&d.stream);
    return d;
}

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    workers = {make_device(0, 63, n), make_device(1, 63, n), on_host{2}}; // the host last: it does not return at once
}

void compute(const unsigned *in, unsigned *out, int n)
{
    long total = 0, before = 0;
    for (const worker &w : workers) total += std::visit([](const auto &x) { return x.weight; }, w);
    for (const worker &w : workers) {
        const long weight = std::visit([](const auto &x) { return x.weight; }, w);
        const int first = (int)(n * before / total), count = (int)(n * (before + weight) / total) - first;
        before += weight;
        std::visit(overloaded{[&](const on_host &) { work_on_host(in + first, out + first, count); },
                              [&](const on_device &d) {
                                  if (!count) return;
                                  const size_t bytes = count * sizeof(unsigned);
                                  cudaSetDevice(d.id);
                                  cudaMemcpyAsync(d.in, in + first, bytes, cudaMemcpyHostToDevice, d.stream);
                                  work<<<(count + 255) / 256, 256, 0, d.stream>>>(d.in, d.out, count);
                                  cudaMemcpyAsync(out + first, d.out, bytes, cudaMemcpyDeviceToHost, d.stream);
                              }},
                   w);
    }
    for (const worker &w : workers)
        if (auto *d = std::get_if<on_device>(&w)) cudaStreamSynchronize(d->stream);
}

void finish(unsigned *in, unsigned *out)
{
    for (worker &w : workers) {
        if (!std::holds_alternative<on_device>(w)) continue;
        auto &d = std::get<on_device>(w);
        cudaSetDevice(d.id);
        cudaStreamDestroy(d.stream);
        cudaFree(d.in);
        cudaFree(d.out);
    }
    workers.clear();
    cudaFreeHost(in);
    cudaFreeHost(out);
}
