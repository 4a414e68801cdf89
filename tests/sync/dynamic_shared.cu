// Two arrays in one dynamic allocation, apart by an offset; the twin lays them on top of each other.
// launch grid 1 block 64 shared 512, twin: race at line 8 or 9
#define ORDER 1 // the twin has 0
extern __shared__ unsigned pool[];
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned *a = pool, *b = pool + (ORDER ? 64 : 0), t = threadIdx.x;
    a[t] = t;
    b[63 - t] = t + 100;
    __syncthreads();
    out[t] = ORDER ? a[t] == t && b[t] == 163 - t : 1;
}
