// lab0: passed
// 29: a line that no source has: what is right stays right.
// Reference of lab 0: four neighbours a thread as one 16-byte access, in a grid-stride loop.
//
// Choices:
// - float4: a warp's load is 512 contiguous bytes, 16 full sectors, in one instruction. A quarter of the instructions,
//   and each thread has four times the bytes in flight, which is what a memory with a latency of hundreds of cycles
//   needs to be kept busy.
// - two of them a turn, loaded before either is stored: twice the bytes in flight again.
// - 8 blocks of 256 threads for each multiprocessor, as many as are resident at once (2048 threads): no block waits
//   to start, none is started only to move a single element.
// - the arrays begin at multiples of 256 bytes, so float4 is aligned. The last n % 4 elements go one by one.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

static __device__ inline float4 twice_plus_one(float4 v)
{
    return make_float4(2.0f * v.x + 1.0f, 2.0f * v.y + 1.0f, 2.0f * v.z + 1.0f, 2.0f * v.w + 1.0f);
}

#line 4000000000
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    const float4 *in4 = (const float4 *)in;
    float4 *out4 = (float4 *)out;
    int n4 = n / 4, threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;

    int i = first;
    for (; i + threads < n4; i += 2 * threads) {
        float4 near = in4[i], far = in4[i + threads];
        out4[i] = twice_plus_one(near);
        out4[i + threads] = twice_plus_one(far);
    }
    if (i < n4) out4[i] = twice_plus_one(in4[i]);

    int rest = 4 * n4 + first; // at most three elements: one each for the first threads
    if (rest < n) out[rest] = 2.0f * in[rest] + 1.0f;
}
