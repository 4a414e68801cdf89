// Kernels in styles that students choose: the model is compared with a card on them (tests/truth/styles.csv), and
// nothing in it was chosen for their sake. Each is correct; what is slow about one is meant to be.
#define KERNEL extern "C" __global__ void

// ---------------------------------------------------------------- lab 0: out[i] = 2 in[i] + 1, in some order

static __device__ int self(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

KERNEL l0_stride_loop(const float *in, float *out, int n)
{
    for (int i = self(); i < n; i += gridDim.x * blockDim.x) out[i] = 2.0f * in[i] + 1.0f;
}

KERNEL l0_each(const float *in, float *out, int n)
{
    int i = self();
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}

KERNEL l0_float4(const float4 *in, float4 *out, int n)
{
    int i = self();
    if (i >= n) return;
    float4 v = in[i];
    v.x = 2 * v.x + 1, v.y = 2 * v.y + 1, v.z = 2 * v.z + 1, v.w = 2 * v.w + 1;
    out[i] = v;
}

template <int N> static __device__ void chunk(const float *in, float *out, int n)
{
    int first = self() * N;
#pragma unroll
    for (int k = 0; k < N; k++)
        if (first + k < n) out[first + k] = 2.0f * in[first + k] + 1.0f;
}

KERNEL l0_chunk4(const float *in, float *out, int n)
{
    chunk<4>(in, out, n);
}

KERNEL l0_chunk8(const float *in, float *out, int n)
{
    chunk<8>(in, out, n);
}

KERNEL l0_chunk64(const float *in, float *out, int n)
{
    int first = self() * 64, last = min(first + 64, n);
    for (int i = first; i < last; i++) out[i] = 2.0f * in[i] + 1.0f;
}

KERNEL l0_every2(const float *in, float *out, int n)
{
    int i = self(), h = n / 2, k = i < h ? 2 * i : 2 * (i - h) + 1;
    if (i < n) out[k] = 2.0f * in[k] + 1.0f;
}

KERNEL l0_every8(const float *in, float *out, int n)
{
    int i = self(), part = n / 8, k = i % part * 8 + i / part;
    if (i < n) out[k] = 2.0f * in[k] + 1.0f;
}

KERNEL l0_shifted3(const float *in, float *out, int n)
{
    int i = self(), k = i + 3 < n ? i + 3 : i + 3 - n;
    if (i < n) out[k] = 2.0f * in[k] + 1.0f;
}

KERNEL l0_block_chunk(const float *in, float *out, int n)
{
    int first = blockIdx.x * 4096, last = min(first + 4096, n);
    for (int i = first + threadIdx.x; i < last; i += blockDim.x) out[i] = 2.0f * in[i] + 1.0f;
}

KERNEL l0_stencil(const float *in, float *out, int n)
{
    int i = self();
    if (i < n) out[i] = in[max(i - 1, 0)] + in[i] + in[min(i + 1, n - 1)];
}

// ---------------------------------------------------------------- lab 1: products without shared memory

KERNEL l1_plain(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}

KERNEL l1_rows_in_x(const float *A, const float *B, float *C, int M, int N, int K)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}

KERNEL l1_unroll8(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= M || c >= N) return;
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}

// R rows and S columns a thread, next to each other.
template <int R, int S>
static __device__ void neighbours(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = (blockIdx.x * blockDim.x + threadIdx.x) * S, r = (blockIdx.y * blockDim.y + threadIdx.y) * R;
    float sum[R][S] = {};
    if (r + R > M || c + S > N) return;
    for (int k = 0; k < K; k++) {
        float a[R], b[S];
#pragma unroll
        for (int i = 0; i < R; i++) a[i] = A[(r + i) * K + k];
#pragma unroll
        for (int j = 0; j < S; j++) b[j] = B[k * N + c + j];
#pragma unroll
        for (int i = 0; i < R; i++)
#pragma unroll
            for (int j = 0; j < S; j++) sum[i][j] += a[i] * b[j];
    }
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < S; j++) C[(r + i) * N + c + j] = sum[i][j];
}

KERNEL l1_1x4(const float *A, const float *B, float *C, int M, int N, int K)
{
    neighbours<1, 4>(A, B, C, M, N, K);
}

