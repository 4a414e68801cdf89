// C++ class with operator() and a templated transform
#include "warpwise.h"
#include <cstddef>

LAUNCH(scale, .block = {512}, .per_sm = 4);

namespace {

template <typename T> class Affine {
public:
    __host__ __device__ constexpr Affine(T a, T b) : a_(a), b_(b) {}
    __host__ __device__ constexpr T operator()(T x) const { return a_ * x + b_; }

private:
    T a_, b_;
};

class GridRange {
public:
    struct iterator {
        std::size_t i, step;
        __device__ std::size_t operator*() const { return i; }
        __device__ iterator &operator++() { i += step; return *this; }
        __device__ bool operator!=(const iterator &o) const { return i < o.i; }
    };
    __device__ explicit GridRange(std::size_t n) : n_(n) {}
    __device__ iterator begin() const
    {
        return {std::size_t(blockIdx.x) * blockDim.x + threadIdx.x, std::size_t(gridDim.x) * blockDim.x};
    }
    __device__ iterator end() const { return {n_, 0}; }

private:
    std::size_t n_;
};

template <class In, class Out, class F> __device__ void transform(In in, Out out, std::size_t n, F f)
{
    for (std::size_t i : GridRange(n)) out[i] = f(in[i]);
}

} // namespace

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    transform(in, out, static_cast<std::size_t>(n), Affine<float>{2.0f, 1.0f});
}
