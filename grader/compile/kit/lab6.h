// What lab 6 gives: the kernel, and the heads of the functions that you write. Do not change it: the grader runs its own
// copy of the kernel, whatever stands here.
#ifndef LAB6_H
#define LAB6_H

// A long computation on each number by itself: out[i] depends on in[i] alone.
#define WORK_ROUNDS 224
__host__ __device__ inline unsigned work_on(unsigned v)
{
    unsigned t = v;
    for (int round = 0; round < WORK_ROUNDS; ++round) t = (t * 5 + v) % 1000003;
    return t;
}

extern "C" __global__ void work(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = work_on(in[i]);
}

// Before the clock runs: takes all that the pipeline needs. *in and *out: host memory for n numbers each.
void prepare(unsigned **in, unsigned **out, int n);
// Timed: fresh numbers stand in `in`; on return out[i] is what `work` made of in[i], for every 0 <= i < n.
void pipeline(const unsigned *in, unsigned *out, int n);
// After the clock stopped: gives back all that prepare() took.
void finish(unsigned *in, unsigned *out);

#endif
