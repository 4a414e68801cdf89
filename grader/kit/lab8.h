// Lab 8: the given kernel, the same function for the host, and the declarations of the functions that you write. Do not change this file:
// the grader uses its own copy of the kernel.
#ifndef LAB8_H
#define LAB8_H

// A short computation on each number: out[i] depends only on in[i].
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

// The same computation on the host, for the host's part of the numbers: n numbers, 2.9 ns each.
void work_on_host(const unsigned *in, unsigned *out, int n);

// Called before the time is measured. Allocates everything that you need, on both devices. Set *in and *out to host memory
// for n numbers each.
void prepare(unsigned **in, unsigned **out, int n);
// Measured. `in` contains new numbers. When it returns, out[i] must be the result of `work` or work_on_host() for in[i],
// for 0 <= i < n.
void compute(const unsigned *in, unsigned *out, int n);
// Called after the time is measured. Frees everything that prepare() allocated.
void finish(unsigned *in, unsigned *out);

#endif
