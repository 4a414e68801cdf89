// Lab 5, reference, full marks: row sums and row softmax for many short rows, without a block barrier.
//
// What short rows lack is work that does not depend on other work: a warp that handles one row of 128 floats loads 16
// bytes a lane, waits for memory, then for one exchange after the other. Here a warp handles several rows at once: all
// their loads are in flight together, and each exchange serves all of them.
// - row_sums: eight rows. Each lane leaves one partial sum a row in the warp's own shared memory; after a single
//   __syncwarp() the lanes change roles, four lanes a row, each adding eight partial sums; after a second one a lane a
//   row adds those four. Two exchanges for eight rows, where a tree makes five for each.
// - softmax: a row of up to 128 floats lies in registers, four a lane, so that memory is read once. A row of 32 needs
//   eight lanes, so that a warp loads four such rows at a time and passes values among eight lanes in three steps, not
//   five. Rows of up to 1024 lie in registers too, one at a time, with eight loads of a lane in flight. Rows that are
//   longer still, or not a multiple of four, take a loop that finds maximum and sum in one pass.
// - 16-byte loads where rows start at multiples of 16 bytes, which is when the number of columns is one of four.
#include "warpwise.h"

#define WARPS 4     // of a block
#define SUM_ROWS 8  // of a warp in row_sums
#define SOFT_ROWS 4 // of a warp in softmax
// Floats from one row's partial sums to the next's: one more than a warp has lanes, so that 32 lanes of which four each
// read one of eight rows find them in 32 different banks.
#define PITCH 33
#define ALL 0xffffffffu

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS * SUM_ROWS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS * SOFT_ROWS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][SUM_ROWS * PITCH];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = (blockIdx.x * WARPS + warp) * SUM_ROWS;
    if (first >= rows) return; // a whole warp leaves, and nobody waits for it: each warp has its own exchange
    float *part = exchange[warp];

    const float *x = in + (size_t)first * cols;
    int mine = min(rows - first, SUM_ROWS); // the last warp may have fewer
    float sum[SUM_ROWS] = {};
    if (cols % 4 == 0) {
        for (int c = lane * 4; c < cols; c += 128)
#pragma unroll
            for (int r = 0; r < SUM_ROWS; ++r)
                if (r < mine) {
                    float4 v = *reinterpret_cast<const float4 *>(x + r * cols + c);
                    sum[r] += (v.x + v.y) + (v.z + v.w);
                }
    } else {
        for (int c = lane; c < cols; c += 32)
#pragma unroll
            for (int r = 0; r < SUM_ROWS; ++r)
                if (r < mine) sum[r] += x[r * cols + c];
    }
#pragma unroll
    for (int r = 0; r < SUM_ROWS; ++r) part[r * PITCH + lane] = sum[r];
    __syncwarp(); // every lane's partial sums stand

    // Eight partial sums of row lane / 4, which no other lane reads.
    float *eighth = part + lane / 4 * PITCH + lane % 4 * 8;
    float eight = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; ++k) eight += eighth[k];
    eighth[0] = eight;
    __syncwarp(); // four sums of each row stand

    if (lane < SUM_ROWS && first + lane < rows) {
        const float *four = part + lane * PITCH;
        sums[first + lane] = (four[0] + four[8]) + (four[16] + four[24]);
    }
}

// The maximum, and the sum, of each group of LANES neighbouring lanes; every lane of the group gets it.
template <int LANES> static __device__ float group_max(float value)
{
#pragma unroll
    for (int distance = LANES / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(ALL, value, distance));
    return value;
}

