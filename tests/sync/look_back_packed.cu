// Look-back with status and value in one word of 64 bits: what the flag says travels with it, so no fence is needed.
// launch grid 6 block 32, twin: race at line 14 or 19
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    if (threadIdx.x) return;
    unsigned b = blockIdx.x, before = 0;
    volatile unsigned long long *state = (unsigned long long *)work;
    unsigned *plain = work + 64;
    if (b) {
        unsigned long long seen = 0;
        while (!(seen >> 32)) seen = state[b - 1];
        before = ORDER ? (unsigned)seen :
            plain[b - 1];
    }
    if (ORDER) {
        state[b] = 1ull << 32 | (before + b);
    } else {
        plain[b] = before + b;
        state[b] = 1ull << 32;
    }
    out[b] = before == b * (b - 1) / 2;
}
