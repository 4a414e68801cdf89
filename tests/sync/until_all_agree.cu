// A loop that ends when no thread changed anything: __syncthreads_or is its barrier, but it is only one of the two.
// launch grid 1 block 64, twin: race at line 13 or 17
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = t == 0 ? 1 : 0;
    int changed = 1;
    __syncthreads();
    while (changed) {
        unsigned left =
            t ? s[t - 1] : 1;
#if ORDER
        __syncthreads();
#endif
        changed = !s[t] && left; if (changed) s[t] = 1;
        changed = __syncthreads_or(changed);
    }
    out[t] = s[t] == 1;
}
