// Lanes with the same key find each other, the first of each group counts for all of them.
// launch grid 1 block 64, twin: race at line 16
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned count[4];
    unsigned t = threadIdx.x, lane = t % 32, key = (t * 5 + t / 3) % 4;
    if (t < 4) count[t] = 0;
    __syncthreads();
    unsigned group = __match_any_sync(~0u, key);
    unsigned leader = __ffs(group) - 1, base = 0;
    if (lane == leader) {
#if ORDER
        base = atomicAdd(&count[key], __popc(group));
#else
        base = count[key], count[key] = base + __popc(group);
#endif
    }
    base = __shfl_sync(group, base, leader);
    __syncthreads();
    unsigned place = base + __popc(group & ((1u << lane) - 1));
    out[t] = place < count[key] && count[0] + count[1] + count[2] + count[3] == 64;
}
