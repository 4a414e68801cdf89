// Lab 8: two devices and the host at work.
//
// Contract
//   work(in, out, n)          the kernel is given (lab8.h): out[i] from in[i] alone, for 0 <= i < n; it must not be changed,
//                             and the grader runs its own copy of it
//   work_on_host(in, out, n)  the same by the host's processor, 2.9 ns a number; given as well
//   prepare(&in, &out, n)     before the clock runs: takes host memory for n numbers in and n numbers out, and whatever
//                             else is needed on each device: memory, streams
//   compute(in, out, n)       timed. Fresh numbers stand in `in`; when it returns, out[i] is what `work` or work_on_host
//                             made of in[i]
//   finish(in, out)           after the clock stopped: gives all of it back
//   n                         anything from 0 to four million, the same in all three; odd, too. On cards 67 million, and
//                             there all three are called again and again, in this order
//
// There are two devices, 0 and 1. An output counts when a copy from a device brought it that `work` had written there, or
// when work_on_host computed it.
//
// Passing needs: right for every n; nothing read before its copy is complete; both devices at work at the same time during
// 40 % of it; at least 1 % of the numbers done by the host, while the devices work; the speed that `./grade lab8` states.
// The baseline uses one device.
//
// Below is a beginning: right, on one device. Read handouts/lab8_devices.md, then: make lab8 && ./grade lab8
#include "lab8.h"

static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
}

void compute(const unsigned *in, unsigned *out, int n)
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
    cudaFreeHost(in);
    cudaFreeHost(out);
}
