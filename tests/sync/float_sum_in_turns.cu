// A block's sum by atomics in shared memory, which somebody must have cleared.
// launch grid 2 block 64, twin: never_written at line 11 or 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ float sum;
#if ORDER
    if (threadIdx.x == 0) sum = 0.0f;
    __syncthreads();
#endif
    atomicAdd(&sum, 0.25f);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = sum == 16.0f;
}
