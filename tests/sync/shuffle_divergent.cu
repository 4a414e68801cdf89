// A shuffle in a branch that half of the lanes take, with a mask of all: the others never come.
// launch grid 1 block 32, twin: bad_mask at line 9
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x, x = t;
    if (t < 16) {
        if (ORDER) x = __shfl_down_sync(0x0000ffffu, t, 1);
        else x = __shfl_down_sync(0xffffffffu, t, 1);
    }
    out[t] = t >= 15 || x == t + 1;
}
