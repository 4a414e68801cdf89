// The block counts who still has work, by a barrier that adds up, until nobody has.
// launch grid 1 block 96, twin: race at line 20
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ int left[96];
    int t = threadIdx.x, steps = 0;
    left[t] = t % 7;
    __syncthreads();
    int busy;
#if ORDER
    while ((busy = __syncthreads_count(left[(t + 1) % 96] > 0 || left[t] > 0)) > 0) {
        if (left[t] > 0) left[t]--;
        __syncthreads();
        steps++;
    }
#else
    do {
        busy = __syncthreads_count(left[t] > 0);
        if (left[(t + 1) % 96] >= 0 && left[t] > 0) left[t]--;
        steps++;
    } while (busy);
#endif
    out[t] = left[t] == 0 && steps >= 6;
}
