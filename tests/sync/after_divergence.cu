// Two arms of a branch store; they do not run together, so their lanes must meet before they read.
// launch grid 1 block 32, twin: race at line 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    if (t % 2) s[t] = 10 + t;
    else s[t] = 20 + t;
#if ORDER
    __syncwarp();
#endif
    out[t] = s[t ^ 1] == (t % 2 ? 20 : 10) + (t ^ 1);
}
