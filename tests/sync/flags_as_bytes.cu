// Warps raise flags of a byte that lie in one word, and a union reads the word behind a barrier.
// launch grid 1 block 128, twin: race at line 12 or 16
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ union {
        unsigned char flag[4];
        unsigned all;
    } u;
    unsigned t = threadIdx.x, w = t / 32;
    if (t % 32 == 7)
        u.flag[w] = 1;
#if ORDER
    __syncthreads();
#endif
    out[t] = u.all == 0x01010101u;
}
