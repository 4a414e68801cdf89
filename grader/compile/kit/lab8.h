// What lab 8 gives: the kernel, its twin for the host, and the heads of the functions that you write. Do not change it:
// the grader runs its own copy of the kernel, whatever stands here.
#ifndef LAB8_H
#define LAB8_H

// A short computation on each number by itself: out[i] depends on in[i] alone.
#define WORK_ROUNDS 4
__host__ __device__ inline unsigned work_on(unsigned v)
{
    unsigned t = v;
    for (int round = 0; round < WORK_ROUNDS; ++round) t = t * 1664525 + (v ^ t >> 15);
    return t;
}

extern "C" __global__ void work(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work_on(in[i]);
}

// The same on the host, for its own share: n numbers, 2.9 ns each.
void work_on_host(const unsigned *in, unsigned *out, int n);

// Before the clock runs: takes all that is needed, on both devices. *in and *out: host memory for n numbers each.
void prepare(unsigned **in, unsigned **out, int n);
// Timed: fresh numbers stand in `in`; on return out[i] is what `work` or work_on_host made of in[i], for 0 <= i < n.
void compute(const unsigned *in, unsigned *out, int n);
// After the clock stopped: gives back all that prepare() took.
void finish(unsigned *in, unsigned *out);

#endif
