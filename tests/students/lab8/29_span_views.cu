// views like std::span: pointer and size travel together, first(), last() and split() cut them, copy() takes two views
#include "lab8.h"

#include <cassert>
#include <cstddef>
#include <utility>

template <typename T> class view {
    T *data_ = nullptr;
    std::size_t size_ = 0;

public:
    constexpr view() = default;
    constexpr view(T *data, std::size_t size) : data_(data), size_(size) {}
    constexpr operator view<const T>() const { return {data_, size_}; }
    constexpr T *data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
    constexpr bool empty() const { return size_ == 0; }
    constexpr view first(std::size_t n) const { return assert(n <= size_), view{data_, n}; }
    constexpr view last(std::size_t n) const { return assert(n <= size_), view{data_ + (size_ - n), n}; }
    constexpr std::pair<view, view> split(std::size_t n) const { return {first(n), last(size_ - n)}; }
};

static void copy(view<unsigned> to, view<const unsigned> from, cudaMemcpyKind kind, cudaStream_t stream)
{
    assert(to.size() == from.size());
    cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), kind, stream);
}

static view<unsigned> arena[2]; // a device's memory: the input half, then the output half
static cudaStream_t stream[2];

static void process(int device, view<const unsigned> in, view<unsigned> out)
{
    if (in.empty()) return;
    cudaSetDevice(device);
    auto [upper, lower] = arena[device].split(arena[device].size() / 2);
    auto a = upper.first(in.size()), b = lower.first(out.size());
    copy(a, in, cudaMemcpyHostToDevice, stream[device]);
    work<<<(unsigned)(a.size() + 255) / 256, 256, 0, stream[device]>>>(a.data(), b.data(), (int)a.size());
    copy(out, b, cudaMemcpyDeviceToHost, stream[device]);
}

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        unsigned *memory;
        cudaSetDevice(d);
        cudaMalloc(&memory, (n + 2) * sizeof(unsigned));
        cudaStreamCreate(&stream[d]);
        arena[d] = view<unsigned>(memory, n + 2);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const view<const unsigned> all_in(in, n);
    const view<unsigned> all_out(out, n);
    const std::size_t small = n / 64;
    auto [host_in, rest_in] = all_in.split(small);
    auto [host_out, rest_out] = all_out.split(small);
    auto [zero_in, one_in] = rest_in.split(rest_in.size() / 2);
    auto [zero_out, one_out] = rest_out.split(rest_out.size() / 2);

    process(0, zero_in, zero_out);
    process(1, one_in, one_out);
    work_on_host(host_in.data(), host_out.data(), (int)host_in.size());
    for (int d = 0; d < 2; d++) cudaStreamSynchronize(stream[d]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamDestroy(stream[d]);
        cudaFree(arena[d].data());
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
