// libcu++: cuda::pipeline of one thread (thread scope), three stages, each thread its own float4 slots
#include <cuda/pipeline>
#include "warpwise.h"

LAUNCH(scale, .block = {128}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float4 slot[3][128];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const int n4 = n / 4, step = gridDim.x * blockDim.x, t = threadIdx.x, first = blockIdx.x * blockDim.x + t;
    const float4 *src = reinterpret_cast<const float4 *>(in);
    float4 *dst = reinterpret_cast<float4 *>(out);
    auto fetch = [&](int i, int s) {
        pipe.producer_acquire();
        if (i < n4) cuda::memcpy_async(&slot[s][t], src + i, cuda::aligned_size_t<16>(sizeof(float4)), pipe);
        pipe.producer_commit();
    };
    fetch(first, 0);
    fetch(first + step, 1);
    int s = 0;
    for (int i = first; i < n4; i += step, s = (s + 1) % 3) {
        fetch(i + 2 * step, (s + 2) % 3);
        cuda::pipeline_consumer_wait_prior<2>(pipe);
        float4 v = slot[s][t];
        dst[i] = float4{2 * v.x + 1, 2 * v.y + 1, 2 * v.z + 1, 2 * v.w + 1};
        pipe.consumer_release();
    }
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    if (first < n % 4) out[4 * n4 + first] = 2 * in[4 * n4 + first] + 1;
}
