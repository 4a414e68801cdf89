// refused: never written at line 14; never written at line 19
// the counters are never cleared
#include "warpwise.h"

template <unsigned Bins> class Histogram {
public:
    using Storage = unsigned[Bins];
    static_assert((Bins & (Bins - 1)) == 0, "power of two");

    __device__ explicit Histogram(Storage &storage) : count(storage)
    {
        __syncthreads();
    }
    __device__ void operator()(unsigned value) { atomicAdd(count + (value & (Bins - 1)), 1u); }
    __device__ void merge(unsigned *bins) const
    {
        __syncthreads();
        for (unsigned b = threadIdx.x; b < Bins; b += blockDim.x)
            if (count[b]) atomicAdd(bins + b, count[b]);
    }

private:
    Storage &count;
};

class GridStride {
    long long first_, stride_, end_;

public:
    __device__ explicit GridStride(int n)
        : first_(static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x),
          stride_(static_cast<long long>(gridDim.x) * blockDim.x), end_(n)
    {
    }
    struct Iterator {
        long long at, step;
        __device__ bool operator!=(const Iterator &end) const { return at < end.at; }
        __device__ Iterator &operator++()
        {
            at += step;
            return *this;
        }
        __device__ long long operator*() const { return at; }
    };
    __device__ Iterator begin() const { return {first_, stride_}; }
    __device__ Iterator end() const { return {end_, 0}; }
};

LAUNCH(histogram, .block = {512}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ Histogram<256>::Storage storage;
    Histogram<256> h(storage);
    for (auto i : GridStride(n)) h(in[i]);
    h.merge(bins);
}
