// A ticket lock across blocks: draw a number, wait to be served, change plain data, fence, serve the next.
// launch grid 5 block 32, twin: race at line 13
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned *next = work + 400, *data = work;
    volatile unsigned *serving = work + 401;
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(next, 1u);
        while (*serving != mine) {
        }
        __threadfence(); // spare
        data[0] += mine;
#if ORDER
        __threadfence();
#endif
        *serving = mine + 1;
        out[blockIdx.x] = 1;
    }
}
