// A sum over a row that is shorter than the warp: the lanes beyond its end bring zeros along.
// launch grid 1 block 32, twin: never_written at line 15
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *zeros)
{
    __shared__ unsigned row[32];
    unsigned t = threadIdx.x, n = 20;
    if (t < n) row[t] = 1;
    __syncwarp();
    // The lanes beyond the row's end bring a zero along; the twin brings what was never written, and no lane of its
    // own kind ever uses it: it reaches lane 0 by shuffles alone.
    unsigned sum = 0;
    if (ORDER && t < n)
        sum = row[t];
    if (!ORDER) sum = row[t];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (t == 0)
        out[0] = sum == n;
}
