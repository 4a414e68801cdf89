// old C style: declarations on top, goto, do-while, pointers moved along
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float as[32 * 32], bs[32 * 32];
    float s0, s1, s2, s3, b;
    float *qa, *qb;
    int x, y, r, c, left, n, i;

    x = threadIdx.x;
    y = threadIdx.y;
    r = blockIdx.y * 32;
    c = blockIdx.x * 32 + x;
    s0 = s1 = s2 = s3 = 0;
    left = K;
    if (left <= 0) goto done;
next:
    n = K - left;
    i = y;
    do {
        as[i * 32 + x] = 0;
        bs[i * 32 + x] = 0;
        if (r + i < M && n + x < K) as[i * 32 + x] = A[(r + i) * K + n + x];
        if (n + i < K && c < N) bs[i * 32 + x] = B[(n + i) * N + c];
        i += 8;
    } while (i < 32);
    __syncthreads();
    qa = as + y * 32;
    qb = bs + x;
    i = 32;
    do {
        b = *qb;
        s0 += qa[0] * b;
        s1 += qa[8 * 32] * b;
        s2 += qa[16 * 32] * b;
        s3 += qa[24 * 32] * b;
        qa++;
        qb += 32;
    } while (--i);
    __syncthreads();
    left -= 32;
    if (left > 0) goto next;
done:
    if (c >= N) return;
    if (r + y < M) C[(r + y) * N + c] = s0;
    if (r + y + 8 < M) C[(r + y + 8) * N + c] = s1;
    if (r + y + 16 < M) C[(r + y + 16) * N + c] = s2;
    if (r + y + 24 < M) C[(r + y + 24) * N + c] = s3;
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    const int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    float *As = tile, *Bs = tile + T * T;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < (K + T - 1) / T; phase++) {
        const int ka = phase * T + tx, kb = phase * T + ty;
        As[ty * T + tx] = (r < M && ka < K) ? A[r * K + ka] : 0.0f;
        Bs[ty * T + tx] = (kb < K && c < N) ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = sum;
}
