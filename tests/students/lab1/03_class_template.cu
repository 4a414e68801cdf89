// a class template Piece<R, S> with operator(), constexpr members, C++ casts everywhere
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 4}, .tile = {64, 32});

namespace mm {

template <int R, int S, int STEP>
class Piece {
public:
    static constexpr int rows = R;
    static constexpr int cols = S;

    __device__ Piece(const float *A, const float *B, int M, int N, int K, int r, int c)
        : A_(A), B_(B), M_(M), N_(N), K_(K), r_(r), c_(c)
    {
        #pragma unroll
        for (int i = 0; i < R; ++i)
            #pragma unroll
            for (int j = 0; j < S; ++j) acc_[i][j] = 0.0f;
    }

    __device__ void operator()()
    {
        int k = 0;
        for (; k + STEP <= K_; k += STEP) step<STEP>(k);
        for (; k < K_; ++k) step<1>(k);
    }

    __device__ void store(float *C) const
    {
        #pragma unroll
        for (int i = 0; i < R; ++i)
            #pragma unroll
            for (int j = 0; j < S; ++j)
                if (r_ + i < M_ && c_ + 32 * j < N_) C[static_cast<size_t>(r_ + i) * N_ + (c_ + 32 * j)] = acc_[i][j];
    }

private:
    template <int D>
    __device__ void step(int k)
    {
        float b[D][S], a[D][R];
        #pragma unroll
        for (int d = 0; d < D; ++d) {
            #pragma unroll
            for (int j = 0; j < S; ++j) b[d][j] = B_[(k + d) * N_ + min(c_ + 32 * j, N_ - 1)];
            #pragma unroll
            for (int i = 0; i < R; ++i) a[d][i] = A_[min(r_ + i, M_ - 1) * K_ + k + d];
        }
        #pragma unroll
        for (int d = 0; d < D; ++d)
            #pragma unroll
            for (int i = 0; i < R; ++i)
                #pragma unroll
                for (int j = 0; j < S; ++j) acc_[i][j] += a[d][i] * b[d][j];
    }

    const float *A_, *B_;
    int M_, N_, K_, r_, c_;
    float acc_[R][S];
};

} // namespace mm

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    using Tile = mm::Piece<8, 2, 4>;
    const int r = (blockIdx.y * blockDim.y + threadIdx.y) * Tile::rows;
    const int c = blockIdx.x * (32 * Tile::cols) + threadIdx.x;
    if (r >= M || c >= N) return;
    Tile tile(A, B, M, N, K, r, c);
    tile();
    tile.store(C);
}
