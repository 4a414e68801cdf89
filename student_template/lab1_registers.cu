// Lab 1: a matrix product in registers.
//
// Contract
//   matmul(A, B, C, M, N, K)   C = A B: C[r * N + c] = sum over k of A[r * K + k] * B[k * N + c]
//   A, B, C                    M x K, K x N and M x N floats, row by row; C holds nothing useful when you start, A and
//                              B stay as they are
//   M, N, K                    any, multiples of nothing; K may be 0, and every sum is then 0
//
// LAUNCH: the first number of .block and .tile runs along a row of C (columns), the second down its rows. .tile is what
// one block covers: blocks of 32 x 8 threads with four rows a thread are .block = {32, 8}, .tile = {32, 32}.
//
// Passing needs: right for every size; no access outside the matrices; no shared and no local memory; each element
// of C stored once; at least 1.5 operations for each float loaded; the speed that `./grade lab1` states. The baseline
// keeps its sum in global memory. One sum a thread makes 1.0 operation for each float loaded: that is not enough.
//
// Read handouts/lab1_registers.md, then: make lab1 && ./grade lab1
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 8});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0.0f;
    // Add up A's row r times B's column c here. Then let the thread do more than one element.
    C[r * N + c] = sum;
}
