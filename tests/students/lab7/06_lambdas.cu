// lambdas for the loop over the rows and for the tile's index, generic visitor
#include "warpwise.h"
constexpr int T = 32, B = 8;

LAUNCH(transpose, .block = {T, B}, .tile = {T, T});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[T * (T + 1)];
    auto at = [&] __device__ (int y, int x) -> float & { return tile[y * (T + 1) + x]; };
    auto rows = [](int x0, int y0, int width, int height, auto &&f) {
        const int x = x0 + threadIdx.x;
        if (x >= width) return;
#pragma unroll
        for (int k = 0; k < T; k += B) {
            const int y = y0 + threadIdx.y + k;
            if (y < height) f(threadIdx.y + k, (size_t)y * width + x);
        }
    };
    const int x0 = blockIdx.x * T, y0 = blockIdx.y * T;
    rows(x0, y0, C, R, [&](int y, size_t i) { at(y, threadIdx.x) = in[i]; });
    __syncthreads();
    rows(y0, x0, R, C, [&](int y, size_t i) { out[i] = at(threadIdx.x, y); });
}
