// The lowest active lane publishes for its warp.
// launch grid 1 block 64, twin: race at line 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[2];
    unsigned t = threadIdx.x, wants = __ballot_sync(~0u, t % 3 == 1);
    if (t % 32 == __ffs(wants) - 1) s[t / 32] = __popc(wants);
#if ORDER
    __syncwarp();
#endif
    out[t] = s[t / 32] == __popc(wants);
}
