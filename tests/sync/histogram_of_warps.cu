// A histogram for each warp, added up behind a barrier.
// launch grid 1 block 96, twin: race at line 13 or 20
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned bins[3][16];
    unsigned t = threadIdx.x, w = t / 32, lane = t % 32;
    if (lane < 16) bins[w][lane] = 0;
    __syncwarp();
    for (unsigned i = 0; i < 4; ++i) {
        unsigned bin = (t * 7 + i * 3) % 16;
        //
        atomicAdd(&bins[w][bin], 1u);
    }
#if ORDER
    __syncthreads();
#endif
    if (t < 16) {
        unsigned sum = 0;
        for (unsigned v = 0; v < 3; ++v) sum += bins[v][t];
        out[t] = sum == 24;
    }
}
