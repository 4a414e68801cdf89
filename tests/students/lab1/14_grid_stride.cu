// persistent blocks: .per_sm and a loop over the pieces of C
#include "warpwise.h"

static const int BX = 32, BY = 8, ROWS = 4, COLS = 2;

LAUNCH(matmul, .block = {32, 8}, .per_sm = 4);

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int wide = (N + BX * COLS - 1) / (BX * COLS), high = (M + BY * ROWS - 1) / (BY * ROWS);
    for (int piece = blockIdx.x; piece < wide * high; piece += gridDim.x) {
        int c = piece % wide * (BX * COLS) + threadIdx.x;
        int r = piece / wide * (BY * ROWS) + threadIdx.y * ROWS;
        if (r >= M || c >= N) continue;
        float s[ROWS][COLS] = {{0}};
#pragma unroll 4
        for (int k = 0; k < K; k++) {
            float b[COLS];
#pragma unroll
            for (int j = 0; j < COLS; j++) b[j] = B[k * N + min(c + BX * j, N - 1)];
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                float a = A[min(r + i, M - 1) * K + k];
#pragma unroll
                for (int j = 0; j < COLS; j++) s[i][j] += a * b[j];
            }
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < COLS; j++)
                if (r + i < M && c + BX * j < N) C[(r + i) * N + c + BX * j] = s[i][j];
    }
}
