// C++ templates: a padded tile and a matrix view with operator()
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

template <typename T, int H, int W, int Pad> class Tile {
public:
    __device__ T &operator()(int y, int x) { return data_[y * (W + Pad) + x]; }

private:
    T data_[H * (W + Pad)];
};

template <typename T> class View {
public:
    __device__ View(T *p, int rows, int columns) : p_(p), rows_(rows), columns_(columns) {}
    __device__ T &operator()(int y, int x) const { return p_[static_cast<long long>(y) * columns_ + x]; }
    __device__ bool has(int y, int x) const { return y < rows_ && x < columns_; }

private:
    T *p_;
    int rows_, columns_;
};

template <int N, int Step> __device__ void transpose_tile(View<const float> a, View<float> b)
{
    __shared__ Tile<float, N, N, 1> tile;
    const int bx = blockIdx.x * N, by = blockIdx.y * N;
#pragma unroll
    for (int y = threadIdx.y; y < N; y += Step)
        if (a.has(by + y, bx + threadIdx.x)) tile(y, threadIdx.x) = a(by + y, bx + threadIdx.x);
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < N; y += Step)
        if (b.has(bx + y, by + threadIdx.x)) b(bx + y, by + threadIdx.x) = tile(threadIdx.x, y);
}

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    transpose_tile<32, 8>(View<const float>(in, R, C), View<float>(out, C, R));
}
