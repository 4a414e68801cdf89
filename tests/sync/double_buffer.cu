// Two buffers take turns, so one barrier a step is enough.
// launch grid 1 block 128, twin: race at line 10 or 12
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[2][128];
    unsigned t = threadIdx.x, sum = t;
    for (unsigned step = 0; step < 5; ++step) {
        unsigned *now = s[ORDER ? step % 2 : 0];
        now[t] = sum;
        __syncthreads();
        sum += now[(t + 1) % 128];
    }
    out[t] = sum > t;
}
