// A handle of two words goes to a function by value, its second word unset where the first says that none is needed.
// launch grid 1 block 32, twin: never_written at line 12 or 22
#define ORDER 1 // the twin has 0
struct handle {
    union {
        struct { unsigned kind, extent; } word;
        unsigned long long all;
    };
};
__device__ __noinline__ unsigned size_of(handle h)
{
    return h.word.kind ? h.word.extent : 4;
}
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    handle h;
    h.word.kind = work[threadIdx.x];
#if !ORDER
    h.word.kind = 1;
#endif
    handle copy = h;
    if (size_of(copy) == 4) out[threadIdx.x] = 1;
}
