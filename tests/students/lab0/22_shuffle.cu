// loads 16 bytes a lane and turns them with shuffles so that every store is scalar and coalesced
#include "warpwise.h"
#define FULL 0xffffffffu

LAUNCH(scale, .block = {256}, .tile = {1024});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int base = blockIdx.x * 1024 + warp * 128;
    float v[4] = {0, 0, 0, 0};
    int mine = base + 4 * lane;
    if (mine + 3 < n) {
        float4 q = __ldg(reinterpret_cast<const float4 *>(in + mine));
        v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
    } else {
        for (int k = 0; k < 4; k++)
            if (mine + k < n) v[k] = in[mine + k];
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        // element r * 32 + lane is number lane % 4 of lane r * 8 + lane / 4
        int from = r * 8 + lane / 4;
        float a = __shfl_sync(FULL, v[0], from), b = __shfl_sync(FULL, v[1], from);
        float c = __shfl_sync(FULL, v[2], from), d = __shfl_sync(FULL, v[3], from);
        float x = lane & 2 ? (lane & 1 ? d : c) : (lane & 1 ? b : a);
        int i = base + r * 32 + lane;
        if (i < n) out[i] = 2.0f * x + 1.0f;
    }
}
