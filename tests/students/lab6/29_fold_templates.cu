// templates: a fold expression over an index_sequence issues the chunks, a class template holds everything
#include "lab6.h"
#include <cstddef>
#include <utility>

template <std::size_t Streams> class Overlapped {
    cudaStream_t stream_[Streams] = {};
    unsigned *in_ = nullptr, *out_ = nullptr;

    template <std::size_t S> bool chunk(const unsigned *in, unsigned *out, std::size_t n)
    {
        constexpr auto to = cudaMemcpyHostToDevice, from = cudaMemcpyDeviceToHost;
        const std::size_t first = n * S / Streams, count = n * (S + 1) / Streams - first;
        if (count == 0) return true;
        bool ok = cudaMemcpyAsync(in_ + first, in + first, count * sizeof *in, to, stream_[S]) == cudaSuccess;
        work<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream_[S]>>>(in_ + first, out_ + first, static_cast<int>(count));
        ok = ok && cudaGetLastError() == cudaSuccess;
        return ok && cudaMemcpyAsync(out + first, out_ + first, count * sizeof *out, from, stream_[S]) == cudaSuccess;
    }
    template <std::size_t... S> bool all(const unsigned *in, unsigned *out, std::size_t n, std::index_sequence<S...>)
    {
        return (chunk<S>(in, out, n) && ...);
    }

public:
    void start(unsigned **in, unsigned **out, std::size_t n)
    {
        cudaMallocHost(in, n * sizeof(unsigned));
        cudaMallocHost(out, n * sizeof(unsigned));
        cudaMalloc(&in_, n * sizeof(unsigned));
        cudaMalloc(&out_, n * sizeof(unsigned));
        for (auto &s : stream_) cudaStreamCreate(&s);
    }
    bool run(const unsigned *in, unsigned *out, std::size_t n)
    {
        return all(in, out, n, std::make_index_sequence<Streams>()) && cudaDeviceSynchronize() == cudaSuccess;
    }
    void stop(unsigned *in, unsigned *out)
    {
        for (auto &s : stream_) cudaStreamDestroy(s);
        cudaFree(in_);
        cudaFree(out_);
        cudaFreeHost(in);
        cudaFreeHost(out);
    }
};

static Overlapped<10> overlapped;

void prepare(unsigned **in, unsigned **out, int n) { overlapped.start(in, out, n); }
void pipeline(const unsigned *in, unsigned *out, int n)
{
    if (!overlapped.run(in, out, n)) __builtin_trap();
}
void finish(unsigned *in, unsigned *out) { overlapped.stop(in, out); }
