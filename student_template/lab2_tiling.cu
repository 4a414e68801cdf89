// Lab 2: a matrix product by tiles.
//
// Contract
//   matmul(A, B, C, M, N, K)           C = A B: C[r * N + c] = sum over k of A[r * K + k] * B[k * N + c]
//   matmul_dynamic(A, B, C, M, N, K)   the same, with tiles as wide as the block it is launched with
//   A, B, C                            M x K, K x N and M x N floats, row by row; C holds nothing useful when you
//                                      start, A and B stay as they are
//   M, N, K                            any, multiples of nothing; K may be 0, and every sum is then 0
//
// matmul: you choose the tile, the block, and how many elements a thread computes. .tile in LAUNCH is what one block
// covers of C, columns first; 32 x 8 threads with four rows a thread are .block = {32, 8}, .tile = {32, 32}.
// matmul_dynamic: the block is T x T threads with 2 * T * T floats of shared memory; T is blockDim.x. It is started
// with your LAUNCH and with other widths (5, 8, 32), so T must not be a constant in it. Its speed does not count.
//
// Passing needs: right for every size; no race, no access outside an array or a tile; global memory gives at most
// 1.25/16 of the bytes that a kernel without tiles loads, and 1.25/T in matmul_dynamic; the operands come from shared
// memory; matmul_dynamic keeps half of a multiprocessor's warps busy; and matmul has the speed that `./grade lab2`
// states. The baseline keeps one sum a thread in a register. A tile alone passes. For full marks keep several sums.
//
// Read handouts/lab2_tiling.md, then: make lab2 && ./grade lab2
#include "warpwise.h"

enum { T = 16 };

LAUNCH(matmul, .block = {T, T}, .tile = {T, T});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    As[ty][tx] = r < M && tx < K ? A[r * K + tx] : 0.0f; // the first tile of A; Bs, the other phases and the
    __syncthreads();                                     // product are missing
    if (r < M && c < N) C[r * N + c] = As[ty][tx];
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[]; // both tiles, one behind the other
    int width = blockDim.x;
    float *As = tile, *Bs = tile + width * width;
    As[threadIdx.y * width + threadIdx.x] = 0.0f;
    Bs[threadIdx.y * width + threadIdx.x] = 0.0f;
}
