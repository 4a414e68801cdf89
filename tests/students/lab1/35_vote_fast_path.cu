// __all_sync chooses an unguarded path for warps inside C, coalesced_threads for the others
#include <cooperative_groups.h>
#include "warpwise.h"
using namespace cooperative_groups;

LAUNCH(matmul, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y * 4;
    if (__all_sync(0xffffffff, c + 32 < N && r + 3 < M)) {
        float s[4][2] = {};
        const float *a = A + r * K, *b = B + c;
        #pragma unroll 4
        for (int k = 0; k < K; k++) {
            float x = b[k * N], y = b[k * N + 32];
            #pragma unroll
            for (int i = 0; i < 4; i++) s[i][0] += a[i * K + k] * x, s[i][1] += a[i * K + k] * y;
        }
        #pragma unroll
        for (int i = 0; i < 4; i++) C[(r + i) * N + c] = s[i][0], C[(r + i) * N + c + 32] = s[i][1];
        return;
    }
    for (int j = 0; j < 2; j++) {
        int cc = c + 32 * j;
        if (cc >= N || r >= M) continue;
        coalesced_group g = coalesced_threads();
        float s[4] = {};
        for (int k0 = 0; k0 < K; k0 += 4) {
            // the lanes of the group read the same elements of A: rank 0 does it for all
            for (int k = k0; k < min(k0 + 4, K); k++) {
                float b = B[k * N + cc];
                #pragma unroll
                for (int i = 0; i < 4; i++) {
                    float a = 0;
                    if (g.thread_rank() == 0 && r + i < M) a = A[(r + i) * K + k];
                    s[i] += g.shfl(a, 0) * b;
                }
            }
        }
        #pragma unroll
        for (int i = 0; i < 4; i++)
            if (r + i < M) C[(r + i) * N + cc] = s[i];
    }
}
