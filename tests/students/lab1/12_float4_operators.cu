// float4 sums with overloaded operators, each thread four neighbouring columns, scalar path at ragged N
#include "warpwise.h"

LAUNCH(matmul, .block = {16, 16}, .tile = {64, 64});

__device__ inline float4 operator*(float a, float4 b) { return make_float4(a * b.x, a * b.y, a * b.z, a * b.w); }
__device__ inline float4 &operator+=(float4 &a, float4 b)
{
    a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w;
    return a;
}

__device__ float4 load4(const float *p, int left, bool vec)
{
    if (vec) return *(const float4 *)p;
    float4 v = make_float4(p[0], 0, 0, 0);
    if (left > 1) v.y = p[1];
    if (left > 2) v.z = p[2];
    if (left > 3) v.w = p[3];
    return v;
}

__device__ void store4(float *p, float4 v, int left, bool vec)
{
    if (vec) { *(float4 *)p = v; return; }
    p[0] = v.x;
    if (left > 1) p[1] = v.y;
    if (left > 2) p[2] = v.z;
    if (left > 3) p[3] = v.w;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int r = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (r >= M || c >= N) return;
    bool vec = (N & 3) == 0; // then c + 3 < N too
    int left = N - c;
    float4 s0 = make_float4(0, 0, 0, 0), s1 = s0, s2 = s0, s3 = s0;
    int r1 = min(r + 1, M - 1), r2 = min(r + 2, M - 1), r3 = min(r + 3, M - 1);
    #pragma unroll 4
    for (int k = 0; k < K; k++) {
        float4 b = load4(B + k * N + c, left, vec);
        s0 += A[r * K + k] * b;
        s1 += A[r1 * K + k] * b;
        s2 += A[r2 * K + k] * b;
        s3 += A[r3 * K + k] * b;
    }
    store4(C + r * N + c, s0, left, vec);
    if (r + 1 < M) store4(C + (r + 1) * N + c, s1, left, vec);
    if (r + 2 < M) store4(C + (r + 2) * N + c, s2, left, vec);
    if (r + 3 < M) store4(C + (r + 3) * N + c, s3, left, vec);
}
