// Nodes are pushed on a stack by compare-and-swap; who pops one reads what its pusher had stored before a fence.
// launch grid 2 block 32, twin: race at line 26
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned *head = work + 500, *next = work + 100, *value = work + 200;
    unsigned node = threadIdx.x / 4 + 1;
    if (threadIdx.x % 4) return;
    if (blockIdx.x == 0) {
        value[node] = node * 5;
        unsigned top = atomicAdd(head, 0u), seen;
        do {
            seen = top;
            atomicExch(&next[node], seen);
#if ORDER
            __threadfence();
#endif
            top = atomicCAS(head, seen, node);
        } while (top != seen);
        out[node] = 1;
    } else {
        for (unsigned waiting = 1; waiting;) {
            unsigned top = atomicAdd(head, 0u);
            if (top && atomicCAS(head, top, atomicAdd(&next[top], 0u)) == top) {
                __threadfence(); // spare
                unsigned x = value[top];
                out[40 + node] = x == top * 5;
                waiting = 0;
            }
        }
    }
}
