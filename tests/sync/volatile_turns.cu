// Even lanes take turns on a volatile counter that each polls and then counts on: first for nothing, then to add.
// launch grid 1 block 32, twin: race at line 18
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    __shared__ volatile unsigned step, turn;
    __shared__ unsigned sum;
    unsigned t = threadIdx.x;
    if (t == 0) step = turn = sum = 0;
    __syncthreads();
    if (t % 2 == 0) {
        while (step != t / 2) {}
        step = step + 1;
        while (turn != t / 2) {}
#if ORDER
        __threadfence_block(); // spare
#endif
        sum += t;
#if ORDER
        __threadfence_block();
#endif
        turn = turn + 1;
    }
    __syncthreads();
    out[t] = sum == 240 && step == 16;
}