template <int LANES> static __device__ float group_sum(float value)
{
#pragma unroll
    for (int distance = LANES / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(ALL, value, distance);
    return value;
}

// Rows of at most 4 * LANES floats, a multiple of four: a lane holds four of a row, 32 / LANES rows make a round.
template <int LANES> static __device__ void short_rows(const float *in, float *out, int first, int rows, int cols)
{
    const int AT_ONCE = 32 / LANES, ROUNDS = SOFT_ROWS / AT_ONCE;
    int c = threadIdx.x % LANES * 4, row = first + threadIdx.x % 32 / LANES;
    float4 v[ROUNDS];
#pragma unroll
    for (int r = 0; r < ROUNDS; ++r)
        if (c < cols && row + r * AT_ONCE < rows)
            v[r] = *reinterpret_cast<const float4 *>(in + (size_t)(row + r * AT_ONCE) * cols + c);
        else
            v[r] = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY); // adds nothing: its exponential is zero
#pragma unroll
    for (int r = 0; r < ROUNDS; ++r) {
        float most = group_max<LANES>(fmaxf(fmaxf(v[r].x, v[r].y), fmaxf(v[r].z, v[r].w)));
        v[r].x = __expf(v[r].x - most);
        v[r].y = __expf(v[r].y - most);
        v[r].z = __expf(v[r].z - most);
        v[r].w = __expf(v[r].w - most);
        float scale = 1.0f / group_sum<LANES>((v[r].x + v[r].y) + (v[r].z + v[r].w));
        if (c < cols && row + r * AT_ONCE < rows)
            *reinterpret_cast<float4 *>(out + (size_t)(row + r * AT_ONCE) * cols + c) =
                make_float4(v[r].x * scale, v[r].y * scale, v[r].z * scale, v[r].w * scale);
    }
}

// A row of up to 128 * QUADS floats, a multiple of four, read once: a lane holds QUADS times four of it.
template <int QUADS> static __device__ void long_row(const float *x, float *y, int cols)
{
    int lane = threadIdx.x % 32;
    float4 v[QUADS];
    float most = -INFINITY, sum = 0.0f;
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        int c = (q * 32 + lane) * 4;
        v[q] = c < cols ? *reinterpret_cast<const float4 *>(x + c)
                        : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    }
#pragma unroll
    for (int q = 0; q < QUADS; ++q) most = fmaxf(most, fmaxf(fmaxf(v[q].x, v[q].y), fmaxf(v[q].z, v[q].w)));
    most = group_max<32>(most);
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        v[q] = make_float4(__expf(v[q].x - most), __expf(v[q].y - most), __expf(v[q].z - most), __expf(v[q].w - most));
        sum += (v[q].x + v[q].y) + (v[q].z + v[q].w);
    }
    float scale = 1.0f / group_sum<32>(sum);
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        int c = (q * 32 + lane) * 4;
        if (c < cols)
            *reinterpret_cast<float4 *>(y + c) =
                make_float4(v[q].x * scale, v[q].y * scale, v[q].z * scale, v[q].w * scale);
    }
}

// A row of any length, read twice. The sum so far is relative to the maximum so far, and shrinks when that grows.
static __device__ void any_row(const float *x, float *y, int cols)
{
    int lane = threadIdx.x % 32;
    float most = -INFINITY, sum = 0.0f;
    for (int c = lane; c < cols; c += 32) {
        float value = x[c], before = most;
        most = fmaxf(most, value);
        sum = fmaf(sum, __expf(before - most), __expf(value - most));
    }
    float whole = group_max<32>(most);
    // Rounded by itself: fused with the first addition of the exchange, as compilers may, lanes would get sums that
    // differ.
    sum = __fmul_rn(sum, __expf(most - whole));
    float scale = 1.0f / group_sum<32>(sum);
    for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - whole) * scale;
}

extern "C" __global__ void __launch_bounds__(WARPS * 32, 8) softmax(const float *in, float *out, int rows, int cols)
{
    int first = (blockIdx.x * WARPS + threadIdx.x / 32) * SOFT_ROWS;
    if (cols <= 128 && cols % 4 == 0) {
        if (cols <= 32)
            short_rows<8>(in, out, first, rows, cols);
        else if (cols <= 64)
            short_rows<16>(in, out, first, rows, cols);
        else
            short_rows<32>(in, out, first, rows, cols);
        return;
    }
    for (int row = first; row < min(first + SOFT_ROWS, rows); ++row) {
        const float *x = in + (size_t)row * cols;
        float *y = out + (size_t)row * cols;
        if (cols <= 1024 && cols % 4 == 0)
            long_row<8>(x, y, cols);
        else
            any_row(x, y, cols);
    }
}
