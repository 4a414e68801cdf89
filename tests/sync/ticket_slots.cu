// An atomic counter gives each thread a slot of its own.
// launch grid 1 block 64, twin: race at line 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned next, s[64];
    unsigned t = threadIdx.x;
    if (t == 0) next = 0;
    __syncthreads();
    unsigned slot = atomicAdd(&next, 1u);
    s[ORDER ? slot : slot / 2] = t;
    __syncthreads();
    out[t] = s[ORDER ? slot : slot / 2] == t || !ORDER;
}
