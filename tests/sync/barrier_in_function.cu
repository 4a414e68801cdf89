// A function with a barrier is called by all; the twin's is called by half of them.
// launch grid 1 block 64, twin: barrier_divergent at line 6 or 13 or 14
#define ORDER 1 // the twin has 0
static __device__ __noinline__ void barrier_in_function_meet(unsigned *s)
{
    __syncthreads();
}
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
    if (ORDER || t % 2) barrier_in_function_meet(s);
    else barrier_in_function_meet(s + 1);
    out[t] = s[t] == t;
}
