// The last warp of a block's sum, in a function that takes a volatile pointer: each step reads, waits, writes, waits.
// launch grid 2 block 128, twin in both images: race at line 13
#define ORDER 1 // the twin has 0
__device__ void last_warp_sums(volatile float *s, unsigned t)
{
    for (unsigned d = 32; d > 0; d >>= 1) {
#if ORDER
        float other = s[t + d];
        __syncwarp();
        if (t < d) s[t] += other;
        __syncwarp();
#else
        s[t] += s[t + d];
#endif
    }
}
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ float s[128];
    unsigned t = threadIdx.x;
    s[t] = 1.0f;
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) last_warp_sums(s, t);
    if (t == 0) out[blockIdx.x] = s[0] == 128.0f;
}
