// goto, do-while, register keyword style of an old C programmer, declarations on top
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c, r, n, lda, ldb;
    const float *a0, *a1, *a2, *a3, *b;
    float s0, s1, s2, s3, t;

    c = blockIdx.x * 32 + threadIdx.x;
    r = (blockIdx.y * 8 + threadIdx.y) << 2;
    s0 = s1 = s2 = s3 = 0;
    if (c >= N) goto out;
    if (r >= M) goto out;
    lda = K, ldb = N;
    a0 = A + r * lda;
    a1 = r + 1 < M ? a0 + lda : a0;
    a2 = r + 2 < M ? a1 + lda : a1;
    a3 = r + 3 < M ? a2 + lda : a2;
    b = B + c;
    n = K;
    if (n == 0) goto store;
    do {
        t = *b; b += ldb;
        s0 += *a0++ * t;
        s1 += *a1++ * t;
        s2 += *a2++ * t;
        s3 += *a3++ * t;
    } while (--n);
store:
    C[r * N + c] = s0;
    if (++r == M) goto out;
    C[r * N + c] = s1;
    if (++r == M) goto out;
    C[r * N + c] = s2;
    if (++r == M) goto out;
    C[r * N + c] = s3;
out:
    ;
}
