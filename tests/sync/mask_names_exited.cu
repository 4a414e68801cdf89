// Lanes that have returned must not stand in a mask.
// launch grid 1 block 32, twin: bad_mask at line 9
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x;
    out[t] = 1;
    if (t >= 16) return;
    unsigned v = __shfl_xor_sync(ORDER ? 0xffffu : ~0u, t, 1);
    out[t] = v == (t ^ 1);
}
