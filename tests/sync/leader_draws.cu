// The leader of each group draws numbers for all of it; what the other lanes bring to the shuffle nobody has set.
// launch grid 2 block 64, twin: race at line 17
#define ORDER 1 // the twin has 0
__device__ unsigned broadcast(unsigned group, unsigned value, unsigned from)
{
    return __shfl_sync(group, value, from);
}
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x, key = t % 5, group = __match_any_sync(0xffffffffu, key), first;
    unsigned before = __popc(group & ((1u << t % 32) - 1));
    if (!before) first = atomicAdd(&work[key], __popc(group));
    first = broadcast(group, first, __ffs(group) - 1);
#if !ORDER
    before = 0;
#endif
    work[64 + key * 64 + first + before] = t;
    out[blockIdx.x * 64 + t] = 1;
}
