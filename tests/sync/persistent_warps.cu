// Persistent warps: lane 0 draws an item, a shuffle tells the others, a slice of shared memory turns it around.
// launch grid 2 block 64, twin: race at line 13 or 17
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[2][32];
    unsigned lane = threadIdx.x % 32, *mine = s[threadIdx.x / 32];
    for (;;) {
        unsigned item = 0;
        if (lane == 0) item = atomicAdd(&work[0], 1u);
        item = __shfl_sync(~0u, item, 0);
        if (item >= 12) break;
        mine[lane] = item * 32 + lane;
#if ORDER
        __syncwarp();
#endif
        out[item * 32 + lane] = mine[31 - lane] == item * 32 + 31 - lane;
        __syncwarp();
    }
}
