// An atomic maximum of floats made of a compare-and-swap: its first, plain load is only a guess.
// launch grid 2 block 64, twin: race at line 11
#define ORDER 1 // the twin has 0
__device__ void largest(float *address, float value)
{
    int *word = (int *)address, old = *word, assumed;
    do {
        assumed = old;
        float most = fmaxf(value, __int_as_float(assumed));
#if !ORDER
        *word = old = __float_as_int(most);
        assumed = old;
#else
        old = atomicCAS(word, assumed, __float_as_int(most));
#endif
    } while (assumed != old);
}
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    largest((float *)work + threadIdx.x % 4, (float)threadIdx.x);
    if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
