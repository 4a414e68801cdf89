// Duff's device for the tail of k, switch with fall-through for the store
// not passed: too slow
#include "warpwise.h"

LAUNCH(matmul, .block = {64, 2}, .tile = {64, 16});

#define STEP()                                                         \
    do {                                                               \
        float b = *pb;                                                 \
        pb += N;                                                       \
        _Pragma("unroll") for (int i = 0; i < 8; i++) s[i] += pa[i][k] * b; \
        k++;                                                           \
    } while (0)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y * 8;
    if (c >= N || r >= M) return;
    float s[8] = {};
    const float *pa[8], *pb = B + c;
    #pragma unroll
    for (int i = 0; i < 8; i++) pa[i] = A + min(r + i, M - 1) * K;
    int k = 0;
    if (K > 0) {
        int n = (K + 3) / 4;
        switch (K % 4) {
        case 0: do { STEP();
        case 3:      STEP();
        case 2:      STEP();
        case 1:      STEP();
                } while (--n > 0);
        }
    }
    float *p = C + r * N + c;
    switch (min(M - r, 8)) {
    case 8: p[7 * N] = s[7];
    case 7: p[6 * N] = s[6];
    case 6: p[5 * N] = s[5];
    case 5: p[4 * N] = s[4];
    case 4: p[3 * N] = s[3];
    case 3: p[2 * N] = s[2];
    case 2: p[1 * N] = s[1];
    case 1: p[0] = s[0];
    }
}
