// A queue in global memory: producers reserve a place, write, fence, and mark it full; consumers take marks by exchange.
// launch grid 2 block 32, twin: race at line 19
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned *item = work, *full = work + 64, *tail = work + 200, *head = work + 201;
    if (threadIdx.x >= 4) return;
    if (blockIdx.x == 0) {
        unsigned place = atomicAdd(tail, 1u);
        item[place] = 100 + place;
        if (ORDER) __threadfence();
        atomicExch(&full[place], 1u);
        out[threadIdx.x] = 1;
    } else {
        unsigned place = atomicAdd(head, 1u);
        while (atomicExch(&full[place], 0u) == 0) {
        }
        if (ORDER) __threadfence(); // spare
        unsigned x = item[place];
        out[8 + threadIdx.x] = x == 100 + place;
    }
}
