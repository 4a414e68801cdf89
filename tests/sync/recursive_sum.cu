// A sum by recursion over halves, a warp at a time; the twin's recursion forgets to wait.
// launch grid 1 block 32, twin: race at line 8 or 10
#define ORDER 1 // the twin has 0
static __device__ __noinline__ void recursive_sum_of(unsigned *s, unsigned lane, unsigned n)
{
    if (n == 1) return;
    unsigned half = n / 2;
    unsigned other = lane < half ? s[lane + half] : 0;
    if (ORDER) __syncwarp();
    if (lane < half) s[lane] += other;
    if (ORDER) __syncwarp();
    recursive_sum_of(s, lane, half);
}
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[32];
    s[threadIdx.x] = 1;
    __syncwarp();
    recursive_sum_of(s, threadIdx.x, 32);
    if (ORDER) __syncwarp();
    out[threadIdx.x] = threadIdx.x || s[0] == 32;
}
