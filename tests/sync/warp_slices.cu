// Each warp has a slice of one array and waits only for itself; the twin reads the next warp's.
// launch grid 1 block 128, twin: race at line 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x, lane = t % 32, first = t - lane;
    s[t] = lane;
    __syncwarp();
    unsigned at = ORDER ? first + 31 - lane : (t + 1) % 128;
    out[t] = s[at] == at % 32;
}
