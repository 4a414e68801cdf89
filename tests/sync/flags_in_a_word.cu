// Flags of a byte each lie in one word and are raised by different warps; a flag and its value go as one store of eight.
// launch grid 1 block 128, twin: race at line 26 or 32
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ volatile bool ready[2];
    __shared__ volatile unsigned long long packed;
    __shared__ unsigned part[3];
    unsigned t = threadIdx.x;
    if (t < 2) ready[t] = false;
    if (t == 2) packed = 0;
    __syncthreads();
    if (t < 64 && t % 32 == 0) {
        part[t / 32] = t + 1;
#if ORDER
        __threadfence_block();
#endif
        ready[t / 32] = true;
    } else if (t == 64) {
        part[2] = 9;
        __threadfence_block();
        packed = 1ull << 32;
    } else if (t == 96) {
        while (!ready[0] || !ready[1]) {
        }
        out[0] = part[0] + part[1] == 34;
    } else if (t == 97) {
#if ORDER
        while (((volatile unsigned *)&packed)[1] == 0) {
        }
#endif
        out[1] = part[2] == 9;
    }
}
