// Baseline of lab 1: a thread an element, its sum kept where it belongs in the end, in global memory.
//
// Each turn of the loop loads an element of A, one of B and the sum, and stores the sum: four accesses for two
// operations. The compiler may not keep C[...] in a register by itself: for all it knows, C overlaps A or B.
#include "warpwise.h"

LAUNCH(matmul, .block = {16, 16});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    C[r * N + c] = 0.0f;
    for (int k = 0; k < K; k++) C[r * N + c] += A[r * K + k] * B[k * N + c];
}