KERNEL l1_2x2(const float *A, const float *B, float *C, int M, int N, int K)
{
    neighbours<2, 2>(A, B, C, M, N, K);
}

KERNEL l1_8x1(const float *A, const float *B, float *C, int M, int N, int K)
{
    neighbours<8, 1>(A, B, C, M, N, K);
}

KERNEL l1_vector4(const float *A, const float4 *B, float4 *C, int M, int N, int K)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y, n = N / 4;
    if (r >= M || c >= n) return;
    float4 sum = {};
    for (int k = 0; k < K; k++) {
        float a = A[r * K + k];
        float4 b = B[k * n + c];
        sum.x += a * b.x, sum.y += a * b.y, sum.z += a * b.z, sum.w += a * b.w;
    }
    C[r * n + c] = sum;
}

KERNEL l1_4x4_apart(const float *A, const float *B, float *C, int M, int N, int K)
{
    int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y * 64 + threadIdx.y;
    float sum[4][4] = {};
    for (int k = 0; k < K; k++)
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                if (r + 16 * i < M && c + 16 * j < N) sum[i][j] += A[(r + 16 * i) * K + k] * B[k * N + c + 16 * j];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (r + 16 * i < M && c + 16 * j < N) C[(r + 16 * i) * N + c + 16 * j] = sum[i][j];
}

// ---------------------------------------------------------------- lab 2: products through shared memory

#define SQUARE(NAME, T)                                                                                                \
    KERNEL NAME(const float *A, const float *B, float *C, int M, int N, int K)                                         \
    {                                                                                                                  \
        __shared__ float a[T][T], b[T][T];                                                                             \
        int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * T + y, c = blockIdx.x * T + x;                          \
        float sum = 0;                                                                                                 \
        for (int first = 0; first < K; first += T) {                                                                   \
            a[y][x] = r < M && first + x < K ? A[r * K + first + x] : 0.0f;                                            \
            b[y][x] = first + y < K && c < N ? B[(first + y) * N + c] : 0.0f;                                          \
            __syncthreads();                                                                                           \
            for (int k = 0; k < T; k++) sum += a[y][k] * b[k][x];                                                      \
            __syncthreads();                                                                                           \
        }                                                                                                              \
        if (r < M && c < N) C[r * N + c] = sum;                                                                        \
    }
SQUARE(l2_square8, 8)
SQUARE(l2_square32, 32)

