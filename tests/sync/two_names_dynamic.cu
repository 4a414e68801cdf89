// Two extern arrays are one memory: a kernel may use it as floats first, and as integers after a barrier.
// launch grid 1 block 64 shared 256, twin: race at line 12
#define ORDER 1 // the twin has 0
extern __shared__ float two_names_floats[];
extern __shared__ unsigned two_names_words[];
extern "C" __global__ void k(unsigned *out, unsigned *zeros)
{
    unsigned t = threadIdx.x;
    two_names_floats[t] = (float)t;
    __syncthreads();
    float other = two_names_floats[63 - t];
    if (ORDER) __syncthreads(); two_names_words[t] = t;
    __syncthreads();
    out[t] = other == (float)(63 - t) && two_names_words[63 - t] == 63 - t;
}
