// Each thread stores half a word, and one of them reads the word.
// launch grid 1 block 64, twin: race at line 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ __align__(4) unsigned short half[64];
    unsigned t = threadIdx.x, pair = 0;
    half[t] = t;
    if (ORDER) __syncwarp();
    if (t % 2 == 0)
        pair = *(unsigned *)&half[t];
    out[t] = t % 2 || pair == (t | (t + 1) << 16);
}
