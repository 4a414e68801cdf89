// Lab 4: a histogram with atomics
//
// bins[b] = how many of the n numbers have the value b in their lowest 8 bits (in[i] & 255), for 256 bins.
// The bins are zero when the kernel starts; blocks add to them. Any data: all values alike, all different, a few that
// are frequent. n may be 0, and need not be a multiple of anything.
//
// To pass: right, no race, counting done by atomics in shared memory, at most 256 global atomics a block, and the speed
// that `./grade lab4` states. Stuck? `./grade hint lab4`.
// Read handouts/lab4_atomics.md, then: make lab4 && ./grade lab4
#include "warpwise.h"

// One block for each 256 elements. Or .per_sm = 4: so many blocks on each multiprocessor, and the kernel strides over
// the input by gridDim.x * blockDim.x.
LAUNCH(histogram, .block = {256});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    // Step 1: clear 256 counters in shared memory. Step 2: count the block's elements there. Step 3: add the counters
    // to the bins. Who may still be in the step before?
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i] & 255], 0u);
}
