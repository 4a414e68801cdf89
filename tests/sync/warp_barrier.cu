// Lanes of one warp exchange through shared memory; __syncwarp orders them.
// launch grid 1 block 64, twin: race at line 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
#if ORDER
    __syncwarp();
#endif
    out[t] = s[t ^ 1] == (t ^ 1);
}
