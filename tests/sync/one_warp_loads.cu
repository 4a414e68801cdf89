// The first warp fills the tile for the others.
// launch grid 1 block 96, twin: race at line 14 or 8
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    if (t < 32) s[t] = t, s[t + 32] = t + 32;
#if ORDER
    __syncthreads();
#else
    __syncwarp();
#endif
    out[t] = s[t % 64] == t % 64;
}
