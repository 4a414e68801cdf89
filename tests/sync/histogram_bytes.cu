// Bins of a byte for each thread, summed by all after a barrier; neighbours' bytes lie in one word.
// launch grid 1 block 64, twin: race at line 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ unsigned char bin[16][64];
    unsigned t = threadIdx.x;
    for (unsigned b = 0; b < 16; b++) bin[b][t] = 0;
    for (unsigned i = 0; i < 32; i++) bin[(i * t) % 16][t]++;
    if (ORDER) __syncthreads();
    unsigned sum = 0;
    if (t < 16)
        for (unsigned u = 0; u < 64; u++) sum += bin[t][u];
    __syncthreads();
    if (t < 16) atomicAdd(&work[0], sum);
    out[t] = 1;
}
