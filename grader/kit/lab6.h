// Lab 6: the given kernel, and the declarations of the functions that you write. Do not change this file:
// the grader uses its own copy of the kernel.
#ifndef LAB6_H
#define LAB6_H

// A long computation on each number: out[i] depends only on in[i].
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

// Called before the time is measured. Allocates everything that the pipeline needs. Set *in and *out to host memory for n
// numbers each.
void prepare(unsigned **in, unsigned **out, int n);
// Measured. `in` contains new numbers. When it returns, out[i] must be the result of `work` for in[i], for 0 <= i < n.
void pipeline(const unsigned *in, unsigned *out, int n);
// Called after the time is measured. Frees everything that prepare() allocated.
void finish(unsigned *in, unsigned *out);

#endif