// The left tile lies transposed: its stores meet in a bank.
KERNEL l2_turned(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][32], b[32][32];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + x;
    float sum = 0;
    for (int first = 0; first < K; first += 32) {
        a[x][y] = r < M && first + x < K ? A[r * K + first + x] : 0.0f;
        b[y][x] = first + y < K && c < N ? B[(first + y) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += a[k][y] * b[k][x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}

// A tile of 8 rows and 32 columns, 32 products deep, by 32 x 8 threads.
KERNEL l2_flat(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[8][32], b[32][32];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 8 + y, c = blockIdx.x * 32 + x;
    float sum = 0;
    for (int first = 0; first < K; first += 32) {
        a[y][x] = r < M && first + x < K ? A[r * K + first + x] : 0.0f;
        for (int k = y; k < 32; k += 8) b[k][x] = first + k < K && c < N ? B[(first + k) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}

// Four rows a thread: a tile of 32 x 32 by 32 x 8 threads.
KERNEL l2_column4(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][32], b[32][32];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + x;
    float sum[4] = {};
    for (int first = 0; first < K; first += 32) {
        for (int i = 0; i < 32; i += 8) {
            a[y + i][x] = r + i < M && first + x < K ? A[(r + i) * K + first + x] : 0.0f;
            b[y + i][x] = first + y + i < K && c < N ? B[(first + y + i) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 32; k++)
            for (int i = 0; i < 4; i++) sum[i] += a[y + 8 * i][k] * b[k][x];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        if (r + 8 * i < M && c < N) C[(r + 8 * i) * N + c] = sum[i];
}

// Two by two a thread: a tile of 32 x 32 by 16 x 16 threads.
KERNEL l2_2x2(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[32][16], b[16][32];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + x;
    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int first = 0; first < K; first += 16) {
        a[y][x] = r < M && first + x < K ? A[r * K + first + x] : 0.0f;
        a[y + 16][x] = r + 16 < M && first + x < K ? A[(r + 16) * K + first + x] : 0.0f;
        b[y][x] = first + y < K && c < N ? B[(first + y) * N + c] : 0.0f;
        b[y][x + 16] = first + y < K && c + 16 < N ? B[(first + y) * N + c + 16] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float p = a[y][k], q = a[y + 16][k], u = b[k][x], v = b[k][x + 16];
            s00 += p * u, s01 += p * v, s10 += q * u, s11 += q * v;
        }
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = s00;
    if (r < M && c + 16 < N) C[r * N + c + 16] = s01;
    if (r + 16 < M && c < N) C[(r + 16) * N + c] = s10;
    if (r + 16 < M && c + 16 < N) C[(r + 16) * N + c + 16] = s11;
}

// 64 x 64 by 16 x 16 threads, staged four floats at a time; for multiples of 64.
KERNEL l2_staged4(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[64][16], b[16][64];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, r = blockIdx.y * 64, c = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int first = 0; first < K; first += 16) {
        *(float4 *)&a[t / 4][t % 4 * 4] = *(const float4 *)&A[(r + t / 4) * K + first + t % 4 * 4];
        *(float4 *)&b[t / 16][t % 16 * 4] = *(const float4 *)&B[(first + t / 16) * N + c + t % 16 * 4];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 v = *(const float4 *)&b[k][x * 4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float u = a[y * 4 + i][k];
                sum[i][0] += u * v.x, sum[i][1] += u * v.y, sum[i][2] += u * v.z, sum[i][3] += u * v.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        *(float4 *)&C[(r + y * 4 + i) * N + c + x * 4] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

// The next tile is on its way into registers while this one is multiplied.
KERNEL l2_ahead(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[2][16][16], b[2][16][16];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 16 + y, c = blockIdx.x * 16 + x, now = 0;
    float sum = 0;
    a[0][y][x] = r < M && x < K ? A[r * K + x] : 0.0f;
    b[0][y][x] = y < K && c < N ? B[y * N + c] : 0.0f;
    __syncthreads();
    for (int first = 0; first < K; first += 16, now ^= 1) {
        int next = first + 16;
        float u = r < M && next + x < K ? A[r * K + next + x] : 0.0f;
        float v = next + y < K && c < N ? B[(next + y) * N + c] : 0.0f;
        for (int k = 0; k < 16; k++) sum += a[now][y][k] * b[now][k][x];
        a[now ^ 1][y][x] = u;
        b[now ^ 1][y][x] = v;
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = sum;
}

// ---------------------------------------------------------------- lab 3: sums of blocks, inclusive scans of rows

KERNEL l3_shuffled(const float *in, float *part, int n)
{
    __shared__ float s[32];
    int i = self(), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (lane == 0) s[warp] = v;
    __syncthreads();
    if (warp) return;
    v = lane < blockDim.x / 32 ? s[lane] : 0.0f;
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (lane == 0) part[blockIdx.x] = v;
}

KERNEL l3_first_add(const float *in, float *part, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    s[t] = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
    __syncthreads();
    for (int d = 128; d; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) part[blockIdx.x] = s[0];
}

KERNEL l3_by_warp0(const float *in, float *part, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = self();
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (t >= 32) return;
    float v = 0;
    for (int k = t; k < 256; k += 32) v += s[k];
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (t == 0) part[blockIdx.x] = v;
}

KERNEL l3_thread0_scan(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[1024];
    size_t at = (size_t)blockIdx.x * cols + threadIdx.x;
    s[threadIdx.x] = in[at];
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 1; k < cols; k++) s[k] += s[k - 1];
    __syncthreads();
    out[at] = s[threadIdx.x];
}

KERNEL l3_kogge_stone(const float *in, float *out, int rows, int cols)
{
    extern __shared__ float dynamic[];
    size_t at = (size_t)blockIdx.x * cols + threadIdx.x;
    int t = threadIdx.x;
    dynamic[t] = in[at];
    for (int d = 1; d < blockDim.x; d *= 2) {
        __syncthreads();
        float v = t >= d ? dynamic[t - d] : 0.0f;
        __syncthreads();
        if (t >= d) dynamic[t] += v;
    }
    out[at] = dynamic[t];
}

KERNEL l3_brent_kung(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[1024];
    size_t first = (size_t)blockIdx.x * 1024;
    int t = threadIdx.x;
    s[t] = in[first + t];
    s[t + 512] = in[first + t + 512];
    for (int d = 1; d <= 512; d *= 2) {
        __syncthreads();
        int k = (t + 1) * 2 * d - 1;
        if (k < 1024) s[k] += s[k - d];
    }
    for (int d = 256; d; d /= 2) {
        __syncthreads();
        int k = (t + 1) * 2 * d - 1;
        if (k + d < 1024) s[k + d] += s[k];
    }
    __syncthreads();
    out[first + t] = s[t];
    out[first + t + 512] = s[t + 512];
}

// Exclusive up and down a tree, then made inclusive; SKEW: an empty place after every 32.
template <int SKEW> static __device__ int place(int k)
{
    return SKEW ? k + k / 32 : k;
}

template <int SKEW> static __device__ void blelloch(const float *in, float *out)
{
    __shared__ float s[1024 + 32];
    size_t first = (size_t)blockIdx.x * 1024;
    int t = threadIdx.x, stride = 1;
    float low = in[first + t], high = in[first + t + 512];
    s[place<SKEW>(t)] = low;
    s[place<SKEW>(t + 512)] = high;
    for (int d = 512; d; d /= 2, stride *= 2) {
        __syncthreads();
        if (t < d) s[place<SKEW>(stride * (2 * t + 2) - 1)] += s[place<SKEW>(stride * (2 * t + 1) - 1)];
    }
    if (t == 0) s[place<SKEW>(1023)] = 0;
    for (int d = 1; d < 1024; d *= 2) {
        stride /= 2;
        __syncthreads();
        if (t < d) {
            int a = place<SKEW>(stride * (2 * t + 1) - 1), b = place<SKEW>(stride * (2 * t + 2) - 1);
            float v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    out[first + t] = s[place<SKEW>(t)] + low;
    out[first + t + 512] = s[place<SKEW>(t + 512)] + high;
}

KERNEL l3_blelloch(const float *in, float *out, int rows, int cols)
{
    blelloch<0>(in, out);
}

KERNEL l3_blelloch_skew(const float *in, float *out, int rows, int cols)
{
    blelloch<1>(in, out);
}

static __device__ float warp_scan(float v, int lane)
{
    for (int d = 1; d < 32; d *= 2) {
        float u = __shfl_up_sync(~0u, v, d);
        if (lane >= d) v += u;
    }
    return v;
}

KERNEL l3_warp_scan(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[32];
    size_t at = (size_t)blockIdx.x * cols + threadIdx.x;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float v = warp_scan(in[at], lane);
    if (lane == 31) s[warp] = v;
    __syncthreads();
    if (warp == 0) s[lane] = warp_scan(lane < blockDim.x / 32 ? s[lane] : 0.0f, lane);
    __syncthreads();
    out[at] = warp ? v + s[warp - 1] : v;
}

// Four neighbouring numbers a thread, loaded one by one, and the threads' sums by steps.
KERNEL l3_serial4(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[256];
    size_t first = (size_t)blockIdx.x * 1024 + threadIdx.x * 4;
    int t = threadIdx.x;
    float v[4], sum = 0;
    for (int k = 0; k < 4; k++) v[k] = sum += in[first + k];
    s[t] = sum;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        float u = t >= d ? s[t - d] : 0.0f;
        __syncthreads();
        s[t] += u;
        __syncthreads();
    }
    float before = t ? s[t - 1] : 0.0f;
    for (int k = 0; k < 4; k++) out[first + k] = v[k] + before;
}

// All numbers to shared memory; one warp goes through 32 of them a lane, skewed; and back.
KERNEL l3_raking(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[1024 + 32];
    size_t first = (size_t)blockIdx.x * 1024;
    int t = threadIdx.x;
    for (int k = t; k < 1024; k += 256) s[k + k / 32] = in[first + k];
    __syncthreads();
    if (t < 32) {
        float *mine = s + t * 33, sum = 0;
        for (int k = 0; k < 32; k++) mine[k] = sum += mine[k];
        float before = warp_scan(sum, t) - sum;
        for (int k = 0; k < 32; k++) mine[k] += before;
    }
    __syncthreads();
    for (int k = t; k < 1024; k += 256) out[first + k] = s[k + k / 32];
}

// ---------------------------------------------------------------- lab 4: histograms of 256 bins

static __device__ void flush_bins(unsigned *bins, const unsigned *s)
{
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (s[b]) atomicAdd(&bins[b], s[b]);
}

static __device__ void clear_bins(unsigned *s, int count)
{
    for (int b = threadIdx.x; b < count; b += blockDim.x) s[b] = 0;
    __syncthreads();
}

KERNEL l4_strided(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    clear_bins(s, 256);
    for (int i = self(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[in[i] & 255], 1u);
    flush_bins(bins, s);
}

KERNEL l4_per_warp(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[8][256];
    clear_bins(&s[0][0], 8 * 256);
    for (int i = self(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[threadIdx.x / 32][in[i] & 255], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++) sum += s[w][b];
        if (sum) atomicAdd(&bins[b], sum);
    }
}

// Four copies of each bin, side by side: lanes of a warp share one less often.
KERNEL l4_copies4(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256][4];
    clear_bins(&s[0][0], 1024);
    for (int i = self(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[in[i] & 255][threadIdx.x & 3], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], s[b][0] + s[b][1] + s[b][2] + s[b][3]);
}

KERNEL l4_uint4(const uint4 *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    clear_bins(s, 256);
    for (int i = self(); i < n / 4; i += gridDim.x * blockDim.x) {
        uint4 v = in[i];
        atomicAdd(&s[v.x & 255], 1u);
        atomicAdd(&s[v.y & 255], 1u);
        atomicAdd(&s[v.z & 255], 1u);
        atomicAdd(&s[v.w & 255], 1u);
    }
    flush_bins(bins, s);
}

KERNEL l4_items8(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    clear_bins(s, 256);
    for (int k = 0; k < 8; k++) {
        int i = (blockIdx.x * 8 + k) * blockDim.x + threadIdx.x;
        if (i < n) atomicAdd(&s[in[i] & 255], 1u);
    }
    flush_bins(bins, s);
}

KERNEL l4_own_chunk8(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    clear_bins(s, 256);
    for (int i = self() * 8, last = min(i + 8, n); i < last; i++) atomicAdd(&s[in[i] & 255], 1u);
    flush_bins(bins, s);
}

// Lanes with the same bin find each other; one of them adds for all.
KERNEL l4_matched(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    clear_bins(s, 256);
    for (int i = self(); i < n; i += gridDim.x * blockDim.x) {
        unsigned bin = in[i] & 255, same = __match_any_sync(__activemask(), bin);
        if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&s[bin], __popc(same));
    }
    flush_bins(bins, s);
}

// Of the bytes of an array: one by one, and four with a load.
KERNEL l4_bytes(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    clear_bins(s, 256);
    for (int i = self(); i < 4 * n; i += gridDim.x * blockDim.x) atomicAdd(&s[in[i]], 1u);
    flush_bins(bins, s);
}

KERNEL l4_bytes_of_words(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    clear_bins(s, 256);
    for (int i = self(); i < n; i += gridDim.x * blockDim.x) {
        unsigned v = in[i];
        for (int k = 0; k < 4; k++) atomicAdd(&s[v >> 8 * k & 255], 1u);
    }
    flush_bins(bins, s);
}

// ---------------------------------------------------------------- lab 5: sums and softmax of rows, a warp each

KERNEL l5_sum_shared(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[8][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, r = blockIdx.x * (blockDim.x / 32) + warp;
    if (r >= rows) return;
    float sum = 0;
    for (int c = lane; c < cols; c += 32) sum += in[(size_t)r * cols + c];
    s[warp][lane] = sum;
    __syncwarp();
    for (int d = 16; d; d /= 2) {
        if (lane < d) s[warp][lane] += s[warp][lane + d];
        __syncwarp();
    }
    if (lane == 0) out[r] = s[warp][0];
}

KERNEL l5_sum_block(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[128];
    int t = threadIdx.x, r = blockIdx.x;
    float sum = 0;
    for (int c = t; c < cols; c += 128) sum += in[(size_t)r * cols + c];
    s[t] = sum;
    __syncthreads();
    for (int d = 64; d; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[r] = s[0];
}

static __device__ float warp_max(float v)
{
    for (int d = 16; d; d /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    return v;
}

static __device__ float warp_sum(float v)
{
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    return v;
}

KERNEL l5_expf(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= rows) return;
    const float *x = in + (size_t)r * cols;
    float *y = out + (size_t)r * cols, most = -1e30f, sum = 0;
    for (int c = lane; c < cols; c += 32) most = fmaxf(most, x[c]);
    most = warp_max(most);
    for (int c = lane; c < cols; c += 32) sum += expf(x[c] - most);
    sum = warp_sum(sum);
    for (int c = lane; c < cols; c += 32) y[c] = expf(x[c] - most) / sum;
}

KERNEL l5_exp2f(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= rows) return;
    const float *x = in + (size_t)r * cols, log2e = 1.44269504f;
    float *y = out + (size_t)r * cols, most = -1e30f, sum = 0;
    for (int c = lane; c < cols; c += 32) most = fmaxf(most, x[c] * log2e);
    most = warp_max(most);
    for (int c = lane; c < cols; c += 32) {
        float e = exp2f(x[c] * log2e - most);
        y[c] = e;
        sum += e;
    }
    sum = 1 / warp_sum(sum);
    for (int c = lane; c < cols; c += 32) y[c] *= sum;
}

KERNEL l5_online(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= rows) return;
    const float *x = in + (size_t)r * cols;
    float *y = out + (size_t)r * cols, most = -1e30f, sum = 0;
    for (int c = lane; c < cols; c += 32) {
        float v = x[c], higher = fmaxf(most, v);
        sum = sum * __expf(most - higher) + __expf(v - higher);
        most = higher;
    }
    for (int d = 16; d; d /= 2) {
        float other = __shfl_xor_sync(~0u, most, d), others = __shfl_xor_sync(~0u, sum, d), higher = fmaxf(most, other);
        sum = sum * __expf(most - higher) + others * __expf(other - higher);
        most = higher;
    }
    sum = 1 / sum;
    for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - most) * sum;
}

// The row stays in registers: up to 1024 columns.
KERNEL l5_kept(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= rows) return;
    const float *x = in + (size_t)r * cols;
    float *y = out + (size_t)r * cols, v[32], most = -1e30f, sum = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        v[k] = lane + 32 * k < cols ? x[lane + 32 * k] : -1e30f;
        most = fmaxf(most, v[k]);
    }
    most = warp_max(most);
#pragma unroll
    for (int k = 0; k < 32; k++) sum += v[k] = __expf(v[k] - most);
    sum = 1 / warp_sum(sum);
#pragma unroll
    for (int k = 0; k < 32; k++)
        if (lane + 32 * k < cols) y[lane + 32 * k] = v[k] * sum;
}

// Two rows a warp, sixteen lanes each.
KERNEL l5_two_rows(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 16, r = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16;
    if (r >= rows) return;
    const float *x = in + (size_t)r * cols;
    float *y = out + (size_t)r * cols, most = -1e30f, sum = 0;
    for (int c = lane; c < cols; c += 16) most = fmaxf(most, x[c]);
    for (int d = 8; d; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    for (int c = lane; c < cols; c += 16) sum += __expf(x[c] - most);
    for (int d = 8; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    for (int c = lane; c < cols; c += 16) y[c] = __expf(x[c] - most) / sum;
}

// ---------------------------------------------------------------- lab 7: transposes

KERNEL l7_tile16(const float *in, float *out, int R, int C)
{
    __shared__ float t[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < C && y < R) t[threadIdx.y][threadIdx.x] = in[(size_t)y * C + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    if (x < R && y < C) out[(size_t)y * R + x] = t[threadIdx.x][threadIdx.y];
}

KERNEL l7_tile16_bare(const float *in, float *out, int R, int C)
{
    __shared__ float t[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < C && y < R) t[threadIdx.y][threadIdx.x] = in[(size_t)y * C + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    if (x < R && y < C) out[(size_t)y * R + x] = t[threadIdx.x][threadIdx.y];
}

KERNEL l7_swizzled(const float *in, float *out, int R, int C)
{
    __shared__ float t[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y, a = threadIdx.x, b = threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < C && y + j < R) t[b + j][a ^ (b + j)] = in[(size_t)(y + j) * C + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < R && y + j < C) out[(size_t)(y + j) * R + x] = t[a][(b + j) ^ a];
}

KERNEL l7_whole32_pad2(const float *in, float *out, int R, int C)
{
    __shared__ float t[32][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < C && y < R) t[threadIdx.y][threadIdx.x] = in[(size_t)y * C + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    if (x < R && y < C) out[(size_t)y * R + x] = t[threadIdx.x][threadIdx.y];
}

KERNEL l7_tile64(const float *in, float *out, int R, int C)
{
    __shared__ float t[64][65];
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 64 + threadIdx.y;
    for (int j = 0; j < 64; j += 16)
        for (int i = 0; i < 64; i += 32)
            if (x + i < C && y + j < R) t[threadIdx.y + j][threadIdx.x + i] = in[(size_t)(y + j) * C + x + i];
    __syncthreads();
    x = blockIdx.y * 64 + threadIdx.x, y = blockIdx.x * 64 + threadIdx.y;
    for (int j = 0; j < 64; j += 16)
        for (int i = 0; i < 64; i += 32)
            if (x + i < R && y + j < C) out[(size_t)(y + j) * R + x + i] = t[threadIdx.x + i][threadIdx.y + j];
}

// Four by four a thread in registers, both ways in vectors; for multiples of 4.
KERNEL l7_float4(const float *in, float *out, int R, int C)
{
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4, y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (x >= C || y >= R) return;
    float4 a = *(const float4 *)&in[(size_t)y * C + x], b = *(const float4 *)&in[(size_t)(y + 1) * C + x];
    float4 c = *(const float4 *)&in[(size_t)(y + 2) * C + x], d = *(const float4 *)&in[(size_t)(y + 3) * C + x];
    *(float4 *)&out[(size_t)x * R + y] = make_float4(a.x, b.x, c.x, d.x);
    *(float4 *)&out[(size_t)(x + 1) * R + y] = make_float4(a.y, b.y, c.y, d.y);
    *(float4 *)&out[(size_t)(x + 2) * R + y] = make_float4(a.z, b.z, c.z, d.z);
    *(float4 *)&out[(size_t)(x + 3) * R + y] = make_float4(a.w, b.w, c.w, d.w);
}

// Loads pairs, stores single floats; for even C.
KERNEL l7_float2(const float *in, float *out, int R, int C)
{
    __shared__ float t[32][65];
    int x = blockIdx.x * 64 + threadIdx.x * 2, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < C && y + j < R) {
            float2 v = *(const float2 *)&in[(size_t)(y + j) * C + x];
            t[threadIdx.y + j][threadIdx.x * 2] = v.x;
            t[threadIdx.y + j][threadIdx.x * 2 + 1] = v.y;
        }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 64 + threadIdx.y;
    for (int j = 0; j < 64; j += 8)
        if (x < R && y + j < C) out[(size_t)(y + j) * R + x] = t[threadIdx.x][threadIdx.y + j];
}

// Blocks in diagonal order, for square grids.
KERNEL l7_diagonal(const float *in, float *out, int R, int C)
{
    __shared__ float t[32][33];
    int bx = (blockIdx.x + blockIdx.y) % gridDim.x, by = blockIdx.x;
    int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < C && y + j < R) t[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * C + x];
    __syncthreads();
    x = by * 32 + threadIdx.x, y = bx * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < R && y + j < C) out[(size_t)(y + j) * R + x] = t[threadIdx.x][threadIdx.y + j];
}

KERNEL l7_columns_in(const float *in, float *out, int R, int C)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < R && y < C) out[(size_t)y * R + x] = in[(size_t)x * C + y];
}

KERNEL l7_direct(const float *in, float *out, int R, int C)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < C && y < R) out[(size_t)x * R + y] = in[(size_t)y * C + x];
}
