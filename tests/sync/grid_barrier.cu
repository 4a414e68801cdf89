// A barrier of all blocks that reverses its sense: they are few enough to be there together.
// launch grid 4 block 64, twin: race at line 9 or 21
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned t = threadIdx.x, b = blockIdx.x, good = 1;
    volatile unsigned *sense = work + 101;
    for (unsigned round = 1; round <= 3; ++round) {
        work[b * 64 % 64 + b] = round * 10 + b;
        __syncthreads();
        if (t == 0) {
            if (ORDER) __threadfence();
            if (atomicAdd(&work[100], 1u) == gridDim.x - 1) {
                work[100] = 0;
                if (ORDER) __threadfence();
                *sense = round;
            } else while (*sense != round) {}
            if (ORDER) __threadfence(); // spare
        }
        __syncthreads();
        good &= work[(b + 1) % 4] == round * 10 + (b + 1) % 4;
        __syncthreads();
        if (t == 0) {
            if (ORDER) __threadfence();
            if (atomicAdd(&work[110], 1u) == round * gridDim.x - 1) work[120 + round] = 0;
            while (atomicAdd(&work[110], 0u) < round * gridDim.x) {}
            if (ORDER) __threadfence(); // spare
        }
        __syncthreads();
    }
    out[b * 64 + t] = good;
}
