// A lane that executes __syncwarp must stand in its own mask.
// launch grid 1 block 32, twin: bad_mask at line 8
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x;
    if (t < 16)
        __syncwarp(ORDER ? 0xffffu : 0xff00u);
    out[t] = 1;
}
