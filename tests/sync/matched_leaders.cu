// A histogram of a warp without atomics: lanes of one bin find each other, and their leader counts for them.
// launch grid 1 block 64, twin: race at line 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned bins[2][8];
    unsigned lane = threadIdx.x % 32, w = threadIdx.x / 32;
    if (lane < 8) bins[w][lane] = 0;
    __syncwarp();
    for (unsigned n = 0; n < 3; n++) {
        unsigned bin = (lane * 5 + n) % 8, same = __match_any_sync(~0u, bin);
        if (lane == __ffs(same) - 1) bins[w][bin] += __popc(same);
#if ORDER
        __syncwarp();
#endif
    }
    __syncthreads();
    if (lane < 8) out[w * 8 + lane] = bins[w][lane] == 12;
}
