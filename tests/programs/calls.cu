// A full block calls functions through pointers: of the functions that it might be in, one at a time holds registers.
#include "check.h"

template <int n> __device__ __noinline__ int poly(int x)
{
    int power[12], sum = n;
    power[0] = x;
    for (int i = 1; i < 12; i++) power[i] = power[i - 1] * x + n;
    for (int i = 0; i < 12; i++) sum = sum * 31 + (power[i] ^ power[11 - i] >> 3);
    return sum;
}
typedef int (*function)(int);
__device__ function table[] = {poly<1>, poly<2>, poly<3>, poly<4>, poly<5>, poly<6>, poly<7>, poly<8>};
static const int most = sizeof table / sizeof table[0];

__global__ void through(int *out)
{
    out[threadIdx.x] = table[threadIdx.x % most](threadIdx.x);
}

static int poly_of(int n, int x)
{
    unsigned power[12], sum = n;
    power[0] = x;
    for (int i = 1; i < 12; i++) power[i] = power[i - 1] * x + n;
    for (int i = 0; i < 12; i++) sum = sum * 31 + (power[i] ^ (unsigned)((int)power[11 - i] >> 3));
    return (int)sum;
}

int main()
{
    enum { THREADS = 1024 };
    int *out;
    cudaFuncAttributes facts;
    OK(cudaFuncGetAttributes(&facts, through));
    EXPECT(facts.numRegs <= 65536 / THREADS && facts.maxThreadsPerBlock == THREADS);
    OK(cudaMallocManaged(&out, THREADS * sizeof *out));
    through<<<1, THREADS>>>(out);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < THREADS; i++) wrong += out[i] != poly_of(i % most + 1, i);
    EXPECT(!wrong);
    OK(cudaFree(out));
    return failed;
}
