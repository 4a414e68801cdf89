// Reference of lab 2: a register-blocked tiled product, 128 x 128 elements a block, 8 x 8 sums a thread, two tiles in
// turn.
//
// Choices:
// - 8 x 8 sums: one step in k takes 16 floats from shared memory, by four 16-byte loads, for 64 multiply-adds. The
//   arithmetic is the bound, not the shared memory. 64 sums, 16 operands and the tiles on their way fit into 128
//   registers, so two blocks of 256 threads stay resident on a multiprocessor (__launch_bounds__).
// - 128 x 128 elements a block: each float from global memory serves 128 sums.
// - tiles only 8 deep, twice: while the block multiplies one pair, the next is on its way from global memory into
//   registers; it is then stored into the other pair. One barrier a phase is enough, because what is written was last
//   read before the previous barrier.
// - A's tile is stored turned, k first, so that a thread's rows lie side by side and are loaded by fours. Rows of it
//   are 4 floats longer than needed: the 16 rows and two k that a warp stores at once then meet 32 different banks.
// - a warp computes 64 rows x 32 columns, its lanes 8 x 4 pieces of 4 x 4, four times over. Its loads from shared
//   memory meet 128 and 64 contiguous bytes, each read by several lanes: no conflicts.
// - 16-byte global loads and stores where K and N keep the rows aligned, single floats where they do not, and zeros
//   beyond the edges: any M, N, K. Which of the two is asked once: the kernel is written twice, by a template.
#include "warpwise.h"

enum {
    TILE = 128,       // rows and columns of C that a block computes
    DEPTH = 8,        // columns of A and rows of B in shared memory at a time
    THREADS = 256,    // 8 warps: 2 down, 4 across
    TURNED = TILE + 4 // floats in a row of A's turned tile
};

LAUNCH(matmul, .block = {THREADS}, .tile = {TILE, TILE});

// Four neighbours in a row, of which `there` lie before its end; zeros for the others. If ALIGNED, all four do or none.
template <bool ALIGNED> static __device__ inline float4 load4(const float *p, int there)
{
    if (ALIGNED) return there > 0 ? *(const float4 *)p : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    return make_float4(there > 0 ? p[0] : 0.0f, there > 1 ? p[1] : 0.0f, there > 2 ? p[2] : 0.0f,
                       there > 3 ? p[3] : 0.0f);
}

template <bool ALIGNED> static __device__ inline void store4(float *p, const float *v, int there)
{
    if (ALIGNED) {
        if (there > 0) *(float4 *)p = make_float4(v[0], v[1], v[2], v[3]);
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (i < there) p[i] = v[i];
    }
}

// Two tiles of A, turned, and two of B; of float4, so that they are aligned for loads by four.
struct tiles {
    float4 A[2][DEPTH][TURNED / 4], B[2][DEPTH][TILE / 4];
};

template <bool ALIGNED>
static __device__ inline void product(struct tiles *tiles, const float *__restrict__ A, const float *__restrict__ B,
                                      float *__restrict__ C, int M, int N, int K)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;

    // What this thread brings in each phase: four neighbours of one row of A, and four of one row of B.
    int ar = t / 2, ak = t % 2 * 4, bk = t / 32, bc = t % 32 * 4;
    const float *a_from = A + (size_t)(r0 + ar) * K + ak, *b_from = B + (size_t)bk * N + c0 + bc;
    int b_columns = N - c0 - bc;           // of B's row, from here to its end
    int a_left = r0 + ar < M ? K - ak : 0; // of A's row; and nothing of a row that does not exist
    int b_left = K - bk;                   // rows of B, from this one to the last

    // What it computes: rows r … r + 3 and r + 32 … r + 35 of the block's tile by columns c … c + 3, c + 16 … c + 19.
    int r = warp / 4 * 64 + lane / 4 * 4, c = warp % 4 * 32 + lane % 4 * 4;
    float sum[8][8] = {};

    float4 a = load4<ALIGNED>(a_from, a_left);
    float4 b = load4<ALIGNED>(b_from, b_left > 0 ? b_columns : 0);
    int now = 0; // which of the two pairs of tiles is multiplied
    for (int m = 0; m < K; m += DEPTH) {
        float *turned = (float *)tiles->A[now];
        turned[(ak + 0) * TURNED + ar] = a.x;
        turned[(ak + 1) * TURNED + ar] = a.y;
        turned[(ak + 2) * TURNED + ar] = a.z;
        turned[(ak + 3) * TURNED + ar] = a.w;
        tiles->B[now][bk][bc / 4] = b;
        __syncthreads();

        // The next phase's loads start here and are waited for only at the top of the loop.
        a_from += DEPTH, a_left -= DEPTH;
        b_from += (size_t)DEPTH * N, b_left -= DEPTH;
        a = load4<ALIGNED>(a_from, a_left);
        b = load4<ALIGNED>(b_from, b_left > 0 ? b_columns : 0);

#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float4 a0 = tiles->A[now][k][r / 4], a1 = tiles->A[now][k][r / 4 + 8];
            float4 b0 = tiles->B[now][k][c / 4], b1 = tiles->B[now][k][c / 4 + 4];
            float left[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            float right[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) sum[i][j] += left[i] * right[j];
        }
        now ^= 1;
    }

#pragma unroll
    for (int i = 0; i < 8; i++) {
        int row = r0 + r + i % 4 + i / 4 * 32, col = c0 + c;
        if (row >= M) continue;
        float *to = C + (size_t)row * N + col;
        store4<ALIGNED>(to, &sum[i][0], N - col);
        store4<ALIGNED>(to + 16, &sum[i][4], N - col - 16);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ struct tiles tiles;
    if (K % 4 == 0 && N % 4 == 0)
        product<true>(&tiles, A, B, C, M, N, K);
    else
        product<false>(&tiles, A, B, C, M, N, K);
}

// The same product by plain tiles whose width the launch chooses: blocks of T x T threads with 2 T^2 floats of shared
// memory. One extern array holds both tiles: two extern arrays would be two names for the same bytes.
LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float tile[];
    int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    float *As = tile, *Bs = tile + T * T, sum = 0.0f;
    for (int m = 0; m < K; m += T) {
        As[ty * T + tx] = r < M && m + tx < K ? A[(size_t)r * K + m + tx] : 0.0f;
        Bs[ty * T + tx] = m + ty < K && c < N ? B[(size_t)(m + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += As[ty * T + k] * Bs[k * T + tx];
        __syncthreads();
    }
    if (r < M && c < N) C[(size_t)r * N + c] = sum;
}
