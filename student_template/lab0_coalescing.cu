// Lab 0: neighbouring threads read neighbouring elements.
//
// Contract
//   scale(in, out, n)   out[i] = 2 in[i] + 1 for every 0 <= i < n
//   in, out             n floats each, starting at a multiple of 256 bytes; `in` stays as it is
//   n                   anything from 0 to ten million, not always a multiple of your block
//
// LAUNCH says how the kernel is started: blocks of .block threads, each of which covers .tile elements (as many as
// it has threads, if you leave .tile out). The number of blocks follows from n. With .per_sm = 8 instead of .tile you
// get eight blocks for each multiprocessor, whatever n is, and your threads must step through the array themselves.
//
// Passing needs: right for every n; no access outside the arrays; at most 5 sectors for each 128 bytes loaded and
// stored; the speed that `./grade lab0` states. In the baseline each thread takes 32 neighbours for itself.
//
// Read handouts/lab0_coalescing.md, then: make lab0 && ./grade lab0
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    // Which element is this thread's? Every thread takes element 0 now.
    int i = 0;
    if (threadIdx.x == 0 && blockIdx.x == 0 && i < n) out[i] = 2.0f * in[i] + 1.0f;
}
