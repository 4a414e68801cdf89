// A barrier at every other step of a loop, the same steps for all.
// launch grid 4 block 128, twin: race at line 12 or 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x, good = 1, x = t;
    for (unsigned step = 0; step < 40 + work[0]; step++) {
        if (step % 2 == 0) {
            s[t] = step;
            __syncthreads();
            x += s[127 - t];
            if (ORDER) __syncthreads();
        }
        x = x * 3 + (x & t ? step : 0);
        if (x % 7 == 3) good += step > 100;
    }
    out[blockIdx.x * 128 + t] = good;
}
