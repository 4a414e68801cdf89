// Values pass by shuffle without memory; a shuffle orders no other access.
// launch grid 1 block 32, twin: race at line 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x, v = t * 2;
    s[t] = v;
    unsigned other = __shfl_xor_sync(~0u, v, 1);
#if ORDER
    __syncwarp();
#endif
    out[t] = other == (t ^ 1) * 2 && s[t ^ 1] == other;
}
