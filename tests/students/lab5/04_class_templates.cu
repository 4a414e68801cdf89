// C++ class templates, functors with operator(), a reducer class bound to the warp's memory
#include "warpwise.h"
#include <cmath>

namespace lab {
template <typename T> struct Plus {
    static constexpr T neutral() { return T(0); }
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct Max {
    __device__ static T neutral() { return -INFINITY; }
    __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <typename T, unsigned Width = 32> class SharedReducer {
    T *memory_;
    unsigned lane_;

public:
    __device__ SharedReducer(T *memory, unsigned lane) : memory_(memory), lane_(lane) {}
    SharedReducer(const SharedReducer &) = delete;

    template <typename Op> __device__ T all(T value, Op op = Op())
    {
        __syncwarp(); // whoever still reads the last result
        memory_[lane_] = value;
        __syncwarp();
#pragma unroll
        for (unsigned d = Width / 2; d >= 1; d >>= 1) {
            T other = memory_[lane_ ^ d];
            __syncwarp();
            value = op(value, other);
            memory_[lane_] = value;
            __syncwarp();
        }
        return value;
    }
};
} // namespace lab

constexpr int kWarps = 4;
LAUNCH(row_sums, .block = {kWarps * 32}, .tile = {kWarps});
LAUNCH(softmax, .block = {kWarps * 32}, .tile = {kWarps});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float memory[kWarps][32];
    const unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u;
    const int row = static_cast<int>(blockIdx.x * kWarps + warp);
    if (row >= rows) return;
    lab::SharedReducer<float> reducer(memory[warp], lane);
    float v = lab::Plus<float>::neutral();
    for (int c = static_cast<int>(lane); c < cols; c += 32) v += in[static_cast<size_t>(row) * cols + c];
    v = reducer.all<lab::Plus<float>>(v);
    if (lane == 0) sums[row] = v;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    __shared__ float memory[kWarps][32];
    const unsigned lane = threadIdx.x % 32u, warp = threadIdx.x / 32u;
    const int row = static_cast<int>(blockIdx.x * kWarps + warp);
    if (row >= rows) return;
    lab::SharedReducer<float> reducer(memory[warp], lane);
    const float *x = in + static_cast<size_t>(row) * cols;
    float *y = out + static_cast<size_t>(row) * cols;
    float m = lab::Max<float>::neutral(), s = 0;
    for (int c = static_cast<int>(lane); c < cols; c += 32) m = lab::Max<float>()(m, x[c]);
    m = reducer.all(m, lab::Max<float>());
    for (int c = static_cast<int>(lane); c < cols; c += 32) s += std::exp(x[c] - m);
    s = reducer.all(s, lab::Plus<float>());
    for (int c = static_cast<int>(lane); c < cols; c += 32) y[c] = std::exp(x[c] - m) / s;
}
