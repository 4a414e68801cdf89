// Lab 6: a pipeline of copies and kernels.
//
// Contract
//   work(in, out, n)        the kernel is given (lab6.h): out[i] from in[i] alone, for 0 <= i < n; it must not be changed,
//                           and the grader runs its own copy of it
//   prepare(&in, &out, n)   before the clock runs: takes host memory for n numbers in and n numbers out, and whatever
//                           else the pipeline needs: device memory, streams, events
//   pipeline(in, out, n)    timed. Fresh numbers stand in `in`; when it returns, out[i] is what `work` made of in[i]
//   finish(in, out)         after the clock stopped: gives all of it back
//   n                       anything from 0 to four million, the same in all three; not always a multiple of your chunks.
//                           On a card 67 million, and there all three are called again and again, in this order
//
// An output counts when a copy from a device brought it that `work` had written there: not what the host computed, and
// not what a kernel wrote into the host's memory.
//
// Passing needs: right for every n; nothing read before its copy is complete, nothing used by two streams without an
// order between them; at least two streams; copies and kernels at work together during a quarter of the time; the speed
// that `./grade lab6` states. The baseline does one thing after the other.
//
// Below is a beginning: right, and slower than the baseline. Read handouts/lab6_streams.md, then: make lab6 && ./grade
// lab6, and look at the timeline in the report.
#include "lab6.h"

#include <stdlib.h>

static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    *in = (unsigned *)malloc(bytes);
    *out = (unsigned *)malloc(bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    if (n == 0) return;
    cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
    work<<<(n + 255) / 256, 256>>>(device_in, device_out, n);
    cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
}

void finish(unsigned *in, unsigned *out)
{
    cudaFree(device_in);
    cudaFree(device_out);
    free(in);
    free(out);
}
