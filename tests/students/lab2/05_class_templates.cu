// class templates: SharedTile<R, C> with operator()(r, c), a View of a matrix that gives 0 outside
#include "warpwise.h"

template <typename T>
class View {
public:
    __device__ View(T *p, int rows, int cols) : p_(p), rows_(rows), cols_(cols) {}
    __device__ T operator()(int r, int c) const { return inside(r, c) ? p_[r * cols_ + c] : T(); }
    __device__ void set(int r, int c, T v) const { if (inside(r, c)) p_[r * cols_ + c] = v; }
    __device__ bool inside(int r, int c) const { return r < rows_ && c < cols_; }
private:
    T *p_;
    int rows_, cols_;
};

template <int R, int C, int PAD = 0>
struct SharedTile {
    float data[R][C + PAD];
    __device__ float &operator()(int r, int c) { return data[r][c]; }
    template <class V>
    __device__ void fill(const V &m, int r0, int c0)
    {
        for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < R * C; i += blockDim.x * blockDim.y)
            data[i / C][i % C] = m(r0 + i / C, c0 + i % C);
    }
};

LAUNCH(matmul, .block = {16, 8}, .tile = {64, 32});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ SharedTile<32, 16, 1> As;
    __shared__ SharedTile<16, 64> Bs;
    View<const float> a(A, M, K), b(B, K, N);
    View<float> c(C, M, N);
    const int r0 = blockIdx.y * 32, c0 = blockIdx.x * 64, tx = threadIdx.x, ty = threadIdx.y;
    float s[4][4] = {};
    for (int m = 0; m < K; m += 16) {
        As.fill(a, r0, m);
        Bs.fill(b, m, c0);
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < 16; ++k)
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                #pragma unroll
                for (int j = 0; j < 4; ++j) s[i][j] += As(ty + 8 * i, k) * Bs(k, tx + 16 * j);
        __syncthreads();
    }
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        #pragma unroll
        for (int j = 0; j < 4; ++j) c.set(r0 + ty + 8 * i, c0 + tx + 16 * j, s[i][j]);
}

class DynamicTile {
    float *p_;
    int w_;
public:
    __device__ DynamicTile(float *p, int w) : p_(p), w_(w) {}
    __device__ float &operator()(int r, int c) const { return p_[r * w_ + c]; }
};

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float raw[];
    const int w = blockDim.x, x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * w + y, c = blockIdx.x * w + x;
    View<const float> a(A, M, K), b(B, K, N);
    DynamicTile as(raw, w), bs(raw + w * w, w);
    float s = 0;
    for (int m = 0; m < K; m += w) {
        as(y, x) = a(r, m + x);
        bs(y, x) = b(m + y, c);
        __syncthreads();
        for (int k = 0; k < w; ++k) s += as(y, k) * bs(k, x);
        __syncthreads();
    }
    View<float>(C, M, N).set(r, c, s);
}
