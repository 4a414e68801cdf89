// Jacobi steps in shared memory until the block agrees that nothing changes much.
// launch grid 1 block 66, twin: race at line 14 or 20 or 27
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ float a[66], b[66];
    __shared__ int more;
    float *now = a, *next = b;
    int t = threadIdx.x;
    now[t] = next[t] = t == 65 ? 1.0f : 0.0f;
    int turns = 0;
    do {
        __syncthreads();
        if (t == 0) more = 0;
#if ORDER
        __syncthreads();
#endif
        if (t > 0 && t < 65) {
            next[t] = 0.5f * (now[t - 1] + now[t + 1]);
            if (fabsf(next[t] - now[t]) > 1e-2f) more = 1;
        }
        float *swap = now;
        now = next;
        next = swap;
        __syncthreads();
        turns++;
    } while (more && turns < 100);
    out[t] = turns > 3 && now[t] <= 1.0f;
}
