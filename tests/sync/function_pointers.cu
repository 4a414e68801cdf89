// Steps as functions behind pointers; the twin's second step starts before the first is done.
// launch grid 1 block 64, twin: race at line 10 or 6
#define ORDER 1 // the twin has 0
static __device__ __noinline__ void function_pointers_fill(unsigned *s, unsigned t)
{
    s[t] = t * 3;
}
static __device__ __noinline__ void function_pointers_turn(unsigned *s, unsigned t)
{
    s[64 + t] = s[63 - t];
}
typedef void (*function_pointers_step)(unsigned *, unsigned);
static __device__ function_pointers_step function_pointers_steps[2] = {function_pointers_fill, function_pointers_turn};
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    for (int i = 0; i < 2; i++) {
        function_pointers_steps[i + work[0]](s, threadIdx.x);
#if ORDER
        __syncthreads();
#endif
    }
    out[threadIdx.x] = s[64 + threadIdx.x] == (63 - threadIdx.x) * 3;
}
