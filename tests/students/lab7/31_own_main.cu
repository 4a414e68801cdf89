// a main() of their own behind #ifdef MAIN, with timing by events
#include "warpwise.h"
#include <cassert>

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    assert(blockDim.x == 32 && blockDim.y == 8);
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    const bool whole = x0 + 32 <= C && y0 + 32 <= R;
    if (whole) {
        const float *p = in + (size_t)(y0 + threadIdx.y) * C + x0 + threadIdx.x;
        const size_t s = (size_t)8 * C;
        float a = p[0], b = p[s], c = p[2 * s], d = p[3 * s];
        tile[threadIdx.y][threadIdx.x] = a;
        tile[threadIdx.y + 8][threadIdx.x] = b;
        tile[threadIdx.y + 16][threadIdx.x] = c;
        tile[threadIdx.y + 24][threadIdx.x] = d;
    } else {
        for (int k = threadIdx.y; k < 32; k += 8)
            if (x0 + threadIdx.x < C && y0 + k < R)
                tile[k][threadIdx.x] = in[(size_t)(y0 + k) * C + x0 + threadIdx.x];
    }
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8)
        if (whole || (y0 + threadIdx.x < R && x0 + k < C))
            out[(size_t)(x0 + k) * R + y0 + threadIdx.x] = tile[threadIdx.x][k];
}

#ifdef MAIN
#include <cstdio>
#include <vector>
int main()
{
    const int R = 1000, C = 3001;
    std::vector<float> a(R * C), b(R * C);
    for (int i = 0; i < R * C; i++) a[i] = i;
    float *in, *out;
    cudaMalloc(&in, R * C * 4);
    cudaMalloc(&out, R * C * 4);
    cudaMemcpy(in, a.data(), R * C * 4, cudaMemcpyHostToDevice);
    cudaEvent_t t0, t1;
    cudaEventCreate(&t0), cudaEventCreate(&t1);
    cudaEventRecord(t0);
    transpose<<<dim3((C + 31) / 32, (R + 31) / 32), dim3(32, 8)>>>(in, out, R, C);
    cudaEventRecord(t1);
    cudaEventSynchronize(t1);
    float ms;
    cudaEventElapsedTime(&ms, t0, t1);
    cudaMemcpy(b.data(), out, R * C * 4, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < R; r++)
        for (int c = 0; c < C; c++) wrong += a[r * C + c] != b[c * R + r];
    printf("%d wrong, %g ms\n", wrong, ms);
}
#endif
