// A shuffle's mask must not name lanes that have returned.
// launch grid 1 block 32, twin: bad_mask at line 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x;
#if ORDER
    unsigned mask = __ballot_sync(0xffffffffu, t < 20);
#endif
    if (t >= 20) return;
#if !ORDER
    unsigned x = __shfl_xor_sync(0xffffffffu, t, 1);
#else
    unsigned x = __shfl_xor_sync(mask, t, 1);
#endif
    out[t] = x == (t ^ 1);
}
